import {findPrefixEnd} from '../../kv/key-index/prefixes.ts';
import type {ChosenKeys} from './chosen-keys.ts';
import {listOriginNames} from './origin.ts';
import type {KeysState} from './state.ts';

/** Counts the chosen keys that are listed. `isTotal` is true if no other key is chosen. */
export function countChosenKeys(
	{index, prefixKeys}: KeysState,
	chosenKeys: ChosenKeys,
): {readonly count: number; readonly isTotal: boolean} {
	switch (chosenKeys.kind) {
		case 'all':
			return {count: index.count, isTotal: index.complete};
		case 'prefix': {
			const {position} = index.find(chosenKeys.prefix);
			const bytes = Buffer.byteLength(chosenKeys.prefix);
			const hasMatches = position < index.count && index.getName(position).startsWith(chosenKeys.prefix);
			const end = hasMatches ? findPrefixEnd(index, position, index.count, 0, bytes) : position;
			const isListed = prefixKeys?.isComplete === true && chosenKeys.prefix.startsWith(prefixKeys.prefix);
			return {count: end - position, isTotal: isListed || !index.mayGrow(end)};
		}
		case 'key':
			return {count: 1, isTotal: true};
		case 'filtered':
		case 'selected':
			return {count: chosenKeys.names.count, isTotal: true};
		default:
			return chosenKeys satisfies never;
	}
}

/** Lists the first of the chosen keys, at most `limit`, as far as they are listed. */
export function listFirstChosenNames(
	{index}: KeysState,
	chosenKeys: ChosenKeys,
	limit: number,
): readonly string[] {
	switch (chosenKeys.kind) {
		case 'all':
		case 'prefix': {
			const prefix = chosenKeys.kind === 'all' ? '' : chosenKeys.prefix;
			const start = index.find(prefix).position;
			const end = Math.min(index.count, start + limit);
			return Array.from({length: Math.max(0, end - start)}, (_, offset) =>
				index.getName(start + offset),
			).filter(name => name.startsWith(prefix));
		}
		case 'key':
			return [chosenKeys.name];
		case 'filtered':
		case 'selected':
			return [...listOriginNames(chosenKeys.names).take(limit)];
		default:
			return chosenKeys satisfies never;
	}
}
