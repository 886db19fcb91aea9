import {existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, describe, expect, test} from 'vitest';
import {ledge as ledgeProcess, startLedge} from '../../support/ledge.ts';
import {drawRandomShare} from '../../support/random-kills.ts';
import {createScratchFolder, ledge} from '../../support/run.ts';
import {type RunningService, startService} from '../../support/service.ts';
import {setUpTargets, type Target} from '../../support/targets.ts';

const targetGetters = setUpTargets();

const listNames = async (target: Target) =>
	(JSON.parse((await target.kv(['key', 'list'])).stdout) as {name: string}[]).map(({name}) => name);

for (const kind of ['local', 'remote'] as const) {
	describe(`kv rename-prefix, ${kind}`, () => {
		let baseTarget: Target;
		beforeAll(() => {
			baseTarget = targetGetters[kind]();
		});

		async function createFilledTarget(): Promise<Target> {
			const target = await baseTarget.createNamespace();
			await target.kv(['key', 'put', 'user:1', 'one', '--metadata', '{"v":1}', '--expiration', '4000000000']);
			await target.kv(['key', 'put', 'user:2', 'two']);
			await target.kv(['key', 'put', 'other', 'other']);
			return target;
		}

		test('shows the number and names, and renames after the number is confirmed', async () => {
			const target = await createFilledTarget();
			const unconfirmed = await target.kv(['rename-prefix', 'user:', 'account:', '--yes']);
			expect(unconfirmed.code).toBe(2);
			expect(unconfirmed.stderr).toContain('"user:1" → "account:1"');
			expect(unconfirmed.stderr).toContain('To continue, add --confirm 2.');
			const wrong = await target.kv(['rename-prefix', 'user:', 'account:', '--confirm', '3']);
			expect(wrong.code).toBe(2);
			expect(wrong.stderr).toContain('Expected 3 keys, found 2; nothing was written.');
			const planned = await target.kv(['rename-prefix', 'user:', 'account:', '--dry-run']);
			expect(planned).toMatchObject({code: 0});
			expect(planned.stdout).toMatch(kind === 'local' ? /put 2 keys.*delete 2 keys/s : /PUT.*bulk\/delete/s);
			expect(await listNames(target)).toEqual(['other', 'user:1', 'user:2']);
			const renamed = await target.kv(['rename-prefix', 'user:', 'account:', '--confirm', '2', '--json']);
			expect(renamed.code).toBe(0);
			expect(JSON.parse(renamed.stdout)).toMatchObject({command: 'rename', done: 2, both: 0, to: 'account:'});
			expect(await listNames(target)).toEqual(['account:1', 'account:2', 'other']);
			const {stdout} = await target.kv(['key', 'get', 'account:1', '--json']);
			expect(JSON.parse(stdout)).toMatchObject({
				value: 'one',
				metadata: {v: 1},
				expiration: '2096-10-02T07:06:40Z',
			});
			expect(await target.kv(['rename-prefix', 'user:', 'account:', '--confirm', '2'])).toMatchObject({
				code: 0,
				stderr: expect.stringContaining('No keys to rename begin with "user:" in '),
			});
		});

		test('shows new names that are already taken, and asks for a choice', async () => {
			const target = await createFilledTarget();
			await target.kv(['key', 'put', 'account:2', 'taken']);
			const refused = await target.kv(['rename-prefix', 'user:', 'account:', '--confirm', '2']);
			expect(refused.code).toBe(1);
			expect(refused.stderr).toContain('One of the new names is taken by other keys.');
			expect(refused.stderr).toContain('"account:2"');
			expect(
				(await target.kv(['rename-prefix', 'user:', 'account:', '--overwrite', '--only-missing'])).code,
			).toBe(2);
			const onlyMissing = await target.kv([
				'rename-prefix',
				'user:',
				'account:',
				'--confirm',
				'2',
				'--only-missing',
			]);
			expect(onlyMissing.code).toBe(0);
			expect(await listNames(target)).toEqual(['account:1', 'account:2', 'other', 'user:2']);
			const overwriting = await target.kv([
				'rename-prefix',
				'user:',
				'account:',
				'--confirm',
				'1',
				'--overwrite',
			]);
			expect(overwriting.code).toBe(0);
			expect((await target.kv(['key', 'get', 'account:2'])).stdout).toBe('two');
		});

		test('refuses invalid renames before anything is written', async () => {
			const target = await createFilledTarget();
			const getExitCode = async (...words: string[]) =>
				(await target.kv(['rename-prefix', ...words, '--confirm', '2'])).code;
			expect(await getExitCode('user:', 'user:')).toBe(2);
			expect(await getExitCode('user:', 'x'.repeat(512))).toBe(2);
			expect(await getExitCode('user:', 'account:', '--read-only')).toBe(2);
			expect(await listNames(target)).toEqual(['other', 'user:1', 'user:2']);
		});
	});
}

