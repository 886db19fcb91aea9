import {borderAfter, borderAtOrAfter} from '../graphemes.ts';
import {type Change, type History, noHistory, type Run, recorded} from './history.ts';
import {columnsBefore, placeAtColumns} from './line.ts';
import {type Motion, motions, type Position} from './motion.ts';

type LineEnd = '\n' | '\r\n';

/**
 * Text being edited, with a cursor. `lines` are without their ends; `ends[n]` follows `lines[n]`, the last
 * line has none. `column` counts code units and is always at a grapheme border. Immutable.
 */
export type TextBuffer = Position & {
	readonly lines: readonly string[];
	readonly ends: readonly LineEnd[];
	/** A one-line field: all of its text is one line, even if it contains line feeds. */
	readonly singleLine: boolean;
	/** True while all of the text is selected: typing replaces it, erasing clears it, moving keeps it. */
	readonly isSelected: boolean;
	/** The display column that moving up and down returns to. */
	readonly goalColumn: number | undefined;
	readonly history: History;
};

const erasures = {
	backspace: 'left',
	delete: 'right',
	'delete-word-back': 'word-left',
	'kill-to-line-start': 'line-start',
	'kill-to-line-end': 'line-end',
} as const satisfies Record<string, Motion>;

type Erasure = keyof typeof erasures;

/**
 * Commands on a buffer. `insert` takes typed text and pastes; line ends in it are converted to those of the
 * neighbors. A one-line field drops trailing line ends, turns others into spaces, and ignores `newline`,
 * `up`, `down` and pages. `kill-to-line-end` at the end of a line joins the next one.
 */
export type EditCommand =
	| {readonly kind: 'insert'; readonly text: string}
	| {readonly kind: 'page-up' | 'page-down'; readonly rows: number}
	| {readonly kind: Motion | Erasure | 'newline' | 'up' | 'down' | 'undo' | 'redo'};

/** Creates a buffer with the cursor at the start of the text; in a one-line field at the end. */
export function bufferOf(text: string, {singleLine = false} = {}): TextBuffer {
	const {lines, ends} = singleLine ? {lines: [text], ends: []} : split(text);
	const column = singleLine ? text.length : 0;
	return {
		lines,
		ends,
		row: 0,
		column,
		singleLine,
		isSelected: false,
		goalColumn: undefined,
		history: noHistory,
	};
}

/** Creates a one-line field with its text selected; not selected if empty. */
export const selectedLine = (text: string): TextBuffer => selectLine(bufferOf(text, {singleLine: true}));

/** Selects the text of a one-line field, with the cursor at its end. */
export function selectLine(line: TextBuffer): TextBuffer {
	const {length} = textOf(line);
	return {...line, column: length, isSelected: length > 0};
}

/** Returns the text of a buffer; unedited parts, including line ends, are unchanged. */
export const textOf = (buffer: TextBuffer): string =>
	buffer.lines.length === 1 ? (buffer.lines[0] ?? '') : joined(buffer.lines, buffer.ends);

/** Applies a command; returns the same buffer if it has no effect. */
export function edit(buffer: TextBuffer, command: EditCommand): TextBuffer {
	if (buffer.isSelected) return editSelected(buffer, command);
	switch (command.kind) {
		case 'insert':
			return inserted(buffer, command.text);
		case 'newline':
			return buffer.singleLine ? buffer : inserted(buffer, '\n');
		case 'backspace':
		case 'delete':
		case 'delete-word-back':
		case 'kill-to-line-start':
		case 'kill-to-line-end':
			return erased(buffer, command.kind);
		case 'undo':
			return undone(buffer);
		case 'redo':
			return redone(buffer);
		case 'up':
			return movedRows(buffer, -1);
		case 'down':
			return movedRows(buffer, 1);
		case 'page-up':
			return movedRows(buffer, -command.rows);
		case 'page-down':
			return movedRows(buffer, command.rows);
		default:
			return movedTo(buffer, motions[command.kind](buffer.lines, buffer));
	}
}

