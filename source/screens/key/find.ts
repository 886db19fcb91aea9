import {measureColumns} from '../../text/columns.ts';
import type {JsonTree} from '../../text/json/tree.ts';
import {findByteOccurrences, findTextOccurrences, type Occurrences} from '../../text/occurrences.ts';
import {toDrawableLine} from '../../text/tabs.ts';
import {findNodeAt, moveToNode} from './tree.ts';
import {computeBytesPerRow, getCursorRow, type KeyView, moveToRow, scrollStep} from './value-view.ts';

/** A match. `isWrapped` is true if the search continued at the other end of the value. */
type Match = {readonly view: KeyView; readonly isWrapped: boolean};

/** Where a search starts: at the cursor's row, after it, or before it, going backwards. */
type SearchOrigin = 'here' | 'behind' | 'before';

/**
 * Returns the view with the cursor on the next row that contains the text (smart case), searching from
 * `origin` and wrapping at the end. Undefined if the value does not contain it.
 */
export function findInValue(
	view: KeyView,
	query: string,
	origin: SearchOrigin,
	columns: number,
): Match | undefined {
	if (view.form === 'image') return undefined;
	const occurrences = getOccurrences(view, query);
	const start = getSearchStart(view, origin, columns);
	const isBackwards = origin === 'before';
	const matchInDirection = isBackwards ? occurrences.previous(start) : occurrences.next(start);
	const offset =
		matchInDirection ?? (isBackwards ? occurrences.previous(Number.POSITIVE_INFINITY) : occurrences.next(0));
	const matchView = offset === undefined ? undefined : moveToOffset(view, offset, query, columns);
	return matchView && {view: matchView, isWrapped: matchInDirection === undefined};
}

/** Maximum rows counted as matches. */
const maxCountedRows = 5000;

/** Rows that contain a text, in order: nodes of the tree, rows of text or hex. */
type MatchRows = {readonly rows: readonly number[]; readonly isComplete: boolean};

const matchRowsCache = new WeakMap<Uint8Array, MatchRows & {readonly cacheKey: string}>();

/**
 * Counts the rows that contain a text. `matchNumber` is the match under the cursor, counted from 1.
 * `isComplete` is false if there may be more.
 */
export function countMatches(
	view: KeyView,
	query: string,
	columns: number,
): {readonly matchNumber: number | undefined; readonly total: number; readonly isComplete: boolean} {
	const {bytes, form, lines, tree, cursors} = view;
	const cacheKey = `${form} ${form === 'text' ? lines.knownRows : computeBytesPerRow(columns)} ${query}`;
	const cached = matchRowsCache.get(bytes);
	const {rows, isComplete} = cached?.cacheKey === cacheKey ? cached : collectMatchRows(view, query, columns);
	matchRowsCache.set(bytes, {cacheKey, rows, isComplete});
	const currentRow = form === 'json' ? tree?.at(cursors.json)?.node : getCursorRow(view, columns);
	const index = currentRow === undefined ? -1 : rows.indexOf(currentRow);
	return {matchNumber: index === -1 ? undefined : index + 1, total: rows.length, isComplete};
}

function collectMatchRows(view: KeyView, query: string, columns: number): MatchRows {
	const occurrences = getOccurrences(view, query);
	const rows: number[] = [];
	let offset = occurrences.next(0);
	while (offset !== undefined && rows.length < maxCountedRows) {
		const locatedRow = locateRow(view, offset, columns);
		// Rows that are not indexed yet are counted later.
		if (!locatedRow) break;
		// Text after a value belongs to the row of the next value, so that row may be found twice.
		if (rows.at(-1) !== locatedRow.row) rows.push(locatedRow.row);
		offset = occurrences.next(Math.max(offset + 1, locatedRow.end));
	}
	return {rows, isComplete: offset === undefined};
}

/** Returns the row of an offset, and the offset where that row ends. Undefined if it is not indexed yet. */
function locateRow(
	{form, tree, lines}: KeyView,
	offset: number,
	columns: number,
): {readonly row: number; readonly end: number} | undefined {
	switch (form) {
		case 'json': {
			if (!tree) return undefined;
			const {nodes} = tree;
			const node = getNodeAtOffset(tree, offset);
			return {row: node, end: nodes.isContainer(node) ? nodes.start(node) + 1 : nodes.end(node)};
		}
		case 'text': {
			const row = lines.findRowOfByte(offset);
			return row === undefined ? undefined : {row, end: lines.getRowOffset(row + 1)};
		}
		case 'hex': {
			const bytesPerRow = computeBytesPerRow(columns);
			const row = Math.floor(offset / bytesPerRow);
			return {row, end: (row + 1) * bytesPerRow};
		}
		case 'image':
			return undefined;
	}
}