test('rename-prefix asks for the number on a terminal', async () => {
	const folder = createScratchFolder();
	const namespaceOptions = ['--local', '--namespace-id', 'N'];
	await ledge(['kv', 'key', 'put', 'a:1', 'v', ...namespaceOptions], {cwd: folder});
	const confirmWith = (input: string) =>
		ledge(['kv', 'rename-prefix', 'a:', 'b:', ...namespaceOptions], {cwd: folder, tty: true, input});
	expect(await confirmWith('2\n')).toMatchObject({code: 1});
	expect(await confirmWith('1\n')).toMatchObject({code: 0});
	expect((await ledge(['kv', 'key', 'get', 'b:1', ...namespaceOptions], {cwd: folder})).stdout).toBe('v');
});

/** How often the process is killed: twice, and twenty times in `npm run test:full`. */
const kills = process.env.TEST_KILLS ? 20 : 2;

describe('rename-prefix killed at random moments and resumed', () => {
	const entries = Array.from({length: 1200}, (_, at) => ({
		key: `user:${String(at).padStart(5, '0')}`,
		...(at % 200 === 0 ? {value: '/wA=', base64: true} : {value: `value ${at}`}),
		...(at % 7 === 0 && {metadata: {at}}),
		...(at % 11 === 0 && {expiration: 4_000_000_000 + at}),
	}));
	const content = entries.map(entry => `${JSON.stringify(entry)}\n`).join('');

	let service: RunningService;
	beforeAll(async () => {
		service = await startService();
	});

	const findUnfinishedJob = (folder: string): string | undefined => {
		const jobs = join(folder, '.local/state/ledge/jobs');
		const names = existsSync(jobs) ? readdirSync(jobs).filter(name => name.endsWith('.ndjson')) : [];
		const unfinished = names.filter(
			name => !readFileSync(join(jobs, name), 'utf8').includes('"type":"done"'),
		);
		return unfinished[0]?.replace('.ndjson', '');
	};

	test('renames each key once, with all its data', {timeout: 300_000}, async () => {
		const folder = createScratchFolder();
		const run = (words: readonly string[]) => ledgeProcess(words, {cwd: folder, env: service.env});
		writeFileSync(join(folder, 'in.ndjson'), content);
		const created = await run(['kv', 'namespace', 'create', 'renamed', '--no-prefix', '--json']);
		const namespace = (JSON.parse(created.stdout) as {id: string}[])[0]?.id ?? '';
		const namespaceOptions = ['--namespace-id', namespace];
		expect(await run(['kv', 'import', 'in.ndjson', ...namespaceOptions])).toMatchObject({code: 0});
		await service.setFaults('latency=40 path=/bulk');
		const words = ['kv', 'rename-prefix', 'user:', 'account:', '--confirm', '1200', ...namespaceOptions];
		const getNextWords = () => {
			const job = findUnfinishedJob(folder);
			return job === undefined ? words : ['jobs', 'resume', job];
		};
		for (let killCount = 0; killCount < kills; killCount++) {
			const child = startLedge([...getNextWords(), '--concurrency', '1'], {cwd: folder, env: service.env});
			const timer = setTimeout(() => child.kill('SIGKILL'), 300 + drawRandomShare() * 2500);
			await new Promise(done => child.on('close', done));
			clearTimeout(timer);
			// No unfinished job: it was killed before it created its journal, or is done.
			if (findUnfinishedJob(folder) === undefined) continue;
			const repeated = await run(words);
			expect(repeated.code).toBe(2);
			expect(repeated.stderr).toContain('This rename was already started and is not finished.');
		}
		await service.setFaults('');
		const remaining = await run(['kv', 'key', 'list', '--prefix', 'user:', ...namespaceOptions]);
		if (remaining.stdout.trim() !== '[]') {
			const ended = await run(getNextWords());
			expect(ended.code, ended.stderr).toBe(0);
		}
		writeFileSync(join(folder, 'wanted.ndjson'), content.replaceAll('"key":"user:', '"key":"account:'));
		const compared = await run(['kv', 'diff', 'file:wanted.ndjson', `remote:${namespace}`, '--exit-code']);
		expect(compared).toMatchObject({code: 0, stderr: 'Identical: 1,200 keys.\n'});
	});
});
