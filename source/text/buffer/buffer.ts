import {findBorderFrom, findNextBorder} from '../graphemes.ts';
import {type BufferChange, type EditRun, type History, noHistory, recordChange} from './history.ts';
import {findIndexAtColumns, getColumnsBefore} from './line.ts';
import {type Motion, motions, type TextPosition} from './motion.ts';

type LineEnd = '\n' | '\r\n';

/**
 * Text being edited, with a cursor. `lines` do not include their line ends: `ends[n]` follows `lines[n]`, and
 * the last line has none. `column` counts code units and is always at a grapheme border. Immutable.
 */
export type TextBuffer = TextPosition & {
	readonly lines: readonly string[];
	readonly ends: readonly LineEnd[];
	/** A one-line field: all of its text is one line, even if it contains line feeds. */
	readonly singleLine: boolean;
	/** True while the whole text is selected: typing replaces it, erasing clears it, moving deselects it. */
	readonly isSelected: boolean;
	/** The display column that moving up and down returns to. */
	readonly goalColumn: number | undefined;
	readonly history: History;
};

const erasures = {
	backspace: 'left',
	delete: 'right',
	'delete-word-back': 'word-left',
	'delete-to-blank': 'blank-left',
	'kill-line': 'line-end',
	'kill-to-line-end': 'line-end',
} as const satisfies Record<string, Motion>;

type Erasure = keyof typeof erasures;

/**
 * Commands on a buffer. `insert` takes typed text and pastes; line ends in it are converted to those of the
 * neighbors. A one-line field drops trailing line ends, turns others into spaces, and ignores `newline`,
 * `up`, `down` and pages. `kill-line` empties the line; `kill-to-line-end` at its end joins the next one.
 */
export type EditCommand =
	| {readonly kind: 'insert'; readonly text: string}
	| {readonly kind: 'page-up' | 'page-down'; readonly rows: number}
	| {readonly kind: Motion | Erasure | 'newline' | 'up' | 'down' | 'undo' | 'redo'};