type PreparedSearch = {readonly isText: boolean; readonly query: string; readonly occurrences: Occurrences};

/** The last search per value, cached because it holds a lower-cased copy of the value. */
const preparedSearches = new WeakMap<Uint8Array, PreparedSearch>();

function getOccurrences({bytes, form, tree}: KeyView, query: string): Occurrences {
	const text = form === 'json' ? tree?.nodes.text : undefined;
	const isText = text !== undefined;
	const cached = preparedSearches.get(bytes);
	if (cached?.query === query && cached.isText === isText) return cached.occurrences;
	const occurrences = isText ? findTextOccurrences(text, query) : findByteOccurrences(bytes, query);
	preparedSearches.set(bytes, {isText, query, occurrences});
	return occurrences;
}

/** Returns the offset at which the search starts. */
function getSearchStart(view: KeyView, origin: SearchOrigin, columns: number): number {
	const {form, tree, lines, cursors} = view;
	switch (form) {
		case 'json':
			return tree ? getTreeSearchStart(tree, cursors.json, origin) : 0;
		case 'text':
			return lines.getRowOffset(cursors.text + (origin === 'behind' ? 1 : 0));
		case 'hex':
			return (getCursorRow(view, columns) + (origin === 'behind' ? 1 : 0)) * computeBytesPerRow(columns);
		case 'image':
			return 0;
	}
}

/** Returns the source offset that starts a search at a row, or after it. */
function getTreeSearchStart(tree: JsonTree, row: number, origin: SearchOrigin): number {
	const {nodes} = tree;
	const current = tree.at(row);
	if (!current) return 0;
	const {node, shape} = current;
	if (shape === 'end') return nodes.end(node);
	if (origin !== 'behind') return nodes.memberStart(node);
	return nodes.isContainer(node) ? nodes.start(node) + 1 : nodes.end(node);
}

/** Bytes of text indexed per step. */
const indexStep = 1 << 16;

/** Returns the node whose row shows an offset. Beyond all nodes, that is the last one. */
const getNodeAtOffset = (tree: JsonTree, offset: number): number =>
	findNodeAt(tree, offset) ?? tree.nodes.size - 1;

/** Moves the cursor to the row of an offset; undefined in the tree form if there is no tree. */
function moveToOffset(view: KeyView, offset: number, query: string, columns: number): KeyView | undefined {
	const {form, tree, lines} = view;
	switch (form) {
		case 'json': {
			if (!tree) return undefined;
			const node = getNodeAtOffset(tree, offset);
			return moveToNode(view, tree.reveal(node), node);
		}
		case 'text': {
			let row = lines.findRowOfByte(offset);
			while (row === undefined) {
				lines.indexMore(indexStep);
				row = lines.findRowOfByte(offset);
			}
			return scrollIntoSight(moveToRow(view, row, columns), offset, query, columns);
		}
		case 'hex':
			return moveToRow(view, Math.floor(offset / computeBytesPerRow(columns)), columns);
		case 'image':
			return undefined;
	}
}

/** Maximum columns of the line number and its margins. */
const marginColumns = 14;

/** Scrolls sideways until an offset in the cursor's row is visible. */
function scrollIntoSight(view: KeyView, offset: number, query: string, columns: number): KeyView {
	const {bytes, lines, cursors} = view;
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const start = measureColumns(
		toDrawableLine(buffer.toString('utf8', lines.getRowOffset(cursors.text), offset)),
	);
	const end = start + measureColumns(toDrawableLine(query));
	const visibleColumns = columns - marginColumns;
	if (start > view.scrolledColumns && end < view.scrolledColumns + visibleColumns) return view;
	if (end < visibleColumns) return {...view, scrolledColumns: 0};
	return {
		...view,
		scrolledColumns: Math.floor(Math.max(0, start - visibleColumns / 2) / scrollStep) * scrollStep,
	};
}
