import {isUtf8} from 'node:buffer';
import {setImmediate as turn} from 'node:timers/promises';
import type {Picture} from '../../decoding/pixels.ts';
import {TextLines} from '../../text/byte-lines.ts';
import {measureColumns} from '../../text/columns.ts';
import {countHexRows, getHexRowIndex} from '../../text/hex-lines.ts';
import {type Content, detectContent} from '../../text/json/content.ts';
import {JsonTree} from '../../text/json/tree.ts';
import {type JsonNodes, maxJsonSize} from '../../text/json/tree-nodes.ts';
import {JsonReader} from '../../text/json/tree-reading.ts';
import {toDrawableLine} from '../../text/tabs.ts';

export type ValueForm = 'json' | 'text' | 'hex' | 'image';

/** How the bytes of a view were made from those that are stored. */
export type Derivation = {
	/** What it shows, for the line above it: "JSON in gzip". */
	readonly label: string;
	readonly picture?: Picture | undefined;
};

/**
 * An immutable view of a value: moving and folding return a new one. Only `lines` changes in place, as it
 * indexes rows; `knownRows` is their number when the view was created.
 */
export type KeyView = {
	readonly bytes: Uint8Array;
	readonly kind: Content['kind'];
	/** Available forms, the best first. */
	readonly forms: readonly [ValueForm, ...ValueForm[]];
	readonly form: ValueForm;
	/** Undefined unless JSON. */
	readonly tree: JsonTree | undefined;
	readonly lines: TextLines;
	/** Rows of text indexed so far. */
	readonly knownRows: number;
	/** Cursor per form: a row of the tree, a row of the text, or the first byte of a hex row. */
	readonly cursors: Readonly<Record<ValueForm, number>>;
	/** The form whose cursor moved last; the cursors of the others follow when they are shown. */
	readonly lastMovedForm: ValueForm;
	/** Columns scrolled to the right. */
	readonly scrolledColumns: number;
	/** True if the cursor follows the end of a text that is still being indexed. */
	readonly followsEnd: boolean;
	/** Undefined for the stored bytes. */
	readonly derivation?: Derivation;
};

const formsByKind: Readonly<Record<Content['kind'], KeyView['forms']>> = {
	json: ['json', 'text', 'hex'],
	text: ['text', 'hex'],
	binary: ['hex', 'text'],
};

/** Larger values are parsed in steps. */
export const maxBytesAtOnce = 1 << 17;

/** JSON scalars parsed between two checks of the keyboard. */
const scalarsPerStep = 50_000;

