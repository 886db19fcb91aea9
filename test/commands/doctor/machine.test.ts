import {chmodSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, describe, expect, test} from 'vitest';
import {createScratchFolder, ledge} from '../../support/run.ts';
import {type ServedSimulator, serveSimulator} from '../../support/serve-simulator.ts';
import {listInState, runDoctor} from './run-doctor.ts';

const token = 'sentinel-token-0123456789';

let service: ServedSimulator;
beforeAll(async () => {
	service = await serveSimulator({tokens: [token]});
});

const getEnvironment = (env: Readonly<Record<string, string>> = {}) => ({
	...service.env,
	CLOUDFLARE_API_TOKEN: token,
	...env,
});

/** Runs it, and expects that nothing is sent and that areas are skipped for that reason. */
async function expectNothingSent(options: Parameters<typeof runDoctor>[0], why: string, ...words: string[]) {
	const before = service.simulator.calls.list().length;
	const run = await runDoctor(options, ...words);
	expect(run.code).toBe(1);
	expect(run.stdout).not.toContain(token);
	expect(run.getCheck('kv')).toMatchObject({state: 'skipped', finding: `not checked: ${why}`});
	expect(service.simulator.calls.list().length).toBe(before);
	return run;
}

describe('the machine of doctor', () => {
	test('has the credential by kind and source, never the secret', async () => {
		const {stdout, getCheck} = await runDoctor({env: getEnvironment()});
		expect(getCheck('credential')).toMatchObject({
			state: 'ok',
			finding: 'API token, from CLOUDFLARE_API_TOKEN',
		});
		expect(stdout).not.toContain(token);
	});

	test('has no credential', async () => {
		const {getCheck} = await expectNothingSent(
			{env: getEnvironment({CLOUDFLARE_API_TOKEN: ''})},
			'see credential',
		);
		expect(getCheck('credential')).toMatchObject({state: 'failed', finding: 'No credential was given'});
	});

	test('has a token that the service does not know', async () => {
		const {code, stdout, getCheck} = await runDoctor({
			env: getEnvironment({CLOUDFLARE_API_TOKEN: 'another-token'}),
		});
		expect(code).toBe(1);
		expect(getCheck('token')).toMatchObject({state: 'failed', http: 401, codes: [1000]});
		// A permission would not help.
		expect(getCheck('zones')).toMatchObject({state: 'failed', http: 403, next: 'Replace the credential.'});
		expect(stdout).not.toContain('another-token');
	});

	test('cannot reach the service', async () => {
		const {code, getCheck, report} = await runDoctor({
			env: getEnvironment({CLOUDFLARE_API_BASE_URL: 'http://127.0.0.1:1/client/v4'}),
		});
		expect(code).toBe(1);
		expect(getCheck('token').finding).toBe('127.0.0.1:1 cannot be reached');
		expect(getCheck('kv').finding).toBe('not checked: the service gives no answer');
		expect(listInState(report.checks, 'failed')).toEqual(['token', 'accounts', 'zones']);
	});

	test('prints advice once, and areas skipped for the same reason together', async () => {
		const env = getEnvironment({CLOUDFLARE_API_BASE_URL: 'http://127.0.0.1:1/client/v4'});
		const {stdout} = await ledge(['doctor'], {env});
		expect(stdout.match(/→ Nothing is listening there/g)).toHaveLength(1);
		expect(stdout).toMatch(
			/^skipped {2}key-value store {2}not checked: the service gives no answer; nor store$/m,
		);
		expect(stdout.match(/^skipped/gm)).toHaveLength(2);
		expect(stdout).toContain('3 failed, 12 skipped');
	});

	test('has a base URL that cannot be used', async () => {
		const {getCheck} = await expectNothingSent(
			{env: getEnvironment({CLOUDFLARE_API_BASE_URL: 'http://example.com'})},
			'see base URL',
		);
		expect(getCheck('baseUrl').state).toBe('failed');
	});

	test('has a proxy, whose password stays out', async () => {
		const env = {HTTPS_PROXY: 'http://someone:hunter2@127.0.0.1:1', CLOUDFLARE_API_BASE_URL: ''};
		const {stdout, getCheck} = await runDoctor({env: getEnvironment(env)});
		expect(getCheck('proxy').finding).toBe('http://127.0.0.1:1, from HTTPS_PROXY');
		expect(getCheck('token').state).toBe('failed');
		expect(stdout).not.toMatch(/hunter2|someone/);
	});

	test('has a configuration file or a context that is invalid', async () => {
		const folder = createScratchFolder();
		writeFileSync(join(folder, 'wrangler.toml'), 'kv_namespaces = "SENTINEL"\n');
		await expectNothingSent({env: getEnvironment(), cwd: folder}, 'see configuration');
		await expectNothingSent({env: getEnvironment()}, 'see context', '--context', 'nowhere');
		const home = createScratchFolder();
		mkdirSync(join(home, '.config/ledge'), {recursive: true});
		writeFileSync(join(home, '.config/ledge/contexts.toml'), '[contexts\n', {mode: 0o600});
		await expectNothingSent({env: getEnvironment(), cwd: home}, 'see context');
	});

	test('uses the account and the token of the active context', async () => {
		const home = createScratchFolder();
		mkdirSync(join(home, '.config/ledge'), {recursive: true});
		writeFileSync(
			join(home, '.config/ledge/contexts.toml'),
			`[contexts.work]\naccount_id = "910896fde4470afb4fab0b3c5e3aaff8"\ntoken_variable = "WORK_TOKEN"\nbase_url = "${service.url}"\n`,
			{mode: 0o600},
		);
		const env = {WORK_TOKEN: token};
		const {code, getCheck} = await runDoctor({env, cwd: home}, '--context', 'work');
		expect(code).toBe(0);
		expect(getCheck('context').finding).toBe('1 of 1 active, from --context');
		expect(getCheck('credential').finding).toContain('WORK_TOKEN');
	});
});

