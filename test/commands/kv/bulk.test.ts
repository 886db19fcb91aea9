import {existsSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {startLedge} from '../../support/ledge.ts';
import {createScratchFolder, ledge} from '../../support/run.ts';
import {serveSimulator} from '../../support/serve-simulator.ts';
import type {RunningService} from '../../support/service.ts';
import {setUpTargets, type Target} from '../../support/targets.ts';

const targetGetters = setUpTargets();

for (const kind of ['local', 'remote'] as const) {
	describe(`kv bulk, ${kind}`, () => {
		let target: Target;
		beforeEach(async () => {
			target = await targetGetters[kind]().createNamespace();
		});

		test('put writes values, metadata, expiry and base64; get and delete take key names', async () => {
			const entries = [
				{key: 'text', value: 'hello'},
				{key: 'empty', value: ''},
				{key: 'bytes', value: '/wA=', base64: true},
				{key: 'full', value: '{"a":1}', metadata: {v: 1}, expiration: 2_000_000_000},
				{key: 'short', value: 'x', expiration_ttl: 600},
			];
			const put = await target.kv(['bulk', 'put', '-'], {input: JSON.stringify(entries)});
			expect(put).toMatchObject({code: 0, stdout: ''});
			expect(put.stderr).toBe(`Wrote 5 keys in namespace ${target.namespace}.\n`);

			const names = JSON.stringify([...entries.map(one => one.key), 'missing']);
			const got = await target.kv(['bulk', 'get', '-'], {input: names});
			expect(got).toMatchObject({code: 0, stderr: ''});
			expect(JSON.parse(got.stdout)).toEqual({
				text: 'hello',
				empty: '',
				bytes: {base64: '/wA='},
				full: '{"a":1}',
				short: 'x',
				missing: null,
			});
			expect(got.stdout).toBe(`${JSON.stringify(JSON.parse(got.stdout), null, 2)}\n`);
			const withMetadata = JSON.parse(
				(await target.kv(['bulk', 'get', '-', '--metadata'], {input: names})).stdout,
			);
			expect(withMetadata.full).toEqual({
				value: '{"a":1}',
				metadata: {v: 1},
				expiration: '2033-05-18T03:33:20Z',
			});
			expect(withMetadata.missing).toBeNull();

			expect((await target.kv(['bulk', 'delete', '-'], {input: names})).code).toBe(2);
			const deletion = await target.kv(['bulk', 'delete', '-', '--force'], {input: names});
			expect(deletion).toMatchObject({code: 0, stdout: ''});
			expect((await target.kv(['key', 'list'])).stdout).toBe('[]\n');
		});

		test('put reads NDJSON, and delete reads the output of key list', async () => {
			const lines = ['a', 'b', 'c'].map(key => JSON.stringify({key, value: key})).join('\n');
			expect((await target.kv(['bulk', 'put', '-'], {input: lines})).code).toBe(0);
			const listed = (await target.kv(['key', 'list', '--format', 'ndjson'])).stdout;
			expect((await target.kv(['bulk', 'delete', '-', '--yes'], {input: listed})).code).toBe(0);
			expect((await target.kv(['key', 'list'])).stdout).toBe('[]\n');
		});

		test('put accepts an empty array; one invalid entry stops all writes unless skipped', async () => {
			expect((await target.kv(['bulk', 'put', '-'], {input: '[]'})).code).toBe(0);
			const input = '[{"key":"good","value":"v"},\n{"key":"bad"}]';
			const refused = await target.kv(['bulk', 'put', '-'], {input});
			expect(refused).toMatchObject({code: 2, stdout: ''});
			expect(refused.stderr).toContain('entry 2');
			expect(refused.stderr).toContain('line 2');
			expect((await target.kv(['key', 'list'])).stdout).toBe('[]\n');
			const skipped = await target.kv(['bulk', 'put', '-', '--skip-invalid'], {input});
			expect(skipped.code).toBe(0);
			expect(skipped.stderr).toContain('1 skipped');
			expect(JSON.parse((await target.kv(['key', 'list'])).stdout)).toEqual([{name: 'good'}]);
		});

		test('put keeps the last value of a repeated key, and reports it', async () => {
			const entries = Array.from({length: 3000}, (_, index) => ({
				key: `k${index % 1500}`,
				value: String(index),
			}));
			const {code, stderr} = await target.kv(['bulk', 'put', '-', '--concurrency', '6'], {
				input: JSON.stringify(entries),
			});
			expect(code).toBe(0);
			expect(stderr).toContain('Repeated keys: 1500; the last entry for each wins');
			const got = JSON.parse(
				(await target.kv(['bulk', 'get', '-'], {input: '["k0","k1499","k700"]'})).stdout,
			);
			expect(got).toEqual({k0: '1500', k1499: '2999', k700: '2200'});
		});

		test('--json prints one summary object, --progress json one event per batch', async () => {
			const input = JSON.stringify(
				Array.from({length: 2500}, (_, index) => ({key: `k${index}`, value: 'v'})),
			);
			const {stdout, stderr} = await target.kv(['bulk', 'put', '-', '--json', '--progress', 'json'], {input});
			expect(JSON.parse(stdout)).toMatchObject({
				command: 'bulk-put',
				entries: 2500,
				done: 2500,
				refused: 0,
				skipped: 0,
				failedFile: null,
			});
			const events = stderr
				.trimEnd()
				.split('\n')
				.map(line => JSON.parse(line));
			const acknowledged = events.filter(one => one.event === 'acknowledged');
			expect(acknowledged.reduce((sum, one) => sum + one.entries, 0)).toBe(2500);
		});

		test('put --dry-run writes nothing and does not show values', async () => {
			const {code, stdout} = await target.kv(['bulk', 'put', '-', '--dry-run'], {
				input: '[{"key":"k","value":"the-value"}]',
			});
			expect(code).toBe(0);
			expect(stdout).toContain(kind === 'local' ? 'put 1 key, first "k"' : '/bulk');
			expect(stdout).not.toContain('the-value');
			expect((await target.kv(['key', 'list'])).stdout).toBe('[]\n');
		});
	});
}

describe('bulk put with a failing service', () => {
	let service: RunningService;
	let folder: string;
	let namespace: string;

	beforeAll(async () => {
		service = await serveSimulator();
	});

	beforeEach(async () => {
		folder = createScratchFolder();
		await service.setFaults('');
		const title = `bulk-${Math.random().toString(36).slice(2)}`;
		const {stdout} = await run(['kv', 'namespace', 'create', title, '--no-prefix', '--json']);
		namespace = JSON.parse(stdout)[0].id;
	});

	const run = (words: string[]) =>
		ledge(words, {cwd: folder, env: {...service.env, LEDGE_TIME_SCALE: '0.05'}});
	const put = (...words: string[]) =>
		run(['kv', 'bulk', 'put', 'in.json', '--namespace-id', namespace, ...words]);
	const writeInput = (count: number, value = 'v') =>
		writeFileSync(
			join(folder, 'in.json'),
			JSON.stringify(Array.from({length: count}, (_, index) => ({key: `key-${index}`, value}))),
		);
	const countKeys = async () =>
		JSON.parse((await run(['kv', 'key', 'list', '--namespace-id', namespace])).stdout).length;

	test('retries 2 rejected keys of 25,000, then reports them, exits with 1 and saves exactly them', async () => {
		writeInput(25_000);
		await service.setFaults('refuse-keys=key-7,key-24999');
		const ended = await put();
		expect(ended.code).toBe(1);
		expect(ended.stderr).toContain('key-7');
		expect(ended.stderr).toContain('key-24999');
		const bulkCalls = (await service.calls()).filter(call => call.path.endsWith('/bulk'));
		expect(bulkCalls.length).toBeGreaterThan(3);
		const file = join(folder, 'in.json.failed.ndjson');
		const failed = readFileSync(file, 'utf8')
			.trimEnd()
			.split('\n')
			.map(line => JSON.parse(line));
		expect(failed).toEqual([
			{key: 'key-7', value: 'v'},
			{key: 'key-24999', value: 'v'},
		]);
		expect(statSync(file).mode & 0o777).toBe(0o600);
		expect(await countKeys()).toBe(24_998);
		await service.setFaults('');
		expect(
			(await run(['kv', 'bulk', 'put', 'in.json.failed.ndjson', '--namespace-id', namespace])).code,
		).toBe(0);
		expect(await countKeys()).toBe(25_000);
	});

	test('does not overwrite an existing file of failed keys, and says so before sending', async () => {
		writeInput(10);
		writeFileSync(join(folder, 'in.json.failed.ndjson'), 'mine');
		await service.setFaults('refuse-keys=key-7');
		const ended = await put();
		expect(ended.code).toBe(2);
		expect(ended.stderr).toContain('in.json.failed.ndjson');
		expect(await countKeys()).toBe(0);
		expect(readFileSync(join(folder, 'in.json.failed.ndjson'), 'utf8')).toBe('mine');
	});

	test.each([
		['a 413', 'max-body=30000'],
		['a 524', 'status=524 path=/bulk times=3'],
	])('halves the batch after %s and continues', async (_name, faults) => {
		writeInput(3000);
		await service.setFaults(faults);
		expect(await put()).toMatchObject({code: 0});
		expect(await countKeys()).toBe(3000);
	});

	test('reports its progress after a failure, and the resume sends only the rest', async () => {
		writeInput(50_000);
		await service.setFaults('status=403 code=10037 path=/bulk after=2');
		const ended = await put('--concurrency', '1');
		expect(ended.code).toBe(4);
		expect(ended.stderr).toContain('20000 of 50000 entries are written');
		const id = /ledge jobs resume (\w+)/.exec(ended.stderr)?.[1] ?? '';
		expect((await run(['jobs'])).stdout).toMatch(new RegExp(`${id} +unfinished +20000 of 50000 +bulk put`));
		await service.setFaults('');
		const before = (await service.calls()).length;
		expect((await run(['jobs', 'resume', id])).code).toBe(0);
		expect((await service.calls()).slice(before).filter(call => call.path.endsWith('/bulk'))).toHaveLength(3);
		expect(await countKeys()).toBe(50_000);
		expect((await run(['jobs', '--json'])).stdout).toContain('"state": "done"');
		expect((await run(['jobs', 'resume', id])).code).toBe(2);
	});

	test('cannot be resumed with different input or on another service', async () => {
		writeInput(20_000);
		await service.setFaults('status=403 code=10037 path=/bulk after=1');
		const id = /ledge jobs resume (\w+)/.exec((await put('--concurrency', '1')).stderr)?.[1] ?? '';
		await service.setFaults('');
		const other = await ledge(['jobs', 'resume', id], {
			cwd: folder,
			env: {...service.env, CLOUDFLARE_API_BASE_URL: 'http://127.0.0.1:9/client/v4'},
		});
		expect(other.code).toBe(1);
		expect(other.stderr).toContain('belongs to');
		writeInput(20_001);
		const changed = await run(['jobs', 'resume', id]);
		expect(changed.code).toBe(1);
		expect(changed.stderr).toContain('has changed since the job started');
		expect((await run(['jobs', 'forget', id, '--yes'])).code).toBe(0);
		expect((await run(['jobs'])).stdout).toBe('No jobs.\n');
	});

	test('stops between batches on SIGINT with exit code 130, and can be resumed', async () => {
		writeInput(40_000);
		await service.setFaults('latency=300 path=/bulk');
		const child = startLedge(
			[
				'kv',
				'bulk',
				'put',
				'in.json',
				'--namespace-id',
				namespace,
				'--concurrency',
				'1',
				'--progress',
				'json',
			],
			{
				cwd: folder,
				env: service.env,
			},
		);
		let output = '';
		const code = await new Promise<number | null>(done => {
			child.stderr?.on('data', piece => {
				const before = output;
				output += piece;
				if (output.includes('"acknowledged"') && !before.includes('"acknowledged"')) child.kill('SIGINT');
			});
			child.on('close', done);
		});
		expect(code).toBe(130);
		expect(output).toContain('Interrupted');
		const id = /ledge jobs resume (\w+)/.exec(output)?.[1] ?? '';
		await service.setFaults('');
		expect((await run(['jobs', 'resume', id])).code).toBe(0);
		expect(await countKeys()).toBe(40_000);
	});

	test('keeps standard input for a resume with mode 0600, and removes it when done', async () => {
		await service.setFaults('status=403 code=10037 path=/bulk after=1');
		const input = JSON.stringify(
			Array.from({length: 20_000}, (_, index) => ({key: `key-${index}`, value: 'v'})),
		);
		const ended = await ledge(['kv', 'bulk', 'put', '-', '--namespace-id', namespace, '--concurrency', '1'], {
			cwd: folder,
			env: service.env,
			input,
		});
		const id = /ledge jobs resume (\w+)/.exec(ended.stderr)?.[1] ?? '';
		const {readdirSync} = await import('node:fs');
		const inputsFolder = join(folder, '.local/state/ledge/inputs');
		const [name] = readdirSync(inputsFolder);
		expect(statSync(join(inputsFolder, name ?? '')).mode & 0o777).toBe(0o600);
		await service.setFaults('');
		expect((await run(['jobs', 'resume', id])).code).toBe(0);
		expect(await countKeys()).toBe(20_000);
		expect(readdirSync(inputsFolder)).toEqual([]);
		expect(existsSync(join(folder, 'bulk-put.failed.ndjson'))).toBe(false);
	});
});
