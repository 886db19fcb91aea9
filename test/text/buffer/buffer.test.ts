import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {
	createBuffer,
	createSelectedLine,
	type EditCommand,
	editBuffer,
	getBufferText,
	type TextBuffer,
} from '../../../source/text/buffer/buffer.ts';
import {getRunCount} from '../../support/full.ts';
import {anyText, findGraphemeBorders} from '../any-text.ts';

const simpleCommands = (
	[
		...['left', 'right', 'up', 'down', 'word-left', 'word-right', 'line-start', 'line-end'],
		...['buffer-start', 'buffer-end', 'newline', 'backspace', 'delete', 'delete-word-back'],
		...['delete-to-blank', 'kill-to-line-end', 'kill-line', 'undo', 'redo'],
	] as const
).map(kind => ({kind}) as EditCommand);

const anyInsert = fc.record({kind: fc.constant('insert' as const), text: anyText});
const typedCharacter = fc
	.constantFrom('a', 'b', ' ', 'é', '\u0301', '名')
	.map(text => ({kind: 'insert' as const, text}));
const anyCommand: fc.Arbitrary<EditCommand> = fc.oneof(
	{weight: 5, arbitrary: fc.constantFrom(...simpleCommands)},
	{weight: 1, arbitrary: anyInsert},
	{weight: 2, arbitrary: typedCharacter},
	{
		weight: 1,
		arbitrary: fc.record({
			kind: fc.constantFrom('page-up' as const, 'page-down' as const),
			rows: fc.integer({min: 1, max: 3}),
		}),
	},
);
const anyEdit = fc.oneof(
	anyInsert,
	typedCharacter,
	fc.constantFrom(
		...simpleCommands.filter(({kind}) => /newline|backspace|delete|kill/.test(kind) && kind !== 'insert'),
	),
);
const anyMode = fc.record({singleLine: fc.boolean()});

/** Runs commands, given by their kinds. Any other word is inserted as text. */
function applyWords(buffer: TextBuffer, ...words: string[]): TextBuffer {
	return words.reduce((edited, word) => {
		const command = simpleCommands.find(({kind}) => kind === word) ?? {kind: 'insert' as const, text: word};
		return editBuffer(edited, command);
	}, buffer);
}

/** The text with `|` at the cursor. */
function showCursor(buffer: TextBuffer): string {
	const offset = buffer.lines
		.slice(0, buffer.row)
		.reduce((sum, line, row) => sum + line.length + (buffer.ends[row] ?? '').length, 0);
	const text = getBufferText(buffer);
	return `${text.slice(0, offset + buffer.column)}|${text.slice(offset + buffer.column)}`;
}

const showAfter = (text: string, ...words: string[]): string =>
	showCursor(applyWords(createBuffer(text), ...words));

describe('the text of a buffer', () => {
	test('comes out unchanged, including line ends', () => {
		for (const text of ['', '\n', 'a\r\nb\nc\r', '\r\n\r\n', 'a\n', '\r\r\n', '\ufeffa'])
			expect(getBufferText(createBuffer(text))).toBe(text);
		fc.assert(
			fc.property(anyText, anyMode, (text, mode) => {
				expect(getBufferText(createBuffer(text, mode))).toBe(text);
			}),
		);
	});

	test('is split into lines without their ends', () => {
		const {lines, ends} = createBuffer('a\r\nb\n\rc\r');
		expect(lines).toEqual(['a', 'b', '\rc\r']);
		expect(ends).toEqual(['\r\n', '\n']);
	});
});

