import type {KeyIndex} from '../../kv/key-index/key-index.ts';
import {createNameSearch, type NameSearch} from '../../kv/key-index/name-search.ts';

const maxMatches = 6;

/** Maximum milliseconds to search per keystroke. */
const searchBudgetMs = 15;

/** The last matches of an index, cached because the palette renders many times for one text. */
type CachedMatches = {
	readonly searchText: string;
	readonly revision: number;
	readonly names: readonly string[];
};

const cachedMatches = new WeakMap<KeyIndex, CachedMatches>();

/**
 * Finds up to six listed keys that contain the text: an exact match and prefix matches first, then others.
 * The search stops after 15 ms.
 */
export function findMatchingKeyNames(index: KeyIndex, searchText: string): readonly string[] {
	const cached = cachedMatches.get(index);
	if (cached?.searchText === searchText && cached.revision === index.revision) return cached.names;
	const names = new Set(listKeyNamesWithPrefix(index, searchText));
	const search = createNameSearch(searchText);
	const deadline = performance.now() + searchBudgetMs;
	for (
		let startPosition = 0;
		startPosition < index.count && names.size < maxMatches && performance.now() < deadline;
	)
		startPosition = searchKeyNamesFrom(search, index, startPosition, names);
	const matches = [...names].slice(0, maxMatches);
	cachedMatches.set(index, {searchText, revision: index.revision, names: matches});
	return matches;
}

function searchKeyNamesFrom(
	search: NameSearch,
	index: KeyIndex,
	startPosition: number,
	names: Set<string>,
): number {
	return search(index, startPosition, index.count, position => {
		if (names.size < maxMatches) names.add(index.getName(position));
	});
}

function listKeyNamesWithPrefix(index: KeyIndex, searchText: string): readonly string[] {
	const names: string[] = [];
	for (
		let position = index.find(searchText).position;
		position < index.count && names.length < maxMatches;
		position++
	) {
		const name = index.getName(position);
		if (!name.startsWith(searchText)) break;
		names.push(name);
	}
	return names;
}
