import {writeFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {bundleFile, type Measured, median, run, runWithMemory} from './measure.ts';
import {measurePace, pacedRow} from './pace.ts';
import {formatBenchMilliseconds, formatBenchSeconds, type Row, ratioRow} from './row.ts';

const bare = resolve(import.meta.dirname, 'bare.mjs');

export function writeBenchEntries(file: string, count: number): string {
	const entries = Array.from({length: count}, (_, index) => ({key: `key-${index}`, value: `value-${index}`}));
	writeFileSync(file, JSON.stringify(entries));
	return file;
}

const ledge = (folder: string, root: string, ...words: string[]) => ({
	words: [bundleFile, 'kv', ...words, '--local', '--persist-to', root, '--namespace-id', 'N'],
	cwd: folder,
});

/**
 * Bulk writing of small values, alternating with the creation of the same files and nothing else. The files
 * stay until the bench ends: ext4 takes ten times as long for a new file if many were removed in the last
 * minutes.
 */
export async function bulkRows(folder: string, count: number): Promise<Row[]> {
	const input = writeBenchEntries(join(folder, 'bulk.json'), count);
	const bulkFolder = join(folder, 'bulk');
	const ledgeRuns: Measured[] = [];
	const bareRuns: Measured[] = [];
	for (let turn = 0; turn < 9; turn++) {
		const jobs = [
			async () => {
				const words = [bare, 'files', join(bulkFolder, `bare-${turn}`), 'N', String(count)];
				bareRuns.push(await run({words, cwd: folder}));
			},
			async () => {
				const result = await run(ledge(folder, join(bulkFolder, `ledge-${turn}`), 'bulk', 'put', input));
				if (result.code !== 0) throw new Error(result.stderr);
				ledgeRuns.push(result);
			},
		];
		// The first of a pair may have to wait for pending work of the file system, so the order alternates.
		for (const job of turn % 2 === 0 ? jobs : jobs.toReversed()) await job();
	}
	const medianTime = (turns: readonly Measured[]) => median(turns.map(({milliseconds}) => milliseconds));
	const ratios = ledgeRuns.map(({milliseconds}, turn) => milliseconds / (bareRuns[turn]?.milliseconds ?? 0));
	return [
		ratioRow(
			`\`ledge kv bulk put --local\`, ${count} small values, against creating the same files bare, median of ${ratios.length} alternating pairs`,
			median(ratios),
			1.5,
			`${formatBenchSeconds(medianTime(ledgeRuns))}; bare ${formatBenchSeconds(medianTime(bareRuns))}`,
		),
	];
}

/** The whole list of a large local namespace. */
export async function listRow(folder: string, count: number): Promise<Row[]> {
	const root = join(folder, 'large');
	const input = writeBenchEntries(join(folder, 'large.json'), count);
	const result = await run(ledge(folder, root, 'bulk', 'put', input));
	if (result.code !== 0) throw new Error(result.stderr);
	const pace = await measurePace();
	const runs = [];
	for (let turn = 0; turn < 5; turn++) runs.push(await run(ledge(folder, root, 'key', 'list')));
	const {peakMegabytes} = await runWithMemory(ledge(folder, root, 'key', 'list'));
	const totalTime = median(runs.map(turn => turn.milliseconds));
	const firstOutputTime = median(runs.map(turn => turn.firstByte));
	return [
		pacedRow(
			`\`ledge kv key list --local\`, ${count} keys`,
			`${formatBenchSeconds(totalTime)}, first output after ${formatBenchMilliseconds(firstOutputTime)}, ${Math.round(peakMegabytes)} MB`,
			'0.4 s',
			pace,
			factor => totalTime <= 400 * factor,
		),
	];
}
