import {existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeEach, describe, expect, test} from 'vitest';
import {createScratchFolder, type EndedRun, ledge, type RunOptions} from '../../support/run.ts';

/** A local namespace exists once it has data; one that the configuration names is empty until then. */

let folder: string;

const run = (words: readonly string[], options: RunOptions = {}): Promise<EndedRun> =>
	ledge(words, {cwd: folder, ...options});

/** Puts a key into a local namespace, by its id. */
const fill = (id: string): Promise<EndedRun> =>
	run(['kv', 'key', 'put', 'k', 'v', '--local', '--namespace-id', id]);

beforeEach(async () => {
	folder = createScratchFolder();
	writeFileSync(
		join(folder, 'wrangler.toml'),
		'[[kv_namespaces]]\nbinding = "CONFIG"\nid = "0123"\npreview_id = "4567"\n[[kv_namespaces]]\nbinding = "LOCAL"\n',
	);
	await fill('SESSIONS');
	writeFileSync(join(folder, 'file.ndjson'), '{"key":"k","value":"v"}\n');
	writeFileSync(join(folder, 'entries.json'), '[{"key":"k","value":"v"}]');
});

const getNamespaceOptions = (id: string) => ['--local', '--namespace-id', id];

describe('reading from a missing local namespace', () => {
	const readers: readonly (readonly string[])[] = [
		['kv', 'copy', 'local:SESION', 'local:SESSIONS'],
		['kv', 'copy', 'local:SESION', 'file:out'],
		['kv', 'copy', 'local:SESION', 'file:out', '--dry-run'],
		['kv', 'diff', 'local:SESION', 'local:SESSIONS'],
		['kv', 'diff', 'local:SESSIONS', 'local:SESION'],
		['kv', 'diff', 'file:file.ndjson', 'local:SESION', '--exit-code'],
		['kv', 'export', ...getNamespaceOptions('SESION')],
		['kv', 'export', ...getNamespaceOptions('SESION'), '--output', 'out'],
		['kv', 'export', ...getNamespaceOptions('SESION'), '--dry-run'],
		['kv', 'search', 'x', ...getNamespaceOptions('SESION')],
		['kv', 'search', 'x', '--namespace-id', 'SESION', '--json'],
	];

	test.each(
		readers.map(words => ({words, what: words.slice(1).join(' ')})),
	)('$what: exits with 3 and suggests the intended name', async ({words}) => {
		const {code, stdout, stderr} = await run(words, {env: {LEDGE_TARGET: 'local'}});
		expect({code, stdout}).toEqual({code: 3, stdout: ''});
		expect(stderr).toContain('SESION');
		expect(stderr).toMatch(/Did you mean \\?"SESSIONS\\?"\?/);
		expect(existsSync(join(folder, 'out'))).toBe(false);
	});

	test('is reported as JSON as well', async () => {
		const {stderr} = await run(['kv', 'export', ...getNamespaceOptions('SESION'), '--json']);
		expect(JSON.parse(stderr).error).toMatchObject({code: 'namespace_not_found'});
	});

	test('in another folder is reported with that folder', async () => {
		mkdirSync(join(folder, 'other'));
		const {code, stderr} = await run(['kv', 'diff', 'local:SESSIONS', 'local:SESSIONS@other']);
		expect(code).toBe(3);
		expect(stderr).toContain(join(folder, 'other'));
		expect(stderr).not.toContain('Did you mean');
	});

	test('is reported even if the configuration is unreadable', async () => {
		writeFileSync(join(folder, 'wrangler.toml'), '[[kv_namespaces]]\nbinding = \n');
		expect((await run(['kv', 'export', ...getNamespaceOptions('SESION')])).code).toBe(3);
	});

	test('lists no keys, with a note on a terminal', async () => {
		const list = await run(['kv', 'key', 'list', ...getNamespaceOptions('SESION')]);
		expect(list).toMatchObject({code: 0, stdout: '[]\n', stderr: ''});
		const onTerminal = await run(['kv', 'key', 'list', ...getNamespaceOptions('SESION')], {tty: true});
		expect(onTerminal).toMatchObject({code: 0, stdout: '[]\n'});
		expect(onTerminal.stderr).toMatch(
			/^There is no local namespace "SESION" in .*\. Did you mean "SESSIONS"\?$/m,
		);
		const got = await run(['kv', 'key', 'get', 'k', ...getNamespaceOptions('SESION'), '--verbose']);
		expect(got.code).toBe(3);
		expect(got.stderr).toContain('Did you mean "SESSIONS"?');
	});
});

