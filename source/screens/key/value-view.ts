import {isUtf8} from 'node:buffer';
import {TextLines} from '../../text/byte-lines.ts';
import {columnsOf} from '../../text/columns.ts';
import {hexRowCount, hexRowOf} from '../../text/hex-lines.ts';
import {type Content, contentOf} from '../../text/json/content.ts';
import {JsonTree} from '../../text/json/tree.ts';
import {type JsonNodes, largestJson} from '../../text/json/tree-nodes.ts';
import {JsonReading} from '../../text/json/tree-reading.ts';
import {drawableLine} from '../../text/tabs.ts';

export type Form = 'json' | 'text' | 'hex';

/**
 * An immutable view of a value; moving and folding return a new one. Only `lines` indexes its rows in place;
 * `known` is their number.
 */
export type KeyView = {
	readonly bytes: Uint8Array;
	readonly kind: Content['kind'];
	/** Available forms, the best first. */
	readonly forms: readonly [Form, ...Form[]];
	readonly form: Form;
	/** Undefined unless JSON. */
	readonly tree: JsonTree | undefined;
	readonly lines: TextLines;
	/** Rows of text indexed so far. */
	readonly known: number;
	/** Cursor per form: a row of the tree, a row of the text; in hex, the first byte of a row. */
	readonly at: Readonly<Record<Form, number>>;
	/** The form in which the cursor moved last; the others follow when shown. */
	readonly leads: Form;
	/** Columns scrolled to the right. */
	readonly left: number;
	/** True if the cursor follows the end of a text that is still being indexed. */
	readonly toEnd: boolean;
};

const formsOf: Readonly<Record<Content['kind'], KeyView['forms']>> = {
	json: ['json', 'text', 'hex'],
	text: ['text', 'hex'],
	binary: ['hex', 'text'],
};

/** Larger values are parsed in steps. */
export const atOnce = 1 << 17;

/** JSON scalars parsed between two checks of the keyboard. */
const scalarsAtOnce = 50_000;

