import {once} from 'node:events';
import {existsSync, readdirSync, writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {eventually} from '../../support/eventually.ts';
import {ledge as process, scratch, startLedge} from '../../support/ledge.ts';
import {ledge, virtualClock} from '../../support/run.ts';
import {type ServedSimulator, serveSimulator} from '../../support/serve-simulator.ts';

const count = 600;
const keys = Array.from({length: count}, (_, at) => ({
	key: `k${String(at).padStart(4, '0')}`,
	...(at % 50 === 0 ? {value: '/wA=', base64: true} : {value: `value ${at}`}),
	...(at % 7 === 0 && {metadata: {at}}),
	...(at % 11 === 0 && {expiration: 4_000_000_000 + at}),
}));
const content = keys.map(entry => `${JSON.stringify(entry)}\n`).join('');

let service: ServedSimulator;
let folder: string;
let namespace: string;

const run = (words: readonly string[]) =>
	ledge(words, {cwd: folder, env: service.env, clock: virtualClock(Date.now())});

beforeAll(async () => {
	service = await serveSimulator();
});

beforeEach(async () => {
	folder = scratch();
	await service.setFaults('');
	const title = `made-${Math.random().toString(36).slice(2)}`;
	const {stdout} = await run(['kv', 'namespace', 'create', title, '--no-prefix', '--json']);
	namespace = (JSON.parse(stdout) as {id: string}[])[0]?.id ?? '';
	writeFileSync(join(folder, 'in.ndjson'), content);
	expect(await run(['kv', 'import', 'in.ndjson', '--namespace-id', namespace])).toMatchObject({code: 0});
});

const exported = async () => (await run(['kv', 'export', '--namespace-id', namespace])).stdout;

const state = () => join(folder, '.local/state/ledge');

const filesOfTrash = (): readonly string[] => {
	const trash = join(state(), 'trash');
	return existsSync(trash)
		? readdirSync(trash, {recursive: true, encoding: 'utf8'}).map(name => basename(name))
		: [];
};

/** Deletes all keys in a process of its own, which is killed behind so many calls; the next one would never get its answer. */
async function deletedUntil(
	path: string,
	after: number,
	signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL',
): Promise<string> {
	const deletion = ['kv', 'delete', '--namespace-id', namespace, '--all', '--confirm', String(count)];
	const before = (await service.calls()).length;
	const arrived = async () =>
		(await service.calls()).slice(before).filter(call => call.path.includes(path)).length;
	// Small bodies, so that a deletion takes several calls; one that is too large is counted, too.
	await service.setFaults(`hang path=${path} after=${after}; max-body=700 path=/bulk/delete`);
	const child = startLedge([...deletion, '--concurrency', '1'], {cwd: folder, env: service.env});
	let said = '';
	child.stderr?.on('data', piece => {
		said += piece;
	});
	await eventually(async () => {
		expect(await arrived()).toBe(after);
		expect(filesOfTrash()).toContain(path === '/bulk/delete' ? 'about.json' : 'keys.ndjson.part');
	});
	child.kill(signal);
	await once(child, 'close');
	await service.setFaults('');
	return said;
}

const batches = async () =>
	JSON.parse((await run(['kv', 'trash', 'list', '--json'])).stdout) as {id: string; keys: number}[];

describe('a killed deletion', () => {
	test.each([0, 1, 5])('deletes and leaves nothing if killed while reading keys, at call %d', {
		timeout: 60_000,
	}, async after => {
		await deletedUntil('/bulk/get', after);
		expect(readdirSync(join(state(), 'trash')).length).toBeGreaterThan(0);
		expect(await exported()).toBe(content);
		expect(await batches()).toEqual([]);
		expect(readdirSync(join(state(), 'trash')).filter(name => !name.includes('.lock'))).toEqual([]);
	});

	test.each([0, 3, 4, 7])('can be fully restored if killed while deleting, at call %d', {
		timeout: 60_000,
	}, async after => {
		await deletedUntil('/bulk/delete', after);
		const [batch, ...others] = await batches();
		expect(batch?.keys).toBe(count);
		expect(others).toEqual([]);
		const id = batch?.id ?? '';
		expect(await run(['kv', 'trash', 'restore', id])).toMatchObject({code: 0});
		expect(await exported()).toBe(content);
		expect(await batches()).toEqual([]);
	});

	test('can be fully restored after being stopped and resumed', {timeout: 60_000}, async () => {
		const said = await deletedUntil('/bulk/delete', 5, 'SIGTERM');
		const [, job = ''] = /`ledge jobs resume (\w+)` resumes the rest/.exec(said) ?? [];
		const [, id = ''] = /`ledge kv trash restore (\w+)` restores the deleted keys/.exec(said) ?? [];
		expect((await batches()).map(batch => batch.id)).toEqual([id]);
		expect((await exported()).length).toBeLessThan(content.length);
		const resumed = await run(['jobs', 'resume', job]);
		expect(resumed).toMatchObject({code: 0, stderr: expect.stringContaining(`ledge kv trash restore ${id}`)});
		expect(await exported()).toBe('');
		expect(await run(['kv', 'trash', 'restore', id])).toMatchObject({code: 0});
		expect(await exported()).toBe(content);
	});
});

test('a killed restore can be resumed and restores everything', {timeout: 60_000}, async () => {
	const deletion = ['kv', 'delete', '--namespace-id', namespace, '--all', '--confirm', String(count)];
	expect(await run(deletion)).toMatchObject({code: 0});
	const [{id} = {id: ''}] = await batches();
	const before = (await service.calls()).length;
	const puts = async () =>
		(await service.calls())
			.slice(before)
			.filter(({method, path}) => method === 'PUT' && path.endsWith('/bulk')).length;
	await service.setFaults('hang method=PUT path=/bulk after=5; max-body=5000 method=PUT path=/bulk');
	const words = ['kv', 'trash', 'restore', id];
	const child = startLedge([...words, '--concurrency', '1'], {cwd: folder, env: service.env});
	await eventually(async () => expect(await puts()).toBe(5));
	child.kill('SIGKILL');
	await once(child, 'close');
	await service.setFaults('');
	expect((await exported()).length).toBeLessThan(content.length);
	expect(await process(words, {cwd: folder, env: service.env})).toMatchObject({code: 0});
	expect(await exported()).toBe(content);
});

describe.each([
	['put', 'PUT', ['kv', 'key', 'put', 'k0007', 'after']],
	['delete', 'DELETE', ['kv', 'key', 'delete', 'k0007']],
] as const)('kv key %s killed', (_verb, method, words) => {
	/** Ends the process by SIGKILL once the trash has a file of this name, while the call never gets its answer. */
	async function killedAt(fault: string, file: string): Promise<void> {
		await service.setFaults(`hang ${fault}`);
		const child = startLedge([...words, '--trash', '--namespace-id', namespace], {
			cwd: folder,
			env: service.env,
		});
		await eventually(() => expect(filesOfTrash()).toContain(file));
		child.kill('SIGKILL');
		await once(child, 'close');
		await service.setFaults('');
	}

	test('changes nothing and leaves nothing while reading the key', {timeout: 60_000}, async () => {
		await killedAt('path=/bulk/get', 'keys.ndjson.part');
		expect(await exported()).toBe(content);
		expect(await batches()).toEqual([]);
		expect(readdirSync(join(state(), 'trash')).filter(name => !name.includes('.lock'))).toEqual([]);
	});

	test('has the old value in the trash before the answer arrives', {timeout: 60_000}, async () => {
		await killedAt(`method=${method} path=/values/k0007`, 'about.json');
		const [batch, ...others] = await batches();
		expect(batch?.keys).toBe(1);
		expect(others).toEqual([]);
		// Nobody knows whether it was done: it may have been.
		expect(await run([...words, '--namespace-id', namespace])).toMatchObject({code: 0});
		expect(await run(['kv', 'trash', 'restore', batch?.id ?? '', '--overwrite'])).toMatchObject({code: 0});
		expect(await exported()).toBe(content);
	});
});
