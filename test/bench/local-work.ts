import {rmSync, writeFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {median, program, run, runWithMemory} from './measure.ts';
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

/** Bulk writing of small values, alternating with the creation of the same files and nothing else. */
export async function bulkRows(folder: string, count: number): Promise<Row[]> {
	const input = bulkFile(join(folder, 'bulk.json'), count);
	const mine: number[] = [];
	const files: number[] = [];
	for (let turn = 0; turn < 9; turn++) {
		const roots = {bare: join(folder, `bare-${turn}`), ledge: join(folder, `ledge-${turn}`)};
		const jobs = [
			async () =>
				files.push(
					(await run({words: [bare, 'files', roots.bare, 'N', String(count)], cwd: folder})).milliseconds,
				),
			async () => {
				const done = await run(ledge(folder, roots.ledge, 'bulk', 'put', input));
				if (done.code !== 0) throw new Error(done.stderr);
				mine.push(done.milliseconds);
			},
		];
		// Whoever goes first may pay for what the file system still has to do: they take turns at that, too.
		for (const job of turn % 2 === 0 ? jobs : jobs.toReversed()) await job();
		for (const root of Object.values(roots)) rmSync(root, {recursive: true, force: true});
	}
	const found = {mine: median(mine), bare: median(files)};
	return [
		ratioRow(
			`\`ledge kv bulk put --local\`, ${count} small values, against creating the same files bare`,
			found.mine / found.bare,
			1.5,
			`${seconds(found.mine)}; bare ${seconds(found.bare)}`,
		),
	];
}

/** The whole list of a large local namespace. */
export async function listRow(folder: string, count: number): Promise<Row[]> {
	const root = join(folder, 'large');
	const input = bulkFile(join(folder, 'large.json'), count);
	const made = await run(ledge(folder, root, 'bulk', 'put', input));
	if (made.code !== 0) throw new Error(made.stderr);
	const turns = [];
	for (let turn = 0; turn < 5; turn++) turns.push(await run(ledge(folder, root, 'key', 'list')));
	const {peakMegabytes} = await runWithMemory(ledge(folder, root, 'key', 'list'));
	const whole = median(turns.map(turn => turn.milliseconds));
	const first = median(turns.map(turn => turn.firstByte));
	rmSync(root, {recursive: true, force: true});
	return [
		{
			what: `\`ledge kv key list --local\`, ${count} keys`,
			measured: `${seconds(whole)}, first output after ${wholeMilliseconds(first)}, ${Math.round(peakMegabytes)} MB`,
			budget: '≤ 0.4 s',
			within: whole <= 400,
		},
	];
}
