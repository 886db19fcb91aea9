import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {minReviewMs} from '../../source/screens/write-flow/review-timer.ts';
import {createUnconfiguredEnvironment} from '../support/program.ts';
import {type Output, Screen} from '../terminal/screen/screen.ts';
import {bundleFile, median} from './measure.ts';
import {formatBenchSeconds, type Row} from './row.ts';

const zone = 'acme.example';
const sizes = [
	{columns: 80, rows: 24},
	{columns: 60, rows: 15},
] as const;
/** Bytes a second of 9,600 baud: eight bits, a start bit and a stop bit. */
const bytesPerSecondOf9600Baud = 960;
const patience = 60_000;
/** The budgets, in bytes and in bytes a minute: what a line of 9,600 baud still carries at once. */
const maxBytesPerChange = 2500;
const maxBytesPerMinute = 200;

/** A step: a key to press, or the zone's name to type, and what the screen then shows. */
type Step = {
	readonly input: string;
	readonly shows: string | RegExp;
	/** Pressed again for as long as this is shown. */
	readonly whileShown?: string;
};

/** Matches once the zone's name is typed below the question for it. */
const typedZonePattern = /Type the zone's name[\s\S]*acme\.example/;

/** An Enterprise zone through validation, to where the previous version is being turned off. */
const steps: readonly Step[] = [
	{input: '5', shows: '▸ Read the zone'},
	{input: 'enter', shows: '▸ Continue'},
	{input: 'enter', shows: /⏎ (read on|I have reviewed this)/},
	{input: 'enter', shows: /⏎ (read on|I have reviewed this)/, whileShown: '⏎ read on'},
	{input: 'enter', shows: '▸ Validation first'},
	{input: 'enter', shows: '▸ Rehearse in the simulated service'},
	{input: 'enter', shows: 'Rehearsed: '},
	{input: 'enter', shows: "Type the zone's name"},
	{input: zone, shows: typedZonePattern},
	{input: 'enter', shows: 'Mark validation as done'},
	{input: 'enter', shows: 'Turn off previous version'},
	{input: 'enter', shows: "Type the zone's name"},
	{input: zone, shows: typedZonePattern},
	{input: 'enter', shows: 'being turned off'},
];

type Walk = {readonly size: (typeof sizes)[number]; readonly cwd: string; readonly bytesPerSecond?: number};

/** A question must be on the screen for a moment before enter counts. */
const quiet = minReviewMs + 50;

/** Takes all steps. Returns what each drew until the screen was still, and what `measureAtEnd` returns. */
async function walkThrough<Found>(
	{size, cwd, bytesPerSecond}: Walk,
	measureAtEnd: (screen: Screen) => Promise<Found>,
): Promise<{outputs: Output[]; found: Found}> {
	mkdirSync(cwd, {recursive: true});
	await using screen = new Screen({
		command: [process.execPath, bundleFile, '--simulate', '--zone', zone],
		cwd,
		env: createUnconfiguredEnvironment(cwd, {LEDGE_SIMULATE_MIGRATION_SECONDS: '600'}),
		...size,
		bytesPerSecond,
	});
	await screen.settled(/Account +Acme/, {quiet, within: patience});
	const outputs: Output[] = [];
	for (const {input, shows, whileShown} of steps)
		for (;;) {
			if (whileShown !== undefined && !screen.text().includes(whileShown)) break;
			const mark = screen.mark();
			if (input === zone) screen.type(input);
			else screen.press(input);
			await screen.waitFor(() => screen.since(mark).bytes.length > 0, {within: patience});
			await screen.settled(shows, {quiet, within: patience});
			outputs.push(screen.since(mark));
			if (whileShown === undefined) break;
		}
	return {outputs, found: await measureAtEnd(screen)};
}

/** Bytes a minute while nothing changes but the time. */
async function measureWatchingCost(screen: Screen, duration: number): Promise<number> {
	const mark = screen.mark();
	await wait(duration * 1000);
	return (screen.since(mark).bytes.length * 60) / duration;
}

/**
 * The migration over SSH: what each change of screen costs, how long it takes on 9,600 baud, and what watching costs.
 */
export async function migrationRows(folder: string, watchSeconds: number): Promise<Row[]> {
	const rows: Row[] = [];
	for (const size of sizes) {
		const sizeText = `${size.columns}×${size.rows}`;
		const walk = await walkThrough(
			{size, cwd: join(folder, sizeText), bytesPerSecond: bytesPerSecondOf9600Baud},
			screen => measureWatchingCost(screen, watchSeconds),
		);
		const bytes = walk.outputs.map(output => output.bytes.length);
		const times = walk.outputs.map(output => output.toLastByte);
		rows.push(
			{
				what: `the migration at ${sizeText}: a change of screen, the most of ${bytes.length}`,
				measured: `${Math.max(...bytes)} bytes (median ${median(bytes)})`,
				budget: `≤ ${maxBytesPerChange} bytes`,
				within: Math.max(...bytes) <= maxBytesPerChange,
			},
			{
				what: `the same over 9,600 baud, what is read and rehearsed included`,
				measured: `${formatBenchSeconds(Math.max(...times))} (median ${formatBenchSeconds(median(times))})`,
			},
			{
				what: `the migration at ${sizeText}: watching`,
				measured: `${Math.round(walk.found)} bytes a minute`,
				budget: `≤ ${maxBytesPerMinute} bytes a minute`,
				within: walk.found <= maxBytesPerMinute,
			},
		);
	}
	return rows;
}