describe('moving', () => {
	test('goes by graphemes and across line ends', () => {
		expect(showAfter('e\u0301👩\u200d👧x', 'right', 'right')).toBe('e\u0301👩\u200d👧|x');
		expect(showAfter('a\r\nb', 'right', 'right')).toBe('a\r\n|b');
		expect(showAfter('a\r\nb', 'down', 'left')).toBe('a|\r\nb');
		expect(showAfter('a', 'right', 'right')).toBe('a|');
		expect(showAfter('a', 'left')).toBe('|a');
	});

	test('goes by words', () => {
		expect(showAfter('user: ada_l, x', 'word-right')).toBe('user|: ada_l, x');
		expect(showAfter('user: ada_l, x', 'word-right', 'word-right')).toBe('user: ada_l|, x');
		expect(showAfter('user: ada', 'line-end', 'word-left')).toBe('user: |ada');
		expect(showAfter('a\nb', 'line-end', 'word-right')).toBe('a\n|b');
		expect(showAfter('a\nb', 'down', 'word-left')).toBe('a|\nb');
		expect(showAfter('-- ', 'line-end', 'word-left')).toBe('|-- ');
	});

	test('keeps to the goal column when going up and down', () => {
		expect(showAfter('名前名\na\nabcdef', 'line-end', 'down')).toBe('名前名\na|\nabcdef');
		expect(showAfter('名前名\na\nabcde6f', 'line-end', 'down', 'down')).toBe('名前名\na\nabcde6|f');
		expect(showAfter('abc\n名前', 'line-end', 'down')).toBe('abc\n名|前');
		expect(showAfter('\tx\nabcdef', 'right', 'down')).toBe('\tx\nabcd|ef');
		expect(showAfter('abc', 'right', 'down')).toBe('abc|');
		expect(showAfter('abc', 'right', 'up')).toBe('|abc');
	});

	test('by pages stops at the first and the last line', () => {
		const buffer = createBuffer('a\nb\nc\nd');
		expect(editBuffer(buffer, {kind: 'page-down', rows: 2}).row).toBe(2);
		expect(editBuffer(buffer, {kind: 'page-down', rows: 9}).row).toBe(3);
		expect(editBuffer(applyWords(buffer, 'buffer-end'), {kind: 'page-up', rows: 2}).row).toBe(1);
	});
});

describe('editing', () => {
	test('gives pasted lines the line ends of the text', () => {
		expect(showAfter('a\r\nb', '1\n2\r3\r\n')).toBe('1\r\n2\r\n3\r\n|a\r\nb');
		expect(showAfter('a', '1\r2')).toBe('1\n2|a');
		expect(showAfter('a\r\nb', 'buffer-end', 'newline')).toBe('a\r\nb\r\n|');
	});

	test('accepts a paste of very many lines', () => {
		expect(applyWords(createBuffer('ab'), 'right', 'x\n'.repeat(300_000)).lines).toHaveLength(300_001);
	});

	test('erases whole graphemes and line ends', () => {
		expect(showAfter('👩\u200d👧e\u0301', 'line-end', 'backspace')).toBe('👩\u200d👧|');
		expect(showAfter('👩\u200d👧a', 'delete')).toBe('|a');
		expect(showAfter('a\r\nb', 'down', 'backspace')).toBe('a|b');
		expect(showAfter('a\r\nb', 'line-end', 'delete')).toBe('a|b');
		expect(showAfter('one two ', 'line-end', 'delete-word-back')).toBe('one |');
		expect(showAfter('one\ntwo', 'right', 'kill-to-line-end')).toBe('o|\ntwo');
		expect(showAfter('one\ntwo', 'line-end', 'kill-to-line-end')).toBe('one|two');
		expect(showAfter('in 203.0.113.0/24 ', 'line-end', 'delete-word-back')).toBe('in 203.0.113.0/|');
		expect(showAfter('in 203.0.113.0/24 ', 'line-end', 'delete-to-blank')).toBe('in |');
		expect(showAfter('203.0.113.0/24', 'line-end', 'delete-to-blank')).toBe('|');
		expect(showAfter('one\ntwo', 'down', 'delete-to-blank')).toBe('one|two');
		expect(showAfter('one\ntwo', 'line-end', 'kill-line')).toBe('|\ntwo');
		expect(showAfter('one\ntwo', 'kill-line')).toBe('|\ntwo');
		expect(showAfter('one\ntwo', 'down', 'right', 'kill-line')).toBe('one\n|');
		expect(showAfter('one\ntwo', 'right', 'kill-line', 'undo')).toBe('o|ne\ntwo');
	});

	test('never leaves the cursor inside a grapheme that an edit created', () => {
		expect(showAfter('\u0301', 'e')).toBe('e\u0301|');
		expect(showAfter('e\u0001\u0301', 'right', 'delete')).toBe('e\u0301|');
		expect(showAfter('a\rx\nb', 'right', 'right', 'delete')).toBe('a|\r\nb');
	});

	test('returns the same buffer if a command has nothing to do', () => {
		const empty = createBuffer('');
		for (const command of simpleCommands)
			if (command.kind !== 'newline') expect(editBuffer(empty, command)).toBe(empty);
	});
});

