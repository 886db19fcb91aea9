import type {KeyIndex} from '../../../source/kv/key-index/key-index.ts';
import type {KeyEntry} from '../../../source/kv/store.ts';
import {type Change, inByteOrder} from './names.ts';

/** The same as an index, the plain way: a map, sorted when asked. */
export class PlainKeys {
	readonly entries = new Map<string, KeyEntry>();

	get names(): string[] {
		return [...this.entries.keys()].sort(inByteOrder);
	}
}

/** Lets a change happen to the index and to the plain keys. */
export function happen(change: Change, index: KeyIndex, plain: PlainKeys): void {
	switch (change.kind) {
		case 'append': {
			const page = [...change.entries].sort((one, other) => inByteOrder(one.name, other.name));
			index.append(page);
			for (const entry of page) plain.entries.set(entry.name, entry);
			return;
		}
		case 'put': {
			const [only] = change.entries;
			if (change.entries.length === 1 && only) index.put(only);
			else index.putAll(change.entries);
			for (const entry of change.entries) plain.entries.set(entry.name, entry);
			return;
		}
		case 'remove': {
			const names = plain.names;
			const gone = names.length === 0 ? ['a'] : change.picks.map(pick => names[pick % names.length] ?? '');
			if (gone.length === 1) index.remove(gone[0] ?? '');
			else index.removeAll(gone);
			for (const name of gone) plain.entries.delete(name);
			return;
		}
	}
}

/** A row of the plain tree: the name of a key, or the prefix of a group; where it lies, and how it is called. */
export type PlainRow = {
	kind: 'group' | 'key';
	text: string;
	depth: number;
	label: string;
	open: boolean;
	names: string[];
};

/** The tree over sorted names by its definition: by brute force, on strings. */
export function plainTree(names: readonly string[], isOpen: (prefix: string) => boolean): PlainRow[] {
	return level(names, '', 0, isOpen);
}

function level(
	names: readonly string[],
	around: string,
	depth: number,
	isOpen: (prefix: string) => boolean,
): PlainRow[] {
	const rows: PlainRow[] = [];
	const seen = new Set<string>();
	for (const name of names) {
		const shortest = prefixesIn(name, around)[0];
		const below = shortest === undefined ? [] : names.filter(other => other.startsWith(shortest));
		if (shortest === undefined || below.length < 2) {
			const label = name.slice(around.length);
			rows.push({kind: 'key', text: name, depth, label, open: false, names: [name]});
			continue;
		}
		if (seen.has(shortest)) continue;
		seen.add(shortest);
		const joined =
			prefixesIn(name, around).findLast(prefix => below.every(other => other.startsWith(prefix))) ?? shortest;
		const open = isOpen(joined);
		rows.push({kind: 'group', text: joined, depth, label: joined.slice(around.length), open, names: below});
		if (open) rows.push(...level(below, joined, depth + 1, isOpen));
	}
	return rows;
}

function prefixesIn(name: string, around: string): string[] {
	const prefixes: string[] = [];
	for (let end = around.length + 1; end <= name.length; end++)
		if (name[end - 1] === ':' || name[end - 1] === '/') prefixes.push(name.slice(0, end));
	return prefixes;
}