describe('a configured namespace is empty until it has data', () => {
	const readers: readonly (readonly string[])[] = [
		['kv', 'key', 'list', '--local', '--binding', 'CONFIG'],
		['kv', 'export', '--local', '--binding', 'CONFIG'],
		['kv', 'export', '--local', '--binding', 'CONFIG', '--preview'],
		['kv', 'export', '--local', '--binding', 'LOCAL'],
		['kv', 'export', ...getNamespaceOptions('0123')],
		['kv', 'export', ...getNamespaceOptions('4567')],
		['kv', 'diff', 'local:CONFIG', 'local:LOCAL'],
		['kv', 'diff', 'local:0123', 'local:4567'],
		['kv', 'copy', 'local:CONFIG', 'local:SESSIONS'],
	];

	test.each(readers.map(words => ({words, what: words.slice(1).join(' ')})))('$what', async ({words}) => {
		const {code, stderr} = await run(words);
		expect(code, stderr).toBe(0);
		expect(stderr).not.toContain('no local namespace');
	});

	test('a first write to it prints no note', async () => {
		const {code, stderr} = await run(['kv', 'copy', 'local:SESSIONS', 'local:CONFIG']);
		expect(code).toBe(0);
		expect(stderr).not.toContain('new');
	});
});

describe('creating a local namespace by writing', () => {
	const getWriteCommands = (name: string): readonly (readonly string[])[] => [
		['kv', 'copy', 'local:SESSIONS', `local:${name}`],
		['kv', 'copy', 'local:SESSIONS', `local:${name}`, '--dry-run'],
		['kv', 'key', 'put', 'k', 'v', ...getNamespaceOptions(name)],
		['kv', 'bulk', 'put', 'entries.json', ...getNamespaceOptions(name)],
		['kv', 'import', 'file.ndjson', ...getNamespaceOptions(name)],
	];

	test.each(
		getWriteCommands('SESION').map(words => ({words, what: words.slice(1).join(' ')})),
	)('is reported with the name probably meant: $what', async ({words}) => {
		const {code, stderr} = await run(words);
		expect(code, stderr).toBe(0);
		expect(stderr).toMatch(
			/^warning: The local namespace "SESION" is new in .*\. Did you mean "SESSIONS"\?$/m,
		);
		if (words.includes('--dry-run')) return;
		expect((await run(words)).stderr).not.toContain('is new');
	});

	test.each(
		getWriteCommands('orders').map(words => ({words, what: words.slice(1).join(' ')})),
	)('is reported on a terminal without a similar name: $what', async ({words}) => {
		expect((await run(words, {tty: true})).stderr).toMatch(/^The local namespace "orders" is new in /m);
	});

	test.each(
		getWriteCommands('orders').map(words => ({words, what: words.slice(1).join(' ')})),
	)('is not reported to a script without a similar name: $what', async ({words}) => {
		expect((await run(words)).stderr).not.toContain('is new');
	});

	test('suggests a similar binding as well', async () => {
		const {stderr} = await run(['kv', 'copy', 'local:SESSIONS', 'local:CONFG']);
		expect(stderr).toContain('Did you mean "CONFIG"?');
	});

	test('does not happen when deleting from a missing namespace', async () => {
		const {code, stderr} = await run([
			'kv',
			'key',
			'delete',
			'k',
			...getNamespaceOptions('SESION'),
			'--verbose',
		]);
		expect(code).toBe(0);
		expect(stderr).not.toContain('is new');
		expect(stderr).toContain('There is no local namespace "SESION"');
	});
});
