import {bisect} from '../text/bisect.ts';
import {findStringEnd} from '../text/json.ts';

/** Path in a document: keys of tables, and indexes of list elements. */
export type DocumentPath = readonly (string | number)[];

/** A value in the text of a JSON or TOML document; offsets in UTF-16 units, `end` is exclusive. */
export type Layout = Scalar | Container;

type Scalar = {readonly kind: 'scalar'; readonly start: number; readonly end: number};

export type Container = {
	readonly kind: 'list' | 'table';
	/** Opening bracket. */
	readonly start: number;
	/** After the closing bracket. */
	readonly end: number;
	readonly items: readonly Item[];
	/** Offset of the trailing comma, if any. */
	readonly comma?: number;
};

/** A list element (no key) or a table member; TOML keys may be dotted. */
type Item = {
	readonly key: readonly string[];
	readonly start: number;
	readonly end: number;
	readonly value: Layout;
};

/** Syntax of a language; functions take and return offsets. */
export type Grammar = {
	readonly skipTrivia: (text: string, from: number) => number;
	readonly parseValue: (text: string, start: number) => Layout;
	/** Parses a key; `end` is the offset of the sign between key and value. */
	readonly parseKey: (
		text: string,
		start: number,
	) => {readonly words: readonly string[]; readonly end: number};
};

/** Parses the list or table that begins at `start`. */
export function parseContainer(text: string, start: number, grammar: Grammar): Container {
	const kind = text.charAt(start) === '[' ? 'list' : 'table';
	const items: Item[] = [];
	let comma: number | undefined;
	let offset = grammar.skipTrivia(text, start + 1);
	while (offset < text.length) {
		const character = text.charAt(offset);
		if (character === ']' || character === '}') break;
		if (character === ',') {
			comma = offset;
			offset++;
		} else {
			const key = kind === 'table' ? grammar.parseKey(text, offset) : {words: [], end: offset - 1};
			const value = grammar.parseValue(text, grammar.skipTrivia(text, key.end + 1));
			items.push({key: key.words, start: offset, end: value.end, value});
			comma = undefined;
			offset = value.end;
		}
		offset = grammar.skipTrivia(text, offset);
	}
	return {kind, start, end: offset + 1, items, ...(comma !== undefined && {comma})};
}

/** Finds the item at a path below a value; of repeated JSON keys the last, which counts. */
export function findLayoutItem(layout: Layout, path: DocumentPath): Item | undefined {
	const [first] = path;
	if (first === undefined || layout.kind === 'scalar') return undefined;
	if (layout.kind === 'list') {
		const item = typeof first === 'number' ? layout.items[first] : undefined;
		return item && (path.length === 1 ? item : findLayoutItem(item.value, path.slice(1)));
	}
	for (const item of layout.items.toReversed()) {
		if (!item.key.every((word, index) => word === path[index])) continue;
		if (item.key.length === path.length) return item;
		const innerItem = findLayoutItem(item.value, path.slice(item.key.length));
		if (innerItem) return innerItem;
	}
	return undefined;
}

/** Line and column, from 1; the column in UTF-16 units, like editors. */
export type LineAndColumn = {readonly line: number; readonly column: number};

/** Creates a function that converts offsets to lines and columns. Indexes the lines at its first call. */
export function createPositionFinder(text: string): (offset: number) => LineAndColumn {
	let lineStarts: readonly number[] | undefined;
	return offset => {
		lineStarts ??= findLineStarts(text);
		const starts = lineStarts;
		const line = bisect(1, starts.length, line => (starts[line] ?? 0) <= offset) - 1;
		return {line: line + 1, column: offset - (lineStarts[line] ?? 0) + 1};
	};
}

function findLineStarts(text: string): readonly number[] {
	const offsets = [0];
	for (let index = text.indexOf('\n'); index !== -1; index = text.indexOf('\n', index + 1))
		offsets.push(index + 1);
	return offsets;
}

/**
 * A TOML header (`[a.b]`, `[[a.b]]`) or assignment (`a.b = …`); a JSON document is one assignment to its
 * root.
 */
export type Statement = {
	readonly kind: 'header' | 'assignment';
	/** Path of what it defines, from the root; for an element of `[[a.b]]` it ends with the index. */
	readonly path: DocumentPath;
	readonly start: number;
	readonly end: number;
	/** The assigned value, if it is an assignment. */
	readonly value?: Layout;
};

/** True if a path is `ancestorPath` or below it. */
export const isWithin = (path: DocumentPath, ancestorPath: DocumentPath): boolean =>
	ancestorPath.every((part, index) => part === path[index]);

/** Finds the value assigned to a path by any statement. */
export function findAssignedValue(statements: readonly Statement[], path: DocumentPath): Layout | undefined {
	for (const {path: assignedPath, value: assignedValue} of statements) {
		if (!assignedValue || !isWithin(path, assignedPath)) continue;
		const restPath = path.slice(assignedPath.length);
		const value = restPath.length === 0 ? assignedValue : findLayoutItem(assignedValue, restPath)?.value;
		if (value) return value;
	}
	return undefined;
}

/** True for JSON and TOML white space: blank, tab, line break. */
export const isBlank = (code: number): boolean =>
	code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d;

/** Returns the offset after the closing double quote of the string at `start`. */
export const findQuotedEnd = (text: string, start: number): number =>
	Math.min(text.length, findStringEnd(text, start) + 1);

export function findLineEnd(text: string, start: number): number {
	const end = text.indexOf('\n', start);
	return end === -1 ? text.length : end;
}
