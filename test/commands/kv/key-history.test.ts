import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {createLocalProject} from '../../support/local-project.ts';
import {
	createScratchFolder,
	createVirtualClock,
	type EndedRun,
	ledge,
	type RunOptions,
} from '../../support/run.ts';

const startTime = Date.UTC(2026, 10, 21, 3, 10);
const dayMs = 86_400_000;

/** Creates a local project, and a function that runs commands there, some days after the start. */
async function createProject() {
	const cwd = await createLocalProject({flag: 'first', other: 'o'});
	return (line: string, days = 0, options: RunOptions = {}): Promise<EndedRun> =>
		ledge([...line.split(' '), '--local', '--binding', 'DATA'], {
			cwd,
			clock: createVirtualClock(startTime + days * dayMs),
			...options,
		});
}

const readVersions = ({stdout}: EndedRun) => {
	const {now, versions} = JSON.parse(stdout);
	return {now, versions: versions as {readonly id: string; readonly [field: string]: unknown}[]};
};

describe('kv key history', () => {
	test('lists what was overwritten and deleted, latest first, and what differs from now', async () => {
		const run = await createProject();
		await run('kv key put flag second --trash --metadata {"v":1}', 0);
		await run('kv key put flag first --trash', 1);
		await run('kv key put other x --trash', 1);
		const {now, versions} = readVersions(await run('kv key history flag --json', 2));
		expect(now).toEqual({bytes: 5, expiration: null, metadata: null});
		expect(versions).toEqual([
			{
				id: expect.any(String),
				reason: 'overwritten',
				until: '2026-11-22T03:10:00.000Z',
				keptUntil: '2026-11-29T03:10:00.000Z',
				daysLeft: 6,
				bytes: 6,
				expiration: null,
				metadata: {v: 1},
				differs: ['value', 'metadata'],
				command: 'kv key put',
			},
			expect.objectContaining({until: '2026-11-21T03:10:00.000Z', differs: [], daysLeft: 5}),
		]);
		const {stdout} = await run('kv key history flag', 2);
		expect(stdout.split('\n').map(line => line.slice(10, 60).trimEnd())).toEqual([
			'UNTIL                 THEN         BYTES  EXPIRES',
			'now                                    5  –',
			'2026-11-22 03:10 UTC  overwritten      6  –',
			'2026-11-21 03:10 UTC  overwritten      5  –',
			'',
		]);
	});

	test('has a key that no longer exists, and one that was deleted with others', async () => {
		const run = await createProject();
		await run('kv delete --prefix f --confirm 1');
		await run('kv key put flag again');
		await run('kv key put flap with');
		await run('kv delete --prefix fla --confirm 2', 1);
		const {now, versions} = readVersions(await run('kv key history flag --json', 2));
		expect(now).toBeNull();
		expect(versions.map(({reason, bytes, differs}) => [reason, bytes, differs])).toEqual([
			['deleted', 5, null],
			['deleted', 5, null],
		]);
	});

	test('prints the value of a version, and restores it', async () => {
		const run = await createProject();
		await run('kv key put flag second --trash');
		const [{id = ''} = {id: ''}] = readVersions(await run('kv key history flag --json')).versions;
		expect((await run(`kv key history flag --show ${id}`)).stdout).toBe('first');
		expect(JSON.parse((await run(`kv key history flag --show ${id} --json`)).stdout)).toEqual({
			key: 'flag',
			id,
			value: 'first',
			bytes: 5,
			expiration: null,
			metadata: null,
		});
		const terminal = await run('kv key history flag', 0, {tty: true});
		expect(terminal.stderr).toContain(`To restore: ledge kv trash restore ${id} --key flag --overwrite`);
		expect((await run(`kv key history other --show ${id}`)).code).toBe(2);
		expect((await run('kv key history flag --show none')).code).toBe(2);
	});

	test('a damaged entry of the trash hides no other', async () => {
		const run = await createProject();
		const env = {LEDGE_STATE_DIR: join(createScratchFolder(), 'state')};
		await run('kv key put flag second --trash', 0, {env});
		await run('kv key put flag third --trash', 1, {env});
		const [{id = ''} = {id: ''}] = readVersions(await run('kv key history flag --json', 1, {env})).versions;
		writeFileSync(join(env.LEDGE_STATE_DIR, 'trash', id, 'keys.ndjson'), '{"key":"flag","va');
		const ended = await run('kv key history flag --json', 1, {env});
		expect(readVersions(ended).versions).toHaveLength(1);
		expect(ended.stderr).toContain(`The trash entry ${id} is damaged, so it is left out.`);
	});

	test('a version is kept for seven days', async () => {
		const run = await createProject();
		await run('kv key put flag second --trash');
		expect(readVersions(await run('kv key history flag --json', 7)).versions).toHaveLength(1);
		const ended = await run('kv key history flag', 8);
		expect(ended.stdout).toBe('');
		expect(ended.stderr).toContain('The trash has no earlier version of the key "flag"');
		expect(ended.code).toBe(0);
	});

	test('a key that never existed is not found', async () => {
		const run = await createProject();
		expect((await run('kv key history none')).code).toBe(3);
	});
});

test('[defaults] history = false keeps no overwritten value unless it is asked for, and deleted keys', async () => {
	const run = await createProject();
	const options = (): RunOptions => ({tty: true, env: {XDG_CONFIG_HOME: folder}});
	const folder = await createLocalProject({});
	mkdirSync(join(folder, 'ledge'));
	writeFileSync(join(folder, 'ledge/config.toml'), '[defaults]\nhistory = false\n');
	const countVersions = async () => readVersions(await run('kv key history flag --json')).versions.length;
	await run('kv key put flag second', 0, options());
	expect(await countVersions()).toBe(0);
	await run('kv key put flag third --trash', 0, options());
	expect(await countVersions()).toBe(1);
	await run('kv key delete flag', 0, options());
	expect(await countVersions()).toBe(2);
});
