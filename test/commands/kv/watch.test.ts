import {EventEmitter} from 'node:events';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setImmediate as turn} from 'node:timers/promises';
import {describe, expect, test} from 'vitest';
import {normalizeSwitches} from '../../../source/commands/shell/normalize-switches.ts';
import {createInterruptedFailure} from '../../../source/failure.ts';
import type {HostClock} from '../../../source/host.ts';
import {openLocalStore} from '../../../source/kv/local/store.ts';
import type {KvStore} from '../../../source/kv/store.ts';
import {eventually} from '../../support/eventually.ts';
import {isAlive} from '../../support/is-alive.ts';
import {createScratchFolder, type EndedRun, ledge, type RunOptions} from '../../support/run.ts';

const {signal} = new AbortController();
const startTime = Date.UTC(2026, 10, 21, 3, 10);

type Step = (store: KvStore, interrupt: () => void) => unknown;

const put =
	(key: string, text: string, options: Parameters<KvStore['put']>[2] = {}): Step =>
	store =>
		store.put(key, Buffer.from(text), options, signal);

/**
 * Runs `kv watch` on a local namespace. The clock only advances by waits: each wait between two reads runs
 * the next step, and the one after the last step interrupts the command.
 */
async function watch(
	words: readonly string[],
	steps: readonly Step[],
	options: RunOptions = {},
): Promise<EndedRun> {
	const cwd = createScratchFolder();
	writeFileSync(join(cwd, 'wrangler.toml'), '[[kv_namespaces]]\nbinding = "DATA"\nid = "data"\n');
	let time = startTime;
	let stepIndex = 0;
	const now = () => time;
	using store = openLocalStore({root: join(cwd, '.wrangler/state/v3'), namespace: 'data', now});
	await store.put('flag', Buffer.from('off'), {}, signal);
	const events = new EventEmitter();
	const interrupt = () => events.emit('SIGINT');
	const clock: HostClock = {
		now,
		client: {
			now,
			elapsed: now,
			random: () => 0.5,
			scale: 1,
			async wait(milliseconds, waitSignal) {
				// That of --timeout ends by its time.
				const end = time + milliseconds;
				if (milliseconds > 60_000) while (time < end && !waitSignal.aborted) await turn();
				else {
					time += milliseconds;
					const step = steps[stepIndex++];
					if (step) await step(store, interrupt);
					else if (!words.includes('--timeout')) interrupt();
					await turn();
				}
				if (waitSignal.aborted) throw createInterruptedFailure();
			},
		},
	};
	return ledge(['kv', 'watch', '--binding', 'DATA', '--local', ...words], {
		cwd,
		clock,
		events,
		...options,
	});
}

