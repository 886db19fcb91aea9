import {isUtf8} from 'node:buffer';
import {TextLines} from '../../text/byte-lines.ts';
import {columnsOf} from '../../text/columns.ts';
import {hexRowCount, hexRowOf} from '../../text/hex-lines.ts';
import {type Content, contentOf} from '../../text/json/content.ts';
import {JsonTree} from '../../text/json/tree.ts';
import {type JsonNodes, largestJson} from '../../text/json/tree-nodes.ts';
import {JsonReading} from '../../text/json/tree-reading.ts';
import {drawableLine} from '../../text/tabs.ts';

/** A way to look at a value. */
export type Form = 'json' | 'text' | 'hex';

/**
 * A value as someone looks at it. Moving and folding give another one; only `lines` finds its rows in place, and
 * `known` is how many.
 */
export type KeyView = {
	readonly bytes: Uint8Array;
	readonly kind: Content['kind'];
	/** The forms that it can be looked at in, the best one first. */
	readonly forms: readonly [Form, ...Form[]];
	readonly form: Form;
	/** There for JSON only. */
	readonly tree: JsonTree | undefined;
	readonly lines: TextLines;
	/** Rows of text found so far. */
	readonly known: number;
	/** Where the cursor is: a row of the tree, a row of the text, and in hex the first byte of a row. */
	readonly at: Readonly<Record<Form, number>>;
	/** The form in which the cursor was moved last: the others follow when they come to the front. */
	readonly leads: Form;
	/** Columns that the text is scrolled to the right. */
	readonly left: number;
	/** Whether the cursor goes along to the end of a text that is not read to its end. */
	readonly toEnd: boolean;
};

const formsOf: Readonly<Record<Content['kind'], KeyView['forms']>> = {
	json: ['json', 'text', 'hex'],
	text: ['text', 'hex'],
	binary: ['hex', 'text'],
};

/** Values up to so many bytes are made out at once; larger ones between keys. */
export const atOnce = 1 << 17;

/** Scalars of JSON between two looks at the keyboard. */
const scalarsAtOnce = 50_000;

const beginsAsJson = /^[ \t\n\r]*[[{]/;

/** The view of a value of at most `atOnce` bytes. What stayed the same since `before` looks as it did. */
export function viewOf(bytes: Uint8Array, before?: KeyView): KeyView {
	if (before && isSame(before, bytes)) return before;
	const content = contentOf(bytes);
	const tree = content.kind === 'json' ? treeOf(JsonTree.read(content.text)?.nodes, before) : undefined;
	return made(bytes, content.kind, tree, before);
}

/** The same for a value of any size, with pauses in which keys are answered. */
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

/** The row of what stood on a row of another tree, or of what is still there around it. */
function rowLike(before: JsonTree, row: number, tree: JsonTree): number {
	const path = before.path(row);
	for (let length = path.length; length > 0; length--) {
		const node = tree.nodes.find(path.slice(0, length));
		if (node !== undefined) return tree.rowOf(node);
	}
	return Math.min(row, tree.count - 1);
}

/** Bytes that a row of hex shows on so many columns: offset, pairs, the bytes as text, and the margins. */
export const bytesPerRow = (columns: number): number => (columns >= 146 ? 32 : columns >= 79 ? 16 : 8);

/** How many rows there are in the form in front, as far as they are known. */
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

/** The row that the cursor is on. */
export const rowHere = ({form, at}: KeyView, columns: number): number =>
	form === 'hex' ? hexRowOf(at.hex, bytesPerRow(columns)) : at[form];

/** Puts the cursor on a row; one beyond the end is the last. */
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

/** Takes in the rows of text that were found meanwhile. */
export function readOn(view: KeyView): KeyView {
	const {known} = view.lines;
	return {
		...view,
		known,
		toEnd: view.toEnd && !view.lines.complete,
		at: view.toEnd ? {...view.at, text: known - 1} : view.at,
	};
}

/** Columns that one key scrolls text, and rows around the cursor whose ends can be scrolled to. */
export const sideways = 16;
const around = 60;

/** Scrolls the text to the side, as far as something near the cursor still is there. */
export function scrolled(view: KeyView, by: 1 | -1): KeyView {
	const {at, lines, known} = view;
	let widest = 0;
	for (let row = Math.max(0, at.text - around); row < Math.min(known, at.text + around); row++)
		widest = Math.max(widest, columnsOf(drawableLine(lines.at(row)?.text ?? '')));
	const furthest = Math.floor(Math.max(0, widest - 1) / sideways) * sideways;
	return {...view, left: Math.max(0, Math.min(furthest, view.left + by * sideways))};
}

/** Columns beside the text of a row: the cursor, the number of its line, and blanks. */
const besideText = 5;
const fewestColumns = 20;

/** The view with the lines of its text wrapped to rows of a terminal of so many columns, or not wrapped; the cursor stays on its text. */
export function wrapped(view: KeyView, terminal: number | undefined): KeyView {
	const {bytes, lines: before, at} = view;
	// There are never more lines than bytes, which are known from the beginning.
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
