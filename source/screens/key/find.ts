import {columnsOf} from '../../text/columns.ts';
import type {JsonTree} from '../../text/json/tree.ts';
import {type Occurrences, occurrencesInBytes, occurrencesInText} from '../../text/occurrences.ts';
import {drawableLine} from '../../text/tabs.ts';
import {nodeAt, standingOn} from './tree.ts';
import {atRow, bytesPerRow, type KeyView, rowHere, sideways} from './value-view.ts';

/** `isWrapped`: the search wrapped at the end of the value. */
type Found = {readonly view: KeyView; readonly around: boolean};

/** Where a search starts: at the cursor's row, after it, or backwards from it. */
type From = 'here' | 'behind' | 'before';

/**
 * Returns the view with the cursor on the next row that contains the text (smart case), searching from `from`
 * and wrapping at the end. Undefined if the value does not contain it.
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

/** Maximum rows counted as matches. */
const mostCounted = 5000;

/** Rows that contain a text, in order: nodes of the tree, rows of text or hex. */
type Counted = {readonly rows: readonly number[]; readonly isAll: boolean};

const lastCounted = new WeakMap<Uint8Array, Counted & {readonly of: string}>();

/**
 * Counts the rows that contain a text; `number` is the cursor's match, from 1. `isAll` is false if there may
 * be more.
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
		// Rows that are not indexed yet are counted later.
		if (!found) break;
		// Text after a value belongs to the row of the next one, which may match itself.
		if (rows.at(-1) !== found.row) rows.push(found.row);
		place = occurrences.next(Math.max(place + 1, found.end));
	}
	return {rows, isAll: place === undefined};
}

/** Returns the row of an offset, and the offset at which that row ends; undefined if not indexed yet. */
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

/** Lower-cased copies of large values, one per search text. */
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

/** Returns the offset at which the search starts. */
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

/** Returns the source offset that starts a search at a row, or after it. */
function startInTree(tree: JsonTree, row: number, from: From): number {
	const {nodes} = tree;
	const here = tree.at(row);
	if (!here) return 0;
	const {node, shape} = here;
	if (shape === 'end') return nodes.end(node);
	if (from !== 'behind') return nodes.memberStart(node);
	return nodes.isContainer(node) ? nodes.start(node) + 1 : nodes.end(node);
}

/** Bytes of text indexed per step. */
const indexStep = 1 << 16;

/** Returns the node whose row shows an offset; beyond all nodes, the last one. */
const nodeOf = (tree: JsonTree, place: number): number => nodeAt(tree, place) ?? tree.nodes.size - 1;

/** Moves the cursor to the row of an offset; undefined without a tree. */
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

/** Maximum columns of the line number and its margins. */
const margins = 14;

/** Scrolls sideways until an offset in the cursor's row is visible. */
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
