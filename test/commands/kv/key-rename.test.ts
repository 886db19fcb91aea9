import {join} from 'node:path';
import {beforeAll, describe, expect, test} from 'vitest';
import {openLocalStore} from '../../../source/kv/local/store.ts';
import {
	createScratchFolder,
	createVirtualClock,
	type EndedRun,
	ledge,
	type RunOptions,
} from '../../support/run.ts';
import {type ServedSimulator, serveSimulator} from '../../support/serve-simulator.ts';
import {setUpTargets, type Target} from '../../support/targets.ts';

const targetGetters = setUpTargets();

const readMetadata = async (target: Target, key: string) =>
	JSON.parse((await target.kv(['key', 'get', key, '--json', '--metadata'])).stdout) as object;

const listNames = async (target: Target) =>
	(JSON.parse((await target.kv(['key', 'list'])).stdout) as {name: string}[]).map(({name}) => name);

for (const kind of ['local', 'remote'] as const) {
	describe(`kv key rename and copy, ${kind}`, () => {
		let target: Target;
		beforeAll(async () => {
			target = await targetGetters[kind]().createNamespace();
		});

		test('keep the value, metadata and expiry', async () => {
			await target.kv(['key', 'put', 'a', 'hello', '--metadata', '{"v":1}', '--expiration', '4000000000']);
			const before = await readMetadata(target, 'a');
			const renamed = await target.kv(['key', 'rename', 'a', 'b/ü']);
			expect(renamed).toMatchObject({code: 0, stdout: ''});
			expect(renamed.stderr).toBe(`Renamed "a" to "b/ü" (5 bytes) in namespace ${target.namespace}.\n`);
			expect(await readMetadata(target, 'b/ü')).toEqual({...before, key: 'b/ü'});
			expect(await listNames(target)).toEqual(['b/ü']);
			const copied = await target.kv(['key', 'copy', 'b/ü', 'c', '--json']);
			expect(JSON.parse(copied.stdout)).toEqual({
				from: 'b/ü',
				to: 'c',
				namespace: target.namespace,
				bytes: 5,
				written: true,
				deleted: false,
				overwritten: false,
			});
			expect(await readMetadata(target, 'c')).toEqual({...before, key: 'c'});
			expect((await target.kv(['key', 'copy', 'b/ü', 'c'])).stderr).toContain(
				'is already identical to "b/ü"',
			);
			// What an interrupted rename leaves is completed without --overwrite.
			expect((await target.kv(['key', 'rename', 'b/ü', 'c'])).stderr).toContain('"c" was already identical.');
			expect(await listNames(target)).toEqual(['c']);
		});

		test('show an existing key with the new name, and replace it only with --overwrite', async () => {
			const freshTarget = await target.createNamespace();
			await freshTarget.kv(['key', 'put', 'one', '1']);
			await freshTarget.kv(['key', 'put', 'two', 'other', '--metadata', '{"v":2}']);
			const refused = await freshTarget.kv(['key', 'rename', 'one', 'two']);
			expect(refused.code).toBe(1);
			expect(refused.stderr).toContain('The key "two" already exists with different content.');
			expect(refused.stderr).toContain('It has 5 bytes, metadata {"v":2}, no expiration.');
			expect(await listNames(freshTarget)).toEqual(['one', 'two']);
			expect((await freshTarget.kv(['key', 'rename', 'one', 'two', '--overwrite'])).code).toBe(0);
			expect(await readMetadata(freshTarget, 'two')).toMatchObject({bytes: 1, metadata: null});
			const repeated = await freshTarget.kv(['key', 'rename', 'one', 'two']);
			expect(repeated.code).toBe(3);
			expect(repeated.stderr).toContain('The key "two" exists: the rename may already be done.');
		});

		test('refuse invalid names before anything is written', async () => {
			const freshTarget = await target.createNamespace();
			await freshTarget.kv(['key', 'put', 'one', '1']);
			const getExitCode = async (...words: string[]) => (await freshTarget.kv(['key', ...words])).code;
			expect(await getExitCode('rename', 'one', 'one')).toBe(2);
			expect(await getExitCode('rename', 'one', '..')).toBe(2);
			expect(await getExitCode('rename', 'one', 'x'.repeat(513))).toBe(2);
			expect(await getExitCode('rename', 'never', 'new')).toBe(3);
			expect(await getExitCode('copy', 'never', 'new')).toBe(3);
			expect(await getExitCode('rename', 'one', 'two', '--read-only')).toBe(2);
			expect(await listNames(freshTarget)).toEqual(['one']);
			const planned = await freshTarget.kv(['key', 'rename', 'one', 'two', '--dry-run']);
			expect(planned.code).toBe(0);
			expect(planned.stdout).toMatch(kind === 'local' ? /put "two", 1 byte.*delete "one"/s : /PUT.*DELETE/s);
			expect(await listNames(freshTarget)).toEqual(['one']);
		});
	});
}

