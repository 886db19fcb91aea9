import {measureColumns} from '../../text/columns.ts';
import type {JsonTree} from '../../text/json/tree.ts';
import {type Occurrences, searchBytes, searchText} from '../../text/occurrences.ts';
import {toDrawableLine} from '../../text/tabs.ts';
import {findNodeAt, moveToNode} from './tree.ts';
import {computeBytesPerRow, getCursorRow, type KeyView, moveToRow, scrollStep} from './value-view.ts';

/** `isWrapped`: the search wrapped at the end of the value. */
type Match = {readonly view: KeyView; readonly isWrapped: boolean};

/** Where a search starts: at the cursor's row, after it, or backwards from it. */
type SearchOrigin = 'here' | 'behind' | 'before';

/**
 * Returns the view with the cursor on the next row that contains the text (smart case), searching from `from`
 * and wrapping at the end. Undefined if the value does not contain it.
 */
export function findInValue(
	view: KeyView,
	query: string,
	from: SearchOrigin,
	columns: number,
): Match | undefined {
	const occurrences = getOccurrences(view, query);
	const start = getSearchStart(view, from, columns);
	const isBackwards = from === 'before';
	const ahead = isBackwards ? occurrences.previous(start) : occurrences.next(start);
	const place = ahead ?? (isBackwards ? occurrences.previous(Number.POSITIVE_INFINITY) : occurrences.next(0));
	const next = place === undefined ? undefined : moveToPlace(view, place, query, columns);
	return next && {view: next, isWrapped: ahead === undefined};
}

/** Maximum rows counted as matches. */
const maxCountedRows = 5000;

/** Rows that contain a text, in order: nodes of the tree, rows of text or hex. */
type MatchRows = {readonly rows: readonly number[]; readonly isAll: boolean};

const matchRowsCache = new WeakMap<Uint8Array, MatchRows & {readonly cacheKey: string}>();

/**
 * Counts the rows that contain a text; `number` is the cursor's match, from 1. `isAll` is false if there may
 * be more.
 */
export function countMatches(
	view: KeyView,
	query: string,
	columns: number,
): {readonly number: number | undefined; readonly all: number; readonly isAll: boolean} {
	const {bytes, form, lines, tree, at} = view;
	const cacheKey = `${form} ${form === 'text' ? lines.knownRows : computeBytesPerRow(columns)} ${query}`;
	const known = matchRowsCache.get(bytes);
	const {rows, isAll} = known?.cacheKey === cacheKey ? known : collectMatchRows(view, query, columns);
	matchRowsCache.set(bytes, {cacheKey, rows, isAll});
	const currentRow = form === 'json' ? tree?.at(at.json)?.node : getCursorRow(view, columns);
	const place = currentRow === undefined ? -1 : rows.indexOf(currentRow);
	return {number: place === -1 ? undefined : place + 1, all: rows.length, isAll};
}

function collectMatchRows(view: KeyView, query: string, columns: number): MatchRows {
	const occurrences = getOccurrences(view, query);
	const rows: number[] = [];
	let place = occurrences.next(0);
	while (place !== undefined && rows.length < maxCountedRows) {
		const found = locateRow(view, place, columns);
		// Rows that are not indexed yet are counted later.
		if (!found) break;
		// Text after a value belongs to the row of the next one, which may match itself.
		if (rows.at(-1) !== found.row) rows.push(found.row);
		place = occurrences.next(Math.max(place + 1, found.end));
	}
	return {rows, isAll: place === undefined};
}

/** Returns the row of an offset, and the offset at which that row ends; undefined if not indexed yet. */
function locateRow(
	{form, tree, lines}: KeyView,
	place: number,
	columns: number,
): {readonly row: number; readonly end: number} | undefined {
	switch (form) {
		case 'json': {
			if (!tree) return undefined;
			const {nodes} = tree;
			const node = getNodeAtPlace(tree, place);
			return {row: node, end: nodes.isContainer(node) ? nodes.start(node) + 1 : nodes.end(node)};
		}
		case 'text': {
			const row = lines.findRowOfByte(place);
			return row === undefined ? undefined : {row, end: lines.getRowOffset(row + 1)};
		}
		case 'hex': {
			const perRow = computeBytesPerRow(columns);
			const row = Math.floor(place / perRow);
			return {row, end: (row + 1) * perRow};
		}
	}
}

