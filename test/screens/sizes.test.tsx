import {EventEmitter} from 'node:events';
import {setImmediate as turn} from 'node:timers/promises';
import {stripVTControlCharacters} from 'node:util';
import {render} from 'ink';
import stringWidth from 'string-width';
import {describe, expect, onTestFinished, test} from 'vitest';
import {getTheme} from '../../source/components/theme.ts';
import {Failure} from '../../source/failure.ts';
import {createInkStdin} from '../../source/keyboard/ink-stdin.ts';
import {createKey, createTextKey} from '../../source/keyboard/key.ts';
import {Root} from '../../source/screens/app.tsx';
import {dispatch} from '../../source/screens/dispatch.ts';
import {loadJobsAndAccount} from '../../source/screens/home/actions.ts';
import {getCurrentScreen} from '../../source/screens/shell/screen-name.ts';
import {minReviewMs} from '../../source/screens/write-flow/review-timer.ts';
import {keyBytes} from '../terminal/screen/keys.ts';
import {readPopup} from '../terminal/screen/reading.ts';
import {createTestApp} from './support/drawn.tsx';
import {places} from './support/every-place.ts';
import {createTestStore} from './support/store.ts';

const sizes = [
	[60, 15],
	[40, 10],
	[80, 24],
	[200, 60],
] as const;

/** A terminal that can change its size, and keeps the last frame. */
class Terminal extends EventEmitter {
	readonly isTTY = true;
	columns: number = sizes[0][0];
	rows: number = sizes[0][1];
	frame = '';
	frameCount = 0;

	write(frame: string): boolean {
		this.frame = frame;
		this.frameCount++;
		this.emit('drawn');
		return true;
	}

	lines(): readonly string[] {
		return stripVTControlCharacters(this.frame)
			.split('\n')
			.map(line => line.trimEnd());
	}
}

/** Starts all of ledge on a simulated service, and draws it. */
async function openLedge(zone: string | undefined) {
	const testStore = createTestStore({simulate: true, ...(zone !== undefined && {zone})});
	const ink = createInkStdin();
	const plain = createTestApp(testStore);
	const app = {...plain, terminal: {...plain.terminal, forward: ink.send}};
	const terminal = new Terminal();
	const stream = terminal as unknown as NodeJS.WriteStream;
	const applySize = () => app.state().navigation.resize({columns: terminal.columns, rows: terminal.rows});
	applySize();
	await app.state().connection.loadConnection();
	void loadJobsAndAccount(app);
	const instance = render(<Root app={app} theme={getTheme('dark', true)} />, {
		stdout: stream,
		stderr: stream,
		stdin: ink.stream,
		debug: true,
		exitOnCtrlC: false,
		patchConsole: false,
		interactive: true,
	});
	onTestFinished(() => instance.unmount());
	const text = () => terminal.lines().join('\n');
	/** Waits until nothing is under way except in the background, and nothing more is drawn. */
	const waitUntilSettled = async () => {
		const isBusy = () => app.state().work.list.some(({kind}) => kind !== 'background');
		for (let frames = -1; frames !== terminal.frameCount || isBusy(); ) {
			frames = terminal.frameCount;
			for (let turns = 0; turns < 10; turns++) await turn();
		}
	};
	const waitForFrame = (condition: () => boolean) =>
		new Promise<void>(resolve => {
			const look = () => {
				if (!condition()) return;
				terminal.off('drawn', look);
				resolve();
			};
			terminal.on('drawn', look);
			look();
		});
	return {
		terminal,
		settled: waitUntilSettled,
		async waitUntilShown(pattern: RegExp | string) {
			await waitForFrame(() =>
				typeof pattern === 'string' ? text().includes(pattern) : pattern.test(text()),
			);
			await waitUntilSettled();
		},
		async press(key: string) {
			const {frameCount} = terminal;
			dispatch(app, key.length === 1 ? createTextKey(key) : createKey(key, keyBytes(key)));
			await waitForFrame(() => terminal.frameCount > frameCount);
			await waitUntilSettled();
		},
		getScreen: () => getCurrentScreen(testStore.state()),
		hasDialog: () => testStore.state().dialog.current !== undefined,
		/** Shows a failure, and returns whether the key that its end names explains it. */
		async hasFailureKey() {
			testStore.state().messages.fail(new Failure('service_failed', 'Test.'));
			await waitUntilSettled();
			const key = / {3}(\S+) why$/m.exec(text())?.[1];
			if (key === undefined) return undefined;
			dispatch(app, createTextKey(key));
			const isExplained = testStore.state().dialog.current?.kind === 'failure';
			testStore.state().dialog.close();
			return isExplained;
		},
		/** Advances the clock until what is in front counts as read. */
		passReviewTime: () => testStore.advanceClock(minReviewMs + 100),
		async resize(columns: number, rows: number) {
			Object.assign(terminal, {columns, rows});
			terminal.emit('resize');
			applySize();
			await waitUntilSettled();
		},
	};
}

