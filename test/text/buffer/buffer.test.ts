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
import {runs} from '../../support/full.ts';
import {anyText, bordersOf} from '../any-text.ts';

const simple = (
	[
		...['left', 'right', 'up', 'down', 'word-left', 'word-right', 'line-start', 'line-end'],
		...['buffer-start', 'buffer-end', 'newline', 'backspace', 'delete', 'delete-word-back'],
		...['kill-to-line-end', 'kill-to-line-start', 'undo', 'redo'],
	] as const
).map(kind => ({kind}) as EditCommand);

const anyInsert = fc.record({kind: fc.constant('insert' as const), text: anyText});
const typing = fc
	.constantFrom('a', 'b', ' ', 'é', '\u0301', '名')
	.map(text => ({kind: 'insert' as const, text}));
const anyCommand: fc.Arbitrary<EditCommand> = fc.oneof(
	{weight: 5, arbitrary: fc.constantFrom(...simple)},
	{weight: 1, arbitrary: anyInsert},
	{weight: 2, arbitrary: typing},
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
	typing,
	fc.constantFrom(
		...simple.filter(({kind}) => /newline|backspace|delete|kill/.test(kind) && kind !== 'insert'),
	),
);
const anyMode = fc.record({singleLine: fc.boolean()});

/** The buffer after commands named by their kinds; other text is typed, all at once. */
function done(buffer: TextBuffer, ...words: string[]): TextBuffer {
	return words.reduce((edited, word) => {
		const command = simple.find(({kind}) => kind === word) ?? {kind: 'insert' as const, text: word};
		return editBuffer(edited, command);
	}, buffer);
}

/** The text with `|` where the cursor stands. */
function shown(buffer: TextBuffer): string {
	const before = buffer.lines
		.slice(0, buffer.row)
		.reduce((sum, line, row) => sum + line.length + (buffer.ends[row] ?? '').length, 0);
	const text = getBufferText(buffer);
	return `${text.slice(0, before + buffer.column)}|${text.slice(before + buffer.column)}`;
}

const shownAfter = (text: string, ...words: string[]): string => shown(done(createBuffer(text), ...words));

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
		expect(shownAfter('e\u0301👩\u200d👧x', 'right', 'right')).toBe('e\u0301👩\u200d👧|x');
		expect(shownAfter('a\r\nb', 'right', 'right')).toBe('a\r\n|b');
		expect(shownAfter('a\r\nb', 'down', 'left')).toBe('a|\r\nb');
		expect(shownAfter('a', 'right', 'right')).toBe('a|');
		expect(shownAfter('a', 'left')).toBe('|a');
	});

	test('goes by words', () => {
		expect(shownAfter('user: ada_l, x', 'word-right')).toBe('user|: ada_l, x');
		expect(shownAfter('user: ada_l, x', 'word-right', 'word-right')).toBe('user: ada_l|, x');
		expect(shownAfter('user: ada', 'line-end', 'word-left')).toBe('user: |ada');
		expect(shownAfter('a\nb', 'line-end', 'word-right')).toBe('a\n|b');
		expect(shownAfter('a\nb', 'down', 'word-left')).toBe('a|\nb');
		expect(shownAfter('-- ', 'line-end', 'word-left')).toBe('|-- ');
	});

	test('keeps to the goal column when going up and down', () => {
		expect(shownAfter('名前名\na\nabcdef', 'line-end', 'down')).toBe('名前名\na|\nabcdef');
		expect(shownAfter('名前名\na\nabcde6f', 'line-end', 'down', 'down')).toBe('名前名\na\nabcde6|f');
		expect(shownAfter('abc\n名前', 'line-end', 'down')).toBe('abc\n名|前');
		expect(shownAfter('\tx\nabcdef', 'right', 'down')).toBe('\tx\nabcd|ef');
		expect(shownAfter('abc', 'right', 'down')).toBe('abc|');
		expect(shownAfter('abc', 'right', 'up')).toBe('|abc');
	});

	test('by pages stops at the first and the last line', () => {
		const text = createBuffer('a\nb\nc\nd');
		expect(editBuffer(text, {kind: 'page-down', rows: 2}).row).toBe(2);
		expect(editBuffer(text, {kind: 'page-down', rows: 9}).row).toBe(3);
		expect(editBuffer(done(text, 'buffer-end'), {kind: 'page-up', rows: 2}).row).toBe(1);
	});
});

