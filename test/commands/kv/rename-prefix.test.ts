import {existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, describe, expect, test} from 'vitest';
import {ledge as ledgeProcess, startLedge} from '../../support/ledge.ts';
import {randomShare} from '../../support/random-kills.ts';
import {ledge, scratch} from '../../support/run.ts';
import {type RunningService, startService} from '../../support/service.ts';
import {type Target, targets} from '../../support/targets.ts';

const kinds = targets();

const namesIn = async (at: Target) =>
	(JSON.parse((await at.kv(['key', 'list'])).stdout) as {name: string}[]).map(({name}) => name);

for (const kind of ['local', 'remote'] as const) {
	describe(`kv rename-prefix, ${kind}`, () => {
		let any: Target;
		beforeAll(() => {
			any = kinds[kind]();
		});

		async function filled(): Promise<Target> {
			const at = await any.fresh();
			await at.kv(['key', 'put', 'user:1', 'one', '--metadata', '{"v":1}', '--expiration', '4000000000']);
			await at.kv(['key', 'put', 'user:2', 'two']);
			await at.kv(['key', 'put', 'other', 'other']);
			return at;
		}

		test('shows the number and names, and renames after the number is confirmed', async () => {
			const at = await filled();
			const asked = await at.kv(['rename-prefix', 'user:', 'account:', '--yes']);
			expect(asked.code).toBe(2);
			expect(asked.stderr).toContain('"user:1" → "account:1"');
			expect(asked.stderr).toContain('To continue, add --confirm 2.');
			const wrong = await at.kv(['rename-prefix', 'user:', 'account:', '--confirm', '3']);
			expect(wrong.code).toBe(2);
			expect(wrong.stderr).toContain('Expected 3 keys, found 2; nothing was written.');
			const planned = await at.kv(['rename-prefix', 'user:', 'account:', '--dry-run']);
			expect(planned).toMatchObject({code: 0});
			expect(planned.stdout).toMatch(kind === 'local' ? /put 2 keys.*delete 2 keys/s : /PUT.*bulk\/delete/s);
			expect(await namesIn(at)).toEqual(['other', 'user:1', 'user:2']);
			const renamed = await at.kv(['rename-prefix', 'user:', 'account:', '--confirm', '2', '--json']);
			expect(renamed.code).toBe(0);
			expect(JSON.parse(renamed.stdout)).toMatchObject({command: 'rename', done: 2, both: 0, to: 'account:'});
			expect(await namesIn(at)).toEqual(['account:1', 'account:2', 'other']);
			const {stdout} = await at.kv(['key', 'get', 'account:1', '--json']);
			expect(JSON.parse(stdout)).toMatchObject({
				value: 'one',
				metadata: {v: 1},
				expiration: '2096-10-02T07:06:40Z',
			});
			expect(await at.kv(['rename-prefix', 'user:', 'account:', '--confirm', '2'])).toMatchObject({
				code: 0,
				stderr: expect.stringContaining('No keys to rename begin with "user:" in '),
			});
		});

		test('shows new names that are already taken, and asks for a choice', async () => {
			const at = await filled();
			await at.kv(['key', 'put', 'account:2', 'taken']);
			const refused = await at.kv(['rename-prefix', 'user:', 'account:', '--confirm', '2']);
			expect(refused.code).toBe(1);
			expect(refused.stderr).toContain('One of the new names is taken by other keys.');
			expect(refused.stderr).toContain('"account:2"');
			expect(
				(await at.kv(['rename-prefix', 'user:', 'account:', '--overwrite', '--only-missing'])).code,
			).toBe(2);
			const missing = await at.kv(['rename-prefix', 'user:', 'account:', '--confirm', '2', '--only-missing']);
			expect(missing.code).toBe(0);
			expect(await namesIn(at)).toEqual(['account:1', 'account:2', 'other', 'user:2']);
			const over = await at.kv(['rename-prefix', 'user:', 'account:', '--confirm', '1', '--overwrite']);
			expect(over.code).toBe(0);
			expect((await at.kv(['key', 'get', 'account:2'])).stdout).toBe('two');
		});

		test('refuses invalid renames before anything is written', async () => {
			const at = await filled();
			const code = async (...words: string[]) =>
				(await at.kv(['rename-prefix', ...words, '--confirm', '2'])).code;
			expect(await code('user:', 'user:')).toBe(2);
			expect(await code('user:', 'x'.repeat(512))).toBe(2);
			expect(await code('user:', 'account:', '--read-only')).toBe(2);
			expect(await namesIn(at)).toEqual(['other', 'user:1', 'user:2']);
		});
	});
}

