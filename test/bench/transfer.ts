import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {closeSync, openSync, rmSync, writeSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {createInterface} from 'node:readline';
import {bundleFile, median, run, runWithMemory} from './measure.ts';
import {formatBenchSeconds, type Row, ratioRow} from './row.ts';

const bare = resolve(import.meta.dirname, 'bare.mjs');
const latency = 100;
const concurrency = 6;
const maxMegabytes = 120;

/** Writes a file of keys with small texts. */
function writeSmallFile(file: string, count: number): string {
	const out = openSync(file, 'w');
	for (let index = 0; index < count; index++)
		writeSync(out, `${JSON.stringify({key: nameOf(index), value: `value-${index}`})}\n`);
	closeSync(out);
	return file;
}

/** The same with bytes that are no UTF-8, empty and large values, metadata and expiry. */
function writeMixedFile(file: string, count: number): string {
	const out = openSync(file, 'w');
	const large = 'x'.repeat(1024 * 1024);
	for (let index = 0; index < count; index++) {
		const value =
			index % 1000 === 999
				? `${index}${large}`
				: index % 10 === 3
					? ''
					: `value ${index} ${'y'.repeat(index % 50)}`;
		// Each takes two more calls, and a command should stay within the quota of five minutes.
		const isBinary = index % 5000 === 500;
		const entry = {
			key: nameOf(index),
			value: isBinary ? Buffer.from([0xff, index & 0xff, 0]).toString('base64') : value,
			...(isBinary && {base64: true}),
			...(index % 7 === 0 && {metadata: {index}}),
			...(index % 11 === 0 && {expiration: 4_000_000_000 + index}),
		};
		writeSync(out, `${JSON.stringify(entry)}\n`);
	}
	closeSync(out);
	return file;
}

const nameOf = (index: number): string => `k${String(index).padStart(7, '0')}`;

type Service = {
	readonly env: Readonly<Record<string, string>>;
	/** Delays every response by this time. */
	setLatency(milliseconds: number): Promise<void>;
	/** The number of requests received until now. */
	countRequests(): Promise<number>;
	/** Ends when the service is gone. */
	stop(): Promise<void>;
};

/** The simulated service in a process of its own, with the world of a file, or one in memory. */
async function startService(cwd: string, file?: string): Promise<Service> {
	const world = file === undefined ? ['--memory'] : ['--state', file];
	const child: ChildProcess = spawn(process.execPath, [bundleFile, 'simulate', '--port', '0', ...world], {
		cwd,
		env: {PATH: process.env.PATH ?? '', HOME: cwd},
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	if (!child.stdout) throw new Error('The simulated service prints nothing.');
	const lines = createInterface({input: child.stdout});
	const url = await new Promise<string>(found => lines.once('line', found));
	const control = async (path: string, options: RequestInit = {}): Promise<Response> => {
		const answer = await fetch(new URL(path, url), {...options, headers: {'X-Simulator': 'control'}});
		if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
		return answer;
	};
	return {
		env: {CLOUDFLARE_API_BASE_URL: url, CLOUDFLARE_API_TOKEN: 'simulated'},
		async setLatency(milliseconds) {
			await control('/simulator/faults', {method: 'PUT', body: `latency=${milliseconds}`});
		},
		async countRequests() {
			const {headers} = await control('/simulator/calls');
			return Number(headers.get('x-simulator-calls'));
		},
		async stop() {
			const ended = once(child, 'exit');
			child.kill('SIGTERM');
			await ended;
		},
	};
}

async function runLedge(
	folder: string,
	words: readonly string[],
	env: Readonly<Record<string, string>> = {},
) {
	const measured = await runWithMemory({words: [bundleFile, ...words], cwd: folder, env});
	if (measured.code !== 0) throw new Error(`${words.join(' ')}: ${measured.stderr}`);
	return measured;
}

/** Keys of one reading of values, of one page of a listing, and of one bulk write. */
const keysPer = {reading: 100, page: 1000, write: 10_000} as const;
/**
 * The most other requests of a command: the account, the namespaces of each store by title, an empty last
 * page.
 */
const maxOtherRequests = 5;

/** What a command did: how long, with how much memory, and what the service was asked. */
type Transferred = {
	readonly milliseconds: number;
	readonly peakMegabytes: number;
	readonly requests: number;
};

/** Export and copy from a service that takes 100 ms for each answer: time and memory against what it was asked. */
export async function transferRows(folder: string, count: number): Promise<Row[]> {
	const file = writeSmallFile(join(folder, 'small.ndjson'), count);
	const out = join(folder, 'out.ndjson');
	const from = 'remote:SESSIONS_preview';
	const copyAndCount = async (to: string): Promise<Transferred> => {
		// Each copy has a service of its own: together they would use up the quota of one.
		const service = await startService(folder);
		try {
			await runLedge(folder, ['kv', 'copy', `file:${file}`, from], service.env);
			await service.setLatency(latency);
			const before = await service.countRequests();
			const measured = await runLedge(folder, ['kv', 'copy', from, to, '--prefix', 'k'], service.env);
			return {...measured, requests: (await service.countRequests()) - before};
		} finally {
			await service.stop();
		}
	};
	const exported = await copyAndCount(`file:${out}`);
	const localOptions = ['--local', '--persist-to', join(folder, 'imported'), '--namespace-id', 'N'];
	const imported = await runLedge(folder, ['kv', 'import', file, ...localOptions]);
	const rows = [
		latencyRow(`export ${from} file:`, count, exported),
		overlapRow(`copy ${from} local:COPIED`, count, {
			...(await copyAndCount('local:COPIED')),
			exported,
			imported,
		}),
		latencyRow(`copy ${from} remote:SESSIONS`, count, await copyAndCount('remote:SESSIONS')),
	];
	rmSync(out, {force: true});
	return rows;
}

/** Describes the requests of a command; `others`: those beside readings, pages and writes. */
function describeRequests(
	what: string,
	count: number,
	requests: number,
): {readonly text: string; readonly others: number} {
	const [readings, pages] = [Math.ceil(count / keysPer.reading), Math.ceil(count / keysPer.page)];
	const writes = / remote:.* remote:/.test(what) ? Math.ceil(count / keysPer.write) : 0;
	const others = requests - readings - pages - writes;
	return {
		text: `${requests} requests counted (${readings} readings of values, ${pages} pages, ${writes} writes, ${others} others`,
		others,
	};
}

const areFew = (others: number): boolean => others >= 0 && others <= maxOtherRequests;

const formatTitle = (what: string, count: number): string =>
	`\`ledge kv ${what}\`, ${count} keys, ${latency} ms an answer`;

function latencyRow(what: string, count: number, {milliseconds, peakMegabytes, requests}: Transferred): Row {
	const waiting = (requests * latency) / concurrency;
	const {text, others} = describeRequests(what, count, requests);
	const megabytes = Math.round(peakMegabytes);
	return {
		what: formatTitle(what, count),
		measured: `${formatBenchSeconds(milliseconds)}, ${text}; × latency ÷ ${concurrency} = ${formatBenchSeconds(waiting)}, ${(milliseconds / waiting).toFixed(2)} ×), ${megabytes} MB`,
		budget: `≤ 1.2 ×, ≤ ${maxMegabytes} MB`,
		within: milliseconds <= waiting * 1.2 && megabytes <= maxMegabytes && areFew(others),
	};
}

/**
 * A copy reads from the service and writes to the disk at the same time, so it may take as long as the slower
 * one.
 */
function overlapRow(
	what: string,
	count: number,
	{
		milliseconds,
		peakMegabytes,
		requests,
		exported,
		imported,
	}: Transferred & Record<'exported' | 'imported', Pick<Transferred, 'milliseconds'>>,
): Row {
	const slower = Math.max(exported.milliseconds, imported.milliseconds);
	const {text, others} = describeRequests(what, count, requests);
	const megabytes = Math.round(peakMegabytes);
	return {
		what: `${formatTitle(what, count)}, against the slower of export and import`,
		measured: `${(milliseconds / slower).toFixed(2)} × (${formatBenchSeconds(milliseconds)}; export ${formatBenchSeconds(exported.milliseconds)}, \`kv import --local\` ${formatBenchSeconds(imported.milliseconds)}), ${text}), ${megabytes} MB`,
		budget: `≤ 1.35 ×, ≤ ${maxMegabytes} MB`,
		within: milliseconds <= slower * 1.35 && megabytes <= maxMegabytes && areFew(others),
	};
}

/** Export and import of local data against reading and creating the same files and nothing else, taking turns. */
export async function localTransferRows(folder: string, count: number): Promise<Row[]> {
	const file = writeSmallFile(join(folder, 'local.ndjson'), count);
	const getLocalOptions = (root: string) => ['--local', '--persist-to', root, '--namespace-id', 'N'];
	// Removed at the end of the bench: see `bulkRows`.
	const transferFolder = join(folder, 'transfer');
	const root = join(transferFolder, 'read');
	await runLedge(folder, ['kv', 'import', file, ...getLocalOptions(root)]);
	const figures = {
		reading: [] as number[],
		bareReading: [] as number[],
		writing: [] as number[],
		bareWriting: [] as number[],
	};
	for (let turn = 0; turn < 5; turn++) {
		const out = join(folder, `out-${turn}.ndjson`);
		const roots = {bare: join(transferFolder, `bare-${turn}`), ledge: join(transferFolder, `made-${turn}`)};
		const measures = [
			async () => {
				figures.bareReading.push((await run({words: [bare, 'export', root, 'N'], cwd: folder})).milliseconds);
			},
			async () => {
				figures.reading.push(
					(await runLedge(folder, ['kv', 'export', '--output', out, ...getLocalOptions(root)])).milliseconds,
				);
			},
			async () => {
				const words = [bare, 'files', roots.bare, 'N', String(count)];
				figures.bareWriting.push((await run({words, cwd: folder})).milliseconds);
			},
			async () => {
				figures.writing.push(
					(await runLedge(folder, ['kv', 'import', file, ...getLocalOptions(roots.ledge)])).milliseconds,
				);
			},
		];
		for (const measure of turn % 2 === 0 ? measures : measures.toReversed()) await measure();
		rmSync(out, {force: true});
	}
	const row = (what: string, ledgeTimes: readonly number[], bareTimes: readonly number[], baseline: string) =>
		ratioRow(
			`\`ledge kv ${what} --local\`, ${count} small values, against ${baseline}`,
			median(ledgeTimes) / median(bareTimes),
			2,
			`${formatBenchSeconds(median(ledgeTimes))}; bare ${formatBenchSeconds(median(bareTimes))}`,
		);
	return [
		row('export', figures.reading, figures.bareReading, 'reading the same files bare'),
		row('import', figures.writing, figures.bareWriting, 'creating the same files bare'),
	];
}

/** A mixed namespace taken round all stores: at each step `kv diff` says that nothing differs. */
export async function roundTripRow(folder: string, count: number): Promise<Row[]> {
	const file = writeMixedFile(join(folder, 'mixed.ndjson'), count);
	const world = join(folder, 'round.sqlite');
	const [from, to] = [`file:${file}`, `file:${join(folder, 'round.ndjson.gz')}`];
	const stores = [
		'local:ONE',
		'remote:SESSIONS',
		to,
		'simulated:SESSIONS_preview',
		'local:TWO',
		'remote:SESSIONS_preview',
		'simulated:SESSIONS',
	];
	const start = performance.now();
	/**
	 * Peak megabytes: of commands alone, and of those that run the simulated service in their own process.
	 */
	const peaks = {alone: 0, withService: 0};
	/** Each command has a service of its own: sharing one quota, they would wait most of the time. */
	const runWithOwnService = async (words: readonly string[]) => {
		const service = await startService(folder, world);
		try {
			const env = {...service.env, XDG_STATE_HOME: join(folder, 'round-state')};
			const {peakMegabytes} = await runLedge(folder, [...words, '--prefix', 'k'], env);
			const which = words.some(word => word.startsWith('simulated:')) ? 'withService' : 'alone';
			peaks[which] = Math.max(peaks[which], Math.round(peakMegabytes));
		} finally {
			await service.stop();
		}
	};
	let last = from;
	for (const store of stores) {
		await runWithOwnService(['kv', 'copy', last, store]);
		// Exits with 1 if anything differs, which ends this run.
		await runWithOwnService(['kv', 'diff', from, store, '--exit-code']);
		last = store;
	}
	return [
		{
			what: `${count} keys with bytes, empty and 1 MiB values, metadata and expiry: file → local → service → file → simulated → local → service → simulated`,
			measured: `${stores.length} of ${stores.length} identical by \`kv diff\`, ${formatBenchSeconds(performance.now() - start)}, a copy or comparison at most ${peaks.alone} MB (${peaks.withService} MB with the simulated service in its own process)`,
			budget: `all identical, ≤ ${maxMegabytes} MB`,
			within: peaks.alone <= maxMegabytes,
		},
	];
}