describe('kv watch', () => {
	test('prints each change of a key with its sizes, until it is interrupted', async () => {
		const {stdout, stderr, code} = await watch(
			['flag'],
			[put('flag', 'on'), put('other', ''), store => store.delete('flag', signal)],
			{tty: true},
		);
		expect(stdout).toBe('03:10:05  ~ changed  flag  3 → 2 bytes\n03:10:15  - deleted  flag\n');
		expect(stderr).toContain('Watching "flag" in DATA every 5 s. Press ctrl-c to stop.');
		expect(code).toBe(130);
	});

	test('prints added and deleted keys with a prefix, and what else changed', async () => {
		const {stdout} = await watch(
			['--prefix=user:', '--values'],
			[
				put('user:1', 'a\n', {expiration: startTime / 1000 + 100}),
				put('user:1', 'a\n', {expiration: startTime / 1000 + 100, metadata: 'note'}),
				put('user:\n2', ''),
				...Array.from({length: 20}, () => () => {}),
			],
		);
		expect(stdout).toBe(
			[
				'03:10:05  + added    user:1  2 bytes',
				'03:10:10  ~ changed  user:1  2 bytes, metadata',
				'03:10:15  + added    user:\\n2  0 bytes',
				'03:11:40  - deleted  user:1  expired',
				'',
			].join('\n'),
		);
	});

	test('of local data sees a new value of any key without reading the values', async () => {
		const {stdout} = await watch(['--prefix', ''], [put('flag', 'on'), put('flag', 'off')]);
		expect(stdout).toBe('03:10:05  ~ changed  flag  3 → 2 bytes\n03:10:10  ~ changed  flag  2 → 3 bytes\n');
	});

	test('prints one object a line with --json', async () => {
		const {stdout, stderr} = await watch(
			['flag', '--json'],
			[
				put('flag', 'on', {metadata: {by: 'me'}, expiration: startTime / 1000 + 600}),
				store => store.delete('flag', signal),
			],
		);
		expect(
			stdout
				.trim()
				.split('\n')
				.map(line => JSON.parse(line)),
		).toEqual([
			{
				time: '2026-11-21T03:10:05.000Z',
				change: 'changed',
				key: 'flag',
				namespace: 'data',
				changed: ['value', 'metadata', 'expiration'],
				bytes: 2,
				previousBytes: 3,
				expiration: '2026-11-21T03:20:00Z',
				metadata: {by: 'me'},
				expired: false,
			},
			{
				time: '2026-11-21T03:10:10.000Z',
				change: 'deleted',
				key: 'flag',
				namespace: 'data',
				changed: [],
				bytes: null,
				previousBytes: 2,
				expiration: null,
				metadata: null,
				expired: false,
			},
		]);
		expect(stderr).toBe('');
	});

	test('stops after --count changes', async () => {
		const steps = [put('flag', 'on'), put('flag', 'off'), put('flag', 'on')];
		const {stdout, code} = await watch(['flag', '--count', '2', '--interval', '1s'], steps);
		expect(stdout.match(/changed/g)).toHaveLength(2);
		expect(code).toBe(0);
	});

	test.each([
		['', [], 0],
		[' before --count changes', ['--count', '5'], 1],
	])('--timeout%s ends it', async (_when, words, code) => {
		const ended = await watch(['flag', '--timeout', '2m', ...words], [put('flag', 'on')]);
		expect(ended.stdout).toBe('03:10:05  ~ changed  flag  3 → 2 bytes\n');
		expect(ended.stderr).toBe('');
		expect(ended.code).toBe(code);
	});

	test.each([
		['an interval below a second', ['flag', '--interval', '0s'], '--interval <span> takes'],
		['a key and a prefix', ['flag', '--prefix', 'f'], "KEY and --prefix can't be combined."],
		['a program without a name', ['flag', '--exec', ''], '--exec needs a program.'],
	])('refuses %s', async (_what, words, message) => {
		const {stderr, code} = await watch(words, []);
		expect(stderr).toContain(message);
		expect(code).toBe(2);
	});
});

/** A program that prints its arguments, its variables and its standard input. */
const printScript = `const {argv, env} = process;
const read = async () => {
	let text = '';
	for await (const piece of process.stdin) text += piece;
	console.log(JSON.stringify({args: argv.slice(1), key: env.LEDGE_KEY, change: env.LEDGE_CHANGE,
		namespace: env.LEDGE_NAMESPACE_ID, text, token: env.CLOUDFLARE_API_TOKEN ?? null, own: env.OWN}));
};
read();`;

