import {bisect} from '../text/bisect.ts';
import {findStringEnd} from '../text/json.ts';

/** Where something is in a document: keys of tables, positions in lists. */
export type DocumentPath = readonly (string | number)[];

/** A value as it is in the text of a JSON or TOML document: offsets in UTF-16 units, `end` behind the last. */
export type Layout = Scalar | Container;

type Scalar = {readonly kind: 'scalar'; readonly start: number; readonly end: number};

export type Container = {
	readonly kind: 'list' | 'table';
	/** Of the opening bracket. */
	readonly start: number;
	/** Behind the closing bracket. */
	readonly end: number;
	readonly items: readonly Item[];
	/** Of the comma behind the last item, if there is one. */
	readonly comma?: number;
};

/** An element of a list (no key), or a member of a table; in TOML its key may be dotted. */
type Item = {
	readonly key: readonly string[];
	readonly start: number;
	readonly end: number;
	readonly value: Layout;
};

/** How a language writes its values. Offsets go in, offsets come out. */
export type Grammar = {
	readonly skipTrivia: (text: string, from: number) => number;
	readonly valueAt: (text: string, start: number) => Layout;
	/** A key, and where the sign between it and its value is. */
	readonly keyAt: (text: string, start: number) => {readonly words: readonly string[]; readonly end: number};
};

/** The list or table that begins at `start`. */
export function containerAt(text: string, start: number, grammar: Grammar): Container {
	const kind = text.charAt(start) === '[' ? 'list' : 'table';
	const items: Item[] = [];
	let comma: number | undefined;
	let at = grammar.skipTrivia(text, start + 1);
	while (at < text.length) {
		const character = text.charAt(at);
		if (character === ']' || character === '}') break;
		if (character === ',') {
			comma = at;
			at++;
		} else {
			const key = kind === 'table' ? grammar.keyAt(text, at) : {words: [], end: at - 1};
			const value = grammar.valueAt(text, grammar.skipTrivia(text, key.end + 1));
			items.push({key: key.words, start: at, end: value.end, value});
			comma = undefined;
			at = value.end;
		}
		at = grammar.skipTrivia(text, at);
	}
	return {kind, start, end: at + 1, items, ...(comma !== undefined && {comma})};
}

/** What lies at a path below a value; of a JSON key that is there twice, the last, which counts. */
export function itemAt(layout: Layout, path: DocumentPath): Item | undefined {
	const [first] = path;
	if (first === undefined || layout.kind === 'scalar') return undefined;
	if (layout.kind === 'list') {
		const item = typeof first === 'number' ? layout.items[first] : undefined;
		return item && (path.length === 1 ? item : itemAt(item.value, path.slice(1)));
	}
	for (const item of layout.items.toReversed()) {
		if (!item.key.every((word, index) => word === path[index])) continue;
		if (item.key.length === path.length) return item;
		const deeper = itemAt(item.value, path.slice(item.key.length));
		if (deeper) return deeper;
	}
	return undefined;
}

/** Line and column, both from 1, the column in UTF-16 units as editors count. */
export type TextPlace = {readonly line: number; readonly column: number};

/** Returns the function that finds the place of an offset. The lines of the text are looked for once, at its first call. */
export function createPlaceFinder(text: string): (offset: number) => TextPlace {
	let lineStarts: readonly number[] | undefined;
	return offset => {
		lineStarts ??= findLineStarts(text);
		const starts = lineStarts;
		const line = bisect(1, starts.length, at => (starts[at] ?? 0) <= offset) - 1;
		return {line: line + 1, column: offset - (lineStarts[line] ?? 0) + 1};
	};
}

function findLineStarts(text: string): readonly number[] {
	const starts = [0];
	for (let index = text.indexOf('\n'); index !== -1; index = text.indexOf('\n', index + 1))
		starts.push(index + 1);
	return starts;
}

/** A header (`[a.b]`, `[[a.b]]`) or an assignment (`a.b = …`) of a TOML document; a JSON document is one assignment to its root. */
export type Statement = {
	readonly kind: 'header' | 'assignment';
	/** What it defines, from the root; an element of `[[a.b]]` has its position as the last part. */
	readonly path: DocumentPath;
	readonly start: number;
	readonly end: number;
	/** Of an assignment. */
	readonly value?: Layout;
};

export const isWithin = (path: DocumentPath, around: DocumentPath): boolean =>
	around.every((part, index) => part === path[index]);

/** The value that is assigned to a path, in whichever statement. */
export function valueAt(statements: readonly Statement[], path: DocumentPath): Layout | undefined {
	for (const {path: assigned, value: whole} of statements) {
		if (!whole || !isWithin(path, assigned)) continue;
		const rest = path.slice(assigned.length);
		const value = rest.length === 0 ? whole : itemAt(whole, rest)?.value;
		if (value) return value;
	}
	return undefined;
}

/** True for a blank, a tab or a line break: the white space of JSON and of TOML. */
export const isBlank = (code: number): boolean =>
	code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d;

/** Behind the closing quote of the string in double quotes that begins at `start`. */
export const endOfQuoted = (text: string, start: number): number =>
	Math.min(text.length, findStringEnd(text, start) + 1);

export function endOfLine(text: string, from: number): number {
	const end = text.indexOf('\n', from);
	return end === -1 ? text.length : end;
}
