import {execFileSync} from 'node:child_process';
import {statSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {binaryFile} from '../../source/release/binary-file.ts';
import {bundleFile, medians, run} from './measure.ts';
import {formatBenchMilliseconds, type Row, ratioRow} from './row.ts';

const checkout = resolve(import.meta.dirname, '../..');

/**
 * Makes the one-file program from the current build. Compares its speed with that of the build run by this
 * Node, and measures its size.
 */
export async function oneFileRows(folder: string, turnCount: number): Promise<Row[]> {
	execFileSync(process.execPath, ['source/release/make-binary.ts'], {cwd: checkout, stdio: 'pipe'});
	const file = join(checkout, binaryFile);
	const storeOptions = ['--local', '--persist-to', join(folder, 'one-file'), '--namespace-id', 'N'];
	const get = ['kv', 'key', 'get', 'greeting', ...storeOptions];
	await run({words: [bundleFile, 'kv', 'key', 'put', 'greeting', 'hello', ...storeOptions], cwd: folder});
	const found = await medians(turnCount, {
		build: {words: [bundleFile, ...get], cwd: folder},
		oneFile: {program: file, words: get, cwd: folder},
	});
	const megabytes = statSync(file).size / 1e6;
	return [
		ratioRow(
			'`ledge kv key get --local` as one file, whole process, against the build run by Node',
			found.oneFile / found.build,
			1.1,
			`${formatBenchMilliseconds(found.oneFile)}; by Node ${formatBenchMilliseconds(found.build)}`,
		),
		{
			what: 'the one-file program, not compressed',
			measured: `${megabytes.toFixed(0)} MB`,
			budget: '≤ 140 MB',
			within: megabytes <= 140,
		},
	];
}
