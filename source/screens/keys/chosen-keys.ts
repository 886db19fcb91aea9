import type {KeyScope} from '../../kv/transfer/listing.ts';
import {readKeyNames} from '../../kv/transfer/names.ts';
import type {Environment} from '../../state/directory.ts';
import {formatQuantity} from '../../text/figures.ts';
import {createNamesOrigin, formatSelectedKeyCount, type NamesOrigin, openSelectionInput} from './origin.ts';

/** The keys of a namespace that an action takes. */
export type ChosenKeys =
	| {readonly kind: 'all'}
	| {readonly kind: 'prefix'; readonly prefix: string}
	/** The key under the cursor. */
	| {readonly kind: 'key'; readonly name: string}
	/** The keys that matched the filter. */
	| {readonly kind: 'filtered'; readonly filter: string; readonly names: NamesOrigin}
	| {readonly kind: 'selected'; readonly names: NamesOrigin};

export const allKeys: ChosenKeys = {kind: 'all'};

/** Formats chosen keys with their namespace: "12 selected keys of SESSIONS". Not escaped for the terminal. */
export function formatChosenKeys(chosenKeys: ChosenKeys, title: string): string {
	const subset = formatKeySubset(chosenKeys);
	return subset === undefined ? title : `${subset} of ${title}`;
}

/** Formats chosen keys without their namespace; undefined for all keys. */
export function formatKeySubset(chosenKeys: ChosenKeys): string | undefined {
	switch (chosenKeys.kind) {
		case 'all':
			return undefined;
		case 'prefix':
			return `keys under ${chosenKeys.prefix}`;
		case 'key':
			return `key ${chosenKeys.name}`;
		case 'filtered':
			return `${formatQuantity(chosenKeys.names.count, 'key')} matching ${JSON.stringify(chosenKeys.filter)}`;
		case 'selected':
			return formatSelectedKeyCount(chosenKeys.names.count);
		default:
			return chosenKeys satisfies never;
	}
}

/**
 * Creates the scope of a walk over the chosen keys. Names are written to a file that `[Symbol.dispose]`
 * removes.
 */
export async function createKeyScope(
	chosenKeys: ChosenKeys,
	environment: Environment,
	signal: AbortSignal,
): Promise<KeyScope & Disposable> {
	switch (chosenKeys.kind) {
		case 'all':
			return {[Symbol.dispose]() {}};
		case 'prefix':
			return {prefix: chosenKeys.prefix, [Symbol.dispose]() {}};
		case 'key':
		case 'filtered':
		case 'selected': {
			const names = chosenKeys.kind === 'key' ? createNamesOrigin([chosenKeys.name]) : chosenKeys.names;
			const input = await openSelectionInput(names, environment, signal);
			try {
				return {names: await readKeyNames(input, signal), [Symbol.dispose]: () => input[Symbol.dispose]()};
			} catch (error) {
				input[Symbol.dispose]();
				throw error;
			}
		}
		default:
			return chosenKeys satisfies never;
	}
}