const jsonStartPattern = /^[ \t\n\r]*[[{]/;

/**
 * Creates the view of a value of at most `maxBytesAtOnce` bytes. Unchanged parts keep the folds and the
 * cursor of `previousView`.
 */
export function createKeyView(bytes: Uint8Array, previousView?: KeyView): KeyView {
	if (previousView && hasSameBytes(previousView, bytes)) return previousView;
	const content = detectContent(bytes);
	const tree =
		content.kind === 'json' ? buildKeyTree(JsonTree.read(content.text)?.nodes, previousView) : undefined;
	return assembleView(bytes, content.kind, tree, previousView);
}

/** Creates the view of a value of any size; keystrokes are let through. */
export async function createKeyViewInSteps(
	bytes: Uint8Array,
	previousView: KeyView | undefined,
	signal: AbortSignal,
): Promise<KeyView> {
	if (bytes.length <= maxBytesAtOnce || (previousView && hasSameBytes(previousView, bytes)))
		return createKeyView(bytes, previousView);
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	if (buffer.includes(0) || !isUtf8(buffer)) return assembleView(bytes, 'binary', undefined, previousView);
	await turn(undefined, {signal});
	const nodes = await readJsonWithPauses(buffer, signal);
	await turn(undefined, {signal});
	return assembleView(bytes, nodes ? 'json' : 'text', buildKeyTree(nodes, previousView), previousView);
}

async function readJsonWithPauses(buffer: Buffer, signal: AbortSignal): Promise<JsonNodes | undefined> {
	if (buffer.length > maxJsonSize) return undefined;
	const text = buffer.toString('utf8');
	if (!jsonStartPattern.test(text)) return undefined;
	const reading = new JsonReader(text);
	for (;;) {
		const nodes = reading.readMore(scalarsPerStep);
		if (nodes !== 'more') return nodes;
		await turn(undefined, {signal});
	}
}

const hasSameBytes = (view: KeyView, bytes: Uint8Array): boolean => Buffer.compare(view.bytes, bytes) === 0;

const buildKeyTree = (
	nodes: JsonNodes | undefined,
	previousView: KeyView | undefined,
): JsonTree | undefined => nodes && JsonTree.create(nodes, previousView?.tree);

function assembleView(
	bytes: Uint8Array,
	kind: Content['kind'],
	tree: JsonTree | undefined,
	previousView: KeyView | undefined,
): KeyView {
	const forms = formsByKind[kind];
	const lines = new TextLines(bytes, previousView?.lines.columns);
	lines.indexMore(maxBytesAtOnce);
	const form = previousView && previousView.kind === kind ? previousView.form : forms[0];
	const view: KeyView = {
		bytes,
		kind,
		forms,
		form,
		tree,
		lines,
		knownRows: lines.knownRows,
		cursors: {json: 0, text: 0, hex: 0, image: 0},
		lastMovedForm: form,
		scrolledColumns: 0,
		followsEnd: false,
	};
	if (!previousView) return view;
	const {cursors} = previousView;
	return {
		...view,
		lastMovedForm: forms.includes(previousView.lastMovedForm) ? previousView.lastMovedForm : form,
		scrolledColumns: previousView.scrolledColumns,
		cursors: {
			json: tree && previousView.tree ? findCorrespondingRow(previousView.tree, cursors.json, tree) : 0,
			text: lines.at(cursors.text) ? cursors.text : Math.max(0, lines.count - 1),
			hex: Math.min(cursors.hex, Math.max(0, bytes.length - 1)),
			image: 0,
		},
		knownRows: lines.knownRows,
	};
}

/** Returns the row with the same path in another tree, or with the closest remaining parent. */
function findCorrespondingRow(previousTree: JsonTree, row: number, tree: JsonTree): number {
	const path = previousTree.path(row);
	for (let length = path.length; length > 0; length--) {
		const node = tree.nodes.find(path.slice(0, length));
		if (node !== undefined) return tree.findRow(node);
	}
	return Math.min(row, tree.count - 1);
}

/** Returns the bytes per hex row that fit: 8, 16 or 32. */
export const computeBytesPerRow = (columns: number): number => (columns >= 146 ? 32 : columns >= 79 ? 16 : 8);

/** Counts the rows of the current form that are known so far. */
export function countViewRows(view: KeyView, columns: number): number {
	switch (view.form) {
		case 'json':
			return view.tree?.count ?? 0;
		case 'text':
			return view.knownRows;
		case 'hex':
			return countHexRows(view.bytes.length, computeBytesPerRow(columns));
		case 'image':
			return 1;
	}
}

export const getCursorRow = ({form, cursors}: KeyView, columns: number): number =>
	form === 'hex' ? getHexRowIndex(cursors.hex, computeBytesPerRow(columns)) : cursors[form];

/** Moves the cursor to a row, at most the last. */
export function moveToRow(view: KeyView, row: number, columns: number): KeyView {
	const {form, lines} = view;
	if (form === 'text' && Number.isFinite(row)) lines.at(Math.max(0, row));
	const knownRows = form === 'text' ? lines.knownRows : view.knownRows;
	const last = countViewRows({...view, knownRows}, columns) - 1;
	const clampedRow = Math.max(0, Math.min(last, row));
	const followsEnd = form === 'text' && row === Number.POSITIVE_INFINITY && !lines.isComplete;
	const cursor = form === 'hex' ? clampedRow * computeBytesPerRow(columns) : clampedRow;
	return {...view, knownRows, followsEnd, cursors: {...view.cursors, [form]: cursor}};
}

export const moveCursorByRows = (view: KeyView, by: number, columns: number): KeyView =>
	moveToRow(view, getCursorRow(view, columns) + by, columns);

/** Updates the view after more rows of text were indexed. */
export function syncKnownRows(view: KeyView): KeyView {
	const {knownRows} = view.lines;
	return {
		...view,
		knownRows,
		followsEnd: view.followsEnd && !view.lines.isComplete,
		cursors: view.followsEnd ? {...view.cursors, text: knownRows - 1} : view.cursors,
	};
}

/** Columns per scroll step. */
export const scrollStep = 16;
/** Rows above and below the cursor whose longest line limits the scrolling. */
const scrollRowsAround = 60;

/** Scrolls text sideways, at most to the end of the longest line near the cursor. */
export function scrollSideways(view: KeyView, by: 1 | -1): KeyView {
	const {cursors, lines, knownRows} = view;
	let widest = 0;
	for (
		let row = Math.max(0, cursors.text - scrollRowsAround);
		row < Math.min(knownRows, cursors.text + scrollRowsAround);
		row++
	)
		widest = Math.max(widest, measureColumns(toDrawableLine(lines.at(row)?.text ?? '')));
	const maxScrolledColumns = Math.floor(Math.max(0, widest - 1) / scrollStep) * scrollStep;
	return {
		...view,
		scrolledColumns: Math.max(0, Math.min(maxScrolledColumns, view.scrolledColumns + by * scrollStep)),
	};
}

/** Columns of the margin, without the digits of the line number. */
const textMarginColumns = 5;
const minWrapColumns = 20;

/** Wraps the text to `terminalColumns`; undefined unwraps it. The cursor stays on its text. */
export function wrapLines(view: KeyView, terminalColumns: number | undefined): KeyView {
	const {bytes, lines: previousLines, cursors} = view;
	// The byte count bounds the line number.
	const marginColumns = textMarginColumns + String(bytes.length).length;
	const columns = terminalColumns && Math.max(minWrapColumns, terminalColumns - marginColumns);
	if (previousLines.columns === columns) return columns === undefined ? view : {...view, scrolledColumns: 0};
	const byte = previousLines.getRowOffset(cursors.text);
	const lines = new TextLines(bytes, columns);
	lines.indexMore(Math.max(maxBytesAtOnce, byte + 1));
	return {
		...view,
		lines,
		knownRows: lines.knownRows,
		scrolledColumns: 0,
		cursors: {...cursors, text: lines.findRowOfByte(byte) ?? lines.knownRows - 1},
	};
}
