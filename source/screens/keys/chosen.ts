import type {Scope} from '../../kv/transfer/listing.ts';
import {keyNames} from '../../kv/transfer/names.ts';
import type {Environment} from '../../state/directory.ts';
import {counted} from '../../text/figures.ts';
import {type NamesOrigin, openNames, selectedKeys} from './origin.ts';

/** The keys of a namespace that something is to be done with. */
export type ChosenKeys =
	| {readonly kind: 'all'}
	| {readonly kind: 'prefix'; readonly prefix: string}
	/** Those that a filter shows. */
	| {readonly kind: 'filtered'; readonly filter: string; readonly names: NamesOrigin}
	| {readonly kind: 'selected'; readonly names: NamesOrigin};

export const allKeys: ChosenKeys = {kind: 'all'};

/** What was chosen, with the title of its namespace: "12 selected keys of SESSIONS". Data as it is. */
export function chosenText(chosen: ChosenKeys, title: string): string {
	const which = chosenPart(chosen);
	return which === undefined ? title : `${which} of ${title}`;
}

/** The same without the namespace; `undefined` for all of it. */
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

/** What was chosen, for whoever walks through it. A selection is written into a file, which whoever has it disposes of. */
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