test('a key that expires in less than a minute is not renamed', async () => {
	const folder = createScratchFolder();
	using store = openLocalStore({root: join(folder, '.wrangler/state/v3'), namespace: 'N'});
	const expiration = Math.floor(Date.now() / 1000) + 50;
	await store.put('k', Buffer.from('v'), {expiration}, new AbortController().signal);
	const words = ['kv', 'key', 'rename', 'k', 'l', '--local', '--namespace-id', 'N'];
	const refused = await ledge(words, {cwd: folder});
	expect(refused.code).toBe(2);
	expect(refused.stderr).toMatch(/The key expires in \d\d s\./);
	expect(refused.stderr).toContain('The service accepts no expiration less than 60 s away');
});

describe('kv key rename with a failing service', () => {
	let service: ServedSimulator;
	let namespace = '';
	beforeAll(async () => {
		service = await serveSimulator();
		const {stdout} = await ledge(['kv', 'namespace', 'create', 'renaming', '--no-prefix', '--json'], {
			env: service.env,
		});
		namespace = (JSON.parse(stdout) as {id: string}[])[0]?.id ?? '';
	});

	const run = (words: readonly string[], options: RunOptions = {}): Promise<EndedRun> =>
		ledge(['kv', 'key', ...words, '--namespace-id', namespace], {
			env: service.env,
			clock: createVirtualClock(Date.now()),
			...options,
		});
	const readValue = async (key: string) => (await run(['get', key])).stdout;

	test.each([
		['the answer to the write is lost', 'lost-answer method=PUT times=1'],
		['the answers to all writes are lost', 'lost-answer method=PUT; lost-answer method=DELETE'],
		[
			'writes take effect and are answered with 500',
			'late-status=500 method=PUT; late-status=502 method=DELETE',
		],
	])('%s: the rename succeeds after reading back', async (what, faults) => {
		await run(['put', what, 'kept']);
		await service.setFaults(faults);
		const ended = await run(['rename', what, `${what}, renamed`]);
		await service.setFaults('');
		expect(ended).toMatchObject({code: 0});
		expect(await readValue(`${what}, renamed`)).toBe('kept');
		expect((await run(['get', what])).code).toBe(3);
	});

	test.each([
		[
			'a write that never arrives',
			'status=500 method=PUT',
			1,
			'"b" may have been written; "a" is unchanged.',
		],
		['a refused write', 'status=400 code=10022 method=PUT', 1, 'Nothing was changed: "a" is as before.'],
		[
			'a deletion that never arrives',
			'status=500 method=DELETE',
			1,
			'"b" was written; "a" may have been deleted.',
		],
		['a refused deletion', 'status=403 code=10000 method=DELETE', 4, '"b" and "a" have the same content.'],
	])('%s leaves the key, and repeating the command completes the rename', async (_what, faults, code, expectedMessage) => {
		await run(['put', 'a', 'kept']);
		await service.setFaults(faults);
		const ended = await run(['rename', 'a', 'b']);
		await service.setFaults('');
		expect(ended.code).toBe(code);
		expect(ended.stderr).toContain(expectedMessage);
		expect(await readValue('a')).toBe('kept');
		expect((await run(['rename', 'a', 'b'])).code).toBe(0);
		expect(await readValue('b')).toBe('kept');
		expect((await run(['delete', 'b'])).code).toBe(0);
	});
});
