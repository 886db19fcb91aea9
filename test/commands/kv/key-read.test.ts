import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {createScratchFolder, type EndedRun, ledge} from '../../support/run.ts';
import {serveSimulator} from '../../support/serve-simulator.ts';
import type {RunningService} from '../../support/service.ts';

let service: RunningService;
let folder: string;

beforeAll(async () => {
	service = await serveSimulator();
});

beforeEach(() => {
	folder = createScratchFolder();
});

const run = (...words: string[]): Promise<EndedRun> => ledge(words, {cwd: folder, env: service.env});
const local = ['--local', '--namespace-id', 'N'];

async function createFilledNamespace(count: number): Promise<string> {
	const [{id}] = JSON.parse(
		(await run('kv', 'namespace', 'create', `n-${count}`, '--no-prefix', '--json')).stdout,
	);
	const entries = Array.from({length: count}, (_, index) => ({
		key: `k${String(index).padStart(5, '0')}`,
		value: 'v',
	}));
	const {code} = await ledge(['kv', 'bulk', 'put', '-', '--namespace-id', id], {
		cwd: folder,
		env: service.env,
		input: JSON.stringify(entries),
	});
	expect(code).toBe(0);
	return id;
}

describe('kv key list', () => {
	test('stays empty after put refuses an expiration beyond the range of dates', async () => {
		const put = await run('kv', 'key', 'put', 'far', 'v', '--expiration', '99999999999999', ...local);
		expect(put).toMatchObject({code: 2});
		expect(put.stderr).toContain('this one is 99999999999999');
		expect((await run('kv', 'key', 'list', ...local)).stdout).toBe('[]\n');
	});

	test('prints an expiration in the far future in full', async () => {
		await run('kv', 'key', 'put', 'far', 'v', '--expiration', '1001800000000', ...local);
		const [entry] = JSON.parse((await run('kv', 'key', 'list', ...local)).stdout);
		expect(entry).toEqual({name: 'far', expiration: '+033715-10-12T09:46:40Z'});
	});

	test('--json prints nothing on stdout if a later page fails', async () => {
		const id = await createFilledNamespace(1100);
		const words = ['kv', 'key', 'list', '--namespace-id', id];
		try {
			await service.setFaults('status=403 after=1 path=/keys');
			expect((await run(...words, '--json')).stdout).toBe('');
		} finally {
			await service.setFaults('');
		}
		expect(JSON.parse((await run(...words, '--json')).stdout)).toHaveLength(1100);
	});

	test('--json with --format table is wrong use', async () => {
		const refused = await run('kv', 'key', 'list', ...local, '--json', '--format', 'table');
		expect(refused).toMatchObject({code: 2, stdout: ''});
		expect(JSON.parse(refused.stderr).error.code).toBe('usage');
	});

	test('--limit below 10 gives a cursor for local data, and a note about more keys for the service', async () => {
		for (const key of ['a', 'b', 'c']) await run('kv', 'key', 'put', key, 'v', ...local);
		const first = await run('kv', 'key', 'list', '--limit', '2', ...local);
		expect(JSON.parse(first.stdout)).toEqual([{name: 'a'}, {name: 'b'}]);
		const cursor = /^next: --cursor (\S+)$/m.exec(first.stderr)?.[1] ?? '';
		expect(JSON.parse((await run('kv', 'key', 'list', '--cursor', cursor, ...local)).stdout)).toEqual([
			{name: 'c'},
		]);

		const id = await createFilledNamespace(12);
		const cut = await run('kv', 'key', 'list', '--limit', '2', '--namespace-id', id);
		expect(JSON.parse(cut.stdout)).toHaveLength(2);
		expect(cut.stderr).toContain('There are more keys');
		expect((await run('kv', 'key', 'list', '--limit', '12', '--namespace-id', id)).stderr).toBe('');
	});
});

describe('kv key get --output', () => {
	beforeEach(async () => {
		await run('kv', 'key', 'put', 'k', 'value', ...local);
	});

	test('with --json describes the written file', async () => {
		const {stdout, stderr} = await run('kv', 'key', 'get', 'k', '--output', 'f', '--json', ...local);
		expect(JSON.parse(stdout)).toEqual({key: 'k', bytes: 5, file: 'f'});
		expect(stderr).toBe('');
		expect(readFileSync(join(folder, 'f'), 'utf8')).toBe('value');
	});

	test('with --metadata is wrong use, and writes no file', async () => {
		const refused = await run('kv', 'key', 'get', 'k', '--output', 'f', '--metadata', ...local);
		expect(refused).toMatchObject({code: 2, stdout: ''});
		expect(refused.stderr).toContain('--metadata');
		expect(existsSync(join(folder, 'f'))).toBe(false);
	});

	test('- means standard output, not a file with that name', async () => {
		expect((await run('kv', 'key', 'get', 'k', '-o', '-', ...local)).stdout).toBe('value');
		expect(existsSync(join(folder, '-'))).toBe(false);
		expect((await run('kv', 'key', 'get', 'k', '-o', '-', '--json', ...local)).code).toBe(2);
	});
});
