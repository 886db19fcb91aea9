import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeEach, describe, expect, test} from 'vitest';
import {zoneIds} from '../../support/firewall.ts';
import {
	createScratchFolder,
	createVirtualClock,
	type EndedRun,
	ledge,
	type RunOptions,
} from '../../support/run.ts';
import {serveSimulator} from '../../support/serve-simulator.ts';

/** Deleting what does not exist succeeds, and says that it did not exist where that is known. */

let folder: string;

beforeEach(() => {
	folder = createScratchFolder();
});

const local = ['--local', '--namespace-id', 'N'];

const run = (words: readonly string[], options: RunOptions = {}): Promise<EndedRun> =>
	ledge(words, {cwd: folder, ...options});

const list = async (): Promise<unknown> => JSON.parse((await run(['kv', 'key', 'list', ...local])).stdout);

describe('local data', () => {
	const remove = (...words: string[]) => run(['kv', 'key', 'delete', ...words, ...local]);

	test('deleting an existing key is reported', async () => {
		await run(['kv', 'key', 'put', 'k', 'v', ...local]);
		const {code, stderr} = await remove('k');
		expect({code, stderr}).toEqual({code: 0, stderr: 'Deleted the key "k" in namespace N.\n'});
		await run(['kv', 'key', 'put', 'k', 'v', ...local]);
		const json = await remove('k', '--json');
		expect(JSON.parse(json.stdout)).toEqual({key: 'k', namespace: 'N', deleted: true});
	});

	test.each([
		['in a namespace without data', false],
		['in a namespace with other keys', true],
	])('deleting a missing key says that it did not exist, %s', async (_what, hasOtherKeys) => {
		if (hasOtherKeys) await run(['kv', 'key', 'put', 'other', 'v', ...local]);
		const {code, stderr, stdout} = await remove('never');
		expect({code, stdout}).toEqual({code: 0, stdout: ''});
		expect(stderr).toBe('The key "never" did not exist in namespace N.\n');
		const json = await remove('never', '--json');
		expect(json.code).toBe(0);
		expect(JSON.parse(json.stdout)).toEqual({key: 'never', namespace: 'N', deleted: false});
		expect(await list()).toEqual(hasOtherKeys ? [{name: 'other'}] : []);
	});

	test('deleting an expired key says that it did not exist', async () => {
		const clock = createVirtualClock();
		await run(['kv', 'key', 'put', 'k', 'v', '--ttl', '60', ...local], {clock});
		await clock.client.wait(61_000, new AbortController().signal);
		const {stderr} = await run(['kv', 'key', 'delete', 'k', ...local], {clock});
		expect(stderr).toContain('did not exist');
	});

	test('bulk delete counts the missing keys', async () => {
		writeFileSync(join(folder, 'entries.json'), '[{"key":"a","value":"1"},{"key":"b","value":"2"}]');
		writeFileSync(join(folder, 'keys.json'), '["a","b","c","d","e"]');
		const bulkDeleteWords = ['kv', 'bulk', 'delete', 'keys.json', '--yes', ...local];
		await run(['kv', 'bulk', 'put', 'entries.json', ...local]);
		expect((await run(bulkDeleteWords)).stderr).toMatch(
			/^Deleted 2 of 5 keys in namespace N \(3 did not exist\)\.$/m,
		);
		const {code, stdout} = await run([...bulkDeleteWords, '--json']);
		expect(code).toBe(0);
		expect(JSON.parse(stdout)).toMatchObject({entries: 5, done: 5, absent: 5, refused: 0});
		await run(['kv', 'bulk', 'put', 'entries.json', ...local]);
		writeFileSync(join(folder, 'keys.json'), '["a","b"]');
		expect((await run(bulkDeleteWords)).stderr).toMatch(/^Deleted 2 keys in namespace N\.$/m);
	});

	test('a key named twice is not counted as missing', async () => {
		await run(['kv', 'key', 'put', 'a', 'v', ...local]);
		writeFileSync(join(folder, 'keys.json'), '["a","a"]');
		const {stderr} = await run(['kv', 'bulk', 'delete', 'keys.json', '--yes', ...local]);
		expect(stderr).not.toContain('did not exist');
	});

	test('a dry run does not report results', async () => {
		const {stdout, stderr} = await remove('never', '--dry-run');
		expect(stdout).toContain('delete "never"');
		expect(stderr).toBe('');
	});
});

