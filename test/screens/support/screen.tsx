import {EventEmitter} from 'node:events';
import {PassThrough} from 'node:stream';
// The real timers of the process, even while a test holds time (held-time.ts).
import {clearTimeout, setTimeout} from 'node:timers';
import {setImmediate as turn} from 'node:timers/promises';
import {stripVTControlCharacters} from 'node:util';
import {render} from 'ink';
import {onTestFinished} from 'vitest';
import {startRehearsalService} from '../../../source/commands/shell/rehearsal-service.ts';
import {startSimulatedService} from '../../../source/commands/shell/simulated-service.ts';
import {PointerContext, PointerRegions} from '../../../source/components/pointer.ts';
import {getTheme} from '../../../source/components/theme.ts';
import {createInkStdin} from '../../../source/keyboard/ink-stdin.ts';
import {listenToKeys} from '../../../source/keyboard/keyboard.ts';
import {Root} from '../../../source/screens/app.tsx';
import {createPointerHandler} from '../../../source/screens/pointing.ts';
import {openSessions} from '../../../source/screens/sessions.ts';
import type {App} from '../../../source/screens/shell/app.ts';
import type {SessionOptions} from '../../../source/session/parts.ts';
import type {LedgeStore} from '../../../source/store/ledge-store.ts';
import {createScratchFolder} from '../../support/ledge.ts';
import {createUnconfiguredEnvironment} from '../../support/program.ts';
import {keyBytes, type mouseButtons, mouseBytes, pasteBytes} from '../../terminal/screen/keys.ts';
import {readPopup} from '../../terminal/screen/reading.ts';
import {copyStateOfKilled} from './left-state.ts';

export type ScreenOptions = {
	readonly columns?: number;
	readonly rows?: number;
	readonly cwd?: string;
	readonly env?: Readonly<Record<string, string>>;
};

/** A text of the screen, a pattern for its rows (joined by line feeds), or a condition. */
export type Shown = string | RegExp | ((screen: DrawnScreen) => boolean);

const waitLimitMs = 90_000;

/** What Ink draws on; keeps the last frame. */
class Terminal extends EventEmitter {
	readonly isTTY = true;
	columns: number;
	rows: number;
	frame = '';
	frameCount = 0;
	received = '';

	constructor({columns, rows}: {readonly columns: number; readonly rows: number}) {
		super();
		this.columns = columns;
		this.rows = rows;
		this.setMaxListeners(0);
	}

	write(frame: string): boolean {
		if (frame === this.frame) return true;
		this.frame = frame;
		this.frameCount++;
		this.received += `${frame}\n`;
		this.emit('drawn');
		return true;
	}
}

/** All of ledge, drawn in this process: the same keys and frames as in a terminal, without a program. */
export class DrawnScreen {
	/** What was copied to the clipboard, oldest first. */
	readonly copied: readonly string[];
	readonly state: LedgeStore['getState'];
	/** How often ledge quit. */
	readonly countQuits: () => number;
	readonly #terminal: Terminal;
	readonly #stdin: PassThrough;
	readonly #passes: (milliseconds: number) => void;
	/**
	 * Ends ledge as if it were killed: nothing new begins, and what is under way is stopped. Returns a copy
	 * of the state directory at this moment, for the next start.
	 */
	readonly abandon: () => string;

	constructor(parts: {
		readonly copied: readonly string[];
		readonly state: LedgeStore['getState'];
		readonly countQuits: () => number;
		readonly terminal: Terminal;
		readonly stdin: PassThrough;
		readonly passes: (milliseconds: number) => void;
		readonly abandon: () => string;
	}) {
		this.copied = parts.copied;
		this.state = parts.state;
		this.countQuits = parts.countQuits;
		this.#terminal = parts.terminal;
		this.#stdin = parts.stdin;
		this.#passes = parts.passes;
		this.abandon = parts.abandon;
	}

	get columns(): number {
		return this.#terminal.columns;
	}

	get rows(): number {
		return this.#terminal.rows;
	}

	/** How many different frames were drawn so far. */
	get frameCount(): number {
		return this.#terminal.frameCount;
	}

	/** All frames so far, with their colours. */
	received(): string {
		return this.#terminal.received;
	}

	/** All rows, joined by line feeds, without the blanks at their ends. */
	text(): string {
		return this.lines().join('\n');
	}

