import fc from 'fast-check';
import stringWidth from 'string-width';
import {describe, expect, test} from 'vitest';
import {
	createBuffer,
	type EditCommand,
	editBuffer,
	type TextBuffer,
} from '../../../source/text/buffer/buffer.ts';
import {buildBufferView, initialScroll, type Scroll} from '../../../source/text/buffer/view.ts';
import {toDrawable} from '../../../source/text/columns.ts';
import {escapeText} from '../../../source/text/safe-text.ts';
import {getRunCount} from '../../support/full.ts';
import {anyText} from '../any-text.ts';

const applyCommands = (buffer: TextBuffer, ...commands: EditCommand[]): TextBuffer =>
	commands.reduce(editBuffer, buffer);

const anyCommand: fc.Arbitrary<EditCommand> = fc.oneof(
	fc.constantFrom<EditCommand>(
		{kind: 'left'},
		{kind: 'right'},
		{kind: 'up'},
		{kind: 'down'},
		{kind: 'line-end'},
		{kind: 'line-start'},
		{kind: 'backspace'},
		{kind: 'delete'},
		{kind: 'newline'},
		{kind: 'buffer-end'},
		{kind: 'undo'},
	),
	anyText.map(text => ({kind: 'insert' as const, text})),
);

describe('the view of a buffer', () => {
	test('shows lines as drawn, and the cursor at its place in them', () => {
		const buffer = applyCommands(
			createBuffer('a\u001b名x\n\tb'),
			{kind: 'right'},
			{kind: 'right'},
			{kind: 'right'},
		);
		const view = buildBufferView(buffer, 5, 20);
		expect(view.rows).toEqual(['a\\x1b名x', '→   b']);
		expect(view.cursor).toEqual({row: 0, column: 7});
		expect(buildBufferView(applyCommands(buffer, {kind: 'buffer-end'}), 5, 20).cursor).toEqual({
			row: 1,
			column: 5,
		});
	});

	test('shows tabs and line ends of a one-line field as escapes', () => {
		const view = buildBufferView(createBuffer('a\tb\nc', {singleLine: true}), 1, 20);
		expect(view.rows).toEqual(['a\\tb\\nc']);
		expect(view.cursor).toEqual({row: 0, column: 7});
	});

	test('scrolls no further than the cursor needs, and stays while the cursor is in view', () => {
		let buffer = createBuffer('a\nb\nc\nd\ne');
		let scroll = initialScroll;
		const rowsAfter = (command: EditCommand): readonly string[] => {
			buffer = editBuffer(buffer, command);
			const view = buildBufferView(buffer, 2, 20, scroll);
			scroll = view.scroll;
			return view.rows;
		};
		expect(rowsAfter({kind: 'down'})).toEqual(['a', 'b']);
		expect(rowsAfter({kind: 'down'})).toEqual(['b', 'c']);
		expect(rowsAfter({kind: 'up'})).toEqual(['b', 'c']);
		expect(rowsAfter({kind: 'buffer-end'})).toEqual(['d', 'e']);
		expect(rowsAfter({kind: 'backspace'})).toEqual(['d', '']);
		expect(rowsAfter({kind: 'backspace'})).toEqual(['c', 'd']);
	});

	test('marks lines that continue to the side', () => {
		const buffer = createBuffer('0123456789abcdef\nshort');
		const start = buildBufferView(buffer, 2, 10);
		expect(start.rows).toEqual(['012345678…', 'short']);
		const end = buildBufferView(applyCommands(buffer, {kind: 'line-end'}), 2, 10, start.scroll);
		expect(end.rows).toEqual(['…cdef', '…']);
		expect(end.cursor).toEqual({row: 0, column: 5});
	});

	test('never hides the character under the cursor behind a mark', () => {
		const line = '0123456789abcdefghij';
		let buffer = createBuffer(line);
		let scroll = initialScroll;
		const moveAndReadCharacter = (kind: 'left' | 'right'): string | undefined => {
			buffer = editBuffer(buffer, {kind});
			const view = buildBufferView(buffer, 1, 10, scroll);
			scroll = view.scroll;
			return view.rows[0]?.charAt(view.cursor.column);
		};
		const forwardCharacters = Array.from(line.slice(1), () => moveAndReadCharacter('right'));
		expect(forwardCharacters.join('')).toBe(line.slice(1));
		const backwardCharacters = Array.from(line.slice(1), () => moveAndReadCharacter('left'));
		expect(backwardCharacters.reverse().join('')).toBe(line.slice(0, -1));
	});

	test('shows a line of 64 KiB around the cursor', () => {
		const line = 'user:名前 é '.repeat(4000);
		const buffer = applyCommands(createBuffer(line), {kind: 'line-end'});
		const first = buildBufferView(buffer, 1, 40);
		expect(first.scroll.column + first.cursor.column).toBe(stringWidth(line));
		const moved = applyCommands(buffer, {kind: 'left'}, {kind: 'left'}, {kind: 'insert', text: '\ufe0f前'});
		const view = buildBufferView(moved, 1, 40, first.scroll);
		const fresh = buildBufferView(moved, 1, 40, {...first.scroll, measured: initialScroll.measured});
		expect(view).toEqual(fresh);
	});

	test('always has the cursor in view and drawable rows that fit, however it got there', () => {
		const widths = fc.integer({min: 1, max: 24});
		fc.assert(
			fc.property(
				anyText,
				fc.boolean(),
				fc.array(fc.tuple(anyCommand, fc.integer({min: 1, max: 4}), widths), {maxLength: 12}),
				(text, singleLine, steps) => {
					let buffer = createBuffer(text, {singleLine});
					let scroll: Scroll = initialScroll;
					for (const [command, height, width] of steps) {
						buffer = editBuffer(buffer, command);
						const view = buildBufferView(buffer, height, width, scroll);
						expect(
							buildBufferView(buffer, height, width, {...scroll, measured: initialScroll.measured}),
						).toEqual(view);
						scroll = view.scroll;
						expect(view.cursor.row).toBeGreaterThanOrEqual(0);
						expect(view.cursor.row).toBeLessThan(height);
						expect(view.cursor.column).toBeGreaterThanOrEqual(0);
						expect(view.cursor.column).toBeLessThan(width);
						expect(view.rows.length).toBe(Math.min(height, buffer.lines.length - scroll.row));
						for (const row of view.rows) {
							expect(stringWidth(row)).toBeLessThanOrEqual(width);
							expect(escapeText(row)).toBe(row);
						}
						const line = (buffer.lines[buffer.row] ?? '').slice(0, buffer.column);
						const drawn = singleLine ? toDrawable(line) : line.split('\t').map(toDrawable).join('→   ');
						expect(view.cursor.column + scroll.column).toBe(stringWidth(drawn));
					}
				},
			),
			{numRuns: getRunCount(2000)},
		);
	});
});
