import {EventEmitter} from 'node:events';
import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {PassThrough} from 'node:stream';
import {setImmediate as turn} from 'node:timers/promises';
import {describe, expect, test} from 'vitest';
import {everyThirdUnlessFull} from '../support/full.ts';
import {createScratchFolder, ledge as ledgeProcess} from '../support/ledge.ts';
import {createVirtualClock, type RunOptions, ledge as runLedge} from '../support/run.ts';
import {serveSimulator} from '../support/serve-simulator.ts';

/** Creates a folder with the files that the sample commands read. */
function createSampleFolder(): string {
	const folder = createScratchFolder();
	writeFileSync(join(folder, 'wrangler.toml'), '[[kv_namespaces]]\nbinding = "CONFIG"\nid = "abc"\n');
	writeFileSync(join(folder, 'entries.json'), '[{"key":"a","value":"1"},{"key":"b","value":"2"}]');
	writeFileSync(join(folder, 'bad.json'), '[{"key":"a"}]');
	return folder;
}

const local = ['--local', '--binding', 'CONFIG'];

/** Groups of commands; those of a group run one after the other in one folder. */
const samples: readonly (readonly [what: string, ...commands: (readonly string[])[]])[] = [
	['the help', ['--help']],
	['the help of a group', ['kv']],
	['the help of a command', ['kv', 'key', 'put', '--help']],
	['the overview', []],
	['an unknown command', ['kv', 'kye']],
	['an unknown option', ['kv', 'key', 'get', '--nonsense']],
	['an unknown option, as JSON', ['kv', 'key', 'get', '--nonsense', '--json']],
	['the old form', ['kv:key', 'list', ...local]],
	[
		'local data',
		['kv', 'key', 'put', 'k', 'value', ...local],
		['kv', 'key', 'put', 'k2', '--path', '-', ...local],
		['kv', 'key', 'get', 'k', ...local],
		['kv', 'key', 'get', 'k2', ...local],
		['kv', 'key', 'list', ...local],
		['kv', 'key', 'get', 'none', ...local],
		['kv', 'key', 'delete', 'k', ...local],
	],
	[
		'bulk work',
		['kv', 'bulk', 'put', 'bad.json', ...local],
		['kv', 'bulk', 'put', 'entries.json', ...local, '--progress', 'json', '--dry-run'],
		['kv', 'bulk', 'put', 'none.json', ...local, '--json'],
		['kv', 'bulk', 'delete', 'entries.json', ...local],
		['jobs'],
	],
	[
		'the simulated service',
		['--simulate', 'kv', 'namespace', 'list'],
		['zones', '--simulate'],
		['whoami', '--simulate', '--json'],
		['firewall', 'rule', 'list', '--zone', 'example.com', '--simulate'],
	],
	['a relative state directory', ['zones', '--simulate', '--json'], ['config', '--json']],
	['no credential', ['kv', 'key', 'get', 'k', '--namespace-id', 'abc', '--account-id', 'one']],
	['an answer that is no', ['firewall', 'explain', 'ip.src eq']],
	['another working directory', ['config', '--cwd', '..']],
	['a folder that does not exist', ['config', '--cwd', 'none']],
	['a text that is not found', ['kv', 'search', 'none', ...local, '--verbose']],
];

/** Resolves when a run listens to signals. */
async function waitUntilListening(events: EventEmitter): Promise<void> {
	while (events.listenerCount('SIGHUP') === 0) await turn();
}

/** Replaces what differs between any two runs: folder, version and times. */
const normalizeOutput = (text: string, folder: string): string =>
	text
		.replaceAll(folder, 'FOLDER')
		.replace(/ledge \d\S*/, 'ledge VERSION')
		.replace(/"(rate|waitingSince)":[\d.]+/g, '"$1":N');