test('rename-prefix asks for the number on a terminal', async () => {
	const folder = scratch();
	const at = ['--local', '--namespace-id', 'N'];
	await ledge(['kv', 'key', 'put', 'a:1', 'v', ...at], {cwd: folder});
	const typed = (input: string) =>
		ledge(['kv', 'rename-prefix', 'a:', 'b:', ...at], {cwd: folder, tty: true, input});
	expect(await typed('2\n')).toMatchObject({code: 1});
	expect(await typed('1\n')).toMatchObject({code: 0});
	expect((await ledge(['kv', 'key', 'get', 'b:1', ...at], {cwd: folder})).stdout).toBe('v');
});

/** How often the process is killed: twice, and twenty times in `npm run test:full`. */
const kills = process.env.TEST_KILLS ? 20 : 2;

describe('rename-prefix killed at random moments and resumed', () => {
	const keys = Array.from({length: 1200}, (_, at) => ({
		key: `user:${String(at).padStart(5, '0')}`,
		...(at % 200 === 0 ? {value: '/wA=', base64: true} : {value: `value ${at}`}),
		...(at % 7 === 0 && {metadata: {at}}),
		...(at % 11 === 0 && {expiration: 4_000_000_000 + at}),
	}));
	const content = keys.map(entry => `${JSON.stringify(entry)}\n`).join('');

	let service: RunningService;
	beforeAll(async () => {
		service = await startService();
	});

	const jobIn = (folder: string): string | undefined => {
		const jobs = join(folder, '.local/state/ledge/jobs');
		const names = existsSync(jobs) ? readdirSync(jobs).filter(name => name.endsWith('.ndjson')) : [];
		const open = names.filter(name => !readFileSync(join(jobs, name), 'utf8').includes('"type":"done"'));
		return open[0]?.replace('.ndjson', '');
	};

	test('renames each key once, with all its data', {timeout: 300_000}, async () => {
		const folder = scratch();
		const run = (words: readonly string[]) => ledgeProcess(words, {cwd: folder, env: service.env});
		writeFileSync(join(folder, 'in.ndjson'), content);
		const made = await run(['kv', 'namespace', 'create', 'renamed', '--no-prefix', '--json']);
		const namespace = (JSON.parse(made.stdout) as {id: string}[])[0]?.id ?? '';
		const at = ['--namespace-id', namespace];
		expect(await run(['kv', 'import', 'in.ndjson', ...at])).toMatchObject({code: 0});
		await service.setFaults('latency=40 path=/bulk');
		const words = ['kv', 'rename-prefix', 'user:', 'account:', '--confirm', '1200', ...at];
		const next = () => {
			const job = jobIn(folder);
			return job === undefined ? words : ['jobs', 'resume', job];
		};
		for (let times = 0; times < kills; times++) {
			const child = startLedge([...next(), '--concurrency', '1'], {cwd: folder, env: service.env});
			const timer = setTimeout(() => child.kill('SIGKILL'), 300 + randomShare() * 2500);
			await new Promise(done => child.on('close', done));
			clearTimeout(timer);
			// Begun, so that it is resumed from here on; done already, so that it is over.
			if (jobIn(folder) === undefined) continue;
			const again = await run(words);
			expect(again.code).toBe(2);
			expect(again.stderr).toContain('This rename was already started and is not finished.');
		}
		await service.setFaults('');
		const left = await run(['kv', 'key', 'list', '--prefix', 'user:', ...at]);
		if (left.stdout.trim() !== '[]') {
			const ended = await run(next());
			expect(ended.code, ended.stderr).toBe(0);
		}
		writeFileSync(join(folder, 'wanted.ndjson'), content.replaceAll('"key":"user:', '"key":"account:'));
		const compared = await run(['kv', 'diff', 'file:wanted.ndjson', `remote:${namespace}`, '--exit-code']);
		expect(compared).toMatchObject({code: 0, stderr: 'Identical: 1,200 keys.\n'});
	});
});
