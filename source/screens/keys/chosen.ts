import type {KeyScope} from '../../kv/transfer/listing.ts';
import {readKeyNames} from '../../kv/transfer/names.ts';
import type {Environment} from '../../state/directory.ts';
import {formatQuantity} from '../../text/figures.ts';
import {formatSelectedKeyCount, type NamesOrigin, openSelectionInput} from './origin.ts';

/** The keys of a namespace that an action takes. */
export type ChosenKeys =
	| {readonly kind: 'all'}
	| {readonly kind: 'prefix'; readonly prefix: string}
	/** The keys that matched the filter. */
	| {readonly kind: 'filtered'; readonly filter: string; readonly names: NamesOrigin}
	| {readonly kind: 'selected'; readonly names: NamesOrigin};

export const allKeys: ChosenKeys = {kind: 'all'};

/** Formats chosen keys with their namespace: "12 selected keys of SESSIONS". Not escaped for the terminal. */
export function formatChosenKeys(chosen: ChosenKeys, title: string): string {
	const which = formatKeySubset(chosen);
	return which === undefined ? title : `${which} of ${title}`;
}

/** Formats chosen keys without their namespace; undefined for all keys. */
export function formatKeySubset(chosen: ChosenKeys): string | undefined {
	switch (chosen.kind) {
		case 'all':
			return undefined;
		case 'prefix':
			return `keys below ${chosen.prefix}`;
		case 'filtered':
			return `${formatQuantity(chosen.names.count, 'key')} with ${JSON.stringify(chosen.filter)}`;
		case 'selected':
			return formatSelectedKeyCount(chosen.names.count);
		default:
			return chosen satisfies never;
	}
}

/**
 * Creates the scope of a walk over the chosen keys. Names are written to a file that `[Symbol.dispose]`
 * removes.
 */
export async function createKeyScope(
	chosen: ChosenKeys,
	environment: Environment,
	signal: AbortSignal,
): Promise<KeyScope & Disposable> {
	switch (chosen.kind) {
		case 'all':
			return {[Symbol.dispose]() {}};
		case 'prefix':
			return {prefix: chosen.prefix, [Symbol.dispose]() {}};
		case 'filtered':
		case 'selected': {
			const input = await openSelectionInput(chosen.names, environment, signal);
			try {
				return {names: await readKeyNames(input, signal), [Symbol.dispose]: () => input[Symbol.dispose]()};
			} catch (error) {
				input[Symbol.dispose]();
				throw error;
			}
		}
		default:
			return chosen satisfies never;
	}
}
