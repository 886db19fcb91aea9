import {writeFileSync} from 'node:fs';
import {Child, type Piece, type ProcessEnd} from './child.ts';
import {Emulator, type Widths} from './emulator.ts';
import {keyBytes, pasteBytes} from './keys.ts';
import {Reading} from './reading.ts';

export type ScreenOptions = {
	/** The program and its words. */
	readonly command: readonly string[];
	readonly cwd: string;
	/** The whole environment of the program; TERM is set here. */
	readonly env: Readonly<Record<string, string>>;
	readonly columns?: number;
	readonly rows?: number;
	/** How wide characters are measured: as terminals of today do (the default), or as the emulator does alone. */
	readonly widths?: Widths;
	/** A slow line between the program and the terminal. */
	readonly bytesPerSecond?: number | undefined;
};

/** A text of the screen, a pattern over its rows (joined by line feeds), or anything that can be asked of it. */
export type Condition = string | RegExp | ((screen: Screen) => boolean);

/** A moment of the output. */
export type Mark = {readonly pieces: number; readonly at: number};

/** The output since a moment. Milliseconds are counted from that moment; without output they are NaN. */
export type Output = {
	readonly bytes: Buffer;
	readonly text: string;
	readonly toFirstByte: number;
	readonly toLastByte: number;
};

/** Milliseconds to show each awaited screen on the terminal of the test run; TEST_SHOW sets it. */
const showTime = Number(process.env.TEST_SHOW ?? 0);

/** Draws a screen over the terminal of the test run, and leaves time to look at it. */
async function show(screen: Screen): Promise<void> {
	writeFileSync('/dev/tty', `\x1b[2J\x1b[H${screen.text().replaceAll('\n', '\r\n')}\r\n`);
	await new Promise(done => setTimeout(done, showTime));
}

const patience = 60_000;
const quietTime = 30;

/** All that are open, so that none outlives the process that opened it, however that ends. */
const openScreens = new Set<Screen>();
process.on('exit', () => {
	for (const screen of openScreens) screen.kill('SIGKILL');
});

/** Ends every screen that is still open. */
export async function closeScreens(): Promise<void> {
	await Promise.all([...openScreens].map(screen => screen.close()));
}

/**
 * A program in a pseudo-terminal with a terminal emulator behind it. Rows and columns are counted from 0, and
 * negative rows from the bottom. What was read last has been parsed wherever a promise of this class has settled.
 */
export class Screen extends Reading {
	readonly ended: Promise<ProcessEnd>;
	/** The moment the program was started. */
	readonly start: Mark;
	readonly #child: Child;
	readonly #watchers = new Set<() => void>();
	#unparsed = 0;

