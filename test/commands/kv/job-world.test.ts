import {existsSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeEach, describe, expect, test} from 'vitest';
import {type Ended, ledge, scratch} from '../../support/run.ts';

let folder: string;

beforeEach(() => {
	folder = scratch();
});

/** The second batch fails for good. */
const stopsHalfway = {LEDGE_SIMULATE_FAULTS: 'status=403 code=10037 path=/bulk method=PUT after=1'};

const run = (words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> =>
	ledge(words, {cwd: folder, env});

const inWorld = (world: string | undefined): string[] =>
	world === undefined ? ['--simulate'] : ['--simulate', '--state', world];

const emptyNamespace = async (world: string | undefined): Promise<void> => {
	expect((await run([...inWorld(world), 'kv', 'namespace', 'create', 'W', '--no-prefix'])).code).toBe(0);
};

const keysIn = async (world: string | undefined): Promise<number> => {
	const {stdout} = await run([...inWorld(world), 'kv', 'key', 'list', '--namespace', 'W']);
	return (JSON.parse(stdout) as unknown[]).length;
};

/** An interrupted job in a world: 10,000 of 15,000 entries are written. Returns its id. */
async function interrupted(world: string | undefined): Promise<string> {
	await emptyNamespace(world);
	const entries = Array.from({length: 15_000}, (_, index) => ({key: `key-${index}`, value: 'v'}));
	writeFileSync(join(folder, 'in.json'), JSON.stringify(entries));
	const ended = await run(
		[...inWorld(world), 'kv', 'bulk', 'put', 'in.json', '--namespace', 'W', '--concurrency', '1'],
		stopsHalfway,
	);
	expect(ended.stderr).toContain('10000 of 15000 entries are written, 5000 are left.');
	const [, id = ''] = /ledge jobs resume (\w+)/.exec(ended.stderr) ?? [];
	return id;
}

describe('a job in its own simulated world (--state)', () => {
	test('is resumed in that world by `ledge jobs resume` alone, with a correct summary', async () => {
		const id = await interrupted('a.sqlite');
		expect((await run(['jobs'])).stdout).toContain(', in the simulated world in a.sqlite');
		const ended = await run(['jobs', 'resume', id]);
		expect(ended).toMatchObject({code: 0});
		expect(ended.stderr).toContain('Wrote 15,000 keys');
		expect(ended.stderr).toContain('(10,000 before it was interrupted)');
		expect(await keysIn('a.sqlite')).toBe(15_000);
	});

	test.each([
		['the default world', undefined],
		['another world', 'b.sqlite'],
	])('is refused in %s, which stays unchanged', async (_where, other) => {
		const id = await interrupted('a.sqlite');
		await emptyNamespace(other);
		const refused = await run([...inWorld(other), 'jobs', 'resume', id]);
		expect(refused.code).toBe(1);
		expect(refused.stderr).toContain('This belongs to the simulated world in a.sqlite.');
		expect(refused.stderr).toContain(`Use --simulate --state ${join(folder, 'a.sqlite')}.`);
		expect(await keysIn(other)).toBe(0);
		expect(await keysIn('a.sqlite')).toBe(10_000);
		expect(await run([...inWorld('a.sqlite'), 'jobs', 'resume', id])).toMatchObject({code: 0});
	});

	test('is refused once that world is gone, without creating a new one', async () => {
		const id = await interrupted('a.sqlite');
		for (const name of readdirSync(folder)) if (name.startsWith('a.sqlite')) rmSync(join(folder, name));
		for (const words of [
			['jobs', 'resume', id],
			[...inWorld('a.sqlite'), 'jobs', 'resume', id],
		]) {
			const refused = await run(words);
			expect(refused.code).toBe(1);
			expect(refused.stderr).toContain('a.sqlite, which no longer exists.');
		}
		expect(existsSync(join(folder, 'a.sqlite'))).toBe(false);
	});

	test('is not resumed by the same export in another world', async () => {
		await interrupted('a.sqlite');
		await emptyNamespace('b.sqlite');
		const words = ['kv', 'export', '--namespace', 'W', '-o', 'out.ndjson', '--concurrency', '1'];
		const cut = await run([...inWorld('a.sqlite'), ...words], {
			LEDGE_SIMULATE_FAULTS: 'status=403 code=10037 path=/bulk/get after=60',
		});
		expect(cut.stderr).toContain('ledge jobs resume');
		const other = await run([...inWorld('b.sqlite'), ...words]);
		expect(other.stderr).toContain('the first part of another, interrupted export');
	});
});

describe('a job without a recorded world', () => {
	test('belongs to the default world, as in earlier versions', async () => {
		const id = await interrupted(undefined);
		const journal = readFileSync(join(folder, '.local/state/ledge/jobs', `${id}.ndjson`), 'utf8');
		expect(journal).not.toContain('"world"');
		await emptyNamespace('b.sqlite');
		const refused = await run([...inWorld('b.sqlite'), 'jobs', 'resume', id]);
		expect(refused.code).toBe(1);
		expect(refused.stderr).toContain('This belongs to the default simulated world.');
		expect(refused.stderr).toContain('Leave out --state.');
		expect(await keysIn('b.sqlite')).toBe(0);
		expect(await run(['jobs', 'resume', id])).toMatchObject({code: 0});
		expect(await keysIn(undefined)).toBe(15_000);
	});

	test('is refused in a simulated world if it belongs to the real service', async () => {
		const id = await interrupted(undefined);
		const path = join(folder, '.local/state/ledge/jobs', `${id}.ndjson`);
		const journal = readFileSync(path, 'utf8');
		writeFileSync(path, journal.replace('"place":"simulated"', '"place":"https://api.example.test"'));
		const refused = await run(['--simulate', 'jobs', 'resume', id]);
		expect(refused.code).toBe(1);
		expect(refused.stderr).toContain('This belongs to https://api.example.test.');
		expect(refused.stderr).toContain('leave out --simulate');
		expect(await keysIn(undefined)).toBe(10_000);
	});
});

test('the summary counts repeated keys and entries separately', async () => {
	await emptyNamespace('a.sqlite');
	const entries = Array.from({length: 600}, (_, index) => ({key: `key-${index % 170}`, value: `${index}`}));
	writeFileSync(join(folder, 'in.json'), JSON.stringify(entries));
	const words = [...inWorld('a.sqlite'), 'kv', 'bulk', 'put', 'in.json', '--namespace', 'W'];
	const ended = await run(words);
	expect(ended.stderr).toContain(`Wrote ${await keysIn('a.sqlite')} keys (600 entries) in namespace W.`);
	const json = await run([...words, '--json']);
	expect(JSON.parse(json.stdout)).toMatchObject({entries: 600, done: 600, keys: 170, doneBefore: 0});
});
