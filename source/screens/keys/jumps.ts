import type {KeyIndex} from '../../kv/key-index/key-index.ts';
import {type NameSearch, nameSearch} from '../../kv/key-index/name-search.ts';

const mostOffered = 6;

/** Milliseconds per keystroke. */
const searchBudget = 15;

/** The last matches of an index: the palette renders many times for one text. */
type Found = {readonly sought: string; readonly revision: number; readonly names: readonly string[]};

const lastFound = new WeakMap<KeyIndex, Found>();

/**
 * Finds up to six listed keys that contain the text: an exact match and prefix matches first, then others,
 * within 15 ms. The filter finds all of them.
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