	constructor({
		command,
		cwd,
		env,
		columns = 80,
		rows = 24,
		widths = 'graphemes',
		bytesPerSecond,
	}: ScreenOptions) {
		super(new Emulator({columns, rows, widths}));
		this.emulator.onAnswer(bytes => this.#child.write(bytes));
		this.#child = new Child(
			{command, cwd, env, columns, rows, bytesPerSecond},
			piece => void this.#take(piece),
		);
		this.start = {pieces: 0, at: this.#child.startedAt};
		openScreens.add(this);
		this.ended = this.#child.ended.then(async end => {
			await this.waitUntilParsed();
			for (const watcher of [...this.#watchers]) watcher();
			return end;
		});
	}

	async #take({bytes}: Piece): Promise<void> {
		this.#unparsed++;
		await this.emulator.write(bytes);
		this.#unparsed--;
		for (const watcher of [...this.#watchers]) watcher();
	}

	get pid(): number {
		return this.#child.pid;
	}

	// Keys

	/** Presses keys: names as in `keyBytes`, each a write of its own. They may still arrive as one. */
	press(...keys: readonly string[]): void {
		for (const key of keys) {
			this.raw(keyBytes(key, this.emulator.terminal.modes.applicationCursorKeysMode));
		}
	}

	/** Several keys in one write, as they come over a slow line: `'jjj'`, or names: `['down', 'enter']`. */
	burst(keys: string | readonly string[]): void {
		const {applicationCursorKeysMode} = this.emulator.terminal.modes;
		this.raw(
			typeof keys === 'string' ? keys : keys.map(key => keyBytes(key, applicationCursorKeysMode)).join(''),
		);
	}

	/** Types a text, each grapheme a write of its own. */
	type(text: string): void {
		for (const {segment} of new Intl.Segmenter().segment(text)) this.raw(segment);
	}

	/** Pastes a text: bracketed if the program asked for that, as a terminal does. */
	paste(text: string): void {
		this.raw(this.bracketedPaste ? pasteBytes(text) : text.replace(/\r?\n/g, '\r'));
	}

	/** Sends bytes as they are, in one write. */
	raw(bytes: string): void {
		this.#child.write(bytes);
	}

	/** Presses one key and waits until the program has drawn the resulting frame completely. */
	async pressAndAwaitFrame(
		key: string,
		{within = patience}: {readonly within?: number} = {},
	): Promise<Output> {
		const mark = this.mark();
		this.press(key);
		await this.#until(() => this.#child.pieces.length > mark.pieces, within, `gave no answer to "${key}"`);
		await this.settled(undefined, {within});
		return this.since(mark);
	}

	// Waiting

	/** Waits until a complete frame shows it; fails with the whole screen after `within` milliseconds. */
	async waitFor(condition: Condition, {within = patience}: {readonly within?: number} = {}): Promise<void> {
		await this.#until(
			() => !this.emulator.updating && this.#shows(condition),
			within,
			`did not show ${typeof condition === 'string' ? `"${condition}"` : condition}`,
		);
		if (showTime > 0) await show(this);
	}

	/** Waits until it is shown, and the output has then been quiet for `quiet` milliseconds. */
	async settled(
		condition: Condition = () => true,
		{quiet = quietTime, within = patience}: {readonly quiet?: number; readonly within?: number} = {},
	): Promise<void> {
		const deadline = performance.now() + within;
		for (;;) {
			await this.waitFor(condition, {within: deadline - performance.now()});
			const seen = this.#child.pieces.length;
			const last = this.#child.pieces.at(-1)?.at ?? performance.now();
			const wait = this.#child.end ? 0 : Math.max(0, last + quiet - performance.now());
			await new Promise(done => setTimeout(done, wait));
			// Timers come before input in a turn of the event loop: what lies in the pipe is read first.
			await new Promise(done => setImmediate(done));
			await this.waitUntilParsed();
			if (this.#child.pieces.length === seen && !this.emulator.updating) return;
		}
	}

	/** Waits until the program has ended; fails with the whole screen if it goes on. */
	async waitForEnd({within = patience}: {readonly within?: number} = {}): Promise<ProcessEnd> {
		await this.#until(() => this.#child.end !== undefined, within, 'did not end');
		return this.ended;
	}

	/** Waits until everything read so far has been parsed. */
	async waitUntilParsed(): Promise<void> {
		while (this.#unparsed > 0) await this.emulator.write(new Uint8Array());
	}

	#shows(condition: Condition): boolean {
		if (typeof condition === 'function') return condition(this);
		return typeof condition === 'string'
			? this.text().includes(condition)
			: new RegExp(condition.source, condition.flags.replace(/[gy]/g, '')).test(this.text());
	}

	#until(condition: () => boolean, within: number, complaint: string): Promise<void> {
		return new Promise((done, fail) => {
			const finish = (settle: () => void) => {
				clearTimeout(timer);
				this.#watchers.delete(look);
				settle();
			};
			const look = () => {
				try {
					if (this.#unparsed === 0 && condition()) finish(done);
					else if (this.#child.end && this.#unparsed === 0) {
						const {code, signal} = this.#child.end;
						finish(() => fail(this.failure(`${complaint} and has ended (${signal ?? `code ${code}`})`)));
					}
				} catch (error) {
					finish(() => fail(error));
				}
			};
			const timer = setTimeout(
				() => finish(() => fail(this.failure(`${complaint} within ${Math.round(within)} ms`))),
				Math.max(0, within),
			);
			this.#watchers.add(look);
			look();
		});
	}

	// Output

	/** Every byte the program has sent, as text. */
	received(): string {
		return this.since(this.start).text;
	}

	mark(): Mark {
		return {pieces: this.#child.pieces.length, at: performance.now()};
	}

	/** What was sent since a mark, and when it came. */
	since(mark: Mark): Output {
		const pieces = this.#child.pieces.slice(mark.pieces);
		const bytes = Buffer.concat(pieces.map(piece => piece.bytes));
		return {
			bytes,
			text: bytes.toString(),
			toFirstByte: (pieces.at(0)?.at ?? Number.NaN) - mark.at,
			toLastByte: (pieces.at(-1)?.at ?? Number.NaN) - mark.at,
		};
	}

	// The terminal

	/** Gives the terminal another size; the program hears of it by SIGWINCH. */
	async resize(columns: number, rows: number): Promise<void> {
		await this.waitUntilParsed();
		this.emulator.terminal.resize(columns, rows);
		this.#child.resize(columns, rows);
	}

	/** Memory that the program holds now, in units of 1,048,576 bytes. */
	residentMegabytes(): number {
		return this.#child.residentMegabytes();
	}

	/** The most that it has held since it was started, in MiB. */
	peakMegabytes(): number {
		return this.#child.peakMegabytes();
	}

	/** Sends a signal to the program. */
	kill(signal: NodeJS.Signals): void {
		this.#child.kill(signal);
	}

	/** Takes the terminal away from the program, as a line that drops. */
	hangUp(): void {
		this.#child.hangUp();
	}

	/** Ends the program, all that it started, and the emulator. */
	async close(): Promise<void> {
		if (!openScreens.delete(this)) return;
		try {
			await this.#child.close();
			await this.waitUntilParsed();
		} finally {
			this.emulator.dispose();
		}
	}

	[Symbol.asyncDispose](): Promise<void> {
		return this.close();
	}
}