/** Applies a command while the text of a one-line field is selected. */
function editSelected(buffer: TextBuffer, command: EditCommand): TextBuffer {
	const line = {...buffer, isSelected: false};
	const {length} = textOf(line);
	switch (command.kind) {
		case 'insert': {
			const typed = inserted(bufferOf('', {singleLine: true}), command.text);
			const text = textOf(typed);
			return text === '' ? buffer : changed(line, 0, textOf(line), text, typed.history.run);
		}
		case 'backspace':
		case 'delete':
		case 'delete-word-back':
		case 'kill-to-line-start':
		case 'kill-to-line-end':
			return changed(line, 0, textOf(line), '', 'none');
		case 'left':
			return movedTo(line, {row: 0, column: 0});
		case 'right':
			return movedTo(line, {row: 0, column: length});
		default: {
			const moved = edit(line, command);
			return moved === line && isRowCommand(command.kind) ? buffer : moved;
		}
	}
}

/** True for commands that have no effect in a one-line field. */
const isRowCommand = (kind: EditCommand['kind']): boolean =>
	kind === 'newline' || kind === 'up' || kind === 'down' || kind === 'page-up' || kind === 'page-down';

/** Replaces the text from `from` to `to` (code units) as one change, and puts the cursor behind it. */
export const replaceStretch = (buffer: TextBuffer, from: number, to: number, text: string): TextBuffer =>
	changed(buffer, from, textBetween(buffer, from, to), text, 'none');

/** Returns the cursor's position in code units of the whole text. */
export const cursorOf = (buffer: TextBuffer): number => offsetOf(buffer, buffer);

/** Puts the cursor at a place of the whole text (code units), or the next grapheme border behind it. */
export function withCursor(buffer: TextBuffer, place: number): TextBuffer {
	const {row, offset} = rowAt(buffer, place);
	return movedTo(buffer, {row, column: borderAtOrAfter(lineAt(buffer, row), place - offset)});
}

function movedTo(buffer: TextBuffer, {row, column}: Position, goalColumn?: number): TextBuffer {
	if (row === buffer.row && column === buffer.column && goalColumn === buffer.goalColumn) return buffer;
	return {...buffer, row, column, isSelected: false, goalColumn, history: {...buffer.history, run: 'none'}};
}

/** Moves up or down in the goal column; from the first line to its start, from the last one to its end. */
function movedRows(buffer: TextBuffer, rows: number): TextBuffer {
	const {lines, row, column, singleLine} = buffer;
	if (singleLine) return buffer;
	const last = lines.length - 1;
	if (rows < 0 && row === 0) return movedTo(buffer, {row, column: 0});
	if (rows > 0 && row === last) return movedTo(buffer, {row, column: lineAt(buffer, row).length});
	const goalColumn = buffer.goalColumn ?? columnsBefore(lineAt(buffer, row), column, singleLine);
	const target = Math.min(last, Math.max(0, row + rows));
	return movedTo(
		buffer,
		{row: target, column: placeAtColumns(lineAt(buffer, target), goalColumn, singleLine)},
		goalColumn,
	);
}

function inserted(buffer: TextBuffer, text: string): TextBuffer {
	const lineEnd = buffer.ends[buffer.row] ?? buffer.ends[buffer.row - 1] ?? '\n';
	const wellEnded = buffer.singleLine
		? withoutLastEnds(text).replace(anyLineEnd, ' ')
		: text.replace(anyLineEnd, lineEnd);
	if (wellEnded === '') return buffer;
	const typed = wellEnded !== lineEnd && borderAfter(wellEnded, 0) === wellEnded.length;
	return changed(buffer, offsetOf(buffer, buffer), '', wellEnded, typed ? 'typing' : 'none');
}

const anyLineEnd = /\r\n|\r|\n/g;

function withoutLastEnds(text: string): string {
	let end = text.length;
	while (text[end - 1] === '\n' || text[end - 1] === '\r') end--;
	return text.slice(0, end);
}

function erased(buffer: TextBuffer, erasure: Erasure): TextBuffer {
	const atLineEnd = buffer.column === lineAt(buffer, buffer.row).length;
	const motion = erasure === 'kill-to-line-end' && atLineEnd ? 'right' : erasures[erasure];
	const from = offsetOf(buffer, buffer);
	const to = offsetOf(buffer, motions[motion](buffer.lines, buffer));
	if (from === to) return buffer;
	const offset = Math.min(from, to);
	const removed = textBetween(buffer, offset, Math.max(from, to));
	return changed(
		buffer,
		offset,
		removed,
		'',
		erasure === 'backspace' || erasure === 'delete' ? 'erasing' : 'none',
	);
}

function changed(
	buffer: TextBuffer,
	offset: number,
	removed: string,
	replacement: string,
	run: Run,
): TextBuffer {
	const change: Change = {offset, removed, inserted: replacement, cursor: offsetOf(buffer, buffer)};
	const next = spliced(buffer, offset, removed.length, replacement, offset + replacement.length);
	return {...next, history: recorded(buffer.history, change, run)};
}

