import {readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {gunzipSync} from 'node:zlib';
import {beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {startGate} from '../../support/gate.ts';
import {createScratchFolder, createVirtualClock, type EndedRun, ledge} from '../../support/run.ts';
import {serveSimulator} from '../../support/serve-simulator.ts';
import type {RunningService} from '../../support/service.ts';

let service: RunningService;
let other: RunningService;
let folder: string;
beforeAll(async () => {
	[service, other] = await Promise.all([serveSimulator(), serveSimulator()]);
});
beforeEach(async () => {
	folder = createScratchFolder();
	await service.setFaults('');
});

const run = (words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<EndedRun> =>
	ledge(words, {cwd: folder, clock: createVirtualClock(Date.now()), env: {...service.env, ...env}});

/** Creates a namespace at a service, and returns its title. */
async function createNamespace(givenService: RunningService = service): Promise<string> {
	const title = `made-${Math.random().toString(36).slice(2)}`;
	const {code} = await run(['kv', 'namespace', 'create', title, '--no-prefix'], givenService.env);
	expect(code).toBe(0);
	return title;
}

const laterSeconds = Math.floor(Date.now() / 1000) + 1_000_000;

/** Text, bytes, no bytes, metadata, expiration, a long value and difficult names. */
const samples = [
	{key: 'a/b c', value: 'hello'},
	{key: 'binary', value: '/wA=', base64: true},
	{key: 'empty', value: ''},
	{key: 'expiring', value: 'x', expiration: laterSeconds},
	{key: 'large', value: 'ä'.repeat(300_000)},
	{key: 'meta', value: '{"a":1}', metadata: {owner: 'ann', list: [1, 2]}},
	{key: '\u{1f600}', value: '\ufffd'},
	{key: '\uffee', value: 'before the other in UTF-16'},
];

const toLines = (entries: readonly object[]): string =>
	entries.map(entry => `${JSON.stringify(entry)}\n`).join('');

/** The samples in the byte order of their keys. */
const getOrderedSamples = () =>
	samples.toSorted((one, two) => Buffer.compare(Buffer.from(one.key), Buffer.from(two.key)));

async function fillStore(store: string): Promise<string> {
	writeFileSync(join(folder, 'samples.ndjson'), toLines(samples));
	expect(await run(['kv', 'copy', 'file:samples.ndjson', store])).toMatchObject({code: 0});
	return store;
}

const storeCreators = {
	local: async () => `local:${Math.random().toString(36).slice(2)}`,
	remote: async () => `remote:${await createNamespace()}`,
	simulated: async () => 'simulated:SESSIONS_preview',
};
type Kind = keyof typeof storeCreators;

/** Some pairs of stores; every-pair.test.ts tests all. */
describe('copying between stores', () => {
	test.each([
		['local', 'remote'],
		['remote', 'remote'],
		['simulated', 'local'],
	] as readonly [Kind, Kind][])('%s to %s: copied, and identical', async (from, to) => {
		const source =
			from === 'simulated' ? await storeCreators.simulated() : await fillStore(await storeCreators[from]());
		const target = await storeCreators[to]();
		const copied = await run(['kv', 'copy', source, target, '--json']);
		expect(copied.code).toBe(0);
		const {done} = JSON.parse(copied.stdout);
		if (from !== 'simulated') expect(done).toBe(samples.length);
		const compared = await run(['kv', 'diff', source, target, '--json']);
		const missing = (JSON.parse(compared.stdout) as {kind: string}[]).filter(
			({kind}) => kind !== 'only_in_other',
		);
		expect(missing).toEqual([]);
	});

	test.each(['local', 'remote'] as const)('%s: an export can be imported again', async kind => {
		const source = await fillStore(await storeCreators[kind]());
		const target = kind === 'local' ? await storeCreators.local() : `remote:${await createNamespace()}`;
		expect((await run(['kv', 'copy', source, 'file:all.ndjson.gz'])).code).toBe(0);
		const path = join(folder, 'all.ndjson.gz');
		expect(gunzipSync(readFileSync(path)).toString()).toBe(toLines(getOrderedSamples()));
		expect(statSync(path).mode & 0o777).toBe(0o600);
		expect((await run(['kv', 'copy', 'file:all.ndjson.gz', target])).code).toBe(0);
		const compared = await run(['kv', 'diff', 'file:all.ndjson.gz', target, '--exit-code']);
		expect(compared).toMatchObject({code: 0, stdout: '', stderr: `Identical: ${samples.length} keys.\n`});
	});

	test('uses the account and service given in the variables of each side', async () => {
		const source = await fillStore(await storeCreators.remote());
		const title = await createNamespace(other);
		const otherServiceOptions = {
			LEDGE_TO_CLOUDFLARE_API_BASE_URL: other.url,
			LEDGE_TO_CLOUDFLARE_API_TOKEN: 'simulated',
		};
		expect(await run(['kv', 'copy', source, `remote:${title}`], otherServiceOptions)).toMatchObject({
			code: 0,
		});
		expect(
			(await run(['kv', 'diff', source, `remote:${title}`, '--exit-code'], otherServiceOptions)).code,
		).toBe(0);
		expect((await run(['kv', 'diff', source, `remote:${title}`])).code).toBe(3);
	});
});

describe('kv export and kv import', () => {
	test('export to standard output and import it again, with namespace options', async () => {
		const localOptions = ['--local', '--namespace-id'];
		await fillStore('local:one');
		const {stdout, code} = await run(['kv', 'export', ...localOptions, 'one']);
		expect(code).toBe(0);
		expect(
			stdout
				.split('\n')
				.slice(0, -1)
				.map(line => JSON.parse(line)),
		).toEqual(getOrderedSamples());
		const imported = await ledge(['kv', 'import', '-', ...localOptions, 'two'], {cwd: folder, input: stdout});
		expect(imported.code).toBe(0);
		expect((await run(['kv', 'diff', 'local:one', 'local:two', '--exit-code'])).code).toBe(0);
	});

	test('import skips and counts expired entries, and refuses invalid ones', async () => {
		const path = join(folder, 'old.ndjson');
		writeFileSync(
			path,
			toLines([
				{key: 'old', value: 'x', expiration: 1_000_000_000},
				{key: 'new', value: 'x'},
			]),
		);
		const imported = await run(['kv', 'import', path, '--local', '--namespace-id', 'n', '--json']);
		expect(JSON.parse(imported.stdout)).toMatchObject({command: 'import', done: 1, expired: 1});
		writeFileSync(path, toLines([{key: 'bad'}]));
		expect((await run(['kv', 'import', path, '--local', '--namespace-id', 'n'])).code).toBe(2);
	});

	test('export overwrites an existing file only after confirmation', async () => {
		await fillStore('local:one');
		const path = join(folder, 'mine');
		writeFileSync(path, 'mine');
		const words = ['kv', 'export', '--local', '--namespace-id', 'one', '--output', 'mine'];
		expect((await run(words)).code).toBe(2);
		expect(readFileSync(path, 'utf8')).toBe('mine');
		expect((await run([...words, '--yes'])).code).toBe(0);
		expect(readFileSync(path, 'utf8')).toBe(toLines(getOrderedSamples()));
	});
});

describe('kv copy', () => {
	test('keeps existing keys with --only-missing, and deletes extras with --delete-extra after confirming the number', async () => {
		await fillStore('local:one');
		const put = (key: string) => run(['kv', 'key', 'put', key, 'theirs', '--local', '--namespace-id', 'two']);
		await put('meta');
		await put('extra-1');
		await put('extra-2');
		const missing = await run(['kv', 'copy', 'local:one', 'local:two', '--only-missing', '--json']);
		expect(JSON.parse(missing.stdout)).toMatchObject({done: samples.length - 1, kept: 1});
		const uncounted = await run(['kv', 'copy', 'local:one', 'local:two', '--delete-extra', '--confirm', '3']);
		expect(uncounted.code).toBe(2);
		expect(uncounted.stderr).toContain('Expected 3 keys, found 2; nothing was deleted.');
		const counted = await run(['kv', 'copy', 'local:one', 'local:two', '--delete-extra', '--confirm', '2']);
		expect(counted.code).toBe(0);
		expect((await run(['kv', 'diff', 'local:one', 'local:two', '--exit-code'])).code).toBe(0);
	});

	describe('keys added to the source after being counted as extra', () => {
		const putInSource = (key: string) =>
			run(['kv', 'key', 'put', key, 'new', '--local', '--namespace-id', 'one']);
		const printNames = async (title: string) =>
			(await run(['kv', 'key', 'list', '--namespace', title])).stdout;

		async function createWithExtraKeys(count: number): Promise<string> {
			await fillStore('local:one');
			const title = await createNamespace();
			const extra = Array.from({length: count}, (_, at) => ({key: `extra-${10_000 + at}`, value: 'old'}));
			writeFileSync(join(folder, 'extra.ndjson'), toLines(extra));
			expect(await run(['kv', 'copy', 'file:extra.ndjson', `remote:${title}`])).toMatchObject({code: 0});
			return title;
		}
		const getCopyWords = (title: string) => ['kv', 'copy', 'local:one', `remote:${title}`, '--delete-extra'];

		test('are kept, listed and counted', async () => {
			for (const more of [[], ['--json']]) {
				const title = await createWithExtraKeys(3);
				const read = {method: 'POST', path: '/bulk/get', when: 'before'} as const;
				const env = await startGate(service, {...read, does: () => putInSource('extra-10001')});
				const ended = await run([...getCopyWords(title), '--confirm', '3', ...more], env);
				expect(ended.code).toBe(0);
				expect(await printNames(title)).toContain('extra-10001');
				expect(await printNames(title)).not.toContain('extra-10000');
				if (more.length > 0) {
					const last = JSON.parse(ended.stdout.split(/^(?=\{)/m).at(-1) ?? '');
					expect(last).toMatchObject({done: 2, kept: 1, keptKeys: ['extra-10001']});
				} else {
					expect(ended.stdout + ended.stderr).toContain('1 kept, now in the source');
					expect(ended.stdout + ended.stderr).toMatch(/Kept because .* has it now:\n {2}"extra-10001"\n/);
				}
				await run(['kv', 'key', 'delete', 'extra-10001', '--local', '--namespace-id', 'one']);
			}
		});

		test('are also kept when an interrupted deletion is resumed', async () => {
			const title = await createWithExtraKeys(1_500);
			await service.setFaults('status=403 code=10037 path=/bulk/delete after=1');
			const more = ['--confirm', '1500', '--no-trash', '--concurrency', '1'];
			const ended = await run([...getCopyWords(title), ...more]);
			expect(ended.code).toBe(4);
			await service.setFaults('');
			await putInSource('extra-11499');
			const id = /ledge jobs resume (\w+)/.exec(ended.stderr)?.[1] ?? '';
			const resumed = await run(['jobs', 'resume', id]);
			expect(resumed.code).toBe(0);
			expect(resumed.stdout + resumed.stderr).toContain('"extra-11499"');
			expect((await printNames(title)).match(/extra-\d+/g)).toEqual(['extra-11499']);
		});

		test('are announced as kept by a dry run, with the cost of checking', async () => {
			const title = await createNamespace();
			const source = await createNamespace();
			await run(['kv', 'key', 'put', 'extra', 'old', '--namespace', title]);
			const words = ['kv', 'copy', `remote:${source}`, `remote:${title}`, '--delete-extra', '--dry-run'];
			const {code, stdout, stderr} = await run(words);
			expect(code).toBe(0);
			expect(stdout + stderr).toContain(
				'again before each batch, and keeps the keys that exist there by then: 1 call.',
			);
			expect(await printNames(title)).toContain('extra');
		});
	});

	test('reports its progress after a failure, and continues', async () => {
		writeFileSync(
			join(folder, 'in.ndjson'),
			toLines(Array.from({length: 12_000}, (_, at) => ({key: `k${at}`, value: 'v'}))),
		);
		const title = await createNamespace();
		await service.setFaults('status=403 code=10037 path=/bulk method=PUT after=1');
		const ended = await run(['kv', 'copy', 'file:in.ndjson', `remote:${title}`, '--concurrency', '1']);
		expect(ended.code).toBe(4);
		const id = /ledge jobs resume (\w+)/.exec(ended.stderr)?.[1] ?? '';
		await service.setFaults('');
		expect(await run(['jobs', 'resume', id])).toMatchObject({code: 0});
		expect((await run(['kv', 'diff', 'file:in.ndjson', `remote:${title}`, '--exit-code'])).code).toBe(0);
	});

	test('survives a burst of error responses without losing keys', async () => {
		await fillStore('local:one');
		const title = await createNamespace();
		await service.setFaults(
			'status=429 retry-after=1 times=2; status=503 times=2 path=/bulk; reset=0 path=/bulk times=1 after=1',
		);
		expect(await run(['kv', 'copy', 'local:one', `remote:${title}`])).toMatchObject({code: 0});
		await service.setFaults('');
		expect((await run(['kv', 'diff', 'local:one', `remote:${title}`, '--exit-code'])).code).toBe(0);
	});

	test('reports keys that stay rejected, and keeps them in a file and the audit log', async () => {
		const source = await fillStore(await storeCreators.local());
		await service.setFaults('refuse-keys=meta');
		const copied = await run(
			['kv', 'copy', source, await storeCreators.remote(), '--failed', 'left.ndjson'],
			{
				LEDGE_STATE_DIR: join(folder, 'state'),
			},
		);
		expect(copied.code).toBe(1);
		expect(copied.stderr).toContain('1 key was rejected');
		expect(JSON.parse(readFileSync(join(folder, 'left.ndjson'), 'utf8')).key).toBe('meta');
		const audit = readFileSync(join(folder, 'state', 'audit.ndjson'), 'utf8')
			.trim()
			.split('\n');
		expect(JSON.parse(audit.at(-1) ?? '')).toMatchObject({result: 'partly_failed'});
	});

	test('writes nothing in a dry run or read-only, nor onto itself', async () => {
		await fillStore('local:one');
		const dry = await run(['kv', 'copy', 'local:one', 'local:two', '--dry-run']);
		expect(dry.code).toBe(0);
		expect(dry.stdout).toContain(`put ${samples.length} keys`);
		expect((await run(['kv', 'copy', 'local:one', 'local:two', '--read-only'])).code).toBe(2);
		expect((await run(['kv', 'copy', 'local:one', 'local:one'])).code).toBe(2);
		expect((await run(['kv', 'export', '--local', '--namespace-id', 'two'])).stdout).toBe('');
	});
});

describe('kv diff', () => {
	test('lists each key that differs, and what differs', async () => {
		const one = [
			{key: 'a', value: '1'},
			{key: 'b', value: '22', metadata: {x: 1}},
			{key: 'c', value: '3'},
		];
		const two = [
			{key: 'b', value: '2', metadata: {x: 2}},
			{key: 'c', value: '3'},
			{key: 'd', value: '4'},
		];
		writeFileSync(join(folder, 'one'), toLines(one));
		writeFileSync(join(folder, 'two'), toLines(two));
		const plain = await run(['kv', 'diff', 'file:one', 'file:two', '--exit-code']);
		expect(plain).toMatchObject({
			code: 1,
			stdout: '< "a"\n≠ "b"  (value, 2 and 1 bytes, metadata)\n> "d"\n',
			stderr: '1 only in file:one, 1 only in file:two, 1 differs; 1 is the same.\n',
		});
		const json = await run(['kv', 'diff', 'file:one', 'file:two', '--json', '--prefix', 'b']);
		expect(json.code).toBe(0);
		expect(JSON.parse(json.stdout)).toEqual([
			{
				key: 'b',
				kind: 'differs',
				parts: ['value', 'metadata'],
				one: {bytes: 2, metadata: {x: 1}, expiration: null},
				other: {bytes: 1, metadata: {x: 2}, expiration: null},
			},
		]);
	});
});

describe('kv delete', () => {
	const localOptions = ['--local', '--namespace-id', 'n'];
	beforeEach(async () => {
		await fillStore('local:n');
	});
	const listNames = async () =>
		(JSON.parse((await run(['kv', 'key', 'list', ...localOptions])).stdout) as {name: string}[]).map(
			({name}) => name,
		);

	test('deletes the keys under a prefix after the number is confirmed', async () => {
		const refused = await run(['kv', 'delete', '--prefix', 'e', ...localOptions, '--yes']);
		expect(refused.code).toBe(2);
		expect(refused.stderr).toContain('--confirm 2');
		expect(refused.stderr).toContain('"empty"');
		expect(await listNames()).toHaveLength(samples.length);
		expect((await run(['kv', 'delete', '--prefix', 'e', ...localOptions, '--confirm', '2'])).code).toBe(0);
		expect(await listNames()).toEqual(
			getOrderedSamples()
				.map(({key}) => key)
				.filter(key => !key.startsWith('e')),
		);
	});

	test.each([
		[['--where', 'metadata.owner=ann'], ['meta']],
		[['--expiring-before', new Date((laterSeconds + 1) * 1000).toISOString()], ['expiring']],
		[['--expiring-before', String(laterSeconds)], []],
	])('deletes only what %j selects', async (words, deletedKeys) => {
		const ended = await run([
			'kv',
			'delete',
			...words,
			...localOptions,
			'--confirm',
			String(deletedKeys.length),
		]);
		expect(ended.code).toBe(0);
		expect(
			samples
				.map(({key}) => key)
				.filter(key => !deletedKeys.includes(key))
				.sort(),
		).toEqual((await listNames()).sort());
	});

	test('deletes nothing without a selection', async () => {
		expect((await run(['kv', 'delete', ...localOptions, '--confirm', '8'])).code).toBe(2);
		expect(await listNames()).toHaveLength(samples.length);
	});
});

describe('kv search', () => {
	test('prints matches, and exits with 1 if there are none', async () => {
		await fillStore('local:n');
		const localOptions = ['--local', '--namespace-id', 'n'];
		expect(await run(['kv', 'search', 'HELLO', '-i', ...localOptions])).toMatchObject({
			code: 0,
			stdout: '"a/b c":1: hello\n',
		});
		expect(await run(['kv', 'search', 'empty', '--names', ...localOptions])).toMatchObject({
			code: 0,
			stdout: '"empty"\n',
		});
		expect(await run(['kv', 'search', 'nowhere', ...localOptions])).toMatchObject({code: 1, stdout: ''});
		const json = await run([
			'kv',
			'search',
			'^.$',
			'--regex',
			'--values',
			'--limit',
			'1',
			'--json',
			...localOptions,
		]);
		expect(JSON.parse(json.stdout)).toEqual([
			{key: 'expiring', in: 'value', line: 1, offset: 0, excerpt: 'x'},
		]);
	});
});
