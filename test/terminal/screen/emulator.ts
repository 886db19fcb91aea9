import headless, {type Terminal} from '@xterm/headless';
import {cellsOf, type Frame, frameOf} from './cells.ts';
import {graphemeWidths} from './widths.ts';

export type Widths = 'graphemes' | 'unicode 6';

export type EmulatorOptions = {
	readonly columns: number;
	readonly rows: number;
	readonly widths: Widths;
};

/** A terminal emulator without a window, and what it does not keep itself: the cursor's visibility, the clipboard. */
export class Emulator {
	readonly terminal: Terminal;
	cursorVisible = true;
	title = '';
	/** What was copied with OSC 52, oldest first. */
	readonly copied: string[] = [];
	#keyboardModes = 0;

	constructor({columns, rows, widths}: EmulatorOptions) {
		this.terminal = new headless.Terminal({cols: columns, rows, scrollback: 5000, allowProposedApi: true});
		if (widths === 'graphemes') {
			this.terminal.unicode.register(graphemeWidths);
			this.terminal.unicode.activeVersion = graphemeWidths.version;
		}
		this.terminal.onTitleChange(title => {
			this.title = title;
		});
		const {parser} = this.terminal;
		for (const final of ['h', 'l']) {
			parser.registerCsiHandler({prefix: '?', final}, modes => {
				if (modes.includes(25)) this.cursorVisible = final === 'h';
				return false;
			});
		}
		parser.registerCsiHandler({prefix: '>', final: 'u'}, () => this.#countKeyboardMode(1));
		parser.registerCsiHandler({prefix: '<', final: 'u'}, () => this.#countKeyboardMode(-1));
		parser.registerOscHandler(52, data => {
			this.copied.push(Buffer.from(data.replace(/^[^;]*;/, ''), 'base64').toString());
			return true;
		});
	}

	#countKeyboardMode(step: number): boolean {
		this.#keyboardModes += step;
		return false;
	}

	/** Passes on what the terminal answers to the program, such as its name or the position of the cursor. */
	onAnswer(listener: (bytes: string) => void): void {
		this.terminal.onData(listener);
	}

	/** Takes bytes in; done once they have been parsed. */
	write(bytes: Uint8Array): Promise<void> {
		return new Promise(done => this.terminal.write(bytes, done));
	}

	get inAlternateScreen(): boolean {
		return this.terminal.buffer.active.type === 'alternate';
	}

	/** In the middle of a frame: a synchronized update was begun and not ended (DEC mode 2026). */
	get updating(): boolean {
		return this.terminal.modes.synchronizedOutputMode;
	}

	/** The rows as a person sees them, without the blanks at their ends. */
	lines(): string[] {
		const {active} = this.terminal.buffer;
		return Array.from(
			{length: this.terminal.rows},
			(_, row) =>
				active
					.getLine(active.baseY + row)
					?.translateToString(true)
					.trimEnd() ?? '',
		);
	}

	/** Only the rows that have scrolled off the top. */
	history(): string[] {
		const {active} = this.terminal.buffer;
		return Array.from({length: active.baseY}, (_, row) =>
			(active.getLine(row)?.translateToString(true) ?? '').trimEnd(),
		);
	}

	/** Rows that hold the rest of a line that was too long for the row above. */
	wrapped(): number[] {
		const {active} = this.terminal.buffer;
		const rows = Array.from({length: this.terminal.rows}, (_, row) => row);
		return rows.filter(row => active.getLine(active.baseY + row)?.isWrapped);
	}

	/** The addresses of the cells of a row; undefined for a cell without a link. */
	linksOf(row: number): (string | undefined)[] {
		const {active} = this.terminal.buffer;
		const line = active.getLine(active.baseY + row);
		return Array.from({length: this.terminal.cols}, (_, column) => this.#findLink(line?.getCell(column)));
	}

	/** The emulator keeps the addresses to itself: its own links are made of them. */
	#findLink(cell: object | undefined): string | undefined {
		const {extended} = (cell ?? {}) as {readonly extended?: {readonly urlId: number}};
		const {_core} = this.terminal as unknown as {
			_core: {_oscLinkService: {getLinkData(id: number): {uri: string} | undefined}};
		};
		return extended && _core._oscLinkService.getLinkData(extended.urlId)?.uri;
	}

	frame(): Frame {
		return frameOf(this.terminal, this.cursorVisible);
	}

	/** What a program has changed and would leave behind if it ended now; nothing on a fresh terminal. */
	changedModes(): string[] {
		const {modes} = this.terminal;
		return [
			this.inAlternateScreen && 'alternate screen',
			!this.cursorVisible && 'cursor hidden',
			this.updating && 'synchronized update open',
			this.#keyboardModes !== 0 && 'keyboard protocol',
			modes.bracketedPasteMode && 'bracketed paste',
			modes.applicationCursorKeysMode && 'application cursor keys',
			modes.applicationKeypadMode && 'application keypad',
			modes.mouseTrackingMode !== 'none' && 'mouse',
			modes.sendFocusMode && 'focus reports',
			modes.insertMode && 'insert mode',
			modes.originMode && 'origin mode',
			!modes.wraparoundMode && 'no wrap',
		].filter(name => name !== false);
	}

	dispose(): void {
		this.terminal.dispose();
	}
}

/** The texts of a row that are links: neighbouring cells with one address are one. */
export function readLinks(emulator: Emulator, row: number): {text: string; link: string}[] {
	const links: {text: string; link: string}[] = [];
	let previousLink: string | undefined;
	const cells = cellsOf(emulator.terminal, row);
	for (const [column, link] of emulator.linksOf(row).entries()) {
		const text = cells[column]?.text ?? '';
		const last = links.at(-1);
		if (link !== undefined && link === previousLink && last) last.text += text;
		else if (link !== undefined) links.push({text, link});
		previousLink = link;
	}
	return links;
}
