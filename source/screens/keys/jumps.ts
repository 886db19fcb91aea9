import type {KeyIndex} from '../../kv/key-index/key-index.ts';
import {createNameSearch, type NameSearch} from '../../kv/key-index/name-search.ts';

const maxOffered = 6;

/** Milliseconds per keystroke. */
const searchBudgetMs = 15;

/** The last matches of an index: the palette renders many times for one text. */
type CachedMatches = {
	readonly searchText: string;
	readonly revision: number;
	readonly names: readonly string[];
};

const cachedMatches = new WeakMap<KeyIndex, CachedMatches>();

/**
 * Finds up to six listed keys that contain the text: an exact match and prefix matches first, then others,
 * within 15 ms. The filter finds all of them.
 */
export function findMatchingKeyNames(index: KeyIndex, searchText: string): readonly string[] {
	const known = cachedMatches.get(index);
	if (known?.searchText === searchText && known.revision === index.revision) return known.names;
	const names = new Set(listKeyNamesWithPrefix(index, searchText));
	const search = createNameSearch(searchText);
	const deadline = performance.now() + searchBudgetMs;
	for (let from = 0; from < index.count && names.size < maxOffered && performance.now() < deadline; )
		from = searchKeyNamesFrom(search, index, from, names);
	const found = [...names].slice(0, maxOffered);
	cachedMatches.set(index, {searchText, revision: index.revision, names: found});
	return found;
}

function searchKeyNamesFrom(search: NameSearch, index: KeyIndex, from: number, names: Set<string>): number {
	return search(index, from, index.count, position => {
		if (names.size < maxOffered) names.add(index.getName(position));
	});
}

function listKeyNamesWithPrefix(index: KeyIndex, searchText: string): readonly string[] {
	const names: string[] = [];
	for (let at = index.find(searchText).position; at < index.count && names.length < maxOffered; at++) {
		const name = index.getName(at);
		if (!name.startsWith(searchText)) break;
		names.push(name);
	}
	return names;
}
