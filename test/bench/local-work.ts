import {writeFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {type Measured, median, program, run, runWithMemory} from './measure.ts';
import {measurePace, pacedRow} from './pace.ts';
import {type Row, ratioRow, seconds, wholeMilliseconds} from './row.ts';

const bare = resolve(import.meta.dirname, 'bare.mjs');

export function bulkFile(file: string, count: number): string {
	const entries = Array.from({length: count}, (_, index) => ({key: `key-${index}`, value: `value-${index}`}));
	writeFileSync(file, JSON.stringify(entries));
	return file;
}

const ledge = (folder: string, root: string, ...words: string[]) => ({
	words: [program, 'kv', ...words, '--local', '--persist-to', root, '--namespace-id', 'N'],
	cwd: folder,
});

/**
 * Bulk writing of small values, alternating with the creation of the same files and nothing else. What was made stays
 * until the bench ends: ext4 takes ten times as long for a new file where many were removed in the last minutes.
 */
export async function bulkRows(folder: string, count: number): Promise<Row[]> {
	const input = bulkFile(join(folder, 'bulk.json'), count);
	const place = join(folder, 'bulk');
	const mine: Measured[] = [];
	const files: Measured[] = [];
	for (let turn = 0; turn < 9; turn++) {
		const jobs = [
			async () => {
				const words = [bare, 'files', join(place, `bare-${turn}`), 'N', String(count)];
				files.push(await run({words, cwd: folder}));
			},
			async () => {
				const done = await run(ledge(folder, join(place, `ledge-${turn}`), 'bulk', 'put', input));
				if (done.code !== 0) throw new Error(done.stderr);
				mine.push(done);
			},
		];
		// Whoever goes first may pay for what the file system still has to do: they take turns at that, too.
		for (const job of turn % 2 === 0 ? jobs : jobs.toReversed()) await job();
	}
	const times = (turns: readonly Measured[]) => median(turns.map(({milliseconds}) => milliseconds));
	const ratios = mine.map(({milliseconds}, turn) => milliseconds / (files[turn]?.milliseconds ?? 0));
	return [
		ratioRow(
			`\`ledge kv bulk put --local\`, ${count} small values, against creating the same files bare, median of ${ratios.length} alternating pairs`,
			median(ratios),
			1.5,
			`${seconds(times(mine))}; bare ${seconds(times(files))}`,
		),
	];
}

/** The whole list of a large local namespace. */
export async function listRow(folder: string, count: number): Promise<Row[]> {
	const root = join(folder, 'large');
	const input = bulkFile(join(folder, 'large.json'), count);
	const made = await run(ledge(folder, root, 'bulk', 'put', input));
	if (made.code !== 0) throw new Error(made.stderr);
	const pace = await measurePace();
	const turns = [];
	for (let turn = 0; turn < 5; turn++) turns.push(await run(ledge(folder, root, 'key', 'list')));
	const {peakMegabytes} = await runWithMemory(ledge(folder, root, 'key', 'list'));
	const whole = median(turns.map(turn => turn.milliseconds));
	const first = median(turns.map(turn => turn.firstByte));
	return [
		pacedRow(
			`\`ledge kv key list --local\`, ${count} keys`,
			`${seconds(whole)}, first output after ${wholeMilliseconds(first)}, ${Math.round(peakMegabytes)} MB`,
			'0.4 s',
			pace,
			by => whole <= 400 * by,
		),
	];
}
