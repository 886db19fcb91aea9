import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {lookingTime} from '../../source/store/review-state.ts';
import {plainEnvironment} from '../support/program.ts';
import {type Output, Screen} from '../terminal/screen/screen.ts';
import {median, program} from './measure.ts';
import type {Row} from './row.ts';

const zone = 'acme.example';
const sizes = [
	{columns: 80, rows: 24},
	{columns: 60, rows: 15},
] as const;
/** A line of 9,600 baud: eight bits, a start bit and a stop bit. */
const bytesPerSecond = 960;
const patience = 60_000;

/** A step of the way: keys that are pressed, or a text that is typed, and what is then shown. */
type Step = {readonly does: string; readonly shows: string | RegExp};

/** An Enterprise zone through validation, to where the previous version is being turned off. */
const way: readonly Step[] = [
	{does: 'M', shows: 'Read the zone'},
	{does: 'enter', shows: 'can migrate'},
	{does: 'enter', shows: 'OWASP Core'},
	{does: 'end', shows: 'I have reviewed this'},
	{does: 'enter', shows: 'Validation first'},
	{does: 'enter', shows: 'A rehearsal copies'},
	{does: 'enter', shows: 'As planned'},
	{does: 'enter', shows: "Type the zone's name"},
	{does: zone, shows: zone},
	{does: 'enter', shows: 'Ready to update'},
	{does: 'enter', shows: 'Turn off previous version'},
	{does: 'enter', shows: "Type the zone's name"},
	{does: zone, shows: zone},
	{does: 'enter', shows: 'being turned off'},
];

type Walk = {readonly size: (typeof sizes)[number]; readonly cwd: string; readonly slow: boolean};

/** Goes the whole way; gives what each step had drawn once it stood still, and does something at its end. */
async function walked<Found>(
	{size, cwd, slow}: Walk,
	atEnd: (screen: Screen) => Promise<Found>,
): Promise<{outputs: Output[]; found: Found}> {
	mkdirSync(cwd, {recursive: true});
	await using screen = new Screen({
		command: [process.execPath, program, '--simulate', '--zone', zone],
		cwd,
		env: plainEnvironment(cwd, {LEDGE_SIMULATE_MIGRATION_SECONDS: '600'}),
		...size,
		...(slow && {bytesPerSecond}),
	});
	await screen.settled(/Account +Acme/, {within: patience});
	const outputs: Output[] = [];
	for (const {does, shows} of way) {
		const mark = screen.mark();
		if (does === zone) screen.type(does);
		else screen.press(does);
		await screen.settled(shows, {quiet: slow ? 200 : 100, within: patience});
		outputs.push(screen.since(mark));
		// What is asked has to stand there for a moment before enter counts.
		await new Promise(done => setTimeout(done, lookingTime + 50));
	}
	return {outputs, found: await atEnd(screen)};
}

/** The migration over SSH: what each change of screen costs, how long it takes on 9,600 baud, and what watching costs (decision 45). */
export async function migrationRows(folder: string, watching: number): Promise<Row[]> {
	const rows: Row[] = [];
	for (const size of sizes) {
		const at = `${size.columns}×${size.rows}`;
		const cwd = join(folder, `${at}`);
		const {outputs} = await walked({size, cwd: `${cwd}-fast`, slow: false}, async () => {});
		const bytes = outputs.map(output => output.bytes.length);
		rows.push({
			what: `the migration at ${at}: a change of screen, the most of ${bytes.length}`,
			measured: `${Math.max(...bytes)} bytes (median ${median(bytes)})`,
			budget: '≤ 2500 bytes',
			within: Math.max(...bytes) <= 2500,
		});
		const slow = await walked({size, cwd: `${cwd}-slow`, slow: true}, async screen => {
			await screen.settled('being turned off', {quiet: 1000, within: patience});
			const mark = screen.mark();
			await new Promise(done => setTimeout(done, watching * 1000));
			return (screen.since(mark).bytes.length * 60) / watching;
		});
		const times = slow.outputs.map(output => output.toLastByte);
		rows.push(
			{
				what: `the same over 9,600 baud: until a change of screen stands, rehearsal and calls included`,
				measured: `${(Math.max(...times) / 1000).toFixed(1)} s (median ${(median(times) / 1000).toFixed(1)} s)`,
			},
			{
				what: `the migration at ${at}, watching over 9,600 baud`,
				measured: `${Math.round(slow.found)} bytes a minute`,
				budget: '≤ 200 bytes a minute',
				within: slow.found <= 200,
			},
		);
	}
	return rows;
}
