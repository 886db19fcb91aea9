import type {KeyIndex} from '../../kv/key-index/key-index.ts';
import {type NameSearch, nameSearch} from '../../kv/key-index/name-search.ts';

/** Keys that are offered by name at most. */
const mostOffered = 6;

/** Milliseconds that a search for names may take between two keys that are typed. */
const searchBudget = 15;

/** What was found last: the palette is drawn many times for one text. */
type Found = {readonly sought: string; readonly revision: number; readonly names: readonly string[]};

const lastFound = new WeakMap<KeyIndex, Found>();

/**
 * Names of listed keys that hold a text, at most six: the key of exactly this name and those that begin so, then others, as far
 * as they are found within 15 ms. The filter finds all of them.
 */
export function namesHolding(index: KeyIndex, sought: string): readonly string[] {
	const known = lastFound.get(index);
	if (known?.sought === sought && known.revision === index.revision) return known.names;
	const names = new Set(beginningWith(index, sought));
	const search = nameSearch(sought);
	const deadline = performance.now() + searchBudget;
	for (let from = 0; from < index.count && names.size < mostOffered && performance.now() < deadline; )
		from = searchOn(search, index, from, names);
	const found = [...names].slice(0, mostOffered);
	lastFound.set(index, {sought, revision: index.revision, names: found});
	return found;
}

function searchOn(search: NameSearch, index: KeyIndex, from: number, names: Set<string>): number {
	return search(index, from, index.count, position => {
		if (names.size < mostOffered) names.add(index.nameAt(position));
	});
}

function beginningWith(index: KeyIndex, sought: string): readonly string[] {
	const names: string[] = [];
	for (let at = index.find(sought).position; at < index.count && names.length < mostOffered; at++) {
		const name = index.nameAt(at);
		if (!name.startsWith(sought)) break;
		names.push(name);
	}
	return names;
}
