import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {closeSync, openSync, rmSync, writeSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {createInterface} from 'node:readline';
import {median, program, run, runWithMemory} from './measure.ts';
import {type Row, ratioRow, seconds} from './row.ts';

const bare = resolve(import.meta.dirname, 'bare.mjs');
const latency = 100;
const concurrency = 6;
const mostMegabytes = 120;

/** A file of keys with small texts. */
function smallFile(file: string, count: number): string {
	const out = openSync(file, 'w');
	for (let index = 0; index < count; index++)
		writeSync(out, `${JSON.stringify({key: nameOf(index), value: `value-${index}`})}\n`);
	closeSync(out);
	return file;
}

/** The same with bytes that are no UTF-8, empty and large values, metadata and expiry. */
function mixedFile(file: string, count: number): string {
	const out = openSync(file, 'w');
	const large = 'x'.repeat(1024 * 1024);
	for (let index = 0; index < count; index++) {
		const value =
			index % 1000 === 999
				? `${index}${large}`
				: index % 10 === 3
					? ''
					: `value ${index} ${'y'.repeat(index % 50)}`;
		// Each takes two calls more, and all of a command should stay within the quota of five minutes.
		const bytes = index % 5000 === 500;
		const entry = {
			key: nameOf(index),
			value: bytes ? Buffer.from([0xff, index & 0xff, 0]).toString('base64') : value,
			...(bytes && {base64: true}),
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
	/** Makes every answer take so long. */
	slow(milliseconds: number): Promise<void>;
	/** Requests that it was asked until now. */
	counted(): Promise<number>;
	/** Ends when the service is gone. */
	stop(): Promise<void>;
};

/** The simulated service in a process of its own, with the world of a file, or one in memory. */
async function startService(cwd: string, file?: string): Promise<Service> {
	const world = file === undefined ? ['--memory'] : ['--state', file];
	const child: ChildProcess = spawn(process.execPath, [program, 'simulate', '--port', '0', ...world], {
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
		async slow(milliseconds) {
			await control('/simulator/faults', {method: 'PUT', body: `latency=${milliseconds}`});
		},
		async counted() {
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

async function done(folder: string, words: readonly string[], env: Readonly<Record<string, string>> = {}) {
	const measured = await runWithMemory({words: [program, ...words], cwd: folder, env});
	if (measured.code !== 0) throw new Error(`${words.join(' ')}: ${measured.stderr}`);
	return measured;
}

/** Keys of one reading of values, of one page of a listing, and of one bulk write. */
const keysPer = {reading: 100, page: 1000, write: 10_000} as const;
/** What a command asks beside: the account, the namespaces of each store by title, an empty last page. */
const mostOthers = 5;

/** What a command did: how long, with how much memory, and what the service was asked. */
type Transferred = {
	readonly milliseconds: number;
	readonly peakMegabytes: number;
	readonly requests: number;
};

/** Export and copy from a service that takes 100 ms for each answer: time and memory against what it was asked. */
export async function transferRows(folder: string, count: number): Promise<Row[]> {
	const file = smallFile(join(folder, 'small.ndjson'), count);
	const out = join(folder, 'out.ndjson');
	const from = 'remote:SESSIONS_preview';
	const copied = async (to: string): Promise<Transferred> => {
		// One of its own for each: together they would use up the quota.
		const service = await startService(folder);
		try {
			await done(folder, ['kv', 'copy', `file:${file}`, from], service.env);
			await service.slow(latency);
			const before = await service.counted();
			const measured = await done(folder, ['kv', 'copy', from, to, '--prefix', 'k'], service.env);
			return {...measured, requests: (await service.counted()) - before};
		} finally {
			await service.stop();
		}
	};
	const exported = await copied(`file:${out}`);
	const at = ['--local', '--persist-to', join(folder, 'imported'), '--namespace-id', 'N'];
	const imported = await done(folder, ['kv', 'import', file, ...at]);
	const rows = [
		againstLatency(`export ${from} file:`, count, exported),
		overlapRow(`copy ${from} local:COPIED`, count, {...(await copied('local:COPIED')), exported, imported}),
		againstLatency(`copy ${from} remote:SESSIONS`, count, await copied('remote:SESSIONS')),
	];
	rmSync(out, {force: true});
	return rows;
}

/** What was asked, in words; `others`: what a command asks beside readings, pages and writes. */
function asked(
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

const areFew = (others: number): boolean => others >= 0 && others <= mostOthers;

const named = (what: string, count: number): string =>
	`\`ledge kv ${what}\`, ${count} keys, ${latency} ms an answer`;

function againstLatency(
	what: string,
	count: number,
	{milliseconds, peakMegabytes, requests}: Transferred,
): Row {
	const waiting = (requests * latency) / concurrency;
	const {text, others} = asked(what, count, requests);
	const megabytes = Math.round(peakMegabytes);
	return {
		what: named(what, count),
		measured: `${seconds(milliseconds)}, ${text}; × latency ÷ ${concurrency} = ${seconds(waiting)}, ${(milliseconds / waiting).toFixed(2)} ×), ${megabytes} MB`,
		budget: `≤ 1.2 ×, ≤ ${mostMegabytes} MB`,
		within: milliseconds <= waiting * 1.2 && megabytes <= mostMegabytes && areFew(others),
	};
}

/** A copy reads from the service and writes to the disk at the same time: the slower of both is what it may take. */
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
	const {text, others} = asked(what, count, requests);
	const megabytes = Math.round(peakMegabytes);
	return {
		what: `${named(what, count)}, against the slower of export and import`,
		measured: `${(milliseconds / slower).toFixed(2)} × (${seconds(milliseconds)}; export ${seconds(exported.milliseconds)}, \`kv import --local\` ${seconds(imported.milliseconds)}), ${text}), ${megabytes} MB`,
		budget: `≤ 1.35 ×, ≤ ${mostMegabytes} MB`,
		within: milliseconds <= slower * 1.35 && megabytes <= mostMegabytes && areFew(others),
	};
}

/** Export and import of local data against reading and creating the same files and nothing else, taking turns. */
export async function localTransferRows(folder: string, count: number): Promise<Row[]> {
	const file = smallFile(join(folder, 'local.ndjson'), count);
	const at = (root: string) => ['--local', '--persist-to', root, '--namespace-id', 'N'];
	// Removed at the end of the bench: see `bulkRows`.
	const place = join(folder, 'transfer');
	const root = join(place, 'read');
	await done(folder, ['kv', 'import', file, ...at(root)]);
	const figures = {
		reading: [] as number[],
		bareReading: [] as number[],
		writing: [] as number[],
		bareWriting: [] as number[],
	};
	for (let turn = 0; turn < 5; turn++) {
		const out = join(folder, `out-${turn}.ndjson`);
		const roots = {bare: join(place, `bare-${turn}`), ledge: join(place, `made-${turn}`)};
		const measures = [
			async () => {
				figures.bareReading.push((await run({words: [bare, 'export', root, 'N'], cwd: folder})).milliseconds);
			},
			async () => {
				figures.reading.push(
					(await done(folder, ['kv', 'export', '--output', out, ...at(root)])).milliseconds,
				);
			},
			async () => {
				const words = [bare, 'files', roots.bare, 'N', String(count)];
				figures.bareWriting.push((await run({words, cwd: folder})).milliseconds);
			},
			async () => {
				figures.writing.push((await done(folder, ['kv', 'import', file, ...at(roots.ledge)])).milliseconds);
			},
		];
		for (const measure of turn % 2 === 0 ? measures : measures.toReversed()) await measure();
		rmSync(out, {force: true});
	}
	const row = (what: string, mine: readonly number[], theirs: readonly number[], beside: string) =>
		ratioRow(
			`\`ledge kv ${what} --local\`, ${count} small values, against ${beside}`,
			median(mine) / median(theirs),
			2,
			`${seconds(median(mine))}; bare ${seconds(median(theirs))}`,
		);
	return [
		row('export', figures.reading, figures.bareReading, 'reading the same files bare'),
		row('import', figures.writing, figures.bareWriting, 'creating the same files bare'),
	];
}

/** A mixed namespace taken round all stores: at each step `kv diff` says that nothing differs. */
export async function roundRow(folder: string, count: number): Promise<Row[]> {
	const file = mixedFile(join(folder, 'mixed.ndjson'), count);
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
	/** Megabytes at most, of commands alone, and of those that have the simulated service in their own process. */
	const most = {alone: 0, withService: 0};
	/** With a quota of its own: all commands together would wait for one most of the time. */
	const alone = async (words: readonly string[]) => {
		const service = await startService(folder, world);
		try {
			const env = {...service.env, XDG_STATE_HOME: join(folder, 'round-state')};
			const {peakMegabytes} = await done(folder, [...words, '--prefix', 'k'], env);
			const which = words.some(word => word.startsWith('simulated:')) ? 'withService' : 'alone';
			most[which] = Math.max(most[which], Math.round(peakMegabytes));
		} finally {
			await service.stop();
		}
	};
	let last = from;
	for (const store of stores) {
		await alone(['kv', 'copy', last, store]);
		// Ends with 1, and this run with it, where anything differs.
		await alone(['kv', 'diff', from, store, '--exit-code']);
		last = store;
	}
	return [
		{
			what: `${count} keys with bytes, empty and 1 MiB values, metadata and expiry: file → local → service → file → simulated → local → service → simulated`,
			measured: `${stores.length} of ${stores.length} identical by \`kv diff\`, ${seconds(performance.now() - start)}, a copy or comparison at most ${most.alone} MB (${most.withService} MB with the simulated service in its own process)`,
			budget: `all identical, ≤ ${mostMegabytes} MB`,
			within: most.alone <= mostMegabytes,
		},
	];
}