function undone(buffer: TextBuffer): TextBuffer {
	const {past, future} = buffer.history;
	const change = past.at(-1);
	if (!change) return buffer;
	return {
		...spliced(buffer, change.offset, change.inserted.length, change.removed, change.cursor),
		history: {past: past.slice(0, -1), future: [...future, change], run: 'none'},
	};
}

function redone(buffer: TextBuffer): TextBuffer {
	const {past, future} = buffer.history;
	const change = future.at(-1);
	if (!change) return buffer;
	const cursor = change.offset + change.inserted.length;
	return {
		...spliced(buffer, change.offset, change.removed.length, change.inserted, cursor),
		history: {past: [...past, change], future: future.slice(0, -1), run: 'none'},
	};
}

/**
 * Replaces text; all changes go through here. Joins, changes and splits the affected lines, so that lines and
 * ends always match the whole text.
 */
function spliced(
	buffer: TextBuffer,
	offset: number,
	length: number,
	text: string,
	cursor: number,
): TextBuffer {
	const first = rowAt(buffer, offset);
	const last = rowAt(buffer, offset + length);
	const lineEnd = buffer.ends[last.row] ?? '';
	const old =
		joined(buffer.lines.slice(first.row, last.row + 1), buffer.ends.slice(first.row, last.row)) + lineEnd;
	const start = offset - first.offset;
	const fresh = old.slice(0, start) + text + old.slice(start + length);
	const {lines, ends} = buffer.singleLine ? {lines: [fresh], ends: []} : split(fresh);
	// Text that ends in a line end leaves an empty piece, which is the start of the next line.
	if (lineEnd !== '') lines.pop();
	const touched = last.row - first.row;
	const next = {
		...buffer,
		lines: replaced(buffer.lines, first.row, touched + 1, lines),
		ends: replaced(buffer.ends, first.row, touched + (lineEnd === '' ? 0 : 1), ends),
		isSelected: false,
		goalColumn: undefined,
	};
	const {row, offset: rowOffset} = rowAt(next, cursor);
	return {...next, row, column: borderAtOrAfter(lineAt(next, row), cursor - rowOffset)};
}

/** Like `toSpliced`, without its limit: a paste may have more lines than a call can have arguments. */
const replaced = <Item>(
	all: readonly Item[],
	from: number,
	count: number,
	items: readonly Item[],
): Item[] => [...all.slice(0, from), ...items, ...all.slice(from + count)];

const lineAt = (buffer: Pick<TextBuffer, 'lines'>, row: number): string => buffer.lines[row] ?? '';

type Text = Pick<TextBuffer, 'lines' | 'ends'>;

function joined(lines: readonly string[], ends: readonly LineEnd[]): string {
	let text = '';
	for (const [row, line] of lines.entries()) text += line + (ends[row] ?? '');
	return text;
}

function split(text: string): {lines: string[]; ends: LineEnd[]} {
	const lines = text.split('\n');
	const ends: LineEnd[] = [];
	for (let row = 0; row < lines.length - 1; row++) {
		const line = lines[row] ?? '';
		const carriageReturn = line.endsWith('\r');
		if (carriageReturn) lines[row] = line.slice(0, -1);
		ends.push(carriageReturn ? '\r\n' : '\n');
	}
	return {lines, ends};
}

/**
 * Finds the row of a place in the whole text (a line end belongs to its row), and the offset of that row; in
 * code units.
 */
function rowAt(text: Text, place: number): {row: number; offset: number} {
	let offset = 0;
	for (let row = 0; row < text.lines.length - 1; row++) {
		const next = offset + lineAt(text, row).length + (text.ends[row] ?? '').length;
		if (next > place) return {row, offset};
		offset = next;
	}
	return {row: text.lines.length - 1, offset};
}

/** Converts a position to code units of the whole text. */
function offsetOf(text: Text, {row, column}: Position): number {
	let offset = column;
	for (let before = 0; before < row; before++)
		offset += lineAt(text, before).length + (text.ends[before] ?? '').length;
	return offset;
}

function textBetween(text: Text, from: number, to: number): string {
	const first = rowAt(text, from);
	const last = rowAt(text, to);
	const rows = joined(text.lines.slice(first.row, last.row + 1), text.ends.slice(first.row, last.row + 1));
	return rows.slice(from - first.offset, to - first.offset);
}
