import {once} from 'node:events';
import {existsSync, readdirSync, writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {eventually} from '../../support/eventually.ts';
import {createScratchFolder, ledge as runProcess, startLedge} from '../../support/ledge.ts';
import {createVirtualClock, ledge} from '../../support/run.ts';
import {type ServedSimulator, serveSimulator} from '../../support/serve-simulator.ts';

const keyCount = 600;
const entries = Array.from({length: keyCount}, (_, at) => ({
	key: `k${String(at).padStart(4, '0')}`,
	...(at % 50 === 0 ? {value: '/wA=', base64: true} : {value: `value ${at}`}),
	...(at % 7 === 0 && {metadata: {at}}),
	...(at % 11 === 0 && {expiration: 4_000_000_000 + at}),
}));
const content = entries.map(entry => `${JSON.stringify(entry)}\n`).join('');

let service: ServedSimulator;
let folder: string;
let namespace: string;

const run = (words: readonly string[]) =>
	ledge(words, {cwd: folder, env: service.env, clock: createVirtualClock(Date.now())});

beforeAll(async () => {
	service = await serveSimulator();
});

beforeEach(async () => {
	folder = createScratchFolder();
	await service.setFaults('');
	const title = `made-${Math.random().toString(36).slice(2)}`;
	const {stdout} = await run(['kv', 'namespace', 'create', title, '--no-prefix', '--json']);
	namespace = (JSON.parse(stdout) as {id: string}[])[0]?.id ?? '';
	writeFileSync(join(folder, 'in.ndjson'), content);
	expect(await run(['kv', 'import', 'in.ndjson', '--namespace-id', namespace])).toMatchObject({code: 0});
});

const readExport = async () => (await run(['kv', 'export', '--namespace-id', namespace])).stdout;

const getStateFolder = () => join(folder, '.local/state/ledge');

const listTrashFiles = (): readonly string[] => {
	const trash = join(getStateFolder(), 'trash');
	return existsSync(trash)
		? readdirSync(trash, {recursive: true, encoding: 'utf8'}).map(name => basename(name))
		: [];
};

/**
 * Deletes all keys in a separate process, and kills it after `callCount` calls to `path`; the next call gets
 * no response. Returns what the process printed on stderr.
 */
async function killDeletion(
	path: string,
	callCount: number,
	signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL',
): Promise<string> {
	const deletion = ['kv', 'delete', '--namespace-id', namespace, '--all', '--confirm', String(keyCount)];
	const before = (await service.calls()).length;
	const countArrivedCalls = async () =>
		(await service.calls()).slice(before).filter(call => call.path.includes(path)).length;
	// Small bodies make a deletion take several calls; calls with too large a body count as well.
	await service.setFaults(`hang path=${path} after=${callCount}; max-body=700 path=/bulk/delete`);
	const child = startLedge([...deletion, '--concurrency', '1'], {cwd: folder, env: service.env});
	let output = '';
	child.stderr?.on('data', piece => {
		output += piece;
	});
	await eventually(async () => {
		expect(await countArrivedCalls()).toBe(callCount);
		expect(listTrashFiles()).toContain(path === '/bulk/delete' ? 'about.json' : 'keys.ndjson.part');
	});
	child.kill(signal);
	await once(child, 'close');
	await service.setFaults('');
	return output;
}

const listBatches = async () =>
	JSON.parse((await run(['kv', 'trash', 'list', '--json'])).stdout) as {id: string; keys: number}[];

describe('a killed deletion', () => {
	test.each([0, 1, 5])('deletes no keys and leaves no files if killed while reading keys, at call %d', {
		timeout: 60_000,
	}, async callCount => {
		await killDeletion('/bulk/get', callCount);
		expect(readdirSync(join(getStateFolder(), 'trash')).length).toBeGreaterThan(0);
		expect(await readExport()).toBe(content);
		expect(await listBatches()).toEqual([]);
		expect(readdirSync(join(getStateFolder(), 'trash')).filter(name => !name.includes('.lock'))).toEqual([]);
	});

	test.each([0, 3, 4, 7])('can be fully restored if killed while deleting, at call %d', {
		timeout: 60_000,
	}, async callCount => {
		await killDeletion('/bulk/delete', callCount);
		const [batch, ...others] = await listBatches();
		expect(batch?.keys).toBe(keyCount);
		expect(others).toEqual([]);
		const id = batch?.id ?? '';
		expect(await run(['kv', 'trash', 'restore', id])).toMatchObject({code: 0});
		expect(await readExport()).toBe(content);
		expect(await listBatches()).toEqual([]);
	});

	test('can be fully restored after being stopped and resumed', {timeout: 60_000}, async () => {
		const output = await killDeletion('/bulk/delete', 5, 'SIGTERM');
		const [, job = ''] = /`ledge jobs resume (\w+)` resumes the rest/.exec(output) ?? [];
		const [, id = ''] = /`ledge kv trash restore (\w+)` restores the deleted keys/.exec(output) ?? [];
		expect((await listBatches()).map(batch => batch.id)).toEqual([id]);
		expect((await readExport()).length).toBeLessThan(content.length);
		const resumed = await run(['jobs', 'resume', job]);
		expect(resumed).toMatchObject({code: 0, stderr: expect.stringContaining(`ledge kv trash restore ${id}`)});
		expect(await readExport()).toBe('');
		expect(await run(['kv', 'trash', 'restore', id])).toMatchObject({code: 0});
		expect(await readExport()).toBe(content);
	});
});

test('a killed restore can be resumed and restores everything', {timeout: 60_000}, async () => {
	const deletion = ['kv', 'delete', '--namespace-id', namespace, '--all', '--confirm', String(keyCount)];
	expect(await run(deletion)).toMatchObject({code: 0});
	const [{id} = {id: ''}] = await listBatches();
	const before = (await service.calls()).length;
	const countPuts = async () =>
		(await service.calls())
			.slice(before)
			.filter(({method, path}) => method === 'PUT' && path.endsWith('/bulk')).length;
	await service.setFaults('hang method=PUT path=/bulk after=5; max-body=5000 method=PUT path=/bulk');
	const words = ['kv', 'trash', 'restore', id];
	const child = startLedge([...words, '--concurrency', '1'], {cwd: folder, env: service.env});
	await eventually(async () => expect(await countPuts()).toBe(5));
	child.kill('SIGKILL');
	await once(child, 'close');
	await service.setFaults('');
	expect((await readExport()).length).toBeLessThan(content.length);
	expect(await runProcess(words, {cwd: folder, env: service.env})).toMatchObject({code: 0});
	expect(await readExport()).toBe(content);
});

describe.each([
	['put', 'PUT', ['kv', 'key', 'put', 'k0007', 'after']],
	['delete', 'DELETE', ['kv', 'key', 'delete', 'k0007']],
] as const)('kv key %s killed', (_verb, method, words) => {
	/** Kills the command once the trash has a file of this name; the call with the fault gets no response. */
	async function killWithTrashFile(fault: string, file: string): Promise<void> {
		await service.setFaults(`hang ${fault}`);
		const child = startLedge([...words, '--trash', '--namespace-id', namespace], {
			cwd: folder,
			env: service.env,
		});
		await eventually(() => expect(listTrashFiles()).toContain(file));
		child.kill('SIGKILL');
		await once(child, 'close');
		await service.setFaults('');
	}

	test('changes nothing and leaves no files while reading the key', {timeout: 60_000}, async () => {
		await killWithTrashFile('path=/bulk/get', 'keys.ndjson.part');
		expect(await readExport()).toBe(content);
		expect(await listBatches()).toEqual([]);
		expect(readdirSync(join(getStateFolder(), 'trash')).filter(name => !name.includes('.lock'))).toEqual([]);
	});

	test('has the old value in the trash before the response arrives', {timeout: 60_000}, async () => {
		await killWithTrashFile(`method=${method} path=/values/k0007`, 'about.json');
		const [batch, ...others] = await listBatches();
		expect(batch?.keys).toBe(1);
		expect(others).toEqual([]);
		// The outcome of the killed command is unknown, so it is repeated.
		expect(await run([...words, '--namespace-id', namespace])).toMatchObject({code: 0});
		expect(await run(['kv', 'trash', 'restore', batch?.id ?? '', '--overwrite'])).toMatchObject({code: 0});
		expect(await readExport()).toBe(content);
	});
});
