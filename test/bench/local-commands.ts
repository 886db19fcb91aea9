import {join, resolve} from 'node:path';
import {bundleFile, medians, run} from './measure.ts';
import {formatBenchMilliseconds, type Row, ratioRow} from './row.ts';

const bare = resolve(import.meta.dirname, 'bare.mjs');

/** Each local command as a whole process, against a bare script that does the same to the same store. */
export async function commandRows(folder: string, turnCount: number): Promise<Row[]> {
	const root = join(folder, 'commands');
	const ledge = (...words: string[]) => ({
		words: [bundleFile, 'kv', 'key', ...words, '--local', '--persist-to', root, '--namespace-id', 'N'],
		cwd: folder,
	});
	const script = (...words: string[]) => ({
		words: [bare, words[0] ?? '', root, 'N', ...words.slice(1)],
		cwd: folder,
	});
	await run(ledge('put', 'greeting', 'hello'));
	const wordsByCommand = {
		get: ['greeting'],
		list: [],
		put: ['other', 'value'],
		delete: ['other'],
	};
	const rows = [await versionRow(folder, turnCount)];
	for (const [job, words] of Object.entries(wordsByCommand)) {
		const found = await medians(
			turnCount,
			{
				empty: {words: ['-e', '0'], cwd: folder},
				bare: script(job, ...words),
				ledge: ledge(job, ...words),
			},
			// The key has to exist before each deletion.
			job === 'delete' ? script('put', ...wordsByCommand.put) : undefined,
		);
		rows.push(
			ratioRow(
				`\`ledge kv key ${job} --local\`, whole process, against a bare script`,
				found.ledge / found.bare,
				1.3,
				`${formatBenchMilliseconds(found.ledge)}; bare ${formatBenchMilliseconds(found.bare)}; empty node ${formatBenchMilliseconds(found.empty)}`,
			),
		);
	}
	return rows;
}

/** `ledge --version` against an empty Node program. */
async function versionRow(folder: string, turnCount: number): Promise<Row> {
	const found = await medians(turnCount, {
		empty: {words: ['-e', '0'], cwd: folder},
		ledge: {words: [bundleFile, '--version'], cwd: folder},
	});
	return ratioRow(
		'`ledge --version`, whole process, against an empty Node program',
		found.ledge / found.empty,
		1.2,
		`${formatBenchMilliseconds(found.ledge)}; empty node ${formatBenchMilliseconds(found.empty)}`,
	);
}
