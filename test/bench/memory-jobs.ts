import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {rmSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {createInterface} from 'node:readline';
import {bundleFile, runWithMemory} from './measure.ts';
import {entryOf, makeProject, makeWorld, nameOf, namespaces, writeLines} from './memory-data.ts';
import {formatBenchSeconds, type Row} from './row.ts';

/** The most memory that a job may take, in units of 1,048,576 bytes as everywhere in the bench. */
const maxMegabytes = 120;

/** What a job is measured with. */
export type BenchSetup = {
	readonly folder: string;
	readonly count: number;
	/** A project with local data. */
	readonly project: string;
	readonly env: Readonly<Record<string, string>>;
};

type Job = {
	readonly what: string;
	/** The maximum number of keys, where more would take too long. */
	readonly maxCount?: number;
	words(setup: BenchSetup, count: number): readonly string[];
};

/** Options that name a namespace of the service, or of local data. */
const remoteOptions = (title: keyof typeof namespaces) => ['--namespace-id', namespaces[title].id];
const localOptions = (id: string) => ['--local', '--namespace-id', id];
const makeJobFile = ({folder}: BenchSetup, name: string, count: number, lineOf: (index: number) => unknown) =>
	writeLines(join(folder, name), count, lineOf);
const makeEntriesFile = (setup: BenchSetup, count: number) =>
	makeJobFile(setup, 'entries.ndjson', count, entryOf);
const makeNamesFile = (setup: BenchSetup, count: number) => makeJobFile(setup, 'names.ndjson', count, nameOf);
const confirmOptions = (count: number) => ['--confirm', String(count)];
/** The prefix of exactly the first `count` keys, if `count` is a power of ten. */
const prefixOf = (count: number): string => {
	const last = nameOf(count - 1);
	const first = nameOf(0);
	let end = 0;
	while (first[end] === last[end]) end++;
	return first.slice(0, end);
};

const jobs: readonly Job[] = [
	{what: 'key list', words: () => ['kv', 'key', 'list', ...remoteOptions('FULL')]},
	{
		what: 'key list --format table',
		words: () => ['kv', 'key', 'list', '--metadata', '--format', 'table', ...remoteOptions('FULL')],
	},
	{what: 'key list --local', words: () => ['kv', 'key', 'list', ...localOptions('MINE')]},
	{
		what: 'bulk put',
		words: (setup, count) => [
			'kv',
			'bulk',
			'put',
			makeEntriesFile(setup, count),
			...remoteOptions('WRITTEN'),
		],
	},
	{
		what: 'bulk put --local',
		maxCount: 100_000,
		words: (setup, count) => ['kv', 'bulk', 'put', makeEntriesFile(setup, count), ...localOptions('WRITTEN')],
	},
	{
		what: 'bulk get',
		words: (setup, count) => ['kv', 'bulk', 'get', makeNamesFile(setup, count), ...remoteOptions('FULL')],
	},
	{
		what: 'bulk get --local',
		words: (setup, count) => ['kv', 'bulk', 'get', makeNamesFile(setup, count), ...localOptions('MINE')],
	},
	{
		what: 'bulk delete, without the trash',
		words: (setup, count) => [
			...['kv', 'bulk', 'delete', makeNamesFile(setup, count), '--no-trash', '--yes'],
			...remoteOptions('DELETED'),
		],
	},
	{
		what: 'export',
		words: ({folder}, count) => [
			...['kv', 'export', '--output', join(folder, 'out.ndjson'), '--prefix', prefixOf(count)],
			...remoteOptions('FULL'),
		],
	},
	{
		what: 'export --local',
		words: ({folder}) => ['kv', 'export', '--output', join(folder, 'local.ndjson'), ...localOptions('MINE')],
	},
	{
		what: 'import',
		words: (setup, count) => ['kv', 'import', makeEntriesFile(setup, count), ...remoteOptions('IMPORTED')],
	},
	{
		what: 'copy remote: local:',
		maxCount: 100_000,
		words: (_, count) => ['kv', 'copy', 'remote:FULL', 'local:COPIED', '--prefix', prefixOf(count)],
	},
	{what: 'copy local: remote:', words: () => ['kv', 'copy', 'local:MINE', 'remote:FROM_LOCAL']},
	{
		what: 'copy remote: remote:',
		words: (_, count) => ['kv', 'copy', 'remote:FULL', 'remote:FROM_REMOTE', '--prefix', prefixOf(count)],
	},
	{
		what: 'diff of two files',
		words: (setup, count) => [
			...['kv', 'diff', `file:${makeEntriesFile(setup, count)}`],
			`file:${makeJobFile(setup, 'other.ndjson', count, entryOf)}`,
		],
	},
	{
		what: 'diff of two files, the keys of one in no order',
		words: (setup, count) => [
			...['kv', 'diff', `file:${makeEntriesFile(setup, count)}`],
			// Any step that shares no factor with the count leads to every number once.
			`file:${makeJobFile(setup, 'mixed.ndjson', count, index => entryOf((index * 7_368_787) % count))}`,
		],
	},
	{
		what: 'diff of two files, names of 512 bytes',
		words(setup, count) {
			const longEntry = (index: number) => ({...entryOf(index), key: nameOf(index).padEnd(512, '-')});
			const [one, other] = ['long.ndjson', 'long-too.ndjson'].map(name =>
				makeJobFile(setup, name, count, longEntry),
			);
			return ['kv', 'diff', `file:${one}`, `file:${other}`];
		},
	},
	{
		what: 'diff remote: local:, every key another one',
		words: (_, count) => ['kv', 'diff', 'remote:FULL', 'local:OTHERS', '--prefix', prefixOf(count)],
	},
	{
		what: 'diff remote: remote:, every key missing, as JSON',
		words: () => ['--json', 'kv', 'diff', 'remote:FULL', 'remote:EMPTY'],
	},
	{
		what: 'search',
		words: (_, count) => ['kv', 'search', 'of a key', '--prefix', prefixOf(count), ...remoteOptions('FULL')],
	},
	{what: 'search --local', words: () => ['kv', 'search', 'value', ...localOptions('MINE')]},
	{
		what: 'delete --prefix, with the trash',
		words: (_, count) => [
			...['kv', 'delete', '--trash', '--prefix', prefixOf(count), ...confirmOptions(count)],
			...remoteOptions('CLEARED'),
		],
	},
	{
		what: 'rename-prefix',
		words: (_, count) => [
			'kv',
			'rename-prefix',
			prefixOf(count),
			'moved:',
			...confirmOptions(count),
			...remoteOptions('RENAMED'),
		],
	},
	{what: 'stats', words: () => ['kv', 'stats', ...remoteOptions('FULL')]},
];

/** Each kind of job in a process of its own: the peak of its memory. `only`: jobs whose name has it. */
export async function* jobRows(setup: BenchSetup, only: string): AsyncGenerator<Row> {
	for (const job of jobs) {
		if (!job.what.includes(only)) continue;
		const count = Math.min(setup.count, job.maxCount ?? setup.count);
		const words = job.words(setup, count);
		const {peakMegabytes, milliseconds, code, stderr} = await runWithMemory({
			words: [bundleFile, ...words],
			cwd: setup.project,
			env: setup.env,
		});
		// Differences are not errors here: without --exit-code, `kv diff` returns 0.
		if (code !== 0) throw new Error(`${job.what} ended with ${code}: ${stderr}`);
		yield megabytesRow(
			`\`ledge kv ${job.what}\`, ${count} keys`,
			peakMegabytes,
			formatBenchSeconds(milliseconds),
		);
	}
}

export function megabytesRow(what: string, peakMegabytes: number, detail: string): Row {
	const megabytes = Math.round(peakMegabytes);
	return {
		what,
		measured: `${megabytes} MB (${detail})`,
		budget: `≤ ${maxMegabytes} MB`,
		within: megabytes <= maxMegabytes,
	};
}

/**
 * Runs `work` with filled namespaces: local ones, and those of a simulated service without a quota, in a
 * process of its own.
 */
export async function withBenchSetup<Found>(
	folder: string,
	count: number,
	work: (setup: BenchSetup) => Promise<Found>,
): Promise<Found> {
	const world = makeWorld(join(folder, 'world.sqlite'), count);
	const project = await makeProject(join(folder, 'project'), count);
	const service: ChildProcess = spawn(
		process.execPath,
		[resolve(import.meta.dirname, 'memory-service.ts'), world],
		{stdio: ['ignore', 'pipe', 'inherit']},
	);
	try {
		if (!service.stdout) throw new Error('The simulated service prints nothing.');
		const lines = createInterface({input: service.stdout});
		const [url] = await once(lines, 'line');
		const env = {
			CLOUDFLARE_API_BASE_URL: String(url),
			CLOUDFLARE_API_TOKEN: 'simulated',
			XDG_STATE_HOME: join(folder, 'state'),
			// The quota of the client goes by the same scale: 200 calls a second.
			LEDGE_TIME_SCALE: '0.02',
		};
		return await work({folder, count, project, env});
	} finally {
		const ended = once(service, 'exit');
		service.kill('SIGTERM');
		await ended;
		rmSync(world, {force: true});
	}
}