describe('the state directory', () => {
	const check = async (env: Readonly<Record<string, string>>) =>
		(await runDoctor({env: getEnvironment(env)})).getCheck('state');

	test('is created when needed, and not by doctor', async () => {
		const folder = createScratchFolder();
		const path = join(folder, 'deep/state');
		expect(await check({LEDGE_STATE_DIR: path})).toMatchObject({
			state: 'ok',
			finding: `${path}, created when needed`,
		});
		expect((await check({LEDGE_STATE_DIR: path})).finding).toContain('created when needed');
	});

	test('has its home folder shortened', async () => {
		const home = createScratchFolder();
		expect(await check({HOME: home})).toMatchObject({finding: '~/.local/state/ledge, created when needed'});
	});

	test('has a mode', async () => {
		const folder = createScratchFolder();
		expect(await check({LEDGE_STATE_DIR: folder})).toMatchObject({
			state: 'ok',
			finding: `${folder}, writable, mode 700`,
		});
		chmodSync(folder, 0o777);
		expect(await check({LEDGE_STATE_DIR: folder})).toMatchObject({
			state: 'failed',
			next: `chmod 700 ${folder}`,
		});
	});

	test('may be missing, or a file', async () => {
		expect(await check({HOME: ''})).toMatchObject({state: 'note'});
		const file = join(createScratchFolder(), 'file');
		writeFileSync(file, '');
		expect(await check({LEDGE_STATE_DIR: file})).toMatchObject({
			state: 'failed',
			finding: `${file} is not a folder`,
		});
		expect(await check({LEDGE_STATE_DIR: join(file, 'below')})).toMatchObject({state: 'failed'});
	});
});

test('the terminal is described, and what limits the screens there', async () => {
	const check = async (env: Readonly<Record<string, string>>, tty: boolean | {columns: number}) =>
		(await ledge(['doctor'], {env: getEnvironment(env), tty})).stdout;
	expect(await check({TERM: 'xterm'}, true)).toMatch(
		/^ok {7}terminal {9}80×\?, no colour, UTF-8, TERM xterm$/m,
	);
	expect(await check({TERM: 'dumb', LANG: 'C'}, {columns: 30})).toMatch(
		/^note {5}terminal {9}30×\?, no colour, not UTF-8, TERM dumb$/m,
	);
	expect(await check({TERM: 'x\u001b[31m'}, false)).toContain('none, UTF-8, TERM odd');
});
