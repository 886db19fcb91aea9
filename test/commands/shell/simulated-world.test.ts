import {existsSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeEach, describe, expect, test} from 'vitest';
import {createScratchFolder, type EndedRun, ledge} from '../../support/ledge.ts';

let folder: string;

beforeEach(() => {
	folder = createScratchFolder();
});

const run = (words: readonly string[], env: Record<string, string> = {}): Promise<EndedRun> =>
	ledge(words, {cwd: folder, env});

describe('storing the simulated world', () => {
	// A HOME that is a file cannot contain folders, even if root runs the test.
	const createUnusableHome = () => {
		const HOME = join(folder, 'home');
		writeFileSync(HOME, '');
		return {HOME};
	};

	test('falls back to memory with a warning if the state directory cannot be created', async () => {
		const {code, stdout, stderr} = await run(['--simulate', 'kv', 'namespace', 'list'], createUnusableHome());
		expect(code).toBe(0);
		expect(JSON.parse(stdout).length).toBeGreaterThan(0);
		expect(stderr).toMatch(/^warning: The simulated world is not saved\. .*ENOTDIR/);
	});

	test('fails on --reset, as nothing was reset', async () => {
		const {code, stderr} = await run(['simulate', '--reset'], createUnusableHome());
		expect(code).toBe(1);
		expect(stderr).toContain('cannot be created');
	});

	test('fails with a way out if --state cannot be opened', async () => {
		const state = join(createUnusableHome().HOME, 'world.sqlite');
		const ended = await run(['--simulate', '--state', state, 'kv', 'namespace', 'list', '--json']);
		expect(ended).toMatchObject({code: 1, stdout: ''});
		expect(JSON.parse(ended.stderr).error).toMatchObject({
			code: 'file_failed',
			next: expect.stringContaining('--state'),
		});
	});

	test('gives advice for a damaged --state that resets that world and not the default one', async () => {
		const state = join(folder, 'my world.sqlite');
		writeFileSync(state, 'no database at all, and longer than its header would be: '.repeat(20));
		const broken = await run(['--simulate', '--state', state, 'kv', 'namespace', 'list', '--json']);
		expect(broken.code).toBe(1);
		const {next} = JSON.parse(broken.stderr).error as {next: string};
		expect(next).toContain(`ledge simulate --reset --state "${state}"`);
		expect((await run(['simulate', '--reset', '--state', state])).code).toBe(0);
		expect((await run(['--simulate', '--state', state, 'kv', 'namespace', 'list'])).code).toBe(0);
		expect(existsSync(join(folder, '.local'))).toBe(false);
	});
});

describe('the environment with --simulate', () => {
	const garbage = {
		CLOUDFLARE_API_BASE_URL: 'garbage',
		CLOUDFLARE_ACCOUNT_ID: 'not an id',
		CLOUDFLARE_ZONE_ID: 'not an id',
	};

	test.each([['--simulate'], ['--simulate config']])('does not affect `ledge %s`', async line => {
		const {code, stderr} = await run([...line.split(' '), '--json'], garbage);
		expect({code, stderr}).toEqual({code: 0, stderr: ''});
		expect((await run(line.split(' ').slice(1), garbage)).code).toBe(2);
	});
});
