import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {GeneratedKeys} from '../../../source/simulator/simulator.ts';
import {createScratchFolder, ledge, type RunOptions} from '../../support/run.ts';
import {serveSimulator} from '../../support/serve-simulator.ts';

const keyCount = 25_000;
const keys = new GeneratedKeys(keyCount);
const namespaceOption = ['--namespace-id', '5b0e4a7d91c84f2e8a36d0c7f1e295b4'];

async function serveGeneratedKeys(): Promise<
	(words: readonly string[], options?: RunOptions) => ReturnType<typeof ledge>
> {
	const {env} = await serveSimulator({generatedKeys: keyCount});
	const cwd = createScratchFolder();
	return (words, options) => ledge(words, {cwd, env, ...options});
}

test('all keys are listed and counted', async () => {
	const run = await serveGeneratedKeys();
	const listed = await run(['kv', 'key', 'list', ...namespaceOption, '--format', 'ndjson']);
	const names = listed.stdout
		.trimEnd()
		.split('\n')
		.map(line => JSON.parse(line).name);
	expect(names).toEqual(Array.from({length: keyCount}, (_, number) => keys.getName(number)));
	expect(
		(await run(['kv', 'export', ...namespaceOption, '--prefix', 'user:', '--output', 'none', '--dry-run']))
			.stdout,
	).toMatch(/^An export would contain 10,000 keys \(/);
});

test('a table of all keys is as wide as the widest name, even if that is the last', async () => {
	const run = await serveGeneratedKeys();
	const widest = `zz:${'w'.repeat(60)}\t`;
	await run(['kv', 'key', 'put', ...namespaceOption, widest, 'value', '--metadata', '{"of":"the last"}']);
	const listing = ['kv', 'key', 'list', ...namespaceOption, '--metadata', '--format'];
	const {stdout} = await run([...listing, 'table']);
	const lines = (await run([...listing, 'ndjson'])).stdout.trimEnd().split('\n');
	const expectedLines = lines.map(line => {
		const {name, expiration = '–', metadata} = JSON.parse(line);
		// 65 columns: the widest name, with its tab shown as `\t`.
		const cells = [
			name.replace('\t', '\\t').padEnd(65),
			expiration.padEnd(20),
			JSON.stringify(metadata) ?? '',
		];
		return cells.join('  ').trimEnd();
	});
	expect(expectedLines).toHaveLength(keyCount + 1);
	const titles = ['NAME'.padEnd(65), 'EXPIRES'.padEnd(20), 'METADATA'].join('  ');
	expect(stdout).toBe([titles, ...expectedLines, ''].join('\n'));
});

test('diff compares an export key by key; with a prefix it reads only that part of both', async () => {
	const run = await serveGeneratedKeys();
	const cwd = createScratchFolder();
	const exported = await run(['kv', 'export', ...namespaceOption, '--output', join(cwd, 'all.ndjson')]);
	expect(exported.code).toBe(0);
	const stores = ['remote:generated', `file:${join(cwd, 'all.ndjson')}`];
	const prefix = ['--prefix', 'user:0000001'];
	expect((await run(['kv', 'diff', ...stores, ...prefix])).stderr).toContain('Identical: 20 keys.');
	await run(['kv', 'key', 'put', ...namespaceOption, 'user:00000015:profile', 'new']);
	await run(['kv', 'key', 'delete', ...namespaceOption, '--yes', 'user:00000016:settings']);
	const {stdout} = await run(['kv', 'diff', ...stores, ...prefix]);
	expect(stdout.split('\n').map(line => line.slice(0, 27))).toEqual([
		'≠ "user:00000015:profile"  ',
		'> "user:00000016:settings"',
		'',
	]);
});

test('a terminal shows how long many keys take and what is faster; a script does not', async () => {
	const run = await serveGeneratedKeys();
	const listing = ['kv', 'key', 'list', ...namespaceOption, '--format', 'ndjson'];
	const text = '10,000,000 keys take 10,000 calls: 37 min at the quota of the service.';
	const listed = await run(listing, {tty: true});
	expect(listed.stderr.split(text)).toHaveLength(2);
	expect(listed.stderr).toContain('Use --prefix for fewer keys.');
	expect((await run(listing)).stderr).not.toContain('quota');
	const few = await run([...listing, '--prefix', 'asset/0'], {tty: true});
	expect(few.stderr).not.toContain('quota');
	const searched = await run(['kv', 'search', ...namespaceOption, 'no such text'], {tty: true});
	expect(searched.stderr).toContain('1,000,000 keys take 11,000 calls: 41 min');
	expect(searched.stderr).toContain('--names to skip values');
	const file = join(createScratchFolder(), 'none.ndjson');
	writeFileSync(file, '');
	const compared = await run(['kv', 'diff', '--names-only', 'remote:generated', `file:${file}`], {tty: true});
	expect(compared.stderr).toContain(text);
});