function expectFits(terminal: Terminal) {
	const {columns, rows} = terminal;
	const lines = terminal.lines();
	expect(lines).toHaveLength(rows);
	for (const line of lines) expect(stringWidth(line), lines.join('\n')).toBeLessThanOrEqual(columns);
	expect(lines[0]).toMatch(/^ \S.* · ⟨ SIMULATED ⟩/);
	expect(lines[1]).toMatch(/^──.*─$/);
	expect(stringWidth(lines[1] ?? '')).toBe(columns);
	// The keys are on the last line at every size.
	expect(lines.at(-1)).toMatch(/\S/);
	// Hints that do not fit are left out; the status is whole.
	if (columns >= 80) expect(lines.at(-2)).not.toContain('…');
}

const headingPattern = /^ {2,}(?:[A-Z#][A-Z,&]*(?: [A-Z][A-Z,&]*)*(?: {1,}|$)){2,}/;

/** The titles of a table with no cell below them that begins or ends where they do. Popups hide cells. */
function listLooseTitles(lines: readonly string[]): readonly string[] {
	const headingIndex = lines.findIndex(line => headingPattern.test(line));
	const heading = lines[headingIndex];
	if (heading === undefined || lines.some(line => line.includes('╭'))) return [];
	const rowCount = lines.slice(headingIndex + 1).findIndex(line => line.trim() === '');
	const cells = lines
		.slice(headingIndex + 1, headingIndex + 1 + rowCount)
		.map(line => Array.from(line, character => character === ' ' || character === undefined));
	if (cells.length === 0) return [];
	return Array.from(heading.matchAll(/\S+(?: \S+)*/g), ({0: title, index}) => ({title, index}))
		.filter(({title, index}) => {
			const end = index + title.length;
			return !cells.some(
				isBlank =>
					(isBlank[index] === false && isBlank[index - 1] !== false) ||
					(isBlank[end - 1] === false && isBlank[end] !== false),
			);
		})
		.map(({title}) => `${title} in ${heading}`);
}

/**
 * The beginning of the row under the cursor, as long as it is shown at every size; undefined without a list.
 * The list may be the right one of two.
 */
const getSelectedName = (lines: readonly string[]): string | undefined =>
	lines
		.map(line => /(?:^.{0,4}| {2})(▸ .*)/.exec(line)?.[1])
		.find(found => found !== undefined)
		?.trim()
		.slice(0, 12);

/** Places without rows of data, where nothing is cut at 80 columns. */
const wholePlaces: ReadonlySet<string> = new Set([
	'home',
	'metrics',
	'contexts',
	'jobs',
	'help',
	'managed rules',
]);

describe.each(Object.entries(places))('%s', (name, {zone, keys, shows, showsInSmall = shows}) => {
	test('fits at 40×10, 60×15, 80×24 and 200×60, through a resize, and esc leads back', async () => {
		const screen = await openLedge(zone);
		await screen.waitUntilShown('Acme (simulated)');
		/** The screens that the keys led to, beginning with Home. */
		const visited = [screen.getScreen()];
		const noteScreen = () => {
			if (screen.getScreen() !== visited.at(-1)) visited.push(screen.getScreen());
		};
		for (const key of keys) {
			if (typeof key === 'string') await screen.press(key);
			else await screen.waitUntilShown(key);
			noteScreen();
			screen.passReviewTime();
		}
		await screen.waitUntilShown(shows);
		expectFits(screen.terminal);
		expect(listLooseTitles(screen.terminal.lines()), screen.terminal.lines().join('\n')).toEqual([]);
		const selected = getSelectedName(readPopup(screen.terminal.lines()));
		for (const [columns, rows] of [...sizes.slice(1), sizes[0]]) {
			await screen.resize(columns, rows);
			await screen.waitUntilShown(columns === 40 ? showsInSmall : shows);
			expectFits(screen.terminal);
			expect(listLooseTitles(screen.terminal.lines()), screen.terminal.lines().join('\n')).toEqual([]);
			if (columns === 80 && wholePlaces.has(name))
				expect(screen.terminal.lines().join('\n')).not.toContain('…');
			const selectedNow = getSelectedName(readPopup(screen.terminal.lines()));
			// Narrow columns cut names, and some are hidden.
			if (columns === 40) expect(selectedNow === undefined).toBe(selected === undefined);
			else expect(selectedNow).toBe(selected);
		}
		// A failure names no key that a field would take.
		expect(await screen.hasFailureKey()).not.toBe(false);
		// Esc leads back the same way, unless it asks about unsent changes first.
		const left = [screen.getScreen()];
		while (screen.getScreen() !== 'home') {
			const hadDialog = screen.hasDialog();
			await screen.press('esc');
			screen.passReviewTime();
			if (!hadDialog && screen.hasDialog()) break;
			if (screen.getScreen() !== left.at(-1)) left.push(screen.getScreen());
		}
		expect(left).toEqual(visited.toReversed().slice(0, screen.hasDialog() ? left.length : undefined));
	});
});