/** Creates a buffer with the cursor at the start of the text; in a one-line field at the end. */
export function createBuffer(text: string, {singleLine = false} = {}): TextBuffer {
	const {lines, ends} = singleLine ? {lines: [text], ends: []} : splitText(text);
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
export const createSelectedLine = (text: string): TextBuffer =>
	selectLine(createBuffer(text, {singleLine: true}));

/** Selects the text of a one-line field, with the cursor at its end. */
export function selectLine(line: TextBuffer): TextBuffer {
	const {length} = getBufferText(line);
	return {...line, column: length, isSelected: length > 0};
}

/** Returns the text of a buffer; unedited parts, including line ends, are unchanged. */
export const getBufferText = (buffer: TextBuffer): string =>
	buffer.lines.length === 1 ? (buffer.lines[0] ?? '') : joinLines(buffer.lines, buffer.ends);

/** Applies a command; returns the same buffer if it has no effect. */
export function editBuffer(buffer: TextBuffer, command: EditCommand): TextBuffer {
	if (buffer.isSelected) return editSelected(buffer, command);
	switch (command.kind) {
		case 'insert':
			return insertText(buffer, command.text);
		case 'newline':
			return buffer.singleLine ? buffer : insertText(buffer, '\n');
		case 'backspace':
		case 'delete':
		case 'delete-word-back':
		case 'delete-to-blank':
		case 'kill-line':
		case 'kill-to-line-end':
			return eraseText(buffer, command.kind);
		case 'undo':
			return undoEdit(buffer);
		case 'redo':
			return redoEdit(buffer);
		case 'up':
			return moveRows(buffer, -1);
		case 'down':
			return moveRows(buffer, 1);
		case 'page-up':
			return moveRows(buffer, -command.rows);
		case 'page-down':
			return moveRows(buffer, command.rows);
		default:
			return moveTo(buffer, motions[command.kind](buffer.lines, buffer));
	}
}

/** Applies a command while the text of a one-line field is selected. */
function editSelected(buffer: TextBuffer, command: EditCommand): TextBuffer {
	const line = {...buffer, isSelected: false};
	const {length} = getBufferText(line);
	switch (command.kind) {
		case 'insert': {
			const insertion = insertText(createBuffer('', {singleLine: true}), command.text);
			const text = getBufferText(insertion);
			return text === '' ? buffer : replaceText(line, 0, getBufferText(line), text, insertion.history.run);
		}
		case 'backspace':
		case 'delete':
		case 'delete-word-back':
		case 'delete-to-blank':
		case 'kill-line':
		case 'kill-to-line-end':
			return replaceText(line, 0, getBufferText(line), '', 'none');
		case 'left':
			return moveTo(line, {row: 0, column: 0});
		case 'right':
			return moveTo(line, {row: 0, column: length});
		default: {
			const result = editBuffer(line, command);
			return result === line && isRowCommand(command.kind) ? buffer : result;
		}
	}
}

/** True for commands that have no effect in a one-line field. */
const isRowCommand = (kind: EditCommand['kind']): boolean =>
	kind === 'newline' || kind === 'up' || kind === 'down' || kind === 'page-up' || kind === 'page-down';

/**
 * Replaces the text from `from` to `to` (code units) as one change, and puts the cursor after the new text.
 */
export const replaceRange = (buffer: TextBuffer, from: number, to: number, text: string): TextBuffer =>
	replaceText(buffer, from, sliceText(buffer, from, to), text, 'none');

/** Returns the cursor's position in code units of the whole text. */
export const getCursorOffset = (buffer: TextBuffer): number => getOffset(buffer, buffer);

/** Puts the cursor at an offset of the whole text (code units), or at the next grapheme border after it. */
export function withCursor(buffer: TextBuffer, textOffset: number): TextBuffer {
	const {row, offset} = locateRow(buffer, textOffset);
	return moveTo(buffer, {row, column: findBorderFrom(getBufferLine(buffer, row), textOffset - offset)});
}

function moveTo(buffer: TextBuffer, {row, column}: TextPosition, goalColumn?: number): TextBuffer {
	if (row === buffer.row && column === buffer.column && goalColumn === buffer.goalColumn) return buffer;
	return {...buffer, row, column, isSelected: false, goalColumn, history: {...buffer.history, run: 'none'}};
}

/** Moves up or down in the goal column; from the first line to its start, from the last one to its end. */
function moveRows(buffer: TextBuffer, rows: number): TextBuffer {
	const {lines, row, column, singleLine} = buffer;
	if (singleLine) return buffer;
	const lastRow = lines.length - 1;
	if (rows < 0 && row === 0) return moveTo(buffer, {row, column: 0});
	if (rows > 0 && row === lastRow) return moveTo(buffer, {row, column: getBufferLine(buffer, row).length});
	const goalColumn = buffer.goalColumn ?? getColumnsBefore(getBufferLine(buffer, row), column, singleLine);
	const targetRow = Math.min(lastRow, Math.max(0, row + rows));
	return moveTo(
		buffer,
		{row: targetRow, column: findIndexAtColumns(getBufferLine(buffer, targetRow), goalColumn, singleLine)},
		goalColumn,
	);
}

function insertText(buffer: TextBuffer, text: string): TextBuffer {
	const lineEnd = buffer.ends[buffer.row] ?? buffer.ends[buffer.row - 1] ?? '\n';
	const normalized = buffer.singleLine
		? trimLineEnds(text).replace(anyLineEnd, ' ')
		: text.replace(anyLineEnd, lineEnd);
	if (normalized === '') return buffer;
	const isTyping = normalized !== lineEnd && findNextBorder(normalized, 0) === normalized.length;
	return replaceText(buffer, getOffset(buffer, buffer), '', normalized, isTyping ? 'typing' : 'none');
}

const anyLineEnd = /\r\n|\r|\n/g;

/** Drops all line ends at the end of a text. */
export function trimLineEnds(text: string): string {
	let end = text.length;
	while (text[end - 1] === '\n' || text[end - 1] === '\r') end--;
	return text.slice(0, end);
}

function eraseText(buffer: TextBuffer, erasure: Erasure): TextBuffer {
	const isAtLineEnd = buffer.column === getBufferLine(buffer, buffer.row).length;
	const motion = erasure === 'kill-to-line-end' && isAtLineEnd ? 'right' : erasures[erasure];
	const from = getOffset(buffer, erasure === 'kill-line' ? {...buffer, column: 0} : buffer);
	const to = getOffset(buffer, motions[motion](buffer.lines, buffer));
	if (from === to) return buffer;
	const offset = Math.min(from, to);
	const removed = sliceText(buffer, offset, Math.max(from, to));
	return replaceText(
		buffer,
		offset,
		removed,
		'',
		erasure === 'backspace' || erasure === 'delete' ? 'erasing' : 'none',
	);
}

function replaceText(
	buffer: TextBuffer,
	offset: number,
	removed: string,
	replacement: string,
	run: EditRun,
): TextBuffer {
	const change: BufferChange = {offset, removed, inserted: replacement, cursor: getOffset(buffer, buffer)};
	const next = spliceText(buffer, offset, removed.length, replacement, offset + replacement.length);
	return {...next, history: recordChange(buffer.history, change, run)};
}

function undoEdit(buffer: TextBuffer): TextBuffer {
	const {past, future} = buffer.history;
	const change = past.at(-1);
	if (!change) return buffer;
	return {
		...spliceText(buffer, change.offset, change.inserted.length, change.removed, change.cursor),
		history: {past: past.slice(0, -1), future: [...future, change], run: 'none'},
	};
}

function redoEdit(buffer: TextBuffer): TextBuffer {
	const {past, future} = buffer.history;
	const change = future.at(-1);
	if (!change) return buffer;
	const cursor = change.offset + change.inserted.length;
	return {
		...spliceText(buffer, change.offset, change.removed.length, change.inserted, cursor),
		history: {past: [...past, change], future: future.slice(0, -1), run: 'none'},
	};
}

/**
 * Replaces text; all changes go through here. Joins, changes and splits the affected lines, so that lines and
 * ends always match the whole text.
 */
function spliceText(
	buffer: TextBuffer,
	offset: number,
	length: number,
	text: string,
	cursor: number,
): TextBuffer {
	const first = locateRow(buffer, offset);
	const last = locateRow(buffer, offset + length);
	const lineEnd = buffer.ends[last.row] ?? '';
	const oldText =
		joinLines(buffer.lines.slice(first.row, last.row + 1), buffer.ends.slice(first.row, last.row)) + lineEnd;
	const start = offset - first.offset;
	const newText = oldText.slice(0, start) + text + oldText.slice(start + length);
	const {lines, ends} = buffer.singleLine ? {lines: [newText], ends: []} : splitText(newText);
	// Text that ends in a line end leaves an empty piece, which is the start of the next line.
	if (lineEnd !== '') lines.pop();
	const furtherRows = last.row - first.row;
	const changedBuffer = {
		...buffer,
		lines: replaceItems(buffer.lines, first.row, furtherRows + 1, lines),
		ends: replaceItems(buffer.ends, first.row, furtherRows + (lineEnd === '' ? 0 : 1), ends),
		isSelected: false,
		goalColumn: undefined,
	};
	const {row, offset: rowOffset} = locateRow(changedBuffer, cursor);
	return {
		...changedBuffer,
		row,
		column: findBorderFrom(getBufferLine(changedBuffer, row), cursor - rowOffset),
	};
}

/** Like `toSpliced`, without its limit: a paste may have more lines than a call can have arguments. */
const replaceItems = <Item>(
	original: readonly Item[],
	from: number,
	count: number,
	items: readonly Item[],
): Item[] => [...original.slice(0, from), ...items, ...original.slice(from + count)];

const getBufferLine = (buffer: Pick<TextBuffer, 'lines'>, row: number): string => buffer.lines[row] ?? '';

type BufferText = Pick<TextBuffer, 'lines' | 'ends'>;

function joinLines(lines: readonly string[], ends: readonly LineEnd[]): string {
	let text = '';
	for (const [row, line] of lines.entries()) text += line + (ends[row] ?? '');
	return text;
}

function splitText(text: string): {lines: string[]; ends: LineEnd[]} {
	const lines = text.split('\n');
	const ends: LineEnd[] = [];
	for (let row = 0; row < lines.length - 1; row++) {
		const line = lines[row] ?? '';
		const hasCarriageReturn = line.endsWith('\r');
		if (hasCarriageReturn) lines[row] = line.slice(0, -1);
		ends.push(hasCarriageReturn ? '\r\n' : '\n');
	}
	return {lines, ends};
}

/**
 * Finds the row that contains an offset of the whole text (a line end belongs to its row), and the offset of
 * that row, both in code units.
 */
function locateRow(text: BufferText, textOffset: number): {row: number; offset: number} {
	let offset = 0;
	for (let row = 0; row < text.lines.length - 1; row++) {
		const next = offset + getBufferLine(text, row).length + (text.ends[row] ?? '').length;
		if (next > textOffset) return {row, offset};
		offset = next;
	}
	return {row: text.lines.length - 1, offset};
}

/** Converts a position to code units of the whole text. */
function getOffset(text: BufferText, {row, column}: TextPosition): number {
	let offset = column;
	for (let previousRow = 0; previousRow < row; previousRow++)
		offset += getBufferLine(text, previousRow).length + (text.ends[previousRow] ?? '').length;
	return offset;
}

function sliceText(text: BufferText, from: number, to: number): string {
	const first = locateRow(text, from);
	const last = locateRow(text, to);
	const rows = joinLines(text.lines.slice(first.row, last.row + 1), text.ends.slice(first.row, last.row + 1));
	return rows.slice(from - first.offset, to - first.offset);
}