	lines(): string[] {
		return stripVTControlCharacters(this.#terminal.frame)
			.split('\n')
			.map(line => line.trimEnd());
	}

	/** A row by its number; -1 is the last. */
	line(number: number): string {
		return this.lines().at(number) ?? '';
	}

	/** The first row that matches. */
	row(pattern: RegExp | string): string {
		const row = this.lines().find(line =>
			typeof pattern === 'string' ? line.includes(pattern) : pattern.test(line),
		);
		if (row === undefined) throw this.#failure(`has no row with ${pattern}`);
		return row;
	}

	/**
	 * The row that the cursor is on, in its popup if one is open: of those that begin with the mark, the one
	 * most to the left.
	 */
	selectedRow(): {readonly text: string; readonly number: number} {
		const marked = readPopup(this.lines())
			.map((text, number) => ({text, number}))
			.filter(({text}) => /^ *▸/.test(text));
		const leftmost = Math.min(...marked.map(({text}) => text.indexOf('▸')));
		const [selected, other] = marked.filter(({text}) => text.indexOf('▸') === leftmost);
		if (selected === undefined || other !== undefined) throw this.#failure('has no one selected row');
		return selected;
	}

	/** Presses keys, named as in `keyBytes`. Each is read by itself. */
	press(...keys: readonly string[]): void {
		for (const key of keys) this.#stdin.write(keyBytes(key));
	}

	/** Clicks or scrolls with the mouse at a column and a row, both counted from 0. */
	point(what: keyof typeof mouseButtons, column: number, row: number): void {
		this.#stdin.write(mouseBytes(what, column, row));
	}

	/** Types a text, each grapheme by itself. */
	type(text: string): void {
		for (const {segment} of new Intl.Segmenter().segment(text)) this.#stdin.write(segment);
	}

	/** Pastes a text as a terminal does. */
	paste(text: string): void {
		this.#stdin.write(pasteBytes(text));
	}

	/** Presses one key and waits until what it does is drawn. */
	async pressAndAwaitFrame(key: string): Promise<void> {
		const {frameCount} = this;
		this.press(key);
		await this.waitFor(() => this.frameCount > frameCount);
		await this.settled();
	}

	/** Waits until a frame meets the condition; otherwise fails with the whole screen. */
	waitFor(condition: Shown, {within = waitLimitMs}: {readonly within?: number} = {}): Promise<void> {
		return new Promise((resolve, reject) => {
			const end = (finish: () => void) => {
				clearTimeout(timer);
				this.#terminal.off('drawn', look);
				finish();
			};
			const look = () => {
				try {
					if (this.#shows(condition)) end(resolve);
				} catch (error) {
					end(() => reject(error));
				}
			};
			const timer = setTimeout(
				() => end(() => reject(this.#failure(`did not show ${condition} within ${within} ms`))),
				within,
			);
			this.#terminal.on('drawn', look);
			look();
		});
	}

	/** Waits until the condition is met and nothing more is drawn, then advances the clock by `quiet` ms. */
	async settled(condition: Shown = () => true, {quiet = 0}: {readonly quiet?: number} = {}): Promise<void> {
		for (let frames = -1; frames !== this.frameCount || !this.#shows(condition); ) {
			await this.waitFor(condition);
			frames = this.frameCount;
			for (let turns = 0; turns < 10; turns++) await turn();
		}
		this.#passes(quiet);
	}

	/** Gives the terminal another size. */
	async resize(columns: number, rows: number): Promise<void> {
		Object.assign(this.#terminal, {columns, rows});
		this.#terminal.emit('resize');
		this.state().navigation.resize({columns, rows});
		await this.settled();
	}

	#shows(condition: Shown): boolean {
		if (typeof condition === 'function') return condition(this);
		return typeof condition === 'string' ? this.text().includes(condition) : condition.test(this.text());
	}

	#failure(complaint: string): Error {
		return new Error(`The screen ${complaint}.\n${this.text()}`);
	}
}

/** Draws all of ledge for one test, from its first frame on. */
export async function drawScreen(
	options: SessionOptions,
	{columns = 80, rows = 24, cwd = createScratchFolder(), env = {}}: ScreenOptions = {},
): Promise<DrawnScreen> {
	const variables = createUnconfiguredEnvironment(cwd, env);
	let passed = 0;
	const ink = createInkStdin();
	const stdin = Object.assign(new PassThrough(), {isTTY: true, setRawMode: () => stdin});
	const terminal = new Terminal({columns, rows});
	const copied: string[] = [];
	const regions = new PointerRegions();
	const point = createPointerHandler(regions);
	const tree = (app: App) => (
		<PointerContext value={regions}>
			<Root app={app} theme={getTheme('dark', true)} />
		</PointerContext>
	);
	const sessions = await openSessions(options, {
		cwd: () => cwd,
		env: variables,
		startSimulated: async given => startSimulatedService(given),
		startRehearsal: startRehearsalService,
		terminal: {
			copy: text => `Copied ${copied.push(text)}.`,
			handOver: work => work(),
			suspend() {},
			quit: () => void quits++,
			forward: ink.send,
		},
		interruptionRecorders: new Set(),
		clocks: {now: () => Date.now() + passed, elapsed: () => performance.now() + passed},
		getSize: () => ({columns: terminal.columns, rows: terminal.rows}),
		show: app => instance.rerender(tree(app)),
	});
	let quits = 0;
	const state = () => sessions.getCurrent().state();
	const keyboard = listenToKeys(stdin as unknown as NodeJS.ReadStream, key =>
		point(sessions.getCurrent(), key),
	);
	const stream = terminal as unknown as NodeJS.WriteStream;
	const instance = render(tree(sessions.getCurrent()), {
		stdout: stream,
		stderr: stream,
		stdin: ink.stream,
		debug: true,
		exitOnCtrlC: false,
		patchConsole: false,
		interactive: true,
	});
	const end = () => {
		instance.unmount();
		keyboard.stop();
		sessions.end();
	};
	onTestFinished(end);
	return new DrawnScreen({
		copied,
		countQuits: () => quits,
		state,
		terminal,
		stdin,
		passes: milliseconds => {
			passed += milliseconds;
		},
		abandon() {
			const left = copyStateOfKilled(variables);
			const never = () => new Promise<never>(() => {});
			sessions
				.getCurrent()
				.store.setState({work: {...sessions.getCurrent().store.getState().work, run: never, runPart: never}});
			end();
			return left;
		},
	});
}
