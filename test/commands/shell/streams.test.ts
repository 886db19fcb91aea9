import {spawn} from 'node:child_process';
import {beforeAll, describe, expect, test} from 'vitest';
import {ledge, plainEnvironment, program, scratch, startLedge} from '../../support/ledge.ts';
import {type RunningService, startService} from '../../support/service.ts';
import {runInTerminal} from '../../terminal/pseudo-terminal.ts';

let service: RunningService;
let namespace: string;

beforeAll(async () => {
	service = await startService();
	const made = await ledge(['kv', 'namespace', 'create', 'streams', '--no-prefix', '--json'], {
		env: service.env,
	});
	namespace = JSON.parse(made.stdout)[0].id;
});

/** Runs a line of a shell in which `ledge` is the built program. */
function shell(line: string): Promise<{code: number | null; stdout: string; stderr: string}> {
	const cwd = scratch();
	const child = spawn(
		'bash',
		['-c', `set -o pipefail; ledge() { "${process.execPath}" "${program}" "$@"; }; ${line}`],
		{
			cwd,
			env: plainEnvironment(cwd, {...service.env, LEDGE_TIME_SCALE: '0.05'}),
			stdio: ['ignore', 'pipe', 'pipe'],
		},
	);
	let stdout = '';
	let stderr = '';
	child.stdout.on('data', piece => {
		stdout += piece;
	});
	child.stderr.on('data', piece => {
		stderr += piece;
	});
	return new Promise(done => child.on('close', code => done({code, stdout, stderr})));
}

describe('streams that break', () => {
	test('a write goes on when nobody reads stderr any more', async () => {
		await service.setFaults('status=503 times=2 method=PUT');
		await shell(`ledge kv key put unread v --namespace-id ${namespace} --verbose 2> >(head -c 1 >/dev/null)`);
		await service.setFaults('');
		expect(
			(await ledge(['kv', 'key', 'get', 'unread', '--namespace-id', namespace], {env: service.env})).stdout,
		).toBe('v');
	});

	test('a list whose reader has enough ends quietly', async () => {
		const {stdout, stderr} = await shell('ledge --simulate kv namespace list | head -n 1');
		expect(stdout).toBe('[\n');
		expect(stderr).toBe('');
	});

	test('a stdout that cannot be written is one message and exit 1', async () => {
		const {code, stderr} = await shell('ledge --simulate kv namespace list > /dev/full');
		expect(code).toBe(1);
		expect(stderr).toMatch(/^error: Standard output cannot be written\.\n.*\n$/);
	});
});

describe('ctrl-c', () => {
	test('ends a put that waits for standard input', async () => {
		const child = startLedge(['kv', 'key', 'put', 'k', '--path', '-', '--local', '--namespace-id', 'N']);
		// More than a pipe holds: once it is written, ledge is reading.
		child.stdin?.write(Buffer.alloc(1_000_000), () => child.kill('SIGINT'));
		expect(await new Promise(done => child.on('close', done))).toBe(130);
	});

	test('at a prompt is 130, and so is ctrl-d; neither deletes', async () => {
		for (const key of ['\u0003', '\u0004']) {
			const {code, output} = await runInTerminal(['kv', 'namespace', 'delete', '--namespace-id', namespace], {
				env: service.env,
				answers: [{when: '[y/N]', type: key}],
			});
			expect(code).toBe(130);
			expect(output).toMatch(/\n.*Interrupted/);
		}
		expect((await ledge(['kv', 'namespace', 'list'], {env: service.env})).stdout).toContain(namespace);
	});

	test('Enter at a prompt means no, which is exit 1', async () => {
		const {code} = await runInTerminal(['kv', 'namespace', 'delete', '--namespace-id', namespace], {
			env: service.env,
			answers: [{when: '[y/N]', type: '\r'}],
		});
		expect(code).toBe(1);
	});
});

describe('what is said', () => {
	test('values that look like options, or are too many, are not repeated', async () => {
		for (const words of [['-----BEGIN topsecret'], ['correct', 'topsecret', 'staple']]) {
			const {code, stderr} = await ledge([
				'kv',
				'key',
				'put',
				'k',
				...words,
				'--local',
				'--namespace-id',
				'N',
			]);
			expect(code).toBe(2);
			expect(stderr).not.toContain('topsecret');
		}
	});

	test('a line feed in a key forges no line of ours', async () => {
		const {stderr} = await ledge([
			'kv',
			'key',
			'put',
			'a\nerror: forged',
			'v',
			'--local',
			'--namespace-id',
			'N',
		]);
		expect(stderr).not.toMatch(/^error:/m);
		expect(stderr).toContain('a\\nerror: forged');
	});

	test('with --json every line of stderr is JSON, retries and warnings too', async () => {
		await service.setFaults('status=503 times=1 method=PUT');
		const {stdout, stderr} = await ledge(
			['kv', 'key', 'put', 'with space', 'v', '--namespace-id', namespace, '--json'],
			{
				env: {...service.env, LEDGE_TIME_SCALE: '0.01'},
			},
		);
		await service.setFaults('');
		for (const line of stderr.trimEnd().split('\n').filter(Boolean))
			expect(() => JSON.parse(line)).not.toThrow();
		expect(stderr).toContain('"warning"');
		expect(JSON.parse(stdout)).toMatchObject({key: 'with space', written: true});
	});
});

describe('words', () => {
	test('options stand before, between and behind the words of a command', async () => {
		const put = await ledge([
			'--json',
			'kv',
			'--verbose',
			'key',
			'put',
			'k',
			'v',
			'--local',
			'--namespace-id',
			'N',
		]);
		expect(JSON.parse(put.stdout)).toMatchObject({written: true});
	});

	test('help is there on every level, in every form', async () => {
		for (const words of [
			['help', 'kv', 'key'],
			['kv', 'help'],
			['kv', 'key', '--help'],
			['kv', 'key'],
			['kv', 'key', 'put', '--help'],
			['--help'],
		]) {
			const {code, stdout, stderr} = await ledge(words);
			expect({code, stderr}).toEqual({code: 0, stderr: ''});
			expect(stdout).toContain('Example:');
		}
	});

	test('the colon form works behind options, and a key of that name is only a key', async () => {
		const folder = scratch();
		const where = ['--local', '--persist-to', folder, '--namespace-id', 'N'];
		expect((await ledge(['kv', 'key', 'put', 'kv:key', 'v', ...where])).stderr).not.toContain('old form');
		const old = await ledge(['--cwd', folder, 'kv:key', 'get', 'kv:key', ...where]);
		expect(old.stdout).toBe('v');
		expect(old.stderr).toContain('old form');
	});
});
