import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeEach, describe, expect, test} from 'vitest';
import {
	createScratchFolder,
	createVirtualClock,
	type EndedRun,
	ledge,
	type RunOptions,
} from '../../support/run.ts';

let folder: string;

beforeEach(() => {
	folder = createScratchFolder();
});

const local = ['--local', '--namespace-id', 'N'];

const run = (words: readonly string[], options: RunOptions = {}): Promise<EndedRun> =>
	ledge(words, {cwd: folder, ...options});

describe('the singular', () => {
	test('is used by commands that write, read, plan or compare one item', async () => {
		writeFileSync(join(folder, 'one.json'), '[{"key":"k","value":"1"}]');
		writeFileSync(join(folder, 'bad.json'), '[{"key":"k"}]');
		writeFileSync(join(folder, 'bin'), Buffer.of(0xff));
		const results = [
			await run(['kv', 'key', 'put', 'k', '1', ...local]),
			await run(['kv', 'key', 'put', 'k', '1', ...local, '--dry-run']),
			await run(['kv', 'key', 'get', 'k', '--output', 'file', ...local, '--verbose']),
			await run(['kv', 'key', 'put', 'b', '--path', 'bin', '--local', '--namespace-id', 'B']),
			await run(['kv', 'key', 'get', 'b', '--local', '--namespace-id', 'B'], {tty: true}),
			await run(['kv', 'bulk', 'put', 'one.json', ...local, '--dry-run']),
			await run(['kv', 'bulk', 'put', 'bad.json', ...local]),
			await run(['kv', 'bulk', 'delete', 'one.json', ...local]),
			await run(['kv', 'bulk', 'delete', 'one.json', ...local, '--dry-run']),
			await run(['kv', 'delete', '--prefix', 'k', ...local]),
			await run(['kv', 'delete', '--prefix', 'k', '--confirm', '2', ...local]),
			await run(['kv', 'export', ...local, '--dry-run']),
			await run(['kv', 'local', 'check']),
			await run(['kv', 'copy', 'local:N', 'local:M']),
			await run(['kv', 'key', 'put', 'k', '2', '--local', '--namespace-id', 'M']),
			await run(['kv', 'diff', 'local:N', 'local:M']),
		];
		const printed = results.map(({stdout, stderr}) => stdout + stderr).join('');
		expect(printed).toContain('Wrote 1 byte to the key "k"');
		expect(printed).toContain('put "k", 1 byte\n');
		expect(printed).toContain('Wrote 1 byte to file');
		expect(printed).toContain('binary (1 byte). ');
		expect(printed).toContain('put 1 key, first "');
		expect(printed).toContain('The only entry in "');
		expect(printed).toContain('Delete 1 key listed in');
		expect(printed).toContain('delete 1 key, first "');
		expect(printed).toContain('This affects 1 key:');
		expect(printed).toContain('Expected 2 keys, found 1;');
		expect(printed).toContain('1 key (1 byte of values)');
		expect(printed).toContain('1 key, ok');
		expect(printed).toContain('value, both 1 byte');
		expect(printed).toContain('1 differs; 0 are the same');
		expect(printed).not.toMatch(/(?<![\d,.])1 (bytes|keys|entries|files|are|differ\b)/);
	});
});

describe('a number to confirm', () => {
	const entries = JSON.stringify(
		Array.from({length: 1200}, (_, number) => ({key: `k${number}`, value: 'v'})),
	);
	const remove = ['kv', 'delete', '--prefix', 'k', ...local];

	beforeEach(async () => {
		writeFileSync(join(folder, 'many.json'), entries);
		await run(['kv', 'bulk', 'put', 'many.json', ...local]);
	});

	test.each(['1200', '1,200'])('can be given as %s', async given => {
		expect((await run([...remove, '--confirm', given])).code).toBe(0);
		expect((await run(['kv', 'key', 'list', ...local])).stdout).toBe('[]\n');
	});

	test.each(['1200', '1,200', ' 1,200 '])('can be typed as %j', async typed => {
		const {code, stderr} = await run([...remove, '--no-trash'], {tty: true, input: `${typed}\n`});
		expect(code, stderr).toBe(0);
		expect((await run(['kv', 'key', 'list', ...local])).stdout).toBe('[]\n');
	});

	test.each(['12,00', '1.200', '1201', ''])('cannot be %j', async typed => {
		expect((await run([...remove, '--no-trash'], {tty: true, input: `${typed}\n`})).code).toBe(1);
		expect((await run([...remove, '--confirm', typed])).code).toBe(2);
		expect(JSON.parse((await run(['kv', 'key', 'list', ...local])).stdout)).toHaveLength(1200);
	});
});

describe('the lifetime of a key', () => {
	const clock = createVirtualClock(Date.UTC(2030, 0, 1));
	const put = async (...options: string[]): Promise<string | undefined> => {
		const {code, stderr} = await run(['kv', 'key', 'put', 'k', 'v', ...options, ...local], {clock});
		expect(code, stderr).toBe(0);
		return JSON.parse((await run(['kv', 'key', 'list', ...local], {clock})).stdout)[0].expiration;
	};

	test.each([
		['3600', '2030-01-01T01:00:00Z'],
		['3,600', '2030-01-01T01:00:00Z'],
		['1h', '2030-01-01T01:00:00Z'],
		['+90s', '2030-01-01T00:01:30Z'],
		['1h30m', '2030-01-01T01:30:00Z'],
		['7d', '2030-01-08T00:00:00Z'],
	])('is a duration for --ttl: %s', async (ttl, expiration) => {
		expect(await put('--ttl', ttl)).toBe(expiration);
	});

	test.each([
		['1893459600', '2030-01-01T01:00:00Z'],
		['@1893459600', '2030-01-01T01:00:00Z'],
		['2030-02-03', '2030-02-03T00:00:00Z'],
		['2030-02-03 09:14', '2030-02-03T09:14:00Z'],
		['2030-02-03T09:14:00+02:00', '2030-02-03T07:14:00Z'],
	])('is a time for --expiration: %s', async (moment, expiration) => {
		expect(await put('--expiration', moment)).toBe(expiration);
	});

	test.each([
		['--ttl', 'soon', '90s'],
		['--ttl', '1h 2x', '90s'],
		['--ttl', '1.5h', '90s'],
		['--ttl', 'never', '90s'],
		['--expiration', '1h', '2031-01-31 09:00'],
		['--expiration', '2030-02-30', '2031-01-31 09:00'],
	])('for %s %j is refused with examples', async (option, given, example) => {
		const {code, stderr} = await run(['kv', 'key', 'put', 'k', 'v', option, given, ...local], {clock});
		expect(code).toBe(2);
		expect(stderr).toContain(example);
		expect(stderr).toContain(`"${given}"`);
	});

	test.each([['59s'], ['59']])('is too short at %s', async ttl => {
		const {code, stderr} = await run(['kv', 'key', 'put', 'k', 'v', '--ttl', ttl, ...local], {clock});
		expect(code).toBe(2);
		expect(stderr).toContain('at least 60 seconds; this one is 59');
	});
});
