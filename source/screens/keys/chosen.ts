import type {Scope} from '../../kv/transfer/listing.ts';
import {keyNames} from '../../kv/transfer/names.ts';
import type {Environment} from '../../state/directory.ts';
import {counted} from '../../text/figures.ts';
import {type NamesOrigin, openNames, selectedKeys} from './origin.ts';

/** The keys of a namespace that an action takes. */
export type ChosenKeys =
	| {readonly kind: 'all'}
	| {readonly kind: 'prefix'; readonly prefix: string}
	/** The keys that matched the filter. */
	| {readonly kind: 'filtered'; readonly filter: string; readonly names: NamesOrigin}
	| {readonly kind: 'selected'; readonly names: NamesOrigin};

export const allKeys: ChosenKeys = {kind: 'all'};

/** Formats chosen keys with their namespace: "12 selected keys of SESSIONS". Not escaped for the terminal. */
export function chosenText(chosen: ChosenKeys, title: string): string {
	const which = chosenPart(chosen);
	return which === undefined ? title : `${which} of ${title}`;
}

/** Formats chosen keys without their namespace; undefined for all keys. */
export function chosenPart(chosen: ChosenKeys): string | undefined {
	switch (chosen.kind) {
		case 'all':
			return undefined;
		case 'prefix':
			return `keys below ${chosen.prefix}`;
		case 'filtered':
			return `${counted(chosen.names.count, 'key')} with ${JSON.stringify(chosen.filter)}`;
		case 'selected':
			return selectedKeys(chosen.names.count);
		default:
			return chosen satisfies never;
	}
}

/**
 * Creates the scope of a walk over the chosen keys. Names are written to a file that `[Symbol.dispose]`
 * removes.
 */
export async function scopeOf(
	chosen: ChosenKeys,
	environment: Environment,
	signal: AbortSignal,
): Promise<Scope & Disposable> {
	switch (chosen.kind) {
		case 'all':
			return {[Symbol.dispose]() {}};
		case 'prefix':
			return {prefix: chosen.prefix, [Symbol.dispose]() {}};
		case 'filtered':
		case 'selected': {
			const input = await openNames(chosen.names, environment, signal);
			try {
				return {names: await keyNames(input, signal), [Symbol.dispose]: () => input[Symbol.dispose]()};
			} catch (error) {
				input[Symbol.dispose]();
				throw error;
			}
		}
		default:
			return chosen satisfies never;
	}
}
