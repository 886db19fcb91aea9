import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, describe, expect, test} from 'vitest';
import {createScratchFolder} from '../../support/run.ts';
import {createSeededRandom, getTestSeed} from '../../support/seed.ts';
import {setUpTargets, type Target} from '../../support/targets.ts';

const targetGetters = setUpTargets();
const random = createSeededRandom(getTestSeed());

for (const kind of ['local', 'remote'] as const) {
	describe(`kv key, ${kind}`, () => {
		let target: Target;
		beforeAll(async () => {
			target = await targetGetters[kind]().createNamespace();
		});

		test('put prints the key, size and namespace but not the value; get prints only the value', async () => {
			const put = await target.kv(['key', 'put', 'greeting', 'hello, wörld']);
			expect(put).toMatchObject({code: 0, stdout: ''});
			expect(put.stderr).toBe(`Wrote 13 bytes to the key "greeting" in namespace ${target.namespace}.\n`);
			expect(await target.kv(['key', 'get', 'greeting'])).toMatchObject({
				code: 0,
				stdout: 'hello, wörld',
				stderr: '',
			});
			expect(await target.kv(['key', 'get', 'greeting', '--text'])).toMatchObject({
				code: 0,
				stdout: 'hello, wörld\n',
				stderr: '',
			});
		});

		test('a second put replaces the value, metadata and expiry', async () => {
			await target.kv(['key', 'put', 'twice', 'one', '--ttl', '600', '--metadata', '{"v":1}']);
			await target.kv(['key', 'put', 'twice', 'two']);
			const {stdout} = await target.kv(['key', 'get', 'twice', '--metadata']);
			expect(JSON.parse(stdout)).toEqual({key: 'twice', bytes: 3, expiration: null, metadata: null});
		});

		test('empty values and keys or values starting with a dash work', async () => {
			expect((await target.kv(['key', 'put', 'empty', ''])).code).toBe(0);
			expect(await target.kv(['key', 'get', 'empty'])).toMatchObject({code: 0, stdout: ''});
			expect((await target.kv(['key', 'put', '--', '-k', '-v'])).code).toBe(0);
			expect(await target.kv(['key', 'get', '--', '-k'])).toMatchObject({code: 0, stdout: '-v'});
			expect((await target.kv(['key', 'put', 'number', '-5'])).code).toBe(0);
			expect((await target.kv(['key', 'get', 'number'])).stdout).toBe('-5');
		});

		test('binary data from a file or standard input is returned byte for byte', async () => {
			const folder = createScratchFolder();
			const bytes = Buffer.concat([
				Buffer.from([0, 255, 13, 10, 26]),
				Buffer.alloc(70_000).map(() => random() * 256),
			]);
			writeFileSync(join(folder, 'in.bin'), bytes);
			expect(
				(
					await target.kv([
						'key',
						'put',
						'binary',
						'--path',
						join(folder, 'in.bin'),
						'--metadata',
						'{"type":"x"}',
					])
				).code,
			).toBe(0);
			expect((await target.kv(['key', 'get', 'binary'])).bytes.equals(bytes)).toBe(true);
			expect((await target.kv(['key', 'put', 'piped', '--path', '-'], {input: bytes})).code).toBe(0);
			const file = join(folder, 'out.bin');
			expect(await target.kv(['key', 'get', 'piped', '--output', file])).toMatchObject({code: 0, stdout: ''});
			expect(readFileSync(file).equals(bytes)).toBe(true);
			expect((await target.kv(['key', 'get', 'piped', '--output', file])).code).toBe(2);
			expect((await target.kv(['key', 'get', 'piped', '--output', file, '--yes'])).code).toBe(0);
		});

		test('get --json prints text as text and bytes as base64', async () => {
			await target.kv(['key', 'put', 'as-json', 'te"xt', '--metadata', '{"v":2}']);
			expect(JSON.parse((await target.kv(['key', 'get', 'as-json', '--json'])).stdout)).toEqual({
				key: 'as-json',
				value: 'te"xt',
				bytes: 5,
				expiration: null,
				metadata: {v: 2},
			});
			await target.kv(['key', 'put', 'as-bytes', '--path', '-'], {input: Buffer.from([0xff, 0])});
			expect(JSON.parse((await target.kv(['key', 'get', 'as-bytes', '--json'])).stdout)).toMatchObject({
				base64: '/wA=',
				bytes: 2,
			});
		});

		test('getting a missing key exits with 3 and prints nothing; deleting it succeeds', async () => {
			const missing = await target.kv(['key', 'get', 'nobody']);
			expect(missing).toMatchObject({code: 3, stdout: ''});
			expect(missing.stderr).toContain('Value not found');
			expect((await target.kv(['key', 'delete', 'nobody'])).code).toBe(0);
		});

		test('delete removes the key', async () => {
			await target.kv(['key', 'put', 'short-lived', 'x']);
			const deletion = await target.kv(['key', 'delete', 'short-lived']);
			expect(deletion).toMatchObject({code: 0, stdout: ''});
			expect(deletion.stderr).toContain('"short-lived"');
			expect((await target.kv(['key', 'get', 'short-lived'])).code).toBe(3);
		});

		test('--ttl takes precedence over --expiration, and expiry is shown as ISO 8601 in UTC', async () => {
			const farExpiration = Math.floor(Date.now() / 1000) + 86_400;
			await target.kv(['key', 'put', 'both', 'x', '--ttl', '120', '--expiration', String(farExpiration)]);
			await target.kv(['key', 'put', 'later', 'x', '--expiration', String(farExpiration)]);
			const readExpiration = async (key: string) =>
				JSON.parse((await target.kv(['key', 'get', key, '--metadata'])).stdout).expiration as string;
			expect(await readExpiration('later')).toBe(
				`${new Date(farExpiration * 1000).toISOString().slice(0, 19)}Z`,
			);
			const remainingMs = Date.parse(await readExpiration('both')) - Date.now();
			expect(remainingMs).toBeGreaterThan(60_000);
			expect(remainingMs).toBeLessThanOrEqual(121_000);
		});

		test('keys of 512 bytes and in any script work and keep their exact names', async () => {
			const keys = ['ü'.repeat(256), 'имя é', '名前/🙂', 'a/b?c=d&e#f%20', 'sp ace', '..a', '\u001fcontrol'];
			for (const key of keys) expect((await target.kv(['key', 'put', '--', key, key])).code, key).toBe(0);
			for (const key of keys) expect((await target.kv(['key', 'get', '--', key])).stdout, key).toBe(key);
			const listed = JSON.parse((await target.kv(['key', 'list'])).stdout) as {name: string}[];
			for (const key of keys) expect(listed.map(one => one.name)).toContain(key);
		});

		test('keys with whitespace or control characters cause a warning on write but not on read', async () => {
			expect((await target.kv(['key', 'put', 'with space', 'x'])).stderr).toContain('warning:');
			expect((await target.kv(['key', 'get', 'with space'])).stderr).toBe('');
			expect((await target.kv(['key', 'delete', 'with space'])).stderr).not.toContain('warning:');
		});
	});

	describe(`kv key list, ${kind}`, () => {
		let target: Target;
		const farExpiration = 2_000_000_000;
		beforeAll(async () => {
			target = await targetGetters[kind]().createNamespace();
			await target.kv([
				'key',
				'put',
				'b',
				'1',
				'--metadata',
				'{"v":1}',
				'--expiration',
				String(farExpiration),
			]);
			for (const key of ['a', 'ab', 'Z', 'é', 'b:1', 'b:2', 'b:3']) await target.kv(['key', 'put', key, key]);
		});

		test('prints the same as wrangler: byte order, expiry as ISO 8601, metadata on request', async () => {
			const {stdout, stderr} = await target.kv(['key', 'list']);
			const listed = JSON.parse(stdout) as {name: string}[];
			expect(listed.map(one => one.name)).toEqual(['Z', 'a', 'ab', 'b', 'b:1', 'b:2', 'b:3', 'é']);
			expect(listed.find(one => one.name === 'b')).toEqual({name: 'b', expiration: '2033-05-18T03:33:20Z'});
			expect(stdout).toBe(`${JSON.stringify(listed, null, 2)}\n`);
			expect(stderr).toBe('');
			const withMetadata = JSON.parse((await target.kv(['key', 'list', '--metadata'])).stdout) as {
				name: string;
			}[];
			expect(withMetadata.find(one => one.name === 'b')).toEqual({
				name: 'b',
				expiration: '2033-05-18T03:33:20Z',
				metadata: {v: 1},
			});
		});

		test('--prefix is case-sensitive, and no match prints an empty array', async () => {
			const listNames = async (prefix: string) =>
				JSON.parse((await target.kv(['key', 'list', '--prefix', prefix])).stdout).map(
					(one: {name: string}) => one.name,
				);
			expect(await listNames('b:')).toEqual(['b:1', 'b:2', 'b:3']);
			expect(await listNames('é')).toEqual(['é']);
			expect((await target.kv(['key', 'list', '--prefix', 'A'])).stdout).toBe('[]\n');
		});

		test('--format prints NDJSON or a table', async () => {
			const lines = (
				await target.kv(['key', 'list', '--prefix', 'b', '--format', 'ndjson', '--metadata'])
			).stdout
				.trimEnd()
				.split('\n');
			expect(lines.map(line => JSON.parse(line).name)).toEqual(['b', 'b:1', 'b:2', 'b:3']);
			const table = (await target.kv(['key', 'list', '--prefix', 'b', '--format', 'table'])).stdout.split(
				'\n',
			);
			expect(table[0]).toMatch(/^NAME +EXPIRES$/);
			expect(table[1]).toMatch(/^b +2033-05-18T03:33:20Z$/);
		});

		test('--limit ends with a cursor to continue from', async () => {
			const many = await targetGetters[kind]().createNamespace();
			const entries = Array.from({length: 25}, (_, index) => ({
				key: `k${String(index).padStart(2, '0')}`,
				value: 'x',
			}));
			expect((await many.kv(['bulk', 'put', '-'], {input: JSON.stringify(entries)})).code).toBe(0);
			const first = await many.kv(['key', 'list', '--limit', '12']);
			expect(JSON.parse(first.stdout)).toHaveLength(12);
			const cursor = /--cursor (\S+)/.exec(first.stderr)?.[1] ?? '';
			const rest = await many.kv(['key', 'list', '--cursor', cursor]);
			expect(JSON.parse(rest.stdout)[0]).toEqual({name: 'k12'});
			expect(JSON.parse(rest.stdout)).toHaveLength(13);
			expect(JSON.parse((await many.kv(['key', 'list', '--limit', '3'])).stdout)).toHaveLength(3);
		});

		test('--where and --expiring-before list the keys that match all conditions', async () => {
			const many = await targetGetters[kind]().createNamespace();
			const entries = Array.from({length: 30}, (_, index) => ({
				key: `k${String(index).padStart(2, '0')}`,
				value: 'x',
				metadata: {plan: index % 3 === 0 ? 'pro' : 'free', owner: {id: index}},
				...(index < 6 && {expiration: 2_000_000_000 + index}),
			}));
			const input = JSON.stringify([...entries, {key: 'plain', value: 'x'}]);
			expect((await many.kv(['bulk', 'put', '-'], {input})).code).toBe(0);
			const listNames = async (...words: string[]) => {
				const {code, stdout} = await many.kv(['key', 'list', '--names-only', ...words]);
				expect(code).toBe(0);
				return stdout.split('\n').slice(0, -1);
			};
			expect(await listNames('--where', 'metadata.plan=pro')).toHaveLength(10);
			expect(await listNames('--where', 'metadata.plan!=pro')).toHaveLength(20);
			expect(await listNames('--where', 'metadata.plan')).toHaveLength(30);
			const both = ['--where', 'metadata.plan=pro', '--where', 'metadata.owner.id!=0'];
			expect(await listNames(...both, '--prefix', 'k0')).toEqual(['k03', 'k06', 'k09']);
			expect(await listNames('--expiring-before', '2000000002', '--where', 'metadata.plan=free')).toEqual([
				'k01',
			]);
			const limited = await many.kv(['key', 'list', '--names-only', '--limit', '2', ...both]);
			expect(limited).toMatchObject({stdout: 'k03\nk06\n', stderr: 'There are more matching keys.\n'});
			expect(await listNames('--where', 'metadata.absent')).toEqual([]);
			const found = await many.kv(['search', 'k0', '--names', '--where', 'metadata.owner.id=3']);
			expect(found).toMatchObject({code: 0, stdout: '"k03"\n'});
			const wrong = await many.kv(['key', 'list', '--where', 'plan=pro']);
			expect(wrong).toMatchObject({code: 2, stderr: expect.stringContaining('metadata.version=3')});
		});

		test('--names-only prints names for scripts, exactly with --null', async () => {
			const odd = await targetGetters[kind]().createNamespace();
			const names = ['a b', 'line\nfeed', 'plain', 'zero\0byte', 'ключ'];
			const input = JSON.stringify(names.map(key => ({key, value: 'x'})));
			expect((await odd.kv(['bulk', 'put', '-'], {input})).code).toBe(0);
			const list = (...words: string[]) => odd.kv(['key', 'list', '--names-only', ...words]);
			const lines = await list();
			expect(lines.stdout).toBe('a b\nline\\nfeed\nplain\nzero\\x00byte\nключ\n');
			expect(lines.stderr).toBe(
				'warning: 2 names contain control characters, printed as escapes. --null and --json print exact names.\n',
			);
			const exact = await list('--null', '--prefix', 'l');
			expect(exact).toMatchObject({code: 0, stdout: 'line\nfeed\0', stderr: ''});
			expect((await list('-0')).stdout).toBe(names.map(name => `${name}\0`).join(''));
			expect((await list('-0')).stderr).toContain('1 name contains a NUL byte');
			expect(JSON.parse((await list('--json')).stdout)).toEqual(names);
			expect((await list('--format', 'json', '--prefix', 'p')).stdout).toBe('[\n  "plain"\n]\n');
			const ndjson = await list('--format', 'ndjson');
			expect(
				ndjson.stdout
					.trim()
					.split('\n')
					.map(line => JSON.parse(line)),
			).toEqual(names);
			expect((await list('--prefix', 'none')).stdout).toBe('');
			expect((await list('--prefix', 'none', '--json')).stdout).toBe('[]\n');
		});

		test.each([
			['--names-only', '--format', 'table'],
			['--names-only', '--metadata'],
			['--null'],
			['--names-only', '--null', '--json'],
			['--names-only', '--null', '--format', 'json'],
		])('refuses %s %s %s', async (...words) => {
			expect(await target.kv(['key', 'list', ...words])).toMatchObject({code: 2, stdout: ''});
		});
	});
}
