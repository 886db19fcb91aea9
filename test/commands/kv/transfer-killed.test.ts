import {existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {gunzipSync} from 'node:zlib';
import {beforeAll, describe, expect, test} from 'vitest';
import {isFull} from '../../support/full.ts';
import {createScratchFolder, ledge, startLedge} from '../../support/ledge.ts';
import {drawRandomShare} from '../../support/random-kills.ts';
import {type RunningService, startService} from '../../support/service.ts';

/** How often each transfer is killed: twice, and twenty times in `npm run test:full`. */
const kills = process.env.TEST_KILLS ? 20 : 2;
/** Milliseconds from the start of a process within which it is killed. */
const killSpanMs = 2000;
const latencyMs = process.env.TEST_KILLS ? 250 : 60;

const entries = Array.from({length: 3000}, (_, at) => ({
	key: `k${String(at).padStart(5, '0')}`,
	...(at % 500 === 0 ? {value: '/wA=', base64: true} : {value: `value ${at}`}),
	...(at % 7 === 0 && {metadata: {at}}),
	...(at % 11 === 0 && {expiration: 4_000_000_000 + at}),
}));
const content = entries.map(entry => `${JSON.stringify(entry)}\n`).join('');

let service: RunningService;
let filledNamespace: string;
beforeAll(async () => {
	service = await startService();
	filledNamespace = await createNamespace('filled');
	const folder = createScratchFolder();
	writeFileSync(join(folder, 'in.ndjson'), content);
	expect(await run(folder, ['kv', 'import', 'in.ndjson', '--namespace-id', filledNamespace])).toMatchObject({
		code: 0,
	});
	// Many small batches offer more moments for a kill than one large batch.
	await service.setFaults(`latency=${latencyMs} path=/bulk; max-body=20000 path=/bulk method=PUT`);
});

const run = (cwd: string, words: readonly string[]) => ledge(words, {cwd, env: service.env});

async function createNamespace(title: string): Promise<string> {
	const {stdout} = await run(createScratchFolder(), [
		'kv',
		'namespace',
		'create',
		title,
		'--no-prefix',
		'--json',
	]);
	return (JSON.parse(stdout) as {id: string}[])[0]?.id ?? '';
}

/** The job of a folder: undefined if killed before it had a journal, `done` if it ended before the kill. */
function findJob(folder: string): string | 'done' | undefined {
	const jobs = join(folder, '.local/state/ledge/jobs');
	const names = existsSync(jobs) ? readdirSync(jobs).filter(name => name.endsWith('.ndjson')) : [];
	expect(names.length).toBeLessThanOrEqual(1);
	const [name] = names;
	if (name === undefined) return undefined;
	const isDone = readFileSync(join(jobs, name), 'utf8').includes('"type":"done"');
	return isDone ? 'done' : name.replace('.ndjson', '');
}

/** Runs a process and kills it at a random moment. False if it had ended before that. */
async function runAndKill(cwd: string, words: readonly string[]): Promise<boolean> {
	const child = startLedge([...words, '--concurrency', '1'], {cwd, env: service.env});
	let output = '';
	child.stderr?.on('data', piece => {
		output += piece;
	});
	const timer = setTimeout(() => child.kill('SIGKILL'), drawRandomShare() * killSpanMs);
	const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>(done =>
		child.on('close', (...exit) => done(exit)),
	);
	clearTimeout(timer);
	if (signal !== 'SIGKILL') expect(code, output).toBe(0);
	return signal === 'SIGKILL';
}

/** Kills a transfer several times, resuming it each time, and at last lets it end. */
async function transferThroughKills(folder: string, words: readonly string[]): Promise<void> {
	const getNextWords = () => {
		const job = findJob(folder);
		return job === undefined ? words : ['jobs', 'resume', job];
	};
	let [killCount, isOver] = [0, false];
	while (!isOver && killCount < kills) {
		if (await runAndKill(folder, getNextWords())) killCount++;
		else isOver = true;
		isOver ||= findJob(folder) === 'done';
	}
	if (process.env.TEST_KILLS) process.stderr.write(`${words.join(' ')}: killed ${killCount} times\n`);
	if (isOver) return;
	const ended = await run(folder, [...getNextWords(), '--json']);
	expect(ended).toMatchObject({code: 0});
	expect(JSON.parse(ended.stdout)).toMatchObject({done: entries.length, refused: 0});
}

describe.concurrent('killed at random moments and continued, with the same result as an undisturbed run', () => {
	test.each(isFull ? ['out.ndjson', 'out.ndjson.gz'] : ['out.ndjson.gz'])('export into %s', {
		timeout: 300_000,
	}, async name => {
		const folder = createScratchFolder();
		const words = ['kv', 'export', '--namespace-id', filledNamespace, '--output', name, '--yes'];
		await transferThroughKills(folder, words);
		const bytes = readFileSync(join(folder, name));
		expect((name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString() === content).toBe(true);
		expect(readdirSync(folder).filter(file => file.startsWith('out'))).toEqual([name]);
	});

	test('export with the same command each time', {timeout: 300_000}, async () => {
		const folder = createScratchFolder();
		const out = join(folder, 'out.ndjson');
		const words = ['kv', 'export', '--namespace-id', filledNamespace, '--output', 'out.ndjson'];
		for (let attempt = 0; attempt < kills && !existsSync(out); attempt++) await runAndKill(folder, words);
		if (!existsSync(out) || (findJob(folder) ?? 'done') !== 'done')
			expect(await run(folder, words)).toMatchObject({code: 0});
		expect(readFileSync(out, 'utf8') === content).toBe(true);
		expect(existsSync(`${out}.part`)).toBe(false);
	});

	test.each(isFull ? ['remote to local', 'local to remote', 'import'] : ['local to remote', 'import'])('%s', {
		timeout: 300_000,
	}, async what => {
		const folder = createScratchFolder();
		writeFileSync(join(folder, 'in.ndjson'), content);
		const target = what === 'remote to local' ? 'local:there' : `remote:${await createNamespace(what)}`;
		if (what === 'local to remote') {
			// In another state directory, because `findJob` expects only the job of the killed transfer.
			const otherStateOptions = {cwd: folder, env: {LEDGE_STATE_DIR: join(folder, 'other')}};
			expect((await ledge(['kv', 'copy', 'file:in.ndjson', 'local:here'], otherStateOptions)).code).toBe(0);
		}
		const words = {
			'remote to local': ['kv', 'copy', `remote:${filledNamespace}`, target],
			'local to remote': ['kv', 'copy', 'local:here', target],
			import: ['kv', 'import', 'in.ndjson', '--namespace-id', target.slice('remote:'.length)],
		}[what];
		await transferThroughKills(folder, words ?? []);
		const compared = await run(folder, ['kv', 'diff', 'file:in.ndjson', target, '--exit-code']);
		expect(compared).toMatchObject({code: 0, stderr: 'Identical: 3,000 keys.\n'});
	});
});
