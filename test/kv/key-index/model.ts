import type {KeyIndex} from '../../../source/kv/key-index/key-index.ts';
import type {KeyEntry} from '../../../source/kv/store.ts';
import {type Change, inByteOrder} from './names.ts';

/** A simple model of an index: a map whose names are sorted on each access. */
export class PlainKeys {
	readonly entries = new Map<string, KeyEntry>();

	get names(): string[] {
		return [...this.entries.keys()].sort(inByteOrder);
	}
}

/** Applies a change to the index and to its model. */
export function applyIndexChange(change: Change, index: KeyIndex, plain: PlainKeys): void {
	switch (change.kind) {
		case 'append': {
			const page = [...change.entries].sort((one, other) => inByteOrder(one.name, other.name));
			index.append(page);
			for (const entry of page) plain.entries.set(entry.name, entry);
			return;
		}
		case 'put': {
			const [singleEntry] = change.entries;
			if (change.entries.length === 1 && singleEntry) index.put(singleEntry);
			else index.putAll(change.entries);
			for (const entry of change.entries) plain.entries.set(entry.name, entry);
			return;
		}
		case 'remove': {
			const names = plain.names;
			const removedNames =
				names.length === 0 ? ['a'] : change.picks.map(pick => names[pick % names.length] ?? '');
			if (removedNames.length === 1) index.remove(removedNames[0] ?? '');
			else index.removeAll(removedNames);
			for (const name of removedNames) plain.entries.delete(name);
			return;
		}
	}
}

/** A row of the model's tree. `text` is the name of a key or the prefix of a group, `names` its keys. */
export type PlainRow = {
	kind: 'group' | 'key';
	text: string;
	depth: number;
	label: string;
	open: boolean;
	names: string[];
};

/** Builds the tree over sorted names by its definition, by brute force on strings. */
export function buildPlainTree(names: readonly string[], isOpen: (prefix: string) => boolean): PlainRow[] {
	return buildLevel(names, '', 0, isOpen);
}

function buildLevel(
	names: readonly string[],
	parentPrefix: string,
	depth: number,
	isOpen: (prefix: string) => boolean,
): PlainRow[] {
	const rows: PlainRow[] = [];
	const seen = new Set<string>();
	for (const name of names) {
		const shortestPrefix = listPrefixes(name, parentPrefix)[0];
		const namesBelow =
			shortestPrefix === undefined ? [] : names.filter(other => other.startsWith(shortestPrefix));
		if (shortestPrefix === undefined || namesBelow.length < 2) {
			const label = name.slice(parentPrefix.length);
			rows.push({kind: 'key', text: name, depth, label, open: false, names: [name]});
			continue;
		}
		if (seen.has(shortestPrefix)) continue;
		seen.add(shortestPrefix);
		const joinedPrefix =
			listPrefixes(name, parentPrefix).findLast(prefix =>
				namesBelow.every(other => other.startsWith(prefix)),
			) ?? shortestPrefix;
		const open = isOpen(joinedPrefix);
		rows.push({
			kind: 'group',
			text: joinedPrefix,
			depth,
			label: joinedPrefix.slice(parentPrefix.length),
			open,
			names: namesBelow,
		});
		if (open) rows.push(...buildLevel(namesBelow, joinedPrefix, depth + 1, isOpen));
	}
	return rows;
}

function listPrefixes(name: string, parentPrefix: string): string[] {
	const prefixes: string[] = [];
	for (let end = parentPrefix.length + 1; end <= name.length; end++)
		if (name[end - 1] === ':' || name[end - 1] === '/') prefixes.push(name.slice(0, end));
	return prefixes;
}