describe('a one-line field', () => {
	const field = createBuffer('user:1', {singleLine: true});

	test('starts with the cursor at its end', () => {
		expect(showCursor(field)).toBe('user:1|');
	});

	test('turns pasted line ends into spaces and drops those at the end', () => {
		expect(showCursor(applyWords(field, ' a\r\nb\nc\n\r\n'))).toBe('user:1 a b c|');
		expect(applyWords(field, '\n')).toBe(field);
		expect(applyWords(field, 'newline')).toBe(field);
		expect(showCursor(applyWords(field, `${'\n'.repeat(100_000)}x`))).toBe(`user:1${' '.repeat(100_000)}x|`);
	});

	test('keeps the line ends of its own text in one line', () => {
		const multiLineText = createBuffer('a\nb\r\n', {singleLine: true});
		expect(multiLineText.lines).toHaveLength(1);
		expect(showCursor(applyWords(multiLineText, 'backspace'))).toBe('a\nb|');
		expect(showCursor(applyWords(multiLineText, 'up'))).toBe('a\nb\r\n|');
	});
});

describe('undo and redo', () => {
	test('take back typing word by word, and erasing in one step', () => {
		const typed = applyWords(createBuffer(''), ...'ab cd');
		expect(showCursor(applyWords(typed, 'undo'))).toBe('ab |');
		expect(showCursor(applyWords(typed, 'undo', 'undo'))).toBe('|');
		expect(showCursor(applyWords(typed, 'undo', 'undo', 'redo', 'redo'))).toBe('ab cd|');
		const erased = applyWords(typed, 'backspace', 'backspace', 'backspace');
		expect(showCursor(applyWords(erased, 'undo'))).toBe('ab cd|');
		expect(showCursor(applyWords(typed, 'buffer-start', 'delete', 'delete', 'undo'))).toBe('|ab cd');
	});

	test('start a new run at a move, a line end and a paste', () => {
		expect(showCursor(applyWords(createBuffer(''), 'a', 'b', 'left', 'c', 'undo'))).toBe('a|b');
		expect(showCursor(applyWords(createBuffer(''), 'a', 'newline', 'b', 'undo', 'undo'))).toBe('a|');
		expect(showCursor(applyWords(createBuffer(''), 'a', 'pasted', 'undo'))).toBe('a|');
	});

	test('have nothing to redo after a new edit', () => {
		const buffer = applyWords(createBuffer(''), 'a', 'undo', 'b');
		expect(applyWords(buffer, 'redo')).toBe(buffer);
	});

	test('keep a limited number of steps', () => {
		let buffer = createBuffer('');
		for (let step = 0; step < 2000; step++) buffer = applyWords(buffer, 'newline');
		expect(buffer.history.past.length).toBeLessThan(1000);
		const huge = applyWords(buffer, 'x'.repeat(5_000_000));
		expect(huge.history.past).toHaveLength(1);
		expect(getBufferText(applyWords(huge, 'undo'))).toBe(getBufferText(buffer));
	});

	test('restore the text and the cursor from before any edit', () => {
		fc.assert(
			fc.property(
				anyText,
				anyMode,
				fc.array(anyCommand, {maxLength: 12}),
				anyEdit,
				(text, mode, commands, lastEdit) => {
					const moved = commands.reduce(editBuffer, createBuffer(text, mode));
					const before: TextBuffer = {...moved, history: {...moved.history, run: 'none'}};
					const edited = editBuffer(before, lastEdit);
					if (edited === before) return;
					const undone = editBuffer(edited, {kind: 'undo'});
					expect(showCursor(undone)).toBe(showCursor(before));
					expect(undone.lines).toEqual(before.lines);
					expect(getBufferText(editBuffer(undone, {kind: 'redo'}))).toBe(getBufferText(edited));
				},
			),
			{numRuns: getRunCount(3000)},
		);
	});

	test('lead back to the first text and forward to the last', () => {
		fc.assert(
			fc.property(anyText, anyMode, fc.array(anyCommand, {maxLength: 30}), (text, mode, commands) => {
				const edited = commands.reduce(editBuffer, createBuffer(text, mode));
				let undone = edited;
				while (undone.history.past.length > 0) undone = editBuffer(undone, {kind: 'undo'});
				expect(getBufferText(undone)).toBe(text);
				let redone = undone;
				while (redone.history.future.length > 0) redone = editBuffer(redone, {kind: 'redo'});
				const last = edited.history.future.length === 0 ? getBufferText(edited) : undefined;
				if (last !== undefined) expect(getBufferText(redone)).toBe(last);
			}),
			{numRuns: getRunCount(2000)},
		);
	});
});

