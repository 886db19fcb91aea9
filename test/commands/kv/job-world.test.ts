import {existsSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeEach, describe, expect, test} from 'vitest';
import {createScratchFolder, type EndedRun, ledge} from '../../support/run.ts';

let folder: string;

beforeEach(() => {
	folder = createScratchFolder();
});

/** Environment in which the second batch is refused. */
const failingSecondBatch = {LEDGE_SIMULATE_FAULTS: 'status=403 code=10037 path=/bulk method=PUT after=1'};

const run = (words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<EndedRun> =>
	ledge(words, {cwd: folder, env});

const getWorldOptions = (world: string | undefined): string[] =>
	world === undefined ? ['--simulate'] : ['--simulate', '--state', world];

const createEmptyNamespace = async (world: string | undefined): Promise<void> => {
	expect((await run([...getWorldOptions(world), 'kv', 'namespace', 'create', 'W', '--no-prefix'])).code).toBe(
		0,
	);
};

const countKeys = async (world: string | undefined): Promise<number> => {
	const {stdout} = await run([...getWorldOptions(world), 'kv', 'key', 'list', '--namespace', 'W']);
	return (JSON.parse(stdout) as unknown[]).length;
};

/** Interrupts a job in a world after 10,000 of 15,000 entries, and returns its id. */
async function interruptJob(world: string | undefined): Promise<string> {
	await createEmptyNamespace(world);
	const entries = Array.from({length: 15_000}, (_, index) => ({key: `key-${index}`, value: 'v'}));
	writeFileSync(join(folder, 'in.json'), JSON.stringify(entries));
	const ended = await run(
		[...getWorldOptions(world), 'kv', 'bulk', 'put', 'in.json', '--namespace', 'W', '--concurrency', '1'],
		failingSecondBatch,
	);
	expect(ended.stderr).toContain('10000 of 15000 entries are written, 5000 are left.');
	const [, id = ''] = /ledge jobs resume (\w+)/.exec(ended.stderr) ?? [];
	return id;
}

describe('a job in its own simulated world (--state)', () => {
	test('is resumed in that world by `ledge jobs resume` alone, with a correct summary', async () => {
		const id = await interruptJob('a.sqlite');
		expect((await run(['jobs'])).stdout).toContain(', in the simulated world in a.sqlite');
		const ended = await run(['jobs', 'resume', id]);
		expect(ended).toMatchObject({code: 0});
		expect(ended.stderr).toContain('Wrote 15,000 keys');
		expect(ended.stderr).toContain('(10,000 before it was interrupted)');
		expect(await countKeys('a.sqlite')).toBe(15_000);
	});

	test.each([
		['the default world', undefined],
		['another world', 'b.sqlite'],
	])('is refused in %s, which stays unchanged', async (_where, other) => {
		const id = await interruptJob('a.sqlite');
		await createEmptyNamespace(other);
		const refused = await run([...getWorldOptions(other), 'jobs', 'resume', id]);
		expect(refused.code).toBe(1);
		expect(refused.stderr).toContain('This belongs to the simulated world in a.sqlite.');
		expect(refused.stderr).toContain(`Use --simulate --state ${join(folder, 'a.sqlite')}.`);
		expect(await countKeys(other)).toBe(0);
		expect(await countKeys('a.sqlite')).toBe(10_000);
		expect(await run([...getWorldOptions('a.sqlite'), 'jobs', 'resume', id])).toMatchObject({code: 0});
	});

	test('is refused once that world is gone, without creating a new one', async () => {
		const id = await interruptJob('a.sqlite');
		for (const name of readdirSync(folder)) if (name.startsWith('a.sqlite')) rmSync(join(folder, name));
		for (const words of [
			['jobs', 'resume', id],
			[...getWorldOptions('a.sqlite'), 'jobs', 'resume', id],
		]) {
			const refused = await run(words);
			expect(refused.code).toBe(1);
			expect(refused.stderr).toContain('a.sqlite, which no longer exists.');
		}
		expect(existsSync(join(folder, 'a.sqlite'))).toBe(false);
	});

	test('is not resumed by the same export in another world', async () => {
		await interruptJob('a.sqlite');
		await createEmptyNamespace('b.sqlite');
		const words = ['kv', 'export', '--namespace', 'W', '-o', 'out.ndjson', '--concurrency', '1'];
		const cut = await run([...getWorldOptions('a.sqlite'), ...words], {
			LEDGE_SIMULATE_FAULTS: 'status=403 code=10037 path=/bulk/get after=60',
		});
		expect(cut.stderr).toContain('ledge jobs resume');
		const other = await run([...getWorldOptions('b.sqlite'), ...words]);
		expect(other.stderr).toContain('the first part of another, interrupted export');
	});
});

describe('a job without a recorded world', () => {
	test('belongs to the default world, as in earlier versions', async () => {
		const id = await interruptJob(undefined);
		const journal = readFileSync(join(folder, '.local/state/ledge/jobs', `${id}.ndjson`), 'utf8');
		expect(journal).not.toContain('"world"');
		await createEmptyNamespace('b.sqlite');
		const refused = await run([...getWorldOptions('b.sqlite'), 'jobs', 'resume', id]);
		expect(refused.code).toBe(1);
		expect(refused.stderr).toContain('This belongs to the default simulated world.');
		expect(refused.stderr).toContain('Leave out --state.');
		expect(await countKeys('b.sqlite')).toBe(0);
		expect(await run(['jobs', 'resume', id])).toMatchObject({code: 0});
		expect(await countKeys(undefined)).toBe(15_000);
	});

	test('is refused in a simulated world if it belongs to the real service', async () => {
		const id = await interruptJob(undefined);
		const path = join(folder, '.local/state/ledge/jobs', `${id}.ndjson`);
		const journal = readFileSync(path, 'utf8');
		writeFileSync(path, journal.replace('"place":"simulated"', '"place":"https://api.example.test"'));
		const refused = await run(['--simulate', 'jobs', 'resume', id]);
		expect(refused.code).toBe(1);
		expect(refused.stderr).toContain('This belongs to https://api.example.test.');
		expect(refused.stderr).toContain('leave out --simulate');
		expect(await countKeys(undefined)).toBe(10_000);
	});
});

test('the summary counts repeated keys and entries separately', async () => {
	await createEmptyNamespace('a.sqlite');
	const entries = Array.from({length: 600}, (_, index) => ({key: `key-${index % 170}`, value: `${index}`}));
	writeFileSync(join(folder, 'in.json'), JSON.stringify(entries));
	const words = [...getWorldOptions('a.sqlite'), 'kv', 'bulk', 'put', 'in.json', '--namespace', 'W'];
	const ended = await run(words);
	expect(ended.stderr).toContain(`Wrote ${await countKeys('a.sqlite')} keys (600 entries) in namespace W.`);
	const json = await run([...words, '--json']);
	expect(JSON.parse(json.stdout)).toMatchObject({entries: 600, done: 600, keys: 170, doneBefore: 0});
});
