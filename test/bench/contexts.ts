import {mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {bundleFile, medians, run} from './measure.ts';
import {formatBenchMilliseconds, type Row, ratioRow} from './row.ts';

const probe = resolve(import.meta.dirname, 'file-probe.cjs');

/** What contexts cost a command on local data: with twenty of them, and with no file that defines any. */
export async function contextRows(folder: string, turnCount: number): Promise<Row[]> {
	const root = join(folder, 'contexts');
	const createHome = (name: string) => {
		const path = join(root, name);
		mkdirSync(join(path, '.config/ledge'), {recursive: true, mode: 0o700});
		return {path, file: join(path, '.config/ledge/contexts.toml')};
	};
	const [without, withTwenty] = [createHome('without'), createHome('with')];
	writeFileSync(withTwenty.file, twentyContexts, {mode: 0o600});
	const words = ['--local', '--persist-to', root, '--namespace-id', 'N'];
	const command = (
		path: string,
		env: Readonly<Record<string, string>> = {},
		...keyWords: readonly string[]
	) => ({
		words: [bundleFile, 'kv', 'key', ...(keyWords.length > 0 ? keyWords : ['get', 'greeting']), ...words],
		cwd: folder,
		env: {HOME: path, ...env},
	});
	const put = await run(command(without.path, {}, 'put', 'greeting', 'hello'));
	if (put.code !== 0) throw new Error(put.stderr);

	const report = join(root, 'calls');
	const countCalls = async ({path, file}: typeof without) => {
		const NODE_OPTIONS = `--require ${probe}`;
		const env = {NODE_OPTIONS, LEDGE_BENCH_PATH: file, LEDGE_BENCH_CALLS: report};
		const {code, stderr} = await run(command(path, env));
		if (code !== 0) throw new Error(stderr);
		const counts = JSON.parse(readFileSync(report, 'utf8')) as {readonly stat: number; readonly open: number};
		rmSync(report);
		return counts;
	};
	const callsWithoutFile = await countCalls(without);
	// Checks the probe itself: it has to see the file opened where one exists.
	if ((await countCalls(withTwenty)).open === 0)
		throw new Error('The probe saw nothing of a file that is read.');

	const found = await medians(turnCount, {without: command(without.path), with: command(withTwenty.path)});
	return [
		{
			what: '`ledge kv key get --local` without a file of contexts: what is done with its path',
			measured: `${callsWithoutFile.stat} stat, ${callsWithoutFile.open} opens`,
			budget: '1 stat, 0 opens',
			within: callsWithoutFile.stat === 1 && callsWithoutFile.open === 0,
		},
		ratioRow(
			'`ledge kv key get --local` with 20 contexts, against none',
			found.with / found.without,
			1.1,
			`${formatBenchMilliseconds(found.with)}; without ${formatBenchMilliseconds(found.without)}`,
		),
	];
}

const twentyContexts = Array.from(
	{length: 20},
	(_, at) =>
		`[contexts.c${at}]\naccount_id = "${at.toString(16).padStart(32, '0')}"\nprofile = "work"\nzone = "z${at}.example"\n`,
).join('\n');
