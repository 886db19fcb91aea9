import {mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {medians, program, run} from './measure.ts';
import {type Row, ratioRow, wholeMilliseconds} from './row.ts';

const probe = resolve(import.meta.dirname, 'file-probe.cjs');

/** What contexts cost a command on local data: none are defined, and twenty. */
export async function contextRows(folder: string, times: number): Promise<Row[]> {
	const root = join(folder, 'contexts');
	const home = (name: string) => {
		const path = join(root, name);
		mkdirSync(join(path, '.config/ledge'), {recursive: true, mode: 0o700});
		return {path, file: join(path, '.config/ledge/contexts.toml')};
	};
	const [without, withTwenty] = [home('without'), home('with')];
	writeFileSync(withTwenty.file, twenty, {mode: 0o600});
	const words = ['--local', '--persist-to', root, '--namespace-id', 'N'];
	const command = (path: string, env: Readonly<Record<string, string>> = {}, ...key: readonly string[]) => ({
		words: [program, 'kv', 'key', ...(key.length > 0 ? key : ['get', 'greeting']), ...words],
		cwd: folder,
		env: {HOME: path, ...env},
	});
	const put = await run(command(without.path, {}, 'put', 'greeting', 'hello'));
	if (put.code !== 0) throw new Error(put.stderr);

	const report = join(root, 'calls');
	const counted = async ({path, file}: typeof without) => {
		const NODE_OPTIONS = `--require ${probe}`;
		const env = {NODE_OPTIONS, LEDGE_BENCH_PATH: file, LEDGE_BENCH_CALLS: report};
		const {code, stderr} = await run(command(path, env));
		if (code !== 0) throw new Error(stderr);
		const counts = JSON.parse(readFileSync(report, 'utf8')) as {readonly stat: number; readonly open: number};
		rmSync(report);
		return counts;
	};
	const none = await counted(without);
	// The count is of use only where it finds what is there to be counted.
	if ((await counted(withTwenty)).open === 0)
		throw new Error('The probe saw nothing of a file that is read.');

	const found = await medians(times, {without: command(without.path), with: command(withTwenty.path)});
	return [
		{
			what: '`ledge kv key get --local` without a file of contexts: what is done with its path',
			measured: `${none.stat} stat, ${none.open} opens`,
			budget: '1 stat, 0 opens',
			within: none.stat === 1 && none.open === 0,
		},
		ratioRow(
			'`ledge kv key get --local` with 20 contexts, against none',
			found.with / found.without,
			1.1,
			`${wholeMilliseconds(found.with)}; without ${wholeMilliseconds(found.without)}`,
		),
	];
}

const twenty = Array.from(
	{length: 20},
	(_, at) =>
		`[contexts.c${at}]\naccount_id = "${at.toString(16).padStart(32, '0')}"\nprofile = "work"\nzone = "z${at}.example"\n`,
).join('\n');
