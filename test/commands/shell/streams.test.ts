import {spawn} from 'node:child_process';
import {beforeAll, describe, expect, test} from 'vitest';
import {
	createScratchFolder,
	createUnconfiguredEnvironment,
	ledge,
	program,
	startLedge,
} from '../../support/ledge.ts';
import {type RunningService, startService} from '../../support/service.ts';
import {runInTerminal} from '../../terminal/pseudo-terminal.ts';

let service: RunningService;
let namespace: string;

beforeAll(async () => {
	service = await startService();
	const created = await ledge(['kv', 'namespace', 'create', 'streams', '--no-prefix', '--json'], {
		env: service.env,
	});
	namespace = JSON.parse(created.stdout)[0].id;
});

/** Runs a line of a shell in which `ledge` is the built program. */
function runShell(line: string): Promise<{code: number | null; stdout: string; stderr: string}> {
	const cwd = createScratchFolder();
	const child = spawn(
		'bash',
		['-c', `set -o pipefail; ledge() { "${process.execPath}" "${program}" "$@"; }; ${line}`],
		{
			cwd,
			env: createUnconfiguredEnvironment(cwd, {...service.env, LEDGE_TIME_SCALE: '0.05'}),
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

describe('broken streams', () => {
	test('a write continues after stderr is closed', async () => {
		await service.setFaults('status=503 times=2 method=PUT');
		await runShell(
			`ledge kv key put unread v --namespace-id ${namespace} --verbose 2> >(head -c 1 >/dev/null)`,
		);
		await service.setFaults('');
		expect(
			(await ledge(['kv', 'key', 'get', 'unread', '--namespace-id', namespace], {env: service.env})).stdout,
		).toBe('v');
	});

	test('a list ends quietly if its reader stops', async () => {
		const {stdout, stderr} = await runShell('ledge --simulate kv namespace list | head -n 1');
		expect(stdout).toBe('[\n');
		expect(stderr).toBe('');
	});

	test('an unwritable stdout causes one message and exit code 1', async () => {
		const {code, stderr} = await runShell('ledge --simulate kv namespace list > /dev/full');
		expect(code).toBe(1);
		expect(stderr).toMatch(/^error: Can't write to standard output\.\n.*\n$/);
	});
});

describe('ctrl-c', () => {
	test('ends a put waiting for standard input', async () => {
		const child = startLedge(['kv', 'key', 'put', 'k', '--path', '-', '--local', '--namespace-id', 'N']);
		// More than a pipe holds: once it is written, ledge is reading.
		child.stdin?.write(Buffer.alloc(1_000_000), () => child.kill('SIGINT'));
		expect(await new Promise(done => child.on('close', done))).toBe(130);
	});

	test('at a prompt exits with 130, as does ctrl-d; neither deletes', async () => {
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

	test('differs from Enter at a prompt, which means no and exits with 1', async () => {
		const {code} = await runInTerminal(['kv', 'namespace', 'delete', '--namespace-id', namespace], {
			env: service.env,
			answers: [{when: '[y/N]', type: '\r'}],
		});
		expect(code).toBe(1);
	});
});

describe('messages', () => {
	test('do not repeat values that look like options or are too many', async () => {
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

	test('cannot be forged by a line feed in a key', async () => {
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

	test('with --json are JSON on every line of stderr, including retries and warnings', async () => {
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

describe('the words of a command', () => {
	test('can have options before, between and after them', async () => {
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

	test('have help on every level, in every form', async () => {
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

	test('can use the colon form after options, while a key with such a name is only a key', async () => {
		const folder = createScratchFolder();
		const localOptions = ['--local', '--persist-to', folder, '--namespace-id', 'N'];
		expect((await ledge(['kv', 'key', 'put', 'kv:key', 'v', ...localOptions])).stderr).not.toContain(
			'is deprecated',
		);
		const colonForm = await ledge(['--cwd', folder, 'kv:key', 'get', 'kv:key', ...localOptions]);
		expect(colonForm.stdout).toBe('v');
		expect(colonForm.stderr).toContain('is deprecated');
	});
});