describe('a command in this process', () => {
	const table = samples.map(([what, ...commands]) => ({what, commands}));

	test.each(everyThirdUnlessFull(table))('$what: prints and returns the same as the built program', async ({
		what,
		commands,
	}) => {
		const results = [];
		for (const ledge of [runLedge, ledgeProcess]) {
			const cwd = createSampleFolder();
			const env = {LEDGE_STATE_DIR: what === 'a relative state directory' ? 'state' : join(cwd, 'state')};
			const outputs = [];
			for (const words of commands) {
				const {code, stdout, stderr} = await ledge(words, {cwd, env, input: 'from stdin'});
				outputs.push({
					words,
					code,
					stdout: normalizeOutput(stdout, cwd),
					stderr: normalizeOutput(stderr, cwd),
				});
			}
			results.push(outputs);
		}
		expect(results[0]).toEqual(results[1]);
	});

	test('shares nothing with a concurrent command', async () => {
		const runs = ['one', 'two', 'three'].map(async value => {
			const options = {cwd: createSampleFolder()};
			await runLedge(['kv', 'key', 'put', 'k', value, ...local], options);
			const got = await runLedge(['kv', 'key', 'get', 'k', '--text', ...local], options);
			const explained = await runLedge(
				['firewall', 'explain', value === 'two' ? 'nonsense' : 'ssl'],
				options,
			);
			return [got.stdout.trimEnd(), explained.code];
		});
		expect(await Promise.all(runs)).toEqual([
			['one', 0],
			['two', 1],
			['three', 0],
		]);
	});

	test('asks a person on a terminal', async () => {
		const options: RunOptions = {cwd: createSampleFolder()};
		await runLedge(['kv', 'bulk', 'put', 'entries.json', ...local], options);
		const remove = ['kv', 'bulk', 'delete', 'entries.json', ...local];
		const declined = await runLedge(remove, {...options, tty: true, input: 'n\n'});
		expect(declined.code).toBe(1);
		expect(declined.stderr).toContain('[y/N]');
		expect((await runLedge(remove, {...options, tty: true, input: 'y\n'})).code).toBe(0);
		expect((await runLedge(['kv', 'key', 'list', ...local], options)).stdout).toBe('[]\n');
	});

	test('uses the given clock', async () => {
		const options = {cwd: createSampleFolder(), clock: createVirtualClock(Date.UTC(2030, 0, 1))};
		await runLedge(['kv', 'key', 'put', 'k', 'v', '--ttl', '60', ...local], options);
		const {stdout} = await runLedge(['kv', 'key', 'list', ...local], options);
		expect(JSON.parse(stdout)).toEqual([{name: 'k', expiration: '2030-01-01T00:01:00Z'}]);
		await options.clock.client.wait(61_000, AbortSignal.timeout(1000));
		expect((await runLedge(['kv', 'key', 'list', ...local], options)).stdout).toBe('[]\n');
	});

	test('waits for the service on the given clock', async () => {
		await using service = await serveSimulator({faults: 'status=429 retry-after=300 times=1'});
		const clock = createVirtualClock();
		const before = clock.now();
		const {code, stderr} = await runLedge(['kv', 'namespace', 'list'], {env: service.env, clock});
		expect(code).toBe(0);
		expect(stderr).toContain('retrying (2 of 5) in 5 min');
		expect(clock.now() - before).toBeGreaterThanOrEqual(300_000);
		expect((await service.calls()).map(({status}) => status)).toContain(429);
		expect(service.writes()).toEqual([]);
	});

	test('stops at the first signal, and ends immediately at the second', async () => {
		const input = new PassThrough();
		const events = new EventEmitter();
		const running = runLedge(['kv', 'key', 'put', 'k', '--path', '-', ...local], {
			cwd: createSampleFolder(),
			events,
			input,
		});
		await waitUntilListening(events);
		events.emit('SIGINT');
		expect((await running).code).toBe(130);

		await using service = await serveSimulator({faults: 'hang'});
		const hangingEvents = new EventEmitter();
		const hanging = runLedge(['kv', 'namespace', 'list'], {
			env: service.env,
			events: hangingEvents,
		});
		await waitUntilListening(hangingEvents);
		hangingEvents.emit('SIGINT');
		hangingEvents.emit('SIGINT');
		expect((await hanging).code).toBe(130);
	});
});

describe('the process object', () => {
	/** The files that may use it: entry points, screens, and what concerns the real process. */
	const allowed = [
		'cli.ts',
		'complete.ts',
		'screens.tsx',
		'screens/run.tsx',
		'state/command-files.ts',
		'terminal/clipboard.ts',
		'terminal/controlling-terminal.ts',
		'terminal/end-process.ts',
		'terminal/full-screen.ts',
		'terminal/own-program.ts',
	];

	test('is used only by the host: streams, variables, folder, signals and exit code', () => {
		const source = join(import.meta.dirname, '../../source');
		const offenders = readdirSync(source, {recursive: true, encoding: 'utf8'})
			.filter(name => /\.tsx?$/.test(name) && !/^(build|release)\b/.test(name) && !allowed.includes(name))
			.filter(name =>
				/\bprocess\.(stdin|stdout|stderr|env|cwd|exit|exitCode|on|once|emit|ppid|argv)\b/.test(
					readFileSync(join(source, name), 'utf8'),
				),
			);
		expect(offenders).toEqual([]);
	});
});
