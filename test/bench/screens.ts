import {writeFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {build} from 'esbuild';
import {createUnconfiguredEnvironment} from '../support/program.ts';
import {type Output, Screen} from '../terminal/screen/screen.ts';
import {bundleFile, median} from './measure.ts';
import {measurePace, pacedRow} from './pace.ts';
import {formatBenchMilliseconds, type Row, ratioRow} from './row.ts';

/** A screen of ledge to be measured: how it is opened, and by what it is known to be there. */
export type Opening = {
	/** Another Node program than ledge, to set beside it. */
	readonly program?: string;
	readonly words: readonly string[];
	readonly cwd: string;
	readonly env?: Readonly<Record<string, string>>;
	readonly ready: string | RegExp;
	/** Keys that lead from the first screen to the one to be measured, each with what it shows. */
	readonly steps?: readonly {readonly key: string; readonly shows: string | RegExp}[];
	/** Keys that end ledge properly, so that it keeps its code for the next start. */
	readonly leave: readonly string[];
};

export type Size = {
	readonly columns: number;
	readonly rows: number;
	readonly bytes?: number;
	readonly median: number;
	readonly p99?: number;
};

/** The budgets of a cursor step and of a page. */
export const stepSizes: readonly Size[] = [
	{columns: 80, rows: 24, bytes: 450, median: 8, p99: 16},
	{columns: 200, rows: 60, bytes: 1000, median: 12, p99: 25},
];
export const pageSizes: readonly Size[] = [
	{columns: 80, rows: 24, median: 15},
	{columns: 200, rows: 60, median: 25},
];

/** The figure that 99 of 100 do not exceed. */
export function percentile99(figures: readonly number[]): number {
	const sorted = figures.toSorted((one, other) => one - other);
	return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN;
}

const start = (
	command: readonly string[],
	{cwd, env}: Opening,
	size: {columns: number; rows: number} = {columns: 80, rows: 24},
): Screen => new Screen({command, cwd, env: createUnconfiguredEnvironment(cwd, env), ...size});

const startLedge = (opening: Opening, size?: {columns: number; rows: number}): Screen =>
	start([process.execPath, opening.program ?? bundleFile, ...opening.words], opening, size);

async function leave(screen: Screen, {leave: keys}: Opening): Promise<void> {
	for (const key of keys) screen.press(key);
	await screen.waitForEnd();
	await screen.close();
}

/** Milliseconds until the first frame was complete. */
async function measureFirstFrame(opening: Opening): Promise<number> {
	await using screen = startLedge(opening);
	await screen.waitFor(opening.ready);
	const {toLastByte} = screen.since(screen.start);
	await leave(screen, opening);
	return toLastByte;
}

/** Builds the least that an Ink program can draw, with esbuild alone and Node's compile cache; returns its path. */
async function buildMinimalInk(folder: string): Promise<string> {
	await build({
		entryPoints: {ink: resolve(import.meta.dirname, 'minimal-ink.ts')},
		bundle: true,
		splitting: true,
		minify: true,
		platform: 'node',
		format: 'esm',
		outdir: folder,
		outExtension: {'.js': '.mjs'},
		define: {'process.env.NODE_ENV': '"production"'},
		external: ['react-devtools-core'],
		banner: {js: "import {createRequire as $r} from 'node:module'; const require = $r(import.meta.url);"},
		logLevel: 'warning',
	});
	const startFile = join(folder, 'minimal-ink.cjs');
	writeFileSync(
		startFile,
		`require('node:module').enableCompileCache(${JSON.stringify(join(folder, 'cache'))}); import('./ink.mjs');\n`,
	);
	return startFile;
}

/** Milliseconds until that program has drawn its line. */
async function measureMinimalFrame(file: string, opening: Opening): Promise<number> {
	await using screen = start([process.execPath, file], opening);
	await screen.waitFor('one line of text');
	const {toLastByte} = screen.since(screen.start);
	await screen.waitForEnd();
	return toLastByte;
}

/** `ledge` to its first frame against a minimal Ink program to its own, taking turns. */
export async function firstFrameRow(turnCount: number, opening: Opening): Promise<Row> {
	const file = await buildMinimalInk(join(opening.cwd, 'minimal-ink'));
	const [frames, minimal]: [number[], number[]] = [[], []];
	for (let turn = -2; turn < turnCount; turn++) {
		const least = await measureMinimalFrame(file, opening);
		const frame = await measureFirstFrame(opening);
		// The first turns fill the caches and do not count.
		if (turn < 0) continue;
		minimal.push(least);
		frames.push(frame);
	}
	const [frame, least] = [median(frames), median(minimal)];
	return ratioRow(
		'`ledge` to the first frame, against a minimal Ink program',
		frame / least,
		1,
		`${formatBenchMilliseconds(frame)}; minimal ${formatBenchMilliseconds(least)}`,
	);
}

/** Opens ledge, goes to the screen to be measured, and runs `work` there. */
export async function workOnScreen<Found>(
	opening: Opening,
	size: {columns: number; rows: number},
	work: (screen: Screen) => Promise<Found>,
): Promise<Found> {
	await using screen = startLedge(opening, size);
	await screen.settled(opening.ready);
	for (const {key, shows} of opening.steps ?? []) {
		screen.press(key);
		await screen.settled(shows, {within: 60_000});
	}
	const found = await work(screen);
	await leave(screen, opening);
	return found;
}

/** Presses the keys in turns, and returns what answered each; the first tenth warms up and does not count. */
export async function collectAnswers(
	screen: Screen,
	keys: readonly string[],
	pressCount: number,
): Promise<Output[]> {
	const found: Output[] = [];
	const warmUp = Math.ceil(pressCount / 10);
	for (let turn = 0; turn < pressCount + warmUp; turn++) {
		const answer = await screen.pressAndAwaitFrame(keys[turn % keys.length] ?? '');
		if (turn >= warmUp) found.push(answer);
	}
	return found;
}

/**
 * What keys cost, each pressed alone and answered to the end: milliseconds from the key to the last byte of its
 * answer (median, and what 99 of 100 stay under), bytes (median), each against the budget of its size.
 */
export async function keyRows(
	what: string,
	keys: readonly string[],
	pressCount: number,
	opening: Opening,
	sizes: readonly Size[],
): Promise<Row[]> {
	const rows: Row[] = [];
	for (const size of sizes) {
		const pace = await measurePace();
		const found = await workOnScreen(opening, size, screen => collectAnswers(screen, keys, pressCount));
		const time99 = percentile99(found.map(({toLastByte}) => toLastByte));
		const time = median(found.map(({toLastByte}) => toLastByte));
		const bytes = median(found.map(answer => answer.bytes.length));
		const budget = [
			`${size.median} ms`,
			...(size.p99 === undefined ? [] : [`99 %: ${size.p99} ms`]),
			...(size.bytes === undefined ? [] : [`${size.bytes} bytes`]),
		];
		rows.push(
			pacedRow(
				`${what}, ${size.columns}×${size.rows}`,
				`${time.toFixed(1)} ms, 99 %: ${time99.toFixed(1)} ms, ${bytes} bytes`,
				budget.join(', '),
				pace,
				factor =>
					time <= size.median * factor &&
					time99 <= (size.p99 ?? Number.POSITIVE_INFINITY) * factor &&
					bytes <= (size.bytes ?? Number.POSITIVE_INFINITY),
			),
		);
	}
	return rows;
}

/** A key to press, and what the screen then shows; without `shows`, any answer counts. */
export type Step = {readonly key: string; readonly shows?: string | RegExp};

/** MiB that ledge had at most on its way through all steps. */
export async function peakOnScreen(opening: Opening, steps: readonly Step[]): Promise<number> {
	return workOnScreen(opening, {columns: 80, rows: 24}, async screen => {
		for (const {key, shows} of steps) {
			if (shows === undefined) {
				await screen.pressAndAwaitFrame(key, {within: 60_000});
				continue;
			}
			screen.press(key);
			await screen.settled(shows, {within: 240_000});
		}
		return screen.peakMegabytes();
	});
}

/** Memory that ledge holds on a screen, after keys were pressed there. */
export async function screenMemoryRow(what: string, keys: readonly string[], opening: Opening): Promise<Row> {
	const megabytes = await workOnScreen(opening, {columns: 80, rows: 24}, async screen => {
		for (const key of keys) await screen.pressAndAwaitFrame(key, {within: 60_000});
		return screen.residentMegabytes();
	});
	const maxMegabytes = 120;
	return {
		what,
		measured: `${Math.round(megabytes)} MB`,
		budget: `≤ ${maxMegabytes} MB`,
		within: megabytes <= maxMegabytes,
	};
}

/**
 * Bytes that each change of screen costs at 80×24, including what is drawn late: presses the keys one after
 * the other; the largest figure counts. A first walk does not count: without cached code, what is read may be
 * drawn only on the next screen.
 */
export async function screenChangeRow(opening: Opening, keys: readonly string[]): Promise<Row> {
	const walk = () =>
		workOnScreen(opening, {columns: 80, rows: 24}, async screen => {
			const found: number[] = [];
			for (const key of keys) {
				const before = screen.mark();
				await screen.pressAndAwaitFrame(key, {within: 60_000});
				await screen.settled(undefined, {quiet: 200});
				found.push(screen.since(before).bytes.length);
			}
			return found;
		});
	await walk();
	const bytes = await walk();
	const maxBytes = 2500;
	return {
		what: 'a change of screen at 80×24, the most of them',
		measured: `${Math.max(...bytes)} bytes (median ${median(bytes)})`,
		budget: `≤ ${maxBytes} bytes`,
		within: Math.max(...bytes) <= maxBytes,
	};
}

/** Bytes a second while ledge waits for a slow service, after the line about it has come up. */
export async function waitingRow(opening: Opening, key: string, shows: RegExp): Promise<Row> {
	const seconds = 3;
	const bytes = await workOnScreen(opening, {columns: 80, rows: 24}, async screen => {
		screen.press(key);
		await screen.waitFor(shows);
		const mark = screen.mark();
		const ticks = new Set<string>();
		await screen.waitFor(shown => ticks.add(shown.line(-2)).size > seconds);
		return screen.since(mark).bytes.length / seconds;
	});
	const maxBytes = 100;
	return {
		what: 'while waiting for a slow service, at 80×24',
		measured: `${Math.round(bytes)} bytes a second`,
		budget: `≤ ${maxBytes} bytes a second`,
		within: bytes <= maxBytes,
	};
}

/** The slowest answer to any of these keys, until its first byte: nothing may make a person wait for the keyboard. */
export async function slowestKeyRow(what: string, keys: readonly string[], opening: Opening): Promise<Row> {
	const pace = await measurePace();
	const times = await workOnScreen(opening, {columns: 80, rows: 24}, async screen => {
		const found: number[] = [];
		for (const key of keys) found.push((await screen.pressAndAwaitFrame(key, {within: 60_000})).toFirstByte);
		return found;
	});
	const maxMilliseconds = 100;
	const slowest = Math.max(...times);
	return pacedRow(
		`the slowest answer to a key, ${what}`,
		`${formatBenchMilliseconds(slowest)} (median ${formatBenchMilliseconds(median(times))})`,
		`${maxMilliseconds} ms`,
		pace,
		factor => slowest <= maxMilliseconds * factor,
	);
}
