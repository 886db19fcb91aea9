import {columnsOf} from '../../text/columns.ts';
import type {JsonTree} from '../../text/json/tree.ts';
import {type Occurrences, occurrencesInBytes, occurrencesInText} from '../../text/occurrences.ts';
import {drawableLine} from '../../text/tabs.ts';
import {nodeAt, standingOn} from './tree.ts';
import {atRow, bytesPerRow, type KeyView, rowHere, sideways} from './value-view.ts';

/** Where a text was found, and whether the search went round the end of the value for it. */
type Found = {readonly view: KeyView; readonly around: boolean};

/** From where to look for a text: from the row of the cursor on, behind that row, or in the rows before it. */
type From = 'here' | 'behind' | 'before';

/**
 * The view with the cursor on the first row from here on (behind here, or the last one before here) that holds a text, by
 * smart case; at the end the search continues at the other end. `undefined` when the value does not hold it.
 */
export function find(view: KeyView, query: string, from: From, columns: number): Found | undefined {
	const occurrences = occurrencesIn(view, query);
	const start = startOf(view, from, columns);
	const isBackwards = from === 'before';
	const ahead = isBackwards ? occurrences.previous(start) : occurrences.next(start);
	const place = ahead ?? (isBackwards ? occurrences.previous(Number.POSITIVE_INFINITY) : occurrences.next(0));
	const next = place === undefined ? undefined : standingAt(view, place, query, columns);
	return next && {view: next, around: ahead === undefined};
}

/** Rows that hold what is looked for are counted up to so many. */
const mostCounted = 5000;

/** The rows of a value that hold a text, in their order: values of the tree, rows of text or hex. */
type Counted = {readonly rows: readonly number[]; readonly isAll: boolean};

/** What was counted of a value last. */
const lastCounted = new WeakMap<Uint8Array, Counted & {readonly of: string}>();

/**
 * Which of the rows of a value that hold a text the cursor is on, from 1, and of how many; `isAll` unless there may be more
 * than were counted.
 */
export function matchCount(
	view: KeyView,
	query: string,
	columns: number,
): {readonly number: number | undefined; readonly all: number; readonly isAll: boolean} {
	const {bytes, form, lines, tree, at} = view;
	const of = `${form} ${form === 'text' ? lines.known : bytesPerRow(columns)} ${query}`;
	const known = lastCounted.get(bytes);
	const {rows, isAll} = known?.of === of ? known : countedIn(view, query, columns);
	lastCounted.set(bytes, {of, rows, isAll});
	const here = form === 'json' ? tree?.at(at.json)?.node : rowHere(view, columns);
	const place = here === undefined ? -1 : rows.indexOf(here);
	return {number: place === -1 ? undefined : place + 1, all: rows.length, isAll};
}

function countedIn(view: KeyView, query: string, columns: number): Counted {
	const occurrences = occurrencesIn(view, query);
	const rows: number[] = [];
	let place = occurrences.next(0);
	while (place !== undefined && rows.length < mostCounted) {
		const found = rowAt(view, place, columns);
		// Rows of text behind those that are known are counted once they are.
		if (!found) break;
		// What follows a value in a tree is on the row of the next one, which may hold the text itself.
		if (rows.at(-1) !== found.row) rows.push(found.row);
		place = occurrences.next(Math.max(place + 1, found.end));
	}
	return {rows, isAll: place === undefined};
}

/** The row of a place of a value, and the place where the row ends; `undefined` where it is not known yet. */
function rowAt(
	{form, tree, lines}: KeyView,
	place: number,
	columns: number,
): {readonly row: number; readonly end: number} | undefined {
	switch (form) {
		case 'json': {
			if (!tree) return undefined;
			const {nodes} = tree;
			const node = nodeOf(tree, place);
			return {row: node, end: nodes.isContainer(node) ? nodes.start(node) + 1 : nodes.end(node)};
		}
		case 'text': {
			const row = lines.rowOfByte(place);
			return row === undefined ? undefined : {row, end: lines.byteOf(row + 1)};
		}
		case 'hex': {
			const perRow = bytesPerRow(columns);
			const row = Math.floor(place / perRow);
			return {row, end: (row + 1) * perRow};
		}
	}
}

type Sought = {readonly isText: boolean; readonly query: string; readonly occurrences: Occurrences};

/** Of a large value, a copy in one case is made once for each text that is looked for. */
const prepared = new WeakMap<Uint8Array, Sought>();

function occurrencesIn({bytes, form, tree}: KeyView, query: string): Occurrences {
	const text = form === 'json' ? tree?.nodes.text : undefined;
	const isText = text !== undefined;
	const known = prepared.get(bytes);
	if (known?.query === query && known.isText === isText) return known.occurrences;
	const occurrences = isText ? occurrencesInText(text, query) : occurrencesInBytes(bytes, query);
	prepared.set(bytes, {isText, query, occurrences});
	return occurrences;
}

/** The place to look from: for what comes before a row, up to there. */
function startOf(view: KeyView, from: From, columns: number): number {
	const {form, tree, lines, at} = view;
	switch (form) {
		case 'json':
			return tree ? startInTree(tree, at.json, from) : 0;
		case 'text':
			return lines.byteOf(at.text + (from === 'behind' ? 1 : 0));
		case 'hex':
			return (rowHere(view, columns) + (from === 'behind' ? 1 : 0)) * bytesPerRow(columns);
	}
}

/** Where in the source to begin, to find what is on a row, or only what comes behind it. */
function startInTree(tree: JsonTree, row: number, from: From): number {
	const {nodes} = tree;
	const here = tree.at(row);
	if (!here) return 0;
	const {node, shape} = here;
	if (shape === 'end') return nodes.end(node);
	if (from !== 'behind') return nodes.memberStart(node);
	return nodes.isContainer(node) ? nodes.start(node) + 1 : nodes.end(node);
}

/** Bytes of text whose rows are found at a time, on the way to a place. */
const indexStep = 1 << 16;

/** The value on whose row a place is shown; of what is behind all values, the last one. */
const nodeOf = (tree: JsonTree, place: number): number => nodeAt(tree, place) ?? tree.nodes.size - 1;

/** The view with the cursor on the row of a place; `undefined` where there is no tree. */
function standingAt(view: KeyView, place: number, query: string, columns: number): KeyView | undefined {
	const {form, tree, lines} = view;
	switch (form) {
		case 'json': {
			if (!tree) return undefined;
			const node = nodeOf(tree, place);
			return standingOn(view, tree.reveal(node), node);
		}
		case 'text': {
			let row = lines.rowOfByte(place);
			while (row === undefined) {
				lines.indexMore(indexStep);
				row = lines.rowOfByte(place);
			}
			return inSight(atRow(view, row, columns), place, query, columns);
		}
		case 'hex':
			return atRow(view, Math.floor(place / bytesPerRow(columns)), columns);
	}
}

/** Columns that the number of a line and what is around it take at most. */
const margins = 14;

/** Scrolls the text to the side until a place on the row of the cursor is seen. */
function inSight(view: KeyView, place: number, query: string, columns: number): KeyView {
	const {bytes, lines, at} = view;
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const start = columnsOf(drawableLine(buffer.toString('utf8', lines.byteOf(at.text), place)));
	const end = start + columnsOf(drawableLine(query));
	const room = columns - margins;
	if (start > view.left && end < view.left + room) return view;
	if (end < room) return {...view, left: 0};
	return {...view, left: Math.floor(Math.max(0, start - room / 2) / sideways) * sideways};
}