/** Creates a remote namespace, and returns the option that names it. */
async function createNamespace(options: RunOptions): Promise<readonly string[]> {
	const {stdout} = await run(['kv', 'namespace', 'create', 'own', '--json'], options);
	return ['--namespace-id', JSON.parse(stdout)[0].id];
}

describe('on the service', () => {
	test('deleting a key says that the service does not report whether it existed', async () => {
		await using service = await serveSimulator();
		const options = {env: service.env};
		const namespaceOption = await createNamespace(options);
		const {code, stderr} = await run(['kv', 'key', 'delete', 'never', ...namespaceOption], options);
		expect(code).toBe(0);
		expect(stderr).toMatch(/^Deleted the key "never" in namespace [0-9a-f]{32} \(if it existed\)\.\n$/);
		const json = await run(['kv', 'key', 'delete', 'never', ...namespaceOption, '--json'], options);
		expect(JSON.parse(json.stdout)).toMatchObject({key: 'never', deleted: true});
		writeFileSync(join(folder, 'keys.json'), '["never","nowhere"]');
		const bulk = await run(['kv', 'bulk', 'delete', 'keys.json', '--yes', ...namespaceOption], options);
		expect(bulk.code).toBe(0);
		expect(bulk.stderr).toMatch(/^Deleted 2 keys in namespace [0-9a-f]{32}, if they existed\.\n$/);
		const summary = await run(
			['kv', 'bulk', 'delete', 'keys.json', '--yes', ...namespaceOption, '--json'],
			options,
		);
		expect(JSON.parse(summary.stdout)).toMatchObject({done: 2, absent: null});
	});

	test('with the trash, which reads every key, a bulk delete says how many existed', async () => {
		await using service = await serveSimulator();
		const options = {env: service.env};
		const namespaceOption = await createNamespace(options);
		await run(['kv', 'key', 'put', 'here', 'v', ...namespaceOption], options);
		writeFileSync(join(folder, 'some.json'), '["here","nowhere"]');
		const {code, stderr} = await run(
			['kv', 'bulk', 'delete', 'some.json', '--yes', '--trash', ...namespaceOption],
			options,
		);
		expect(code).toBe(0);
		expect(stderr).toMatch(/^Deleted 1 of 2 keys in namespace [0-9a-f]{32} \(1 did not exist\)\.$/m);
	});

	test('keys that were just listed are deleted without saying "if it existed"', async () => {
		await using service = await serveSimulator();
		const options = {env: service.env};
		const namespaceOption = await createNamespace(options);
		await run(['kv', 'key', 'put', 'mine:1', 'v', ...namespaceOption], options);
		const {stderr} = await run(
			['kv', 'delete', '--prefix', 'mine:', '--confirm', '1', ...namespaceOption],
			options,
		);
		expect(stderr).toMatch(/^Deleted 1 key in namespace [0-9a-f]{32}\.$/m);
		const none = await run(
			['kv', 'delete', '--prefix', 'mine:', '--confirm', '0', ...namespaceOption],
			options,
		);
		expect(none).toMatchObject({code: 0, stderr: 'No matching keys; nothing was deleted.\n'});
	});

	test('a missing namespace is an error: a typo or the wrong account', async () => {
		await using service = await serveSimulator();
		const {code} = await run(['kv', 'namespace', 'delete', 'nope', '--yes'], {env: service.env});
		expect(code).toBe(3);
	});

	test.each([
		['rule', /^There is no rule f{32}/],
		['filter', /^There is no filter f{32}/],
	])('a missing %s is reported, and the deletion succeeds', async (what, says) => {
		await using service = await serveSimulator();
		const words = ['firewall', what, 'delete', 'f'.repeat(32), '--zone-id', zoneIds.enterprise, '--yes'];
		const {code, stderr} = await run(words, {env: service.env});
		expect(code).toBe(0);
		expect(stderr).toMatch(says);
		const json = await run([...words, '--json'], {env: service.env});
		expect(JSON.parse(json.stdout)).toMatchObject([{id: 'f'.repeat(32), deleted: false}]);
		expect(service.writes()).toEqual([]);
	});
});