describe('editing', () => {
	test('gives pasted lines the line ends of the text', () => {
		expect(shownAfter('a\r\nb', '1\n2\r3\r\n')).toBe('1\r\n2\r\n3\r\n|a\r\nb');
		expect(shownAfter('a', '1\r2')).toBe('1\n2|a');
		expect(shownAfter('a\r\nb', 'buffer-end', 'newline')).toBe('a\r\nb\r\n|');
	});

	test('accepts a paste of very many lines', () => {
		expect(done(createBuffer('ab'), 'right', 'x\n'.repeat(300_000)).lines).toHaveLength(300_001);
	});

	test('erases whole graphemes and line ends', () => {
		expect(shownAfter('👩\u200d👧e\u0301', 'line-end', 'backspace')).toBe('👩\u200d👧|');
		expect(shownAfter('👩\u200d👧a', 'delete')).toBe('|a');
		expect(shownAfter('a\r\nb', 'down', 'backspace')).toBe('a|b');
		expect(shownAfter('a\r\nb', 'line-end', 'delete')).toBe('a|b');
		expect(shownAfter('one two ', 'line-end', 'delete-word-back')).toBe('one |');
		expect(shownAfter('one\ntwo', 'right', 'kill-to-line-end')).toBe('o|\ntwo');
		expect(shownAfter('one\ntwo', 'line-end', 'kill-to-line-end')).toBe('one|two');
		expect(shownAfter('one\ntwo', 'line-end', 'kill-to-line-start')).toBe('|\ntwo');
		expect(shownAfter('one\ntwo', 'down', 'kill-to-line-start')).toBe('one\n|two');
	});

	test('never leaves the cursor inside a grapheme that an edit created', () => {
		expect(shownAfter('\u0301', 'e')).toBe('e\u0301|');
		expect(shownAfter('e\u0001\u0301', 'right', 'delete')).toBe('e\u0301|');
		expect(shownAfter('a\rx\nb', 'right', 'right', 'delete')).toBe('a|\r\nb');
	});

	test('returns the same buffer if a command has nothing to do', () => {
		const empty = createBuffer('');
		for (const command of simple)
			if (command.kind !== 'newline') expect(editBuffer(empty, command)).toBe(empty);
	});
});

describe('a one-line field', () => {
	const field = createBuffer('user:1', {singleLine: true});

	test('starts with the cursor at its end', () => {
		expect(shown(field)).toBe('user:1|');
	});

	test('turns pasted line ends into spaces and drops those at the end', () => {
		expect(shown(done(field, ' a\r\nb\nc\n\r\n'))).toBe('user:1 a b c|');
		expect(done(field, '\n')).toBe(field);
		expect(done(field, 'newline')).toBe(field);
		expect(shown(done(field, `${'\n'.repeat(100_000)}x`))).toBe(`user:1${' '.repeat(100_000)}x|`);
	});

	test('keeps the line ends of its own text in one line', () => {
		const named = createBuffer('a\nb\r\n', {singleLine: true});
		expect(named.lines).toHaveLength(1);
		expect(shown(done(named, 'backspace'))).toBe('a\nb|');
		expect(shown(done(named, 'up'))).toBe('a\nb\r\n|');
	});
});

