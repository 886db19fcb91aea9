import {type Cell, cellsOf, type Frame} from './cells.ts';
import {type Emulator, readLinks} from './emulator.ts';
import {addFrame, lastBytes} from './framed.ts';

export type Row = {readonly number: number; readonly text: string};

/** What can be read off a terminal. Rows and columns are counted from 0, and negative rows from the bottom. */
export abstract class Reading {
	protected readonly emulator: Emulator;

	constructor(emulator: Emulator) {
		this.emulator = emulator;
	}

	/** Every byte the program has sent, as text. */
	abstract received(): string;

	get columns(): number {
		return this.emulator.terminal.cols;
	}

	get rows(): number {
		return this.emulator.terminal.rows;
	}

	/** All rows, joined by line feeds, without the blanks at their ends. */
	text(): string {
		return this.lines().join('\n');
	}

	lines(): string[] {
		return this.emulator.lines();
	}

	/** The rows that have scrolled off the top, and those on the screen. */
	textWithHistory(): string {
		return [...this.emulator.history(), ...this.lines()].join('\n');
	}

	/** A row by its number; -1 is the last. */
	line(number: number): string {
		return this.lines().at(number) ?? '';
	}

	/** The first row that matches; fails if none does. */
	findRow(pattern: RegExp | string): Row {
		const lines = this.lines();
		const number = lines.findIndex(line =>
			typeof pattern === 'string' ? line.includes(pattern) : line.search(pattern) >= 0,
		);
		if (number === -1) throw this.failure(`has no row with ${pattern}`);
		return {number, text: lines[number] ?? ''};
	}

	/**
	 * The row that the cursor of the program is on, in its popup if one is open: of those that begin with the
	 * mark, the one most to the left.
	 */
	selectedRow(mark = '▸'): Row {
		const marked = readPopup(this.lines())
			.map((text, number) => ({text, number, indent: text.search(/\S/)}))
			.filter(({text, indent}) => indent >= 0 && text.startsWith(mark, indent));
		const leftmost = Math.min(...marked.map(({indent}) => indent));
		const [selected, other] = marked.filter(({indent}) => indent === leftmost);
		if (!selected) throw this.failure(`has no row that begins with ${mark}`);
		if (other)
			throw this.failure(`has two rows that begin with ${mark}: ${selected.number} and ${other.number}`);
		return {number: selected.number, text: selected.text};
	}

	/** What stands in one column of a row, with its colours and attributes. */
	cell(row: number, column: number): Cell {
		const cell = cellsOf(this.emulator.terminal, row < 0 ? this.rows + row : row)[column];
		if (!cell) throw this.failure(`has no column ${column} in row ${row}`);
		return cell;
	}

	/** Each text of the screen that is a link, with its address, row by row. */
	links(): {readonly text: string; readonly link: string}[] {
		return Array.from({length: this.rows}, (_, row) => readLinks(this.emulator, row)).flat();
	}

	/** The cell where a text begins. */
	cellOf(text: string): Cell {
		const {number} = this.findRow(text);
		const cells = cellsOf(this.emulator.terminal, number);
		const column = cells.findIndex((_, start) =>
			cells
				.slice(start)
				.map(cell => cell.text)
				.join('')
				.startsWith(text),
		);
		return this.cell(number, column);
	}

	frame(): Frame {
		return this.emulator.frame();
	}

	/** Rows that hold the rest of a line that was too long. There must be none. */
	wrapped(): Row[] {
		return this.emulator.wrapped().map(number => ({number, text: this.line(number)}));
	}

	/** The screen as text with a border around it, for failure messages. */
	drawWithBorder(): string {
		return addFrame(this.lines(), this.columns, `${this.columns}×${this.rows}`);
	}

	get inAlternateScreen(): boolean {
		return this.emulator.inAlternateScreen;
	}

	get cursorVisible(): boolean {
		return this.emulator.cursorVisible;
	}

	get bracketedPaste(): boolean {
		return this.emulator.terminal.modes.bracketedPasteMode;
	}

	/** What a program has changed on the terminal and not put back, in words; nothing when it is restored. */
	changedModes(): string[] {
		return this.emulator.changedModes();
	}

	/** What was copied to the clipboard with OSC 52, oldest first. */
	get copied(): readonly string[] {
		return this.emulator.copied;
	}

	get title(): string {
		return this.emulator.title;
	}

	/** An error that shows the whole screen and the last bytes. */
	protected failure(complaint: string): Error {
		const update = this.emulator.updating
			? '\nA synchronized update is open: the frame is not complete.'
			: '';
		return new Error(
			`The screen ${complaint}.\n${this.drawWithBorder()}${update}\nLast bytes: ${lastBytes(this.received())}`,
		);
	}
}

/** The lines of a popup, with other lines empty; all lines if no popup is open. */
export function readPopup(lines: readonly string[]): readonly string[] {
	const top = lines.findIndex(line => /[╭+][─-]{20,}[╮+]/.test(line));
	if (top === -1) return lines;
	const bottom = lines.findIndex((line, number) => number > top && /[╰+][─-]{20,}[╯+]/.test(line));
	const left = lines[top]?.search(/[╭+][─-]{20,}[╮+]/) ?? 0;
	const right = lines[top]?.search(/[╮+](?![─-])/) ?? 0;
	return lines.map((line, number) =>
		number > top && number < bottom ? `${' '.repeat(left + 1)}${line.slice(left + 1, right)}` : '',
	);
}
