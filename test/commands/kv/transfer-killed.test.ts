import {existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {gunzipSync} from 'node:zlib';
import {beforeAll, describe, expect, test} from 'vitest';
import {isFull} from '../../support/full.ts';
import {ledge, scratch, startLedge} from '../../support/ledge.ts';
import {randomShare} from '../../support/random-kills.ts';
import {type RunningService, startService} from '../../support/service.ts';

/** How often each transfer is killed: twice, and twenty times in `npm run test:full`. */
const kills = process.env.TEST_KILLS ? 20 : 2;
/** Milliseconds from the start of a process within which it is killed. */
const span = 2000;
const latency = process.env.TEST_KILLS ? 250 : 60;

const keys = Array.from({length: 3000}, (_, at) => ({
	key: `k${String(at).padStart(5, '0')}`,
	...(at % 500 === 0 ? {value: '/wA=', base64: true} : {value: `value ${at}`}),
	...(at % 7 === 0 && {metadata: {at}}),
	...(at % 11 === 0 && {expiration: 4_000_000_000 + at}),
}));
const content = keys.map(entry => `${JSON.stringify(entry)}\n`).join('');

let service: RunningService;
let filled: string;
beforeAll(async () => {
	service = await startService();
	filled = await namespaceNamed('filled');
	const folder = scratch();
	writeFileSync(join(folder, 'in.ndjson'), content);
	expect(await run(folder, ['kv', 'import', 'in.ndjson', '--namespace-id', filled])).toMatchObject({code: 0});
	// Many small batches are more moments than one large one.
	await service.setFaults(`latency=${latency} path=/bulk; max-body=20000 path=/bulk method=PUT`);
});

const run = (cwd: string, words: readonly string[]) => ledge(words, {cwd, env: service.env});

async function namespaceNamed(title: string): Promise<string> {
	const {stdout} = await run(scratch(), ['kv', 'namespace', 'create', title, '--no-prefix', '--json']);
	return (JSON.parse(stdout) as {id: string}[])[0]?.id ?? '';
}

/** The job of a folder, if its journal was made before the process was killed; `done` where that came too late. */
function jobIn(folder: string): string | 'done' | undefined {
	const jobs = join(folder, '.local/state/ledge/jobs');
	const names = existsSync(jobs) ? readdirSync(jobs).filter(name => name.endsWith('.ndjson')) : [];
	expect(names.length).toBeLessThanOrEqual(1);
	const [name] = names;
	if (name === undefined) return undefined;
	const isDone = readFileSync(join(jobs, name), 'utf8').includes('"type":"done"');
	return isDone ? 'done' : name.replace('.ndjson', '');
}

/** Runs a process and kills it at a random moment; whether it was not at its end before. */
async function killed(cwd: string, words: readonly string[]): Promise<boolean> {
	const child = startLedge([...words, '--concurrency', '1'], {cwd, env: service.env});
	let said = '';
	child.stderr?.on('data', piece => {
		said += piece;
	});
	const timer = setTimeout(() => child.kill('SIGKILL'), randomShare() * span);
	const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>(done =>
		child.on('close', (...how) => done(how)),
	);
	clearTimeout(timer);
	if (signal !== 'SIGKILL') expect(code, said).toBe(0);
	return signal === 'SIGKILL';
}

/** Kills a transfer again and again, goes on with it each time, and once more to its end. */
async function throughKills(folder: string, words: readonly string[]): Promise<void> {
	const next = () => {
		const job = jobIn(folder);
		return job === undefined ? words : ['jobs', 'resume', job];
	};
	let [times, isOver] = [0, false];
	while (!isOver && times < kills) {
		if (await killed(folder, next())) times++;
		else isOver = true;
		isOver ||= jobIn(folder) === 'done';
	}
	if (process.env.TEST_KILLS) process.stderr.write(`${words.join(' ')}: killed ${times} times\n`);
	if (isOver) return;
	const ended = await run(folder, [...next(), '--json']);
	expect(ended).toMatchObject({code: 0});
	expect(JSON.parse(ended.stdout)).toMatchObject({done: keys.length, refused: 0});
}

describe.concurrent('killed at random moments and continued, with the same result as an undisturbed run', () => {
	test.each(isFull ? ['out.ndjson', 'out.ndjson.gz'] : ['out.ndjson.gz'])('export into %s', {
		timeout: 300_000,
	}, async name => {
		const folder = scratch();
		const words = ['kv', 'export', '--namespace-id', filled, '--output', name, '--yes'];
		await throughKills(folder, words);
		const bytes = readFileSync(join(folder, name));
		expect((name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString() === content).toBe(true);
		expect(readdirSync(folder).filter(file => file.startsWith('out'))).toEqual([name]);
	});

	test('export with the same command each time', {timeout: 300_000}, async () => {
		const folder = scratch();
		const out = join(folder, 'out.ndjson');
		const words = ['kv', 'export', '--namespace-id', filled, '--output', 'out.ndjson'];
		for (let times = 0; times < kills && !existsSync(out); times++) await killed(folder, words);
		if (!existsSync(out) || (jobIn(folder) ?? 'done') !== 'done')
			expect(await run(folder, words)).toMatchObject({code: 0});
		expect(readFileSync(out, 'utf8') === content).toBe(true);
		expect(existsSync(`${out}.part`)).toBe(false);
	});

	test.each(isFull ? ['remote to local', 'local to remote', 'import'] : ['local to remote', 'import'])('%s', {
		timeout: 300_000,
	}, async what => {
		const folder = scratch();
		writeFileSync(join(folder, 'in.ndjson'), content);
		const target = what === 'remote to local' ? 'local:there' : `remote:${await namespaceNamed(what)}`;
		if (what === 'local to remote') {
			const elsewhere = {cwd: folder, env: {LEDGE_STATE_DIR: join(folder, 'other')}};
			expect((await ledge(['kv', 'copy', 'file:in.ndjson', 'local:here'], elsewhere)).code).toBe(0);
		}
		const words = {
			'remote to local': ['kv', 'copy', `remote:${filled}`, target],
			'local to remote': ['kv', 'copy', 'local:here', target],
			import: ['kv', 'import', 'in.ndjson', '--namespace-id', target.slice('remote:'.length)],
		}[what];
		await throughKills(folder, words ?? []);
		const compared = await run(folder, ['kv', 'diff', 'file:in.ndjson', target, '--exit-code']);
		expect(compared).toMatchObject({code: 0, stderr: 'Identical: 3,000 keys.\n'});
	});
});