const beginsAsJson = /^[ \t\n\r]*[[{]/;

/**
 * Creates the view of a value of at most `maxBytesAtOnce` bytes. Parts unchanged since `before` keep their
 * folds and cursor.
 */
export function viewOf(bytes: Uint8Array, before?: KeyView): KeyView {
	if (before && isSame(before, bytes)) return before;
	const content = contentOf(bytes);
	const tree = content.kind === 'json' ? treeOf(JsonTree.read(content.text)?.nodes, before) : undefined;
	return made(bytes, content.kind, tree, before);
}

/** Creates the view of a value of any size; `pause` lets keystrokes through. */
export async function viewOfLarge(
	bytes: Uint8Array,
	before: KeyView | undefined,
	pause: () => Promise<void>,
): Promise<KeyView> {
	if (bytes.length <= atOnce || (before && isSame(before, bytes))) return viewOf(bytes, before);
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	if (buffer.includes(0) || !isUtf8(buffer)) return made(bytes, 'binary', undefined, before);
	await pause();
	const nodes = await jsonIn(buffer, pause);
	await pause();
	return made(bytes, nodes ? 'json' : 'text', treeOf(nodes, before), before);
}

async function jsonIn(buffer: Buffer, pause: () => Promise<void>): Promise<JsonNodes | undefined> {
	if (buffer.length > largestJson) return undefined;
	const text = buffer.toString('utf8');
	if (!beginsAsJson.test(text)) return undefined;
	const reading = new JsonReading(text);
	for (;;) {
		const nodes = reading.readMore(scalarsAtOnce);
		if (nodes !== 'more') return nodes;
		await pause();
	}
}

const isSame = (view: KeyView, bytes: Uint8Array): boolean => Buffer.compare(view.bytes, bytes) === 0;

const treeOf = (nodes: JsonNodes | undefined, before: KeyView | undefined): JsonTree | undefined =>
	nodes && JsonTree.of(nodes, before?.tree);

function made(
	bytes: Uint8Array,
	kind: Content['kind'],
	tree: JsonTree | undefined,
	before: KeyView | undefined,
): KeyView {
	const forms = formsOf[kind];
	const lines = new TextLines(bytes, before?.lines.columns);
	lines.indexMore(atOnce);
	const form = before && before.kind === kind ? before.form : forms[0];
	const view: KeyView = {
		bytes,
		kind,
		forms,
		form,
		tree,
		lines,
		known: lines.known,
		at: {json: 0, text: 0, hex: 0},
		leads: form,
		left: 0,
		toEnd: false,
	};
	if (!before) return view;
	const {at} = before;
	return {
		...view,
		leads: forms.includes(before.leads) ? before.leads : form,
		left: before.left,
		at: {
			json: tree && before.tree ? rowLike(before.tree, at.json, tree) : 0,
			text: lines.at(at.text) ? at.text : Math.max(0, lines.count - 1),
			hex: Math.min(at.hex, Math.max(0, bytes.length - 1)),
		},
		known: lines.known,
	};
}

/** Returns the row with the same path in another tree, or with the closest remaining parent. */
function rowLike(before: JsonTree, row: number, tree: JsonTree): number {
	const path = before.path(row);
	for (let length = path.length; length > 0; length--) {
		const node = tree.nodes.find(path.slice(0, length));
		if (node !== undefined) return tree.rowOf(node);
	}
	return Math.min(row, tree.count - 1);
}

/** Returns the bytes per hex row that fit: 8, 16 or 32. */
export const bytesPerRow = (columns: number): number => (columns >= 146 ? 32 : columns >= 79 ? 16 : 8);

/** Counts the rows of the current form that are known so far. */
export function rowCount(view: KeyView, columns: number): number {
	switch (view.form) {
		case 'json':
			return view.tree?.count ?? 0;
		case 'text':
			return view.known;
		case 'hex':
			return hexRowCount(view.bytes.length, bytesPerRow(columns));
	}
}

export const rowHere = ({form, at}: KeyView, columns: number): number =>
	form === 'hex' ? hexRowOf(at.hex, bytesPerRow(columns)) : at[form];

/** Moves the cursor to a row, at most the last. */
export function atRow(view: KeyView, row: number, columns: number): KeyView {
	const {form, lines} = view;
	if (form === 'text' && Number.isFinite(row)) lines.at(Math.max(0, row));
	const known = form === 'text' ? lines.known : view.known;
	const last = rowCount({...view, known}, columns) - 1;
	const within = Math.max(0, Math.min(last, row));
	const toEnd = form === 'text' && row === Number.POSITIVE_INFINITY && !lines.complete;
	const place = form === 'hex' ? within * bytesPerRow(columns) : within;
	return {...view, known, toEnd, at: {...view.at, [form]: place}};
}

export const movedBy = (view: KeyView, by: number, columns: number): KeyView =>
	atRow(view, rowHere(view, columns) + by, columns);

/** Updates the view after more rows of text were indexed. */
export function readOn(view: KeyView): KeyView {
	const {known} = view.lines;
	return {
		...view,
		known,
		toEnd: view.toEnd && !view.lines.complete,
		at: view.toEnd ? {...view.at, text: known - 1} : view.at,
	};
}

/** Columns per scroll step, and rows around the cursor whose ends can be reached. */
export const sideways = 16;
const around = 60;

/** Scrolls text sideways, at most to the longest line near the cursor. */
export function scrolled(view: KeyView, by: 1 | -1): KeyView {
	const {at, lines, known} = view;
	let widest = 0;
	for (let row = Math.max(0, at.text - around); row < Math.min(known, at.text + around); row++)
		widest = Math.max(widest, columnsOf(drawableLine(lines.at(row)?.text ?? '')));
	const furthest = Math.floor(Math.max(0, widest - 1) / sideways) * sideways;
	return {...view, left: Math.max(0, Math.min(furthest, view.left + by * sideways))};
}

/** Columns beside the text besides the digits of its line number. */
const besideText = 5;
const fewestColumns = 20;

/** Wraps the text to a terminal of `terminal` columns; undefined unwraps. The cursor stays on its text. */
export function wrapped(view: KeyView, terminal: number | undefined): KeyView {
	const {bytes, lines: before, at} = view;
	// The byte count bounds the line number.
	const beside = besideText + String(bytes.length).length;
	const columns = terminal && Math.max(fewestColumns, terminal - beside);
	if (before.columns === columns) return columns === undefined ? view : {...view, left: 0};
	const byte = before.byteOf(at.text);
	const lines = new TextLines(bytes, columns);
	lines.indexMore(Math.max(atOnce, byte + 1));
	return {
		...view,
		lines,
		known: lines.known,
		left: 0,
		at: {...at, text: lines.rowOfByte(byte) ?? lines.known - 1},
	};
}
