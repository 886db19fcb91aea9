import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {rmSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {createInterface} from 'node:readline';
import {program, runWithMemory} from './measure.ts';
import {entryOf, makeFile, makeProject, makeWorld, nameOf, namespaces} from './memory-data.ts';
import {type Row, seconds} from './row.ts';

/** What any job may take, in units of 1,048,576 bytes as everywhere in the bench. */
const mostMegabytes = 120;

/** What a job is measured with. */
export type Ground = {
	readonly folder: string;
	readonly count: number;
	/** A project with local data. */
	readonly project: string;
	readonly env: Readonly<Record<string, string>>;
};

type Job = {
	readonly what: string;
	/** What it would take too long for is done with fewer keys. */
	readonly most?: number;
	words(ground: Ground, count: number): readonly string[];
};

/** Namespaces of the service and of local data, by id. */
const at = (title: keyof typeof namespaces) => ['--namespace-id', namespaces[title].id];
const localAt = (id: string) => ['--local', '--namespace-id', id];
const file = ({folder}: Ground, name: string, count: number, lineOf: (index: number) => unknown) =>
	makeFile(join(folder, name), count, lineOf);
const entries = (ground: Ground, count: number) => file(ground, 'entries.ndjson', count, entryOf);
const names = (ground: Ground, count: number) => file(ground, 'names.ndjson', count, nameOf);
const confirmed = (count: number) => ['--confirm', String(count)];
/** The prefix of the keys with the first numbers. */
const prefixOf = (count: number): string => {
	const shared = nameOf(count - 1);
	const first = nameOf(0);
	let end = 0;
	while (first[end] === shared[end]) end++;
	return first.slice(0, end);
};

const jobs: readonly Job[] = [
	{what: 'key list', words: () => ['kv', 'key', 'list', ...at('FULL')]},
	{
		what: 'key list --format table',
		words: () => ['kv', 'key', 'list', '--metadata', '--format', 'table', ...at('FULL')],
	},
	{what: 'key list --local', words: () => ['kv', 'key', 'list', ...localAt('MINE')]},
	{
		what: 'bulk put',
		words: (ground, count) => ['kv', 'bulk', 'put', entries(ground, count), ...at('WRITTEN')],
	},
	{
		what: 'bulk put --local',
		most: 100_000,
		words: (ground, count) => ['kv', 'bulk', 'put', entries(ground, count), ...localAt('WRITTEN')],
	},
	{
		what: 'bulk get',
		words: (ground, count) => ['kv', 'bulk', 'get', names(ground, count), ...at('FULL')],
	},
	{
		what: 'bulk get --local',
		words: (ground, count) => ['kv', 'bulk', 'get', names(ground, count), ...localAt('MINE')],
	},
	{
		what: 'bulk delete, without the trash',
		words: (ground, count) => [
			...['kv', 'bulk', 'delete', names(ground, count), '--no-trash', '--yes'],
			...at('DELETED'),
		],
	},
	{
		what: 'export',
		words: ({folder}, count) => [
			...['kv', 'export', '--output', join(folder, 'out.ndjson'), '--prefix', prefixOf(count)],
			...at('FULL'),
		],
	},
	{
		what: 'export --local',
		words: ({folder}) => ['kv', 'export', '--output', join(folder, 'local.ndjson'), ...localAt('MINE')],
	},
	{
		what: 'import',
		words: (ground, count) => ['kv', 'import', entries(ground, count), ...at('IMPORTED')],
	},
	{
		what: 'copy remote: local:',
		most: 100_000,
		words: (_, count) => ['kv', 'copy', 'remote:FULL', 'local:COPIED', '--prefix', prefixOf(count)],
	},
	{what: 'copy local: remote:', words: () => ['kv', 'copy', 'local:MINE', 'remote:FROM_LOCAL']},
	{
		what: 'copy remote: remote:',
		words: (_, count) => ['kv', 'copy', 'remote:FULL', 'remote:FROM_REMOTE', '--prefix', prefixOf(count)],
	},
	{
		what: 'diff of two files',
		words: (ground, count) => [
			...['kv', 'diff', `file:${entries(ground, count)}`],
			`file:${file(ground, 'other.ndjson', count, entryOf)}`,
		],
	},
	{
		what: 'diff of two files, the keys of one in no order',
		words: (ground, count) => [
			...['kv', 'diff', `file:${entries(ground, count)}`],
			// Any step that shares no factor with the count leads to every number once.
			`file:${file(ground, 'mixed.ndjson', count, index => entryOf((index * 7_368_787) % count))}`,
		],
	},
	{
		what: 'diff of two files, names of 512 bytes',
		words(ground, count) {
			const long = (index: number) => ({...entryOf(index), key: nameOf(index).padEnd(512, '-')});
			const [one, other] = ['long.ndjson', 'long-too.ndjson'].map(name => file(ground, name, count, long));
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
		words: (_, count) => ['kv', 'search', 'of a key', '--prefix', prefixOf(count), ...at('FULL')],
	},
	{what: 'search --local', words: () => ['kv', 'search', 'value', ...localAt('MINE')]},
	{
		what: 'delete --prefix, with the trash',
		words: (_, count) => [
			...['kv', 'delete', '--trash', '--prefix', prefixOf(count), ...confirmed(count)],
			...at('CLEARED'),
		],
	},
	{
		what: 'rename-prefix',
		words: (_, count) => [
			'kv',
			'rename-prefix',
			prefixOf(count),
			'moved:',
			...confirmed(count),
			...at('RENAMED'),
		],
	},
	{what: 'stats', words: () => ['kv', 'stats', ...at('FULL')]},
];

/** Each kind of job in a process of its own: the peak of its memory. `only`: jobs whose name has it. */
export async function* jobRows(ground: Ground, only: string): AsyncGenerator<Row> {
	for (const job of jobs) {
		if (!job.what.includes(only)) continue;
		const count = Math.min(ground.count, job.most ?? ground.count);
		const words = job.words(ground, count);
		const {peakMegabytes, milliseconds, code, stderr} = await runWithMemory({
			words: [program, ...words],
			cwd: ground.project,
			env: ground.env,
		});
		// A difference that is found is none of the bench.
		if (code !== 0) throw new Error(`${job.what} ended with ${code}: ${stderr}`);
		yield megabytesRow(`\`ledge kv ${job.what}\`, ${count} keys`, peakMegabytes, seconds(milliseconds));
	}
}

export function megabytesRow(what: string, peakMegabytes: number, detail: string): Row {
	const megabytes = Math.round(peakMegabytes);
	return {
		what,
		measured: `${megabytes} MB (${detail})`,
		budget: `≤ ${mostMegabytes} MB`,
		within: megabytes <= mostMegabytes,
	};
}

/** Everything that jobs are measured with: full namespaces here and at a service without a quota, in a process of its own. */
export async function withGround<Found>(
	folder: string,
	count: number,
	work: (ground: Ground) => Promise<Found>,
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
