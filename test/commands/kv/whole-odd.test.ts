import {execFileSync} from 'node:child_process';
import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {gunzipSync, gzipSync} from 'node:zlib';
import {beforeAll, describe, expect, test} from 'vitest';
import {createScratchFolder, type EndedRun, ledge} from '../../support/run.ts';
import {serveSimulator} from '../../support/serve-simulator.ts';
import type {RunningService} from '../../support/service.ts';

let service: RunningService;
let folder: string;
beforeAll(async () => {
	service = await serveSimulator();
	folder = createScratchFolder();
	write('in.ndjson', [
		{key: 'a', value: '1', expiration: 4_000_000_000},
		{key: 'b', value: '2'},
	]);
	await run(['kv', 'copy', 'file:in.ndjson', 'local:n']);
});

const run = (words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<EndedRun> =>
	ledge(words, {cwd: folder, env: {...service.env, ...env}});

const write = (name: string, entries: readonly object[]): void =>
	writeFileSync(join(folder, name), entries.map(entry => `${JSON.stringify(entry)}\n`).join(''));

const namespaceOptions = ['--local', '--namespace-id', 'n'];

describe('importing a truncated export', () => {
	test('is refused as damaged', async () => {
		const compressed = gzipSync(
			Array.from({length: 5000}, (_, at) => `{"key":"k${at}","value":"v"}\n`).join(''),
		);
		writeFileSync(join(folder, 'cut.gz'), compressed.subarray(0, compressed.length / 2));
		const ended = await run(['kv', 'import', 'cut.gz', ...namespaceOptions, '--json']);
		expect(ended.code).toBe(2);
		expect(JSON.parse(ended.stderr).error).toMatchObject({code: 'input_malformed'});
	});
});

describe('kv export', () => {
	test('never replaces a folder or a pipe, even when confirmed', async () => {
		mkdirSync(join(folder, 'folder'));
		execFileSync('mkfifo', [join(folder, 'pipe')]);
		for (const name of ['folder', 'pipe']) {
			const ended = await run(['kv', 'export', ...namespaceOptions, '--output', name, '--yes', '--json']);
			expect([ended.code, JSON.parse(ended.stderr).error.code]).toEqual([2, 'usage']);
		}
		expect(readdirSync(folder).filter(name => name.endsWith('.part'))).toEqual([]);
	});

	test.each(['empty.ndjson', 'empty.gz'])('of an empty namespace into %s is read as empty', async name => {
		const empty = ['--local', '--namespace-id', 'empty'];
		await run(['kv', 'key', 'put', 'k', 'v', ...empty]);
		await run(['kv', 'key', 'delete', 'k', ...empty]);
		expect(await run(['kv', 'copy', 'local:empty', `file:${name}`])).toMatchObject({code: 0});
		if (name.endsWith('.gz')) expect(gunzipSync(readFileSync(join(folder, name))).length).toBe(0);
		expect(await run(['kv', 'import', name, ...namespaceOptions])).toMatchObject({code: 0});
		const compared = await run(['kv', 'diff', `file:${name}`, 'local:empty']);
		expect(compared).toMatchObject({code: 0, stderr: 'Identical: 0 keys.\n'});
	});

	test('counts in a dry run, also as JSON', async () => {
		const ended = await run(['kv', 'copy', 'local:n', 'file:none', '--dry-run', '--json']);
		expect(JSON.parse(ended.stdout)).toEqual({command: 'export', done: 2, bytes: 2});
		expect(readdirSync(folder)).not.toContain('none');
	});

	test('that printed nothing because it failed cannot be imported', async () => {
		const ended = await ledge(['kv', 'import', '-', ...namespaceOptions], {cwd: folder, input: ''});
		expect(ended.code).toBe(2);
	});
});

describe('kv delete', () => {
	test.each(['-5', '2026-02-31', '4102444800000'])('refuses %j as a time', async time => {
		const ended = await run([
			'kv',
			'delete',
			...namespaceOptions,
			`--expiring-before=${time}`,
			'--json',
			'--dry-run',
		]);
		expect([ended.code, ended.stdout]).toEqual([2, '']);
	});

	test('refuses --all combined with filters', async () => {
		const ended = await run([
			'kv',
			'delete',
			...namespaceOptions,
			'--all',
			'--prefix',
			'a',
			'--confirm',
			'1',
		]);
		expect(ended.code).toBe(2);
		expect((await run(['kv', 'key', 'get', 'a', ...namespaceOptions])).stdout).toBe('1');
	});

	test('reports no matches in a dry run, or an empty list as JSON', async () => {
		const words = ['kv', 'delete', ...namespaceOptions, '--prefix', 'nothing', '--dry-run'];
		expect(await run(words)).toMatchObject({
			code: 0,
			stdout: '',
			stderr: 'No matching keys; nothing was deleted.\n',
		});
		expect((await run([...words, '--json'])).stdout).toBe('[]\n');
	});
});

describe('kv copy', () => {
	test('needs no file for failed keys in a dry run', async () => {
		writeFileSync(join(folder, 'mine.ndjson'), '');
		const words = ['kv', 'copy', 'local:n', 'local:x', '--failed', 'mine.ndjson'];
		expect(await run(words)).toMatchObject({code: 2});
		expect(await run([...words, '--dry-run'])).toMatchObject({code: 0});
	});

	test('saves failed keys to a new file if an earlier one exists', async () => {
		writeFileSync(join(folder, 'copy.failed.ndjson'), 'of the copy before');
		await service.setFaults('refuse-keys=a');
		const ended = await run(['kv', 'copy', 'local:n', 'remote:CONFIG', '--prefix', 'a'], {
			LEDGE_TIME_SCALE: '0.01',
		});
		await service.setFaults('');
		expect(ended).toMatchObject({code: 1, stderr: expect.stringContaining('copy.failed.2.ndjson')});
		expect(readFileSync(join(folder, 'copy.failed.ndjson'), 'utf8')).toBe('of the copy before');
		expect(JSON.parse(readFileSync(join(folder, 'copy.failed.2.ndjson'), 'utf8')).key).toBe('a');
	});

	test('prints the command to retry failed keys, including the namespace', async () => {
		await service.setFaults('refuse-keys=a');
		const words = ['kv', 'copy', 'local:n', 'remote:CONFIG', '--failed', 'refused.ndjson', '--prefix', 'a'];
		const ended = await run(words, {LEDGE_TIME_SCALE: '0.01'});
		await service.setFaults('');
		expect(ended.code).toBe(1);
		const match = /`ledge (kv import) (\S+)`.*(--namespace-id)/.exec(ended.stderr);
		const [, command = '', file = '', option = ''] = match ?? [];
		const imported = await run([...command.split(' '), file, '--local', option, 'again']);
		expect(imported.code).toBe(0);
		expect((await run(['kv', 'diff', 'local:again', 'local:n', '--prefix', 'a', '--exit-code'])).code).toBe(
			0,
		);
	});

	test('names the store whose credential was rejected', async () => {
		const env = {LEDGE_TO_CLOUDFLARE_API_TOKEN: 'wrong'};
		const ended = await run(['kv', 'diff', 'remote:CONFIG', 'remote:SESSIONS'], env);
		expect(ended.code).toBe(4);
		expect(ended.stderr).toContain('This was for remote:SESSIONS');
	});
});

describe('kv diff', () => {
	test('does not read standard input twice', async () => {
		const words = ['kv', 'diff', 'file:-', 'file:-'];
		const ended = await ledge(words, {cwd: folder, input: '{"key":"a","value":"1"}\n'});
		expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining('Both stores')]);
	});
});

describe('ledge jobs resume', () => {
	test('shows the job in a dry run and leaves it unchanged', async () => {
		write(
			'many.ndjson',
			Array.from({length: 300}, (_, at) => ({key: `k${at}`, value: 'v'})),
		);
		const created = await run(['kv', 'namespace', 'create', 'many', '--no-prefix', '--json']);
		const {id} = JSON.parse(created.stdout)[0];
		await run(['kv', 'import', 'many.ndjson', '--namespace-id', id]);
		await service.setFaults('status=403 code=10037 path=/bulk/get after=1');
		const words = ['kv', 'export', '--namespace-id', id, '--output', 'many.out', '--concurrency', '1'];
		expect((await run(words)).code).toBe(4);
		await service.setFaults('');
		const before = (await run(['jobs', '--json'])).stdout;
		const job = (JSON.parse(before) as {job: string; state: string}[]).find(
			one => one.state === 'unfinished',
		);
		const shown = await run(['jobs', 'resume', job?.job ?? '', '--dry-run']);
		expect(shown).toMatchObject({code: 0, stderr: ''});
		expect(shown.stdout).toContain('Would resume export');
		expect((await run(['jobs', '--json'])).stdout).toBe(before);
	});
});
