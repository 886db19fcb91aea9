import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	statSync,
	truncateSync,
	writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {PassThrough} from 'node:stream';
import {beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {runCommandLine as runLedge} from '../../../source/commands/run.ts';
import {eventually} from '../../support/eventually.ts';
import {
	createScratchFolder,
	createTestHost,
	createVirtualClock,
	type EndedRun,
	ledge,
	type RunOptions,
} from '../../support/run.ts';
import {type ServedSimulator, serveSimulator} from '../../support/serve-simulator.ts';

let service: ServedSimulator;
let folder: string;

beforeAll(async () => {
	service = await serveSimulator();
});
beforeEach(() => {
	folder = createScratchFolder();
});

const run = (words: readonly string[], {env, ...options}: RunOptions = {}): Promise<EndedRun> =>
	ledge(words, {
		cwd: folder,
		clock: createVirtualClock(Date.now()),
		env: {...service.env, ...env},
		...options,
	});

const getTrashFolder = () => join(folder, '.local/state/ledge/trash');
const listTrashFiles = (): string[] =>
	existsSync(getTrashFolder())
		? readdirSync(getTrashFolder(), {recursive: true, encoding: 'utf8'}).sort()
		: [];

type Batch = {id: string; keys: number; bytes: number; command: string; label: string; daysLeft: number};
const listBatches = async () => JSON.parse((await run(['kv', 'trash', 'list', '--json'])).stdout) as Batch[];
const getOnlyBatch = async (): Promise<Batch> => {
	const [batch, ...others] = await listBatches();
	if (!batch || others.length > 0) throw new TypeError(`${others.length + (batch ? 1 : 0)} batches.`);
	return batch;
};

const samples = [
	{key: 'a/b c', value: 'hello'},
	{key: 'binary', value: '/wA=', base64: true},
	{key: 'empty', value: ''},
	{key: 'expiring', value: 'x', expiration: 4_000_000_000},
	{key: 'meta', value: '{"a":1}', metadata: {owner: 'ann', list: [1, 2]}},
	{key: '\u{1f600}', value: '\ufffd'},
];

/** Creates a namespace with keys, and returns the options that name it. */
async function createFilledNamespace(
	kind: 'local' | 'remote',
	entries: readonly object[] = samples,
): Promise<readonly string[]> {
	const id = kind === 'local' ? 'here' : await createNamespace();
	const namespaceOptions = kind === 'local' ? ['--namespace-id', id, '--local'] : ['--namespace-id', id];
	writeFileSync(join(folder, 'in.ndjson'), entries.map(entry => `${JSON.stringify(entry)}\n`).join(''));
	expect(await run(['kv', 'import', 'in.ndjson', ...namespaceOptions])).toMatchObject({code: 0});
	return namespaceOptions;
}

async function createNamespace(): Promise<string> {
	const title = `made-${Math.random().toString(36).slice(2)}`;
	const {stdout} = await run(['kv', 'namespace', 'create', title, '--no-prefix', '--json']);
	return (JSON.parse(stdout) as {id: string}[])[0]?.id ?? '';
}

const readExport = async (namespaceOptions: readonly string[]) =>
	(await run(['kv', 'export', ...namespaceOptions])).stdout;
const listNames = async (namespaceOptions: readonly string[]) =>
	(JSON.parse((await run(['kv', 'key', 'list', ...namespaceOptions])).stdout) as {name: string}[]).map(
		({name}) => name,
	);

describe.each(['local', 'remote'] as const)('%s', kind => {
	test('keys removed by kv delete are restored byte for byte by the printed command', async () => {
		const namespaceOptions = await createFilledNamespace(kind);
		const before = await readExport(namespaceOptions);
		const deleted = await run(['kv', 'delete', '--all', '--confirm', '6', ...namespaceOptions]);
		expect(deleted).toMatchObject({code: 0});
		expect(await readExport(namespaceOptions)).toBe('');
		const {id, ...batch} = await getOnlyBatch();
		expect(batch).toMatchObject({
			keys: 6,
			command: 'kv delete',
			daysLeft: 7,
			bytes: Buffer.byteLength(before),
		});
		const [, printed = ''] = /within 7 days: ledge (.+)\n/.exec(deleted.stderr) ?? [];
		expect(printed).toBe(`kv trash restore ${id}`);
		const restored = await run(printed.split(' '));
		expect(restored).toMatchObject({code: 0, stderr: `Restored 6 keys into ${batch.label}.\n`});
		expect(await readExport(namespaceOptions)).toBe(before);
		expect(await run(['kv', 'trash'])).toMatchObject({code: 0, stdout: 'The trash is empty.\n'});
		expect(listTrashFiles()).toEqual([]);
	});

	test('ten thousand keys are deleted and restored', {timeout: 120_000}, async () => {
		const many = Array.from({length: 10_000}, (_, at) => ({key: `key-${at}`, value: `value ${at}`}));
		const namespaceOptions = await createFilledNamespace(kind, many);
		const before = await readExport(namespaceOptions);
		expect(
			await run(['kv', 'delete', '--prefix', 'key-', '--confirm', '10000', ...namespaceOptions]),
		).toMatchObject({
			code: 0,
		});
		expect(await readExport(namespaceOptions)).toBe('');
		const {id} = await getOnlyBatch();
		const restored = await run(['kv', 'trash', 'restore', id, '--json']);
		expect(JSON.parse(restored.stdout)).toMatchObject({restored: 10_000, kept: [], refused: 0});
		expect((await readExport(namespaceOptions)) === before).toBe(true);
	});

	test('kv bulk delete moves the existing keys of a file to the trash, and says so before asking', async () => {
		const namespaceOptions = await createFilledNamespace(kind);
		writeFileSync(join(folder, 'names.json'), JSON.stringify(['meta', 'none', 'empty', 'meta']));
		const words = ['kv', 'bulk', 'delete', 'names.json', ...namespaceOptions];
		const refused = await run(words);
		expect(refused).toMatchObject({
			code: 2,
			stderr: expect.stringContaining('They stay in the trash for 7 days.'),
		});
		expect(listTrashFiles()).toEqual([]);
		const before = await readExport(namespaceOptions);
		const deleted = await run([...words, '--yes', '--json']);
		const {id, keys, command} = await getOnlyBatch();
		expect({keys, command}).toEqual({keys: 2, command: 'kv bulk delete'});
		expect(JSON.parse(deleted.stdout)).toMatchObject({done: 4, trash: id});
		expect(await run(['kv', 'trash', 'restore', id])).toMatchObject({code: 0});
		expect(await readExport(namespaceOptions)).toBe(before);
	});

	test('in a script, kv key delete uses the trash on request, and kv delete can skip it', async () => {
		const namespaceOptions = await createFilledNamespace(kind);
		expect(await run(['kv', 'key', 'delete', 'empty', ...namespaceOptions])).toMatchObject({code: 0});
		expect(
			await run(['kv', 'delete', '--prefix', 'e', '--confirm', '1', '--no-trash', ...namespaceOptions]),
		).toMatchObject({
			code: 0,
			stderr: expect.not.stringContaining('restore'),
		});
		expect(listTrashFiles()).toEqual([]);
		const before = await readExport(namespaceOptions);
		const deleted = await run(['kv', 'key', 'delete', 'meta', '--trash', ...namespaceOptions]);
		const {id, keys, command} = await getOnlyBatch();
		expect({keys, command}).toEqual({keys: 1, command: 'kv key delete'});
		expect(deleted).toMatchObject({code: 0, stderr: expect.stringContaining(`ledge kv trash restore ${id}`)});
		expect(await run(['kv', 'trash', 'restore', id])).toMatchObject({code: 0});
		expect(await readExport(namespaceOptions)).toBe(before);
		const absent = await run(['kv', 'key', 'delete', 'none', '--trash', '--json', ...namespaceOptions]);
		expect(JSON.parse(absent.stdout)).toMatchObject({key: 'none', trash: null});
	});

	test('a key written again is left unchanged and named, and overwritten only on request', async () => {
		const namespaceOptions = await createFilledNamespace(kind);
		const before = await readExport(namespaceOptions);
		await run(['kv', 'delete', '--all', '--confirm', '6', ...namespaceOptions]);
		await run(['kv', 'key', 'put', 'meta', 'new', ...namespaceOptions]);
		const {id} = await getOnlyBatch();
		const restored = await run(['kv', 'trash', 'restore', id]);
		expect(restored.stderr).toContain('Already exists, left unchanged: "meta"');
		expect(restored.stderr).toContain('Restored 5 keys');
		const [, printed = ''] = /To replace it: ledge (.+)\n/.exec(restored.stderr) ?? [];
		expect(printed).toBe(`kv trash restore ${id} --overwrite`);
		expect((await run(['kv', 'key', 'get', 'meta', ...namespaceOptions])).stdout).toBe('new');
		const json = JSON.parse((await run(['kv', 'trash', 'restore', id, '--json'])).stdout);
		// Keys that exist with the same content count as restored.
		expect(json).toMatchObject({restored: 5, kept: ['meta'], id});
		expect(await run(printed.split(' '))).toMatchObject({code: 0});
		expect(await readExport(namespaceOptions)).toBe(before);
		expect(await listBatches()).toEqual([]);
	});

	test('a single key can be restored by name, and the rest stays in the trash', async () => {
		const namespaceOptions = await createFilledNamespace(kind);
		await run(['kv', 'delete', '--all', '--confirm', '6', ...namespaceOptions]);
		const {id} = await getOnlyBatch();
		expect(await run(['kv', 'trash', 'restore', id, '--key', 'meta'])).toMatchObject({code: 0});
		expect(await listNames(namespaceOptions)).toEqual(['meta']);
		expect(await run(['kv', 'trash', 'restore', id, '--key', 'none'])).toMatchObject({
			code: 2,
			stderr: expect.stringContaining(`The trash entry ${id} has no key "none".`),
		});
		expect((await getOnlyBatch()).keys).toBe(6);
	});

	test('a dry run changes neither the keys nor the trash', async () => {
		const namespaceOptions = await createFilledNamespace(kind);
		expect(await run(['kv', 'delete', '--all', '--dry-run', ...namespaceOptions])).toMatchObject({code: 0});
		expect(
			await run(['kv', 'key', 'delete', 'meta', '--trash', '--dry-run', ...namespaceOptions]),
		).toMatchObject({
			code: 0,
		});
		expect(listTrashFiles()).toEqual([]);
		await run(['kv', 'delete', '--all', '--confirm', '6', ...namespaceOptions]);
		const {id} = await getOnlyBatch();
		expect(await run(['kv', 'trash', 'restore', id, '--dry-run'])).toMatchObject({code: 0});
		expect(await run(['kv', 'trash', 'empty', '--dry-run'])).toMatchObject({code: 0});
		expect(await listNames(namespaceOptions)).toEqual([]);
		expect((await getOnlyBatch()).keys).toBe(6);
	});

	test('keys deleted by a copy also go to the trash', async () => {
		const namespaceOptions = await createFilledNamespace(kind);
		writeFileSync(join(folder, 'other.ndjson'), '{"key":"meta","value":"m"}\n');
		const to = `${kind}:${namespaceOptions[1]}`;
		const words = [
			'kv',
			'copy',
			'file:other.ndjson',
			to,
			'--only-missing',
			'--delete-extra',
			'--confirm',
			'5',
		];
		expect(await run(words)).toMatchObject({code: 0});
		expect(await getOnlyBatch()).toMatchObject({keys: 5, command: 'kv copy --delete-extra'});
	});
});

describe('if the trash cannot hold the keys', () => {
	const obstacles = {
		'no state directory': () => {
			writeFileSync(join(folder, 'in-the-way'), '');
			return {LEDGE_STATE_DIR: join(folder, 'in-the-way')};
		},
		'a full trash': () => {
			mkdirSync(join(getTrashFolder(), 'full'), {recursive: true, mode: 0o700});
			writeFileSync(
				join(getTrashFolder(), 'full/about.json'),
				JSON.stringify({
					v: 1,
					deleted: Date.now(),
					target: {place: 'simulated'},
					label: 'x',
					keys: 2,
					bytes: 2,
					command: 'x',
				}),
			);
			writeFileSync(join(getTrashFolder(), 'full/keys.ndjson'), '');
			truncateSync(join(getTrashFolder(), 'full/keys.ndjson'), 1_073_741_824);
			return {};
		},
	};
	const expectedTexts = {
		'no state directory': 'The 6 keys cannot be kept in the trash, so nothing was deleted.',
		'a full trash': 'The 6 keys do not fit in the trash, so nothing was deleted.',
	};

	test.each(
		Object.keys(obstacles) as (keyof typeof obstacles)[],
	)('%s: nothing is deleted without consent', async obstacle => {
		const namespaceOptions = await createFilledNamespace('local');
		const env = obstacles[obstacle]();
		const before = listTrashFiles();
		const words = ['kv', 'delete', '--all', '--confirm', '6', ...namespaceOptions];
		const refused = await run(words, {env});
		expect(refused.code).toBe(obstacle === 'a full trash' ? 2 : 1);
		expect(refused.stderr).toContain(expectedTexts[obstacle]);
		expect(refused.stderr).toContain('--no-trash');
		const insisted = await run([...words, '--yes'], {env, tty: true, input: 'y\n'});
		expect(insisted.stderr).toContain(expectedTexts[obstacle]);
		const declined = await run(words, {env, tty: true, input: 'n\n'});
		expect(declined.code).toBe(1);
		expect(declined.stderr).toMatch(/Delete without the trash\? This cannot be undone\. \[y\/N\]/);
		expect((await listNames(namespaceOptions)).length).toBe(6);
		const agreed = await run(words, {env, tty: true, input: 'y\n'});
		expect(agreed).toMatchObject({code: 0, stderr: expect.not.stringContaining('kv trash restore')});
		expect(await listNames(namespaceOptions)).toEqual([]);
		expect(listTrashFiles()).toEqual(before);
	});

	test('a terminal asks for the number of keys after the usual y', async () => {
		const namespaceOptions = await createFilledNamespace('local');
		obstacles['a full trash']();
		const deleteAndAnswer = async (number: string) => {
			const input = new PassThrough();
			const clock = createVirtualClock(Date.now());
			const {host, stderr} = createTestHost({cwd: folder, env: service.env, clock, tty: true, input});
			const ended = runLedge(['kv', 'delete', '--all', ...namespaceOptions], host);
			input.write('y\n');
			const question = 'Delete without the trash? This cannot be undone. Type 6 to delete them: ';
			await eventually(() => expect(stderr()).toContain(question));
			expect(stderr()).toContain('They stay in the trash for 7 days. Delete them? [y/N]');
			expect((await listNames(namespaceOptions)).length).toBe(6);
			input.write(`${number}\n`);
			return ended;
		};
		expect(await deleteAndAnswer('y')).toBe(1);
		expect((await listNames(namespaceOptions)).length).toBe(6);
		expect(await deleteAndAnswer('6')).toBe(0);
		expect(await listNames(namespaceOptions)).toEqual([]);
	});

	test('the deletion proceeds with --no-trash', async () => {
		const namespaceOptions = await createFilledNamespace('local');
		const env = obstacles['no state directory']();
		expect(
			await run(['kv', 'delete', '--all', '--confirm', '6', '--no-trash', ...namespaceOptions], {env}),
		).toMatchObject({
			code: 0,
		});
		expect(await listNames(namespaceOptions)).toEqual([]);
	});

	test('nothing is deleted if the service fails while reading them', async () => {
		await using ownService = await serveSimulator();
		const env = ownService.env;
		const [{id} = {id: ''}] = JSON.parse((await run(['kv', 'namespace', 'list'], {env})).stdout) as {
			id: string;
		}[];
		await ownService.setFaults('status=500 path=/bulk/get');
		const words = ['kv', 'delete', '--all', '--confirm', '9', '--namespace-id', id];
		expect(await run(words, {env})).toMatchObject({
			code: 1,
			stderr: expect.not.stringContaining('--no-trash'),
		});
		expect(ownService.writes().filter(({path}) => path.includes('/bulk/delete'))).toEqual([]);
		expect(listTrashFiles()).toEqual([]);
	});
});

describe('more keys than the trash takes by default', () => {
	const many = Array.from({length: 10_001}, (_, at) => ({key: `key-${at}`, value: ''}));

	test('are kept on request, with an estimate of the time', {
		timeout: 120_000,
	}, async () => {
		const namespaceOptions = await createFilledNamespace('remote', many);
		const words = ['kv', 'delete', '--all', ...namespaceOptions];
		const asked = await run(words, {tty: true, input: 'no\n'});
		expect(asked.stderr).toContain(
			'This cannot be undone: only up to 10,000 keys go to the trash unless --trash is given.',
		);
		expect(asked.stderr).not.toContain('read first');
		expect(asked.stderr).toContain('Type 10001 to delete them');
		const kept = await run([...words, '--trash'], {tty: true, input: 'y\n'});
		expect(kept.stderr).toContain(
			'The values of 10,001 keys are read first, to keep copies in the trash: 101 calls, 4 s or more.',
		);
		expect(kept.stderr).toContain('They stay in the trash for 7 days.');
		expect(kept.code).toBe(0);
		expect((await getOnlyBatch()).keys).toBe(10_001);
	});

	test('are otherwise deleted without the trash', {timeout: 120_000}, async () => {
		const namespaceOptions = await createFilledNamespace('local', many);
		expect(await run(['kv', 'delete', '--all', '--confirm', '10001', ...namespaceOptions])).toMatchObject({
			code: 0,
		});
		expect(listTrashFiles()).toEqual([]);
	});
});

describe('kv trash', () => {
	test('lists deletions with time, place and command, latest first', async () => {
		const namespaceOptions = await createFilledNamespace('local');
		await run(['kv', 'delete', '--prefix', 'e', '--confirm', '2', ...namespaceOptions]);
		await run(['kv', 'key', 'delete', 'meta', '--trash', ...namespaceOptions], {
			clock: createVirtualClock(Date.now() + 100_000_000),
		});
		const {stdout} = await run(['kv', 'trash', 'list'], {
			clock: createVirtualClock(Date.now() + 100_000_000),
		});
		const [title, ...rows] = stdout.trimEnd().split('\n');
		expect(title?.split(/ {2,}/)).toEqual([
			'ID',
			'WHEN',
			'WHAT',
			'KEYS',
			'FIRST KEY',
			'BYTES',
			'KEPT FOR',
			'BY',
			'NAMESPACE',
		]);
		expect(rows[0]).toMatch(
			/^\w{8} +\d{4}-\d\d-\d\d \d\d:\d\d UTC +deleted +1 +meta +\d+ +7 days +kv key delete +/,
		);
		expect(rows[1]).toMatch(
			/^\w{8} +\d{4}-\d\d-\d\d \d\d:\d\d UTC +deleted +2 +empty +\d+ +6 days +kv delete +/,
		);
	});

	test('has files readable only by this user', async () => {
		const namespaceOptions = await createFilledNamespace('local');
		await run(['kv', 'delete', '--prefix', 'e', '--confirm', '2', ...namespaceOptions]);
		const modes = ['', ...listTrashFiles()].map(name =>
			(statSync(join(getTrashFolder(), name)).mode & 0o777).toString(8),
		);
		expect(modes).toEqual(['700', '700', '600', '600']);
	});

	test('empty removes one or all deletions after confirmation', async () => {
		const namespaceOptions = await createFilledNamespace('local');
		await run(['kv', 'delete', '--prefix', 'e', '--confirm', '2', ...namespaceOptions]);
		await run(['kv', 'key', 'delete', 'meta', '--trash', ...namespaceOptions]);
		await run(['kv', 'key', 'delete', 'binary', '--trash', ...namespaceOptions]);
		const [first, ...rest] = await listBatches();
		expect(await run(['kv', 'trash', 'empty'])).toMatchObject({
			code: 2,
			stderr: expect.stringContaining('--yes'),
		});
		expect((await listBatches()).length).toBe(3);
		expect(await run(['kv', 'trash', 'empty', first?.id ?? ''], {tty: true, input: 'y\n'})).toMatchObject({
			code: 0,
		});
		expect((await listBatches()).map(({id}) => id)).toEqual(rest.map(({id}) => id));
		const emptied = await run(['kv', 'trash', 'empty', '--yes', '--json']);
		expect(JSON.parse(emptied.stdout)).toMatchObject({removed: rest.map(({id}) => id), keys: 3});
		expect(listTrashFiles()).toEqual([]);
		expect(await run(['kv', 'trash', 'empty'])).toMatchObject({code: 0, stderr: 'The trash is empty.\n'});
	});

	test.each(['restore', 'empty'])('fails to %s an unknown id', async verb => {
		expect(await run(['kv', 'trash', verb, 'none', '--yes'])).toMatchObject({
			code: 2,
			stderr: expect.stringContaining('`ledge kv trash list` lists the entries.'),
		});
	});

	test('restores simulated keys as simulated, whatever the options, and respects --read-only', async () => {
		const env = {CLOUDFLARE_API_BASE_URL: '', CLOUDFLARE_API_TOKEN: ''};
		const list = await run(['kv', 'namespace', 'list', '--simulate'], {env});
		const [{id} = {id: ''}] = JSON.parse(list.stdout) as {id: string}[];
		const namespaceOptions = ['--namespace-id', id, '--simulate'];
		const before = (await run(['kv', 'export', ...namespaceOptions], {env})).stdout;
		const deleted = await run(['kv', 'delete', '--all', '--confirm', '9', ...namespaceOptions], {env});
		const batch = await getOnlyBatch();
		expect(deleted.stderr).toContain(`ledge kv trash restore ${batch.id} --simulate`);
		expect(await run(['kv', 'trash', 'restore', batch.id, '--read-only'], {env})).toMatchObject({code: 2});
		expect(await run(['kv', 'trash', 'restore', batch.id], {env})).toMatchObject({code: 0});
		expect((await run(['kv', 'export', ...namespaceOptions], {env})).stdout).toBe(before);
	});

	test('writes an audit line for deletion and restore, without values', async () => {
		const namespaceOptions = await createFilledNamespace('remote', [
			{key: 'one', value: 'secret-value-1'},
			{key: 'two', value: 'secret-value-2'},
		]);
		await run(['kv', 'delete', '--all', '--confirm', '2', ...namespaceOptions]);
		const {id} = await getOnlyBatch();
		await run(['kv', 'trash', 'restore', id]);
		const log = readdirSync(join(folder, '.local/state/ledge'))
			.filter(name => name.startsWith('audit'))
			.map(name => readFileSync(join(folder, '.local/state/ledge', name), 'utf8'))
			.join('');
		expect(log).toContain(`kept in the trash (${id})`);
		expect(log).toContain(`restore 2 keys from the trash (${id})`);
		expect(log).not.toContain('secret-value');
	});
});

describe('kv namespace delete', () => {
	test('--export saves the keys to a file first', async () => {
		const [, id = ''] = await createFilledNamespace('remote');
		const before = await readExport(['--namespace-id', id]);
		const words = ['kv', 'namespace', 'delete', '--namespace-id', id];
		const hinted = await run(words);
		expect(hinted).toMatchObject({
			code: 2,
			stderr: expect.stringContaining('To save its keys to a file first, use --export FILE'),
		});
		writeFileSync(join(folder, 'taken.ndjson'), 'x');
		expect(await run([...words, '--export', 'taken.ndjson', '--yes'])).toMatchObject({code: 2});
		expect(await readExport(['--namespace-id', id])).toBe(before);
		const deleted = await run([...words, '--export', 'kept.ndjson', '--yes', '--json']);
		expect(JSON.parse(deleted.stdout)).toMatchObject({deleted: true, export: join(folder, 'kept.ndjson')});
		expect(readFileSync(join(folder, 'kept.ndjson'), 'utf8')).toBe(before);
		expect((await run(['kv', 'key', 'list', '--namespace-id', id])).code).not.toBe(0);
	});

	test('deletes nothing if the keys cannot be exported', async () => {
		await using ownService = await serveSimulator();
		const env = ownService.env;
		const [{id} = {id: ''}] = JSON.parse((await run(['kv', 'namespace', 'list'], {env})).stdout) as {
			id: string;
		}[];
		await ownService.setFaults('status=500 path=/bulk/get');
		const words = ['kv', 'namespace', 'delete', '--namespace-id', id, '--export', 'kept.ndjson', '--yes'];
		expect(await run(words, {env})).toMatchObject({code: 1});
		expect(ownService.writes().filter(({method}) => method === 'DELETE')).toEqual([]);
	});
});
