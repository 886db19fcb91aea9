import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import {beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {jwtSample, pngSample} from '../../decoding/samples.ts';
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

describe('kv key get --decode', () => {
	const dataJson = '{"name":"Ada","id":9223372036854775807}';
	const put = (bytes: Uint8Array | string) =>
		ledge(['kv', 'key', 'put', 'it', '--path', '-', ...local], {cwd: folder, env: service.env, input: bytes});
	const get = (...words: string[]) => run('kv', 'key', 'get', 'it', ...words, ...local);

	test('prints what the encodings inside each other contain', async () => {
		await put(gzipSync(dataJson).toString('base64'));
		expect(await get('--decode')).toMatchObject({code: 0, stdout: dataJson});
		expect(await get('--decode=auto')).toMatchObject({code: 0, stdout: dataJson});
		expect(JSON.parse((await get('--decode', '--json')).stdout)).toMatchObject({
			value: dataJson,
			decoded: ['base64', 'gzip'],
			bytes: gzipSync(dataJson).toString('base64').length,
		});
	});

	test('never takes the key as an encoding', async () => {
		await put(dataJson);
		expect(await run('kv', 'key', 'get', '--decode', 'it', ...local)).toMatchObject({
			code: 0,
			stdout: dataJson,
		});
	});

	test('says that a signature is not verified', async () => {
		await put(jwtSample);
		const {code, stdout, stderr} = await get('--decode');
		expect(code).toBe(0);
		expect(JSON.parse(stdout)).toMatchObject({payload: {sub: 'ada'}});
		expect(stderr).toBe('Decoded JWT, signature not verified.\n');
	});

	test('prints a value without an encoding unchanged; a named encoding must fit', async () => {
		await put('hello');
		expect(await get('--decode')).toMatchObject({code: 0, stdout: 'hello', stderr: ''});
		expect(await get('--decode=gzip', '--json')).toMatchObject({code: 1, stdout: ''});
		expect((await get('--decode=gzip')).stderr).toContain("can't be decoded as gzip: it is damaged");
		expect((await get('--decode=rot13')).code).toBe(2);
		expect((await get('--decode', '--metadata')).stderr).toContain(
			"--metadata and --decode can't be combined",
		);
	});

	test('is sanitized on a terminal', async () => {
		await put(Buffer.from('\u001b[2Jhello, this is a text').toString('base64'));
		const {stdout} = await ledge(['kv', 'key', 'get', 'it', '--decode=base64', ...local], {
			cwd: folder,
			env: service.env,
			tty: true,
		});
		expect(stdout).toBe('\\x1b[2Jhello, this is a text\n');
	});

	test('writes a decoded value to a file', async () => {
		await put(gzipSync(dataJson));
		expect((await get('--decode', '--output', 'it.json')).code).toBe(0);
		expect(readFileSync(join(folder, 'it.json'), 'utf8')).toBe(dataJson);
	});

	test('prints an image as it is, however large', async () => {
		const huge = Buffer.from(pngSample);
		huge.writeUInt32BE(65_535, 16);
		await put(huge);
		expect(await get('--decode', '--output', 'it.png')).toMatchObject({code: 0});
		expect(readFileSync(join(folder, 'it.png'))).toEqual(huge);
	});
});

describe('kv key get --query', () => {
	const users = JSON.stringify({
		users: [
			{name: 'Ada', age: 36},
			{name: 'Bob', age: 28},
		],
	});
	const get = (...words: string[]) => run('kv', 'key', 'get', 'it', ...words, ...local);
	const put = (input: string | Uint8Array) =>
		ledge(['kv', 'key', 'put', 'it', '--path', '-', ...local], {cwd: folder, env: service.env, input});

	test('prints what the query finds; nothing exits with 1', async () => {
		await put(users);
		expect(await get('--query', 'users[?age > `30`].name')).toMatchObject({
			code: 0,
			stdout: '[\n  "Ada"\n]\n',
		});
		expect(await get('--query', 'users[7]')).toMatchObject({code: 1, stdout: '', stderr: ''});
		expect(JSON.parse((await get('--query', 'length(users)', '--json')).stdout)).toMatchObject({
			value: '2\n',
		});
	});

	test('names the column of a mistake, before anything is read', async () => {
		const {code, stderr} = await run('kv', 'key', 'get', 'absent', '--query', 'users[?age = `30`]', ...local);
		expect(code).toBe(2);
		expect(stderr).toContain('Column 12: compare with ==, not =.');
	});

	test('asks a decoded value with --decode', async () => {
		await put(gzipSync(users));
		expect((await get('--query', 'length(users)')).stderr).toContain('add --decode');
		expect(await get('--query', 'length(users)', '--decode')).toMatchObject({code: 0, stdout: '2\n'});
	});

	test('warns of numbers that it rounds', async () => {
		await put('{"id":9223372036854775807}');
		expect((await get('--query', 'id')).stderr).toContain('such as 9223372036854775807');
	});
});

describe('kv search --query', () => {
	const search = (...words: string[]) => run('kv', 'search', ...words, ...local);

	beforeEach(async () => {
		for (const [key, value] of [
			['ada', '{"age":36,"name":"Ada"}'],
			['bob', '{"age":28,"name":"Bob"}'],
			['text', 'age'],
		] as const)
			await run('kv', 'key', 'put', key, value, ...local);
	});

	test('prints what the query finds in each value, and only there', async () => {
		expect(await search('--query', 'age')).toMatchObject({code: 0, stdout: '"ada": 36\n"bob": 28\n'});
		expect((await search('--query', 'age > `30` && name')).stdout).toBe('"ada": "Ada"\n');
		expect(await search('--query', 'missing')).toMatchObject({code: 1, stdout: ''});
	});

	test('searches for a text only in values in which the query finds something', async () => {
		expect((await search('age', '--query', 'age < `30`')).stdout).toBe('"bob":1: {"age":28,"name":"Bob"}\n');
	});

	test('needs a text or a valid query', async () => {
		expect((await search()).stderr).toContain('Neither a text nor a query was given.');
		expect(await search('--query', 'a b')).toMatchObject({code: 2});
		expect((await search('a', '--names', '--query', 'a')).stderr).toContain(
			"--names and --query can't be combined",
		);
	});
});