describe('--exec', () => {
	const exec = (script: string, ...args: readonly string[]) => [
		'--exec',
		process.execPath,
		'-e',
		script,
		...args,
	];

	test('runs a program for each change, one at a time, with the value and without credentials', async () => {
		const {stdout, stderr} = await watch(
			['--prefix', '', ...exec(printScript, '--', '--json', '$HOME', '--preview', 'false')],
			[
				async (...step) => {
					await put('a', 'one')(...step);
					await put('flag', 'on')(...step);
				},
				store => store.delete('a', signal),
			],
			{env: {CLOUDFLARE_API_TOKEN: 'top-secret-token', OWN: 'mine'}},
		);
		expect(stdout.match(/^\S+ {2}. \w+ +\w+/gm)).toEqual([
			'03:10:05  + added    a',
			'03:10:05  ~ changed  flag',
			'03:10:10  - deleted  a',
		]);
		const common = {
			args: ['--json', '$HOME', '--preview', 'false'],
			namespace: 'data',
			token: null,
			own: 'mine',
		};
		expect(
			stderr
				.trim()
				.split('\n')
				.map(line => JSON.parse(line)),
		).toEqual([
			{...common, key: 'a', change: 'added', text: 'one'},
			{...common, key: 'flag', change: 'changed', text: 'on'},
			{...common, key: 'a', change: 'deleted', text: ''},
		]);
	});

	test('a program that fails is reported, and sets the exit code in the end', async () => {
		const {stderr, code} = await watch(
			[
				'flag',
				'--count',
				'2',
				...exec('process.exit(env.LEDGE_CHANGE === "deleted" ? 0 : 3)'.replace('env', 'process.env')),
			],
			[put('flag', 'on'), store => store.delete('flag', signal)],
		);
		expect(stderr).toBe(`warning: ${process.execPath} exited with 3 for the key "flag".\n`);
		expect(code).toBe(1);
	});

	test('its output is made safe, and cut', async () => {
		const {stderr} = await watch(
			['flag', '--count', '1', ...exec('process.stdout.write("\\x1b[31m" + "x".repeat(100_000))')],
			[put('flag', 'on')],
		);
		expect(stderr.startsWith('\\x1b[31mxxx')).toBe(true);
		expect(stderr).not.toContain('\x1b');
		expect(stderr.match(/x+/g)?.at(-1)?.length).toBeLessThan(65_536);
		expect(stderr).toContain('was cut after 65536 bytes.');
	});

	/** A program that starts another one in the background, and how to read the ids of both. */
	function createProgramGroup(end: string) {
		const file = join(createScratchFolder(), 'ids');
		const script = `sleep 1000 & echo $$ $! > ${file}.new; mv ${file}.new ${file}; ${end}`;
		const readIds = () => readFileSync(file, 'utf8').trim().split(' ').map(Number);
		return {command: ['--exec', 'sh', '-c', script], readIds};
	}

	test('an interrupt ends the program with all that it started', async () => {
		const {command, readIds} = createProgramGroup('wait');
		const {code} = await watch(
			['flag', ...command],
			[
				async (store, interrupt) => {
					await put('flag', 'on')(store, interrupt);
					void eventually(readIds).then(interrupt);
				},
			],
		);
		expect(code).toBe(130);
		await eventually(() => expect(readIds().filter(isAlive)).toEqual([]));
	});

	test('what a program leaves behind continues, and is not waited for', async () => {
		const {command, readIds} = createProgramGroup('');
		const {code} = await watch(['flag', '--count', '1', ...command], [put('flag', 'on')]);
		const [, leftId = 0] = readIds();
		expect([code, isAlive(leftId)]).toEqual([0, true]);
		process.kill(leftId);
	});

	test('a ledge that the program starts writes nothing if this one does not', async () => {
		const {stderr} = await watch(
			['flag', '--count', '1', '--read-only', ...exec('console.log(process.env.LEDGE_READ_ONLY)')],
			[put('flag', 'on')],
		);
		expect(stderr).toBe('1\n');
	});

	test('a program that does not exist ends the watch', async () => {
		const {stderr, code} = await watch(['flag', '--exec', './none'], [put('flag', 'on')]);
		expect(stderr).toContain('The program "./none" could not be started.');
		expect(code).toBe(1);
	});

	test('a key whose name no variable can hold is skipped', async () => {
		const {stderr} = await watch(
			['--prefix', 'nul', '--count', '1', ...exec(printScript)],
			[put('nul\0', 'x')],
		);
		expect(stderr).toContain('contains a NUL byte');
		expect(stderr).not.toContain('"args"');
	});

	test('takes all words after it as they are', () => {
		expect(
			normalizeSwitches(['kv', 'watch', '--preview', 'false', '--exec', 'p', '--preview', 'false', '--']),
		).toEqual(['kv', 'watch', '--no-preview', '--exec=p', '--exec=--preview', '--exec=false', '--exec=--']);
		expect(normalizeSwitches(['kv', 'key', 'get', '--exec', 'p'])).toEqual([
			'kv',
			'key',
			'get',
			'--exec',
			'p',
		]);
	});
});
