import {chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, describe, expect, test} from 'vitest';
import {buildSimulatedAccounts} from '../../../source/simulator/simulator.ts';
import {createScratchFolder, createVirtualClock, ledge} from '../../support/run.ts';
import {type ServedSimulator, serveSimulator} from '../../support/serve-simulator.ts';

const renewedToken = 'token-that-was-renewed';

let service: ServedSimulator;
beforeAll(async () => {
	service = await serveSimulator({tokens: [renewedToken, 'token-of-work'], accounts: 2});
});

/** Creates a home whose default login has expired, with these programs in a folder of PATH. */
function createHome(programs: Readonly<Record<string, string>> = {}): string {
	const home = createScratchFolder();
	const config = join(home, '.config/.wrangler/config');
	mkdirSync(config, {recursive: true});
	mkdirSync(join(home, 'bin'));
	const login = (name: string, token: string, expires: string) =>
		writeFileSync(join(config, `${name}.toml`), `oauth_token = "${token}"\nexpiration_time = "${expires}"\n`);
	login('default', 'token-that-has-expired', '2020-01-01T00:00:00Z');
	login('work', 'token-of-work', '2099-01-01T00:00:00Z');
	for (const [name, script] of Object.entries(programs)) {
		writeFileSync(join(home, 'bin', name), `#!/bin/sh\n${script}\n`);
		chmodSync(join(home, 'bin', name), 0o700);
	}
	return home;
}

const run = (home: string, words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
	ledge(words, {
		cwd: home,
		env: {PATH: `${join(home, 'bin')}:/usr/bin:/bin`, CLOUDFLARE_API_BASE_URL: service.url, ...env},
		clock: createVirtualClock(),
	});

/** A stand-in for wrangler that records its calls in the file `asked`. */
const wranglerScript = `echo "$@" >> "$HOME/asked"; echo '{"type":"oauth","token":"${renewedToken}"}'`;

const [firstAccountId = '', secondAccountId = ''] = buildSimulatedAccounts(2).map(({id}) => id);

describe('wrangler login', () => {
	test('is renewed by wrangler after expiry, as whoami reports', async () => {
		const home = createHome({wrangler: wranglerScript});
		const {code, stdout, stderr} = await run(home, ['whoami', '--json']);
		expect(code, stderr).toBe(0);
		expect(JSON.parse(stdout).credential).toEqual({
			kind: 'oauth',
			from: '~/.config/.wrangler/config/default.toml',
			profile: 'default',
			printedBy: join(home, 'bin/wrangler'),
		});
		expect(readFileSync(join(home, 'asked'), 'utf8')).toBe('auth token --json --profile default\n');
		expect((await run(home, ['whoami'])).stdout).toContain(`renewed by ${join(home, 'bin/wrangler')}`);
	});

	test('exits with 4 after expiry without wrangler, naming both ways out', async () => {
		const {code, stderr} = await run(createHome(), ['kv', 'namespace', 'list']);
		expect(code).toBe(4);
		expect(stderr).toContain('wrangler login');
		expect(stderr).toContain('CLOUDFLARE_API_TOKEN');
	});

	test('is described by config without running anything', async () => {
		const home = createHome({wrangler: wranglerScript});
		const {stdout} = await run(home, ['config', '--json']);
		expect(JSON.parse(stdout).settings.credential).toEqual({
			value: 'wrangler login, expired: ledge asks wrangler to renew it',
			from: '~/.config/.wrangler/config/default.toml',
		});
		expect(existsSync(join(home, 'asked'))).toBe(false);
	});

	test('is not needed for local work', async () => {
		const home = createHome({wrangler: wranglerScript});
		const words = ['kv', 'key', 'put', 'k', 'v', '--local', '--namespace-id', 'N'];
		expect(await run(home, words)).toMatchObject({code: 0});
		expect(existsSync(join(home, 'asked'))).toBe(false);
	});

	test('of a profile uses the account chosen for it in wrangler', async () => {
		const home = createHome();
		const getListExitCode = async () =>
			(await run(home, ['kv', 'namespace', 'list', '--profile', 'work'])).code;
		// It sees two accounts, and nobody has chosen one.
		expect(await getListExitCode()).toBe(2);
		mkdirSync(join(home, 'node_modules/.cache/wrangler'), {recursive: true});
		writeFileSync(
			join(home, 'node_modules/.cache/wrangler/wrangler-account-work.json'),
			JSON.stringify({account: {id: secondAccountId, name: 'Second'}}),
		);
		const before = service.simulator.calls.list().length;
		expect(await getListExitCode()).toBe(0);
		const paths = service.simulator.calls
			.list()
			.slice(before)
			.map(({path}) => path);
		expect(paths.every(path => path.includes(secondAccountId) && !path.includes(firstAccountId))).toBe(true);
	});
});

describe('a credential command', () => {
	test('is run once, and its stderr is shown to the user', async () => {
		const home = createHome({
			helper: `echo "unlocking the vault" >&2; echo x >> "$HOME/runs"; echo ${renewedToken}`,
		});
		const env = {LEDGE_CREDENTIAL_COMMAND: 'helper', CLOUDFLARE_ACCOUNT_ID: firstAccountId};
		const {code, stdout, stderr} = await run(home, ['kv', 'namespace', 'list', '--verbose'], env);
		expect(code, stderr).toBe(0);
		expect(stderr).toContain('unlocking the vault');
		expect(`${stdout}${stderr}`).not.toContain(renewedToken);
		expect(readFileSync(join(home, 'runs'), 'utf8')).toBe('x\n');
	});

	test('is run once more after its credential is rejected', async () => {
		const home = createHome({
			helper: `if [ -e "$HOME/runs" ]; then echo ${renewedToken}; else echo revoked-by-now-0123; fi; echo x >> "$HOME/runs"`,
		});
		const env = {LEDGE_CREDENTIAL_COMMAND: 'helper', CLOUDFLARE_ACCOUNT_ID: firstAccountId};
		const {code, stderr} = await run(home, ['kv', 'namespace', 'create', 'AFTER-401', '--no-prefix'], env);
		expect(code, stderr).toBe(0);
		expect(readFileSync(join(home, 'runs'), 'utf8')).toBe('x\nx\n');
	});

	test('exits with 4 if it fails, with instructions', async () => {
		const env = {LEDGE_CREDENTIAL_COMMAND: 'helper'};
		const {code, stderr} = await run(createHome({helper: 'exit 3'}), ['kv', 'namespace', 'list'], env);
		expect(code).toBe(4);
		expect(stderr).toContain('exited with code 3');
		expect(stderr).toContain('LEDGE_CREDENTIAL_COMMAND');
	});
});