describe('undo and redo', () => {
	test('take back typing word by word, and erasing in one step', () => {
		const typed = done(createBuffer(''), ...'ab cd');
		expect(shown(done(typed, 'undo'))).toBe('ab |');
		expect(shown(done(typed, 'undo', 'undo'))).toBe('|');
		expect(shown(done(typed, 'undo', 'undo', 'redo', 'redo'))).toBe('ab cd|');
		const erased = done(typed, 'backspace', 'backspace', 'backspace');
		expect(shown(done(erased, 'undo'))).toBe('ab cd|');
		expect(shown(done(typed, 'buffer-start', 'delete', 'delete', 'undo'))).toBe('|ab cd');
	});

	test('start a new run at a move, a line end and a paste', () => {
		expect(shown(done(createBuffer(''), 'a', 'b', 'left', 'c', 'undo'))).toBe('a|b');
		expect(shown(done(createBuffer(''), 'a', 'newline', 'b', 'undo', 'undo'))).toBe('a|');
		expect(shown(done(createBuffer(''), 'a', 'pasted', 'undo'))).toBe('a|');
	});

	test('have nothing to redo after a new edit', () => {
		const buffer = done(createBuffer(''), 'a', 'undo', 'b');
		expect(done(buffer, 'redo')).toBe(buffer);
	});

	test('keep a limited number of steps', () => {
		let buffer = createBuffer('');
		for (let step = 0; step < 2000; step++) buffer = done(buffer, 'newline');
		expect(buffer.history.past.length).toBeLessThan(1000);
		const huge = done(buffer, 'x'.repeat(5_000_000));
		expect(huge.history.past).toHaveLength(1);
		expect(getBufferText(done(huge, 'undo'))).toBe(getBufferText(buffer));
	});

	test('restore the text and the cursor from before any edit', () => {
		fc.assert(
			fc.property(
				anyText,
				anyMode,
				fc.array(anyCommand, {maxLength: 12}),
				anyEdit,
				(text, mode, commands, last) => {
					const moved = commands.reduce(editBuffer, createBuffer(text, mode));
					const before: TextBuffer = {...moved, history: {...moved.history, run: 'none'}};
					const edited = editBuffer(before, last);
					if (edited === before) return;
					const undone = editBuffer(edited, {kind: 'undo'});
					expect(shown(undone)).toBe(shown(before));
					expect(undone.lines).toEqual(before.lines);
					expect(getBufferText(editBuffer(undone, {kind: 'redo'}))).toBe(getBufferText(edited));
				},
			),
			{numRuns: runs(3000)},
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
			{numRuns: runs(2000)},
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
					expect(bordersOf(buffer.lines[buffer.row] ?? '').has(buffer.column)).toBe(true);
					const {lines, ends} = createBuffer(getBufferText(buffer), mode);
					expect(buffer.lines).toEqual(lines);
					expect(buffer.ends).toEqual(ends);
				}
			}),
			{numRuns: runs(2000)},
		);
	});

	test('changes the text only at the cursor', () => {
		fc.assert(
			fc.property(anyText, fc.array(anyCommand, {maxLength: 8}), anyEdit, (text, commands, last) => {
				const before = commands.reduce(editBuffer, createBuffer(text));
				const [head = '', tail = ''] = halves(before);
				const result = getBufferText(editBuffer(before, last));
				if (last.kind === 'insert') {
					const ends = [...new Set(before.ends), '\n'];
					const expected = ends.map(end => head + last.text.replace(/\r\n|\r|\n/g, end) + tail);
					expect(expected).toContain(result);
				} else if (last.kind === 'newline') {
					expect([`${head}\n${tail}`, `${head}\r\n${tail}`]).toContain(result);
				} else if (last.kind === 'delete' || last.kind === 'kill-to-line-end') {
					expect(result.startsWith(head)).toBe(true);
					expect(tail.endsWith(result.slice(head.length))).toBe(true);
				} else {
					expect(result.endsWith(tail)).toBe(true);
					expect(head.startsWith(result.slice(0, result.length - tail.length))).toBe(true);
				}
			}),
			{numRuns: runs(3000)},
		);
	});
});

function halves(buffer: TextBuffer): string[] {
	const before = buffer.lines
		.slice(0, buffer.row)
		.reduce((sum, line, row) => sum + line.length + (buffer.ends[row] ?? '').length, buffer.column);
	const text = getBufferText(buffer);
	return [text.slice(0, before), text.slice(before)];
}

describe('a selected line', () => {
	const applied = (...commands: readonly EditCommand[]) =>
		commands.reduce(editBuffer, createSelectedLine('40 ñ👩‍🚀'));
	const insert = (text: string): EditCommand => ({kind: 'insert', text});
	const seen = (line: TextBuffer) => [getBufferText(line), line.column, line.isSelected];

	test('is replaced by typed or pasted text, and typing continues as usual', () => {
		expect(seen(applied(insert('6'), insert('0')))).toEqual(['60', 2, false]);
		expect(seen(applied(insert('two\nlines\n')))).toEqual(['two lines', 9, false]);
	});

	test('is cleared by every erasing command', () => {
		for (const kind of [
			'backspace',
			'delete',
			'delete-word-back',
			'kill-to-line-start',
			'kill-to-line-end',
		] as const)
			expect(seen(applied({kind})), kind).toEqual(['', 0, false]);
	});

	test('is kept when the cursor moves', () => {
		const whole = '40 ñ👩‍🚀';
		for (const kind of ['left', 'line-start', 'buffer-start'] as const)
			expect(seen(applied({kind})), kind).toEqual([whole, 0, false]);
		for (const kind of ['right', 'line-end', 'buffer-end', 'word-right'] as const)
			expect(seen(applied({kind})), kind).toEqual([whole, whole.length, false]);
		expect(seen(applied({kind: 'word-left'}))).toEqual([whole, 3, false]);
	});

	test('stays selected if nothing changes', () => {
		for (const command of [
			insert(''),
			insert('\n'),
			{kind: 'up'},
			{kind: 'down'},
			{kind: 'newline'},
		] as readonly EditCommand[])
			expect(seen(applied(command)), command.kind).toEqual(seen(applied()));
	});

	test('is restored by undo, but no longer selected', () => {
		expect(seen(applied(insert('6'), insert('0'), {kind: 'undo'}))).toEqual(seen(applied({kind: 'right'})));
	});

	test('is never empty', () => {
		expect(createSelectedLine('').isSelected).toBe(false);
	});
});