type PreparedSearch = {readonly isText: boolean; readonly query: string; readonly occurrences: Occurrences};

/** Lower-cased copies of large values, one per search text. */
const preparedSearches = new WeakMap<Uint8Array, PreparedSearch>();

function getOccurrences({bytes, form, tree}: KeyView, query: string): Occurrences {
	const text = form === 'json' ? tree?.nodes.text : undefined;
	const isText = text !== undefined;
	const known = preparedSearches.get(bytes);
	if (known?.query === query && known.isText === isText) return known.occurrences;
	const occurrences = isText ? searchText(text, query) : searchBytes(bytes, query);
	preparedSearches.set(bytes, {isText, query, occurrences});
	return occurrences;
}

/** Returns the offset at which the search starts. */
function getSearchStart(view: KeyView, from: SearchOrigin, columns: number): number {
	const {form, tree, lines, at} = view;
	switch (form) {
		case 'json':
			return tree ? getTreeSearchStart(tree, at.json, from) : 0;
		case 'text':
			return lines.getRowOffset(at.text + (from === 'behind' ? 1 : 0));
		case 'hex':
			return (getCursorRow(view, columns) + (from === 'behind' ? 1 : 0)) * computeBytesPerRow(columns);
	}
}

/** Returns the source offset that starts a search at a row, or after it. */
function getTreeSearchStart(tree: JsonTree, row: number, from: SearchOrigin): number {
	const {nodes} = tree;
	const current = tree.at(row);
	if (!current) return 0;
	const {node, shape} = current;
	if (shape === 'end') return nodes.end(node);
	if (from !== 'behind') return nodes.memberStart(node);
	return nodes.isContainer(node) ? nodes.start(node) + 1 : nodes.end(node);
}

/** Bytes of text indexed per step. */
const indexStep = 1 << 16;

/** Returns the node whose row shows an offset; beyond all nodes, the last one. */
const getNodeAtPlace = (tree: JsonTree, place: number): number =>
	findNodeAt(tree, place) ?? tree.nodes.size - 1;

/** Moves the cursor to the row of an offset; undefined without a tree. */
function moveToPlace(view: KeyView, place: number, query: string, columns: number): KeyView | undefined {
	const {form, tree, lines} = view;
	switch (form) {
		case 'json': {
			if (!tree) return undefined;
			const node = getNodeAtPlace(tree, place);
			return moveToNode(view, tree.reveal(node), node);
		}
		case 'text': {
			let row = lines.findRowOfByte(place);
			while (row === undefined) {
				lines.indexMore(indexStep);
				row = lines.findRowOfByte(place);
			}
			return scrollIntoSight(moveToRow(view, row, columns), place, query, columns);
		}
		case 'hex':
			return moveToRow(view, Math.floor(place / computeBytesPerRow(columns)), columns);
	}
}

/** Maximum columns of the line number and its margins. */
const marginColumns = 14;

/** Scrolls sideways until an offset in the cursor's row is visible. */
function scrollIntoSight(view: KeyView, place: number, query: string, columns: number): KeyView {
	const {bytes, lines, at} = view;
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const start = measureColumns(toDrawableLine(buffer.toString('utf8', lines.getRowOffset(at.text), place)));
	const end = start + measureColumns(toDrawableLine(query));
	const room = columns - marginColumns;
	if (start > view.left && end < view.left + room) return view;
	if (end < room) return {...view, left: 0};
	return {...view, left: Math.floor(Math.max(0, start - room / 2) / scrollStep) * scrollStep};
}