describe('any sequence of commands', () => {
	test('keeps the cursor on a grapheme boundary, and the lines equal to the text', () => {
		fc.assert(
			fc.property(anyText, anyMode, fc.array(anyCommand, {maxLength: 30}), (text, mode, commands) => {
				let buffer = createBuffer(text, mode);
				for (const command of commands) {
					buffer = editBuffer(buffer, command);
					expect(findGraphemeBorders(buffer.lines[buffer.row] ?? '').has(buffer.column)).toBe(true);
					const {lines, ends} = createBuffer(getBufferText(buffer), mode);
					expect(buffer.lines).toEqual(lines);
					expect(buffer.ends).toEqual(ends);
				}
			}),
			{numRuns: getRunCount(2000)},
		);
	});

	test('changes the text only at the cursor', () => {
		fc.assert(
			fc.property(anyText, fc.array(anyCommand, {maxLength: 8}), anyEdit, (text, commands, lastEdit) => {
				const before = commands.reduce(editBuffer, createBuffer(text));
				const [head = '', tail = ''] = splitAtCursor(before);
				const result = getBufferText(editBuffer(before, lastEdit));
				if (lastEdit.kind === 'insert') {
					const ends = [...new Set(before.ends), '\n'];
					const expected = ends.map(end => head + lastEdit.text.replace(/\r\n|\r|\n/g, end) + tail);
					expect(expected).toContain(result);
				} else if (lastEdit.kind === 'newline') {
					expect([`${head}\n${tail}`, `${head}\r\n${tail}`]).toContain(result);
				} else if (lastEdit.kind === 'delete' || lastEdit.kind === 'kill-to-line-end') {
					expect(result.startsWith(head)).toBe(true);
					expect(tail.endsWith(result.slice(head.length))).toBe(true);
				} else if (lastEdit.kind === 'kill-line') {
					const lines = before.lines.with(before.row, '');
					expect(result).toBe(lines.map((line, row) => line + (before.ends[row] ?? '')).join(''));
				} else {
					expect(result.endsWith(tail)).toBe(true);
					expect(head.startsWith(result.slice(0, result.length - tail.length))).toBe(true);
				}
			}),
			{numRuns: getRunCount(3000)},
		);
	});
});

function splitAtCursor(buffer: TextBuffer): string[] {
	const offset = buffer.lines
		.slice(0, buffer.row)
		.reduce((sum, line, row) => sum + line.length + (buffer.ends[row] ?? '').length, buffer.column);
	const text = getBufferText(buffer);
	return [text.slice(0, offset), text.slice(offset)];
}

describe('a selected line', () => {
	const applyToSelected = (...commands: readonly EditCommand[]) =>
		commands.reduce(editBuffer, createSelectedLine('40 ñ👩‍🚀'));
	const insert = (text: string): EditCommand => ({kind: 'insert', text});
	const describeLine = (line: TextBuffer) => [getBufferText(line), line.column, line.isSelected];

	test('is replaced by typed or pasted text, and typing continues as usual', () => {
		expect(describeLine(applyToSelected(insert('6'), insert('0')))).toEqual(['60', 2, false]);
		expect(describeLine(applyToSelected(insert('two\nlines\n')))).toEqual(['two lines', 9, false]);
	});

	test('is cleared by every erasing command', () => {
		for (const kind of [
			'backspace',
			'delete',
			'delete-word-back',
			'delete-to-blank',
			'kill-line',
			'kill-to-line-end',
		] as const)
			expect(describeLine(applyToSelected({kind})), kind).toEqual(['', 0, false]);
	});

	test('is kept when the cursor moves', () => {
		const fullText = '40 ñ👩‍🚀';
		for (const kind of ['left', 'line-start', 'buffer-start'] as const)
			expect(describeLine(applyToSelected({kind})), kind).toEqual([fullText, 0, false]);
		for (const kind of ['right', 'line-end', 'buffer-end', 'word-right'] as const)
			expect(describeLine(applyToSelected({kind})), kind).toEqual([fullText, fullText.length, false]);
		expect(describeLine(applyToSelected({kind: 'word-left'}))).toEqual([fullText, 3, false]);
	});

	test('stays selected if nothing changes', () => {
		for (const command of [
			insert(''),
			insert('\n'),
			{kind: 'up'},
			{kind: 'down'},
			{kind: 'newline'},
		] as readonly EditCommand[])
			expect(describeLine(applyToSelected(command)), command.kind).toEqual(describeLine(applyToSelected()));
	});

	test('is restored by undo, but no longer selected', () => {
		expect(describeLine(applyToSelected(insert('6'), insert('0'), {kind: 'undo'}))).toEqual(
			describeLine(applyToSelected({kind: 'right'})),
		);
	});

	test('is never empty', () => {
		expect(createSelectedLine('').isSelected).toBe(false);
	});
});
