import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {minReviewMs} from '../../source/screens/write-flow/review-timer.ts';
import {plainEnvironment} from '../support/program.ts';
import {type Output, Screen} from '../terminal/screen/screen.ts';
import {median, program} from './measure.ts';
import {type Row, seconds} from './row.ts';

const zone = 'acme.example';
const sizes = [
	{columns: 80, rows: 24},
	{columns: 60, rows: 15},
] as const;
/** Bytes a second of 9,600 baud: eight bits, a start bit and a stop bit. */
const baud = 960;
const patience = 60_000;
/** The budgets, in bytes and in bytes a minute: what a line of 9,600 baud still carries at once. */
const mostOfChange = 2500;
const mostOfWatching = 200;

/** A step of the way: a key that is pressed, or the zone's name that is typed, and what is then shown. */
type Step = {
	readonly does: string;
	readonly shows: string | RegExp;
	/** Pressed again for as long as this is shown. */
	readonly whileShown?: string;
};

/** The name of the zone below the question for it. */
const typed = /Type the zone's name[\s\S]*acme\.example/;

/** An Enterprise zone through validation, to where the previous version is being turned off. */
const way: readonly Step[] = [
	{does: 'M', shows: '▸ Read the zone'},
	{does: 'enter', shows: '▸ Continue'},
	{does: 'enter', shows: /⏎ (read on|I have reviewed this)/},
	{does: 'enter', shows: /⏎ (read on|I have reviewed this)/, whileShown: '⏎ read on'},
	{does: 'enter', shows: '▸ Validation first'},
	{does: 'enter', shows: '▸ Rehearse in the simulated service'},
	{does: 'enter', shows: 'As planned'},
	{does: 'enter', shows: "Type the zone's name"},
	{does: zone, shows: typed},
	{does: 'enter', shows: 'Ready to update'},
	{does: 'enter', shows: 'Turn off previous version'},
	{does: 'enter', shows: "Type the zone's name"},
	{does: zone, shows: typed},
	{does: 'enter', shows: 'being turned off'},
];

type Walk = {readonly size: (typeof sizes)[number]; readonly cwd: string; readonly bytesPerSecond?: number};

/** A question must be on the screen for a moment before enter counts. */
const quiet = minReviewMs + 50;

/** Takes all steps. Returns what each drew until the screen was still, and what `atEnd` finds. */
async function walked<Found>(
	{size, cwd, bytesPerSecond}: Walk,
	atEnd: (screen: Screen) => Promise<Found>,
): Promise<{outputs: Output[]; found: Found}> {
	mkdirSync(cwd, {recursive: true});
	await using screen = new Screen({
		command: [process.execPath, program, '--simulate', '--zone', zone],
		cwd,
		env: plainEnvironment(cwd, {LEDGE_SIMULATE_MIGRATION_SECONDS: '600'}),
		...size,
		bytesPerSecond,
	});
	await screen.settled(/Account +Acme/, {quiet, within: patience});
	const outputs: Output[] = [];
	for (const {does, shows, whileShown} of way)
		for (;;) {
			if (whileShown !== undefined && !screen.text().includes(whileShown)) break;
			const mark = screen.mark();
			if (does === zone) screen.type(does);
			else screen.press(does);
			await screen.waitFor(() => screen.since(mark).bytes.length > 0, {within: patience});
			await screen.settled(shows, {quiet, within: patience});
			outputs.push(screen.since(mark));
			if (whileShown === undefined) break;
		}
	return {outputs, found: await atEnd(screen)};
}

/** Bytes a minute while nothing changes but the time. */
async function watchingCost(screen: Screen, duration: number): Promise<number> {
	const mark = screen.mark();
	await wait(duration * 1000);
	return (screen.since(mark).bytes.length * 60) / duration;
}

/**
 * The migration over SSH: what each change of screen costs, how long it takes on 9,600 baud, and what watching costs.
 */
export async function migrationRows(folder: string, watching: number): Promise<Row[]> {
	const rows: Row[] = [];
	for (const size of sizes) {
		const at = `${size.columns}×${size.rows}`;
		const slow = await walked({size, cwd: join(folder, at), bytesPerSecond: baud}, screen =>
			watchingCost(screen, watching),
		);
		const bytes = slow.outputs.map(output => output.bytes.length);
		const times = slow.outputs.map(output => output.toLastByte);
		rows.push(
			{
				what: `the migration at ${at}: a change of screen, the most of ${bytes.length}`,
				measured: `${Math.max(...bytes)} bytes (median ${median(bytes)})`,
				budget: `≤ ${mostOfChange} bytes`,
				within: Math.max(...bytes) <= mostOfChange,
			},
			{
				what: `the same over 9,600 baud, what is read and rehearsed included`,
				measured: `${seconds(Math.max(...times))} (median ${seconds(median(times))})`,
			},
			{
				what: `the migration at ${at}: watching`,
				measured: `${Math.round(slow.found)} bytes a minute`,
				budget: `≤ ${mostOfWatching} bytes a minute`,
				within: slow.found <= mostOfWatching,
			},
		);
	}
	return rows;
}
