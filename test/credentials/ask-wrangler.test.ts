import {chmodSync, mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync} from 'node:fs';
import {join, relative} from 'node:path';
import {inspect} from 'node:util';
import {describe, expect, test} from 'vitest';
import {findWrangler} from '../../source/credentials/ask-wrangler.ts';
import type {CredentialSource, SourceOptions} from '../../source/credentials/source.ts';
import type {TrustBasis} from '../../source/state/trust.ts';
import {failureOf, folderWith} from '../settings/support/files.ts';
import {createSettingSources} from '../settings/support/sources.ts';
import {createTestCredentialSource} from './support/credential.ts';
import {buildPrintScript, buildRenewScript, createStandIn} from './support/stand-in.ts';

const noon = Date.parse('2026-03-01T12:00:00Z');
const later = '2026-03-01T13:00:00.000Z';
const before = '2026-03-01T11:00:00.000Z';
const loginOf = (token: string, expires: string): string =>
	`oauth_token = "${token}"\nexpiration_time = "${expires}"\n`;
/** As long as real ones, which are redacted wherever a program prints them. */
const secret = 'Zq3.very-secret-token-of-somebody_0123456789';

/** A machine with a login, a stand-in for wrangler in `PATH`, and a clock. */
function createMachine({
	login = loginOf('old', before),
	body = '',
	profile = 'default',
}: {
	readonly login?: string;
	readonly body?: string | ((file: string) => string);
	readonly profile?: string;
}) {
	const home = realpathSync(folderWith({[`.config/.wrangler/config/${profile}.toml`]: login}));
	const folder = join(home, '.config/.wrangler');
	const file = join(folder, `config/${profile}.toml`);
	const wrangler = createStandIn(join(home, 'bin/wrangler'), typeof body === 'string' ? body : body(file));
	const clock = {time: noon};
	const notices: string[] = [];
	const open = (options: Partial<SourceOptions> = {}): Promise<CredentialSource> =>
		createTestCredentialSource(
			createSettingSources(profile === 'default' ? {} : {options: {profile}}),
			{home, platform: 'linux', now: () => new Date(clock.time)},
			{
				env: {PATH: join(home, 'bin'), HOME: home},
				startFolder: home,
				notice: sentence => notices.push(sentence),
				...options,
			},
		);
	return {home, folder, file, wrangler, clock, noticed: notices, open};
}

describe('wrangler renews an expired login', () => {
	test('and its file then gives the new expiry', async () => {
		const {
			open,
			wrangler,
			folder,
			file,
			noticed: notices,
		} = createMachine({
			body: path => buildRenewScript(path, 'new', later),
		});
		const found = await (await open()).current();
		expect(found).toMatchObject({
			kind: 'oauth',
			token: 'new',
			profile: 'default',
			expires: new Date(later),
			printedBy: wrangler.program,
			from: '~/.config/.wrangler/config/default.toml',
		});
		expect(wrangler.runs()).toMatchObject([
			{words: ['auth', 'token', '--json', '--profile', 'default'], cwd: folder},
		]);
		expect(notices).toEqual([]);
		expect(readFileSync(file, 'utf8')).toContain('"new"');
	});

	test('for a profile, by name', async () => {
		const {open, wrangler} = createMachine({
			profile: 'work',
			body: path => buildRenewScript(path, 'new', later),
		});
		expect(await (await open()).current()).toMatchObject({token: 'new', profile: 'work'});
		expect(wrangler.runs()[0]?.words).toEqual(['auth', 'token', '--json', '--profile', 'work']);
	});

	test('and the expiry is unknown if the file has a different token', async () => {
		const {open} = createMachine({body: buildPrintScript({type: 'oauth', token: 'new'})});
		const found = await (await open()).current();
		expect(found).toMatchObject({token: 'new', expires: undefined});
	});

	test("in its own folder, without the project's .env or a banner", async () => {
		const {open, wrangler, home, folder} = createMachine({
			body: path => buildRenewScript(path, 'new', later),
		});
		const project = folderWith({'.env': 'CLOUDFLARE_API_TOKEN=other\n'});
		await (
			await open({startFolder: project, env: {PATH: join(home, 'bin'), HOME: home, KEPT: '1'}})
		).current();
		const [run] = wrangler.runs();
		expect(run?.cwd).toBe(folder);
		expect(run?.env).toMatchObject({KEPT: '1', HOME: home, NO_COLOR: '1', WRANGLER_SEND_METRICS: 'false'});
		expect(run?.env).not.toHaveProperty('CLOUDFLARE_API_TOKEN');
	});

	test('once for concurrent requests, and not again while the new one is valid', async () => {
		const {open, wrangler, clock} = createMachine({body: path => buildRenewScript(path, 'new', later)});
		const credentials = await open();
		const found = await Promise.all([1, 2, 3].map(() => credentials.current()));
		clock.time = Date.parse(later) - 60_001;
		found.push(await credentials.current());
		expect(new Set(found).size).toBe(1);
		expect(wrangler.runs()).toHaveLength(1);
	});

	test('only at its end; in its last minute the file is read again', async () => {
		const {open, wrangler, clock, file} = createMachine({
			login: loginOf('old', later),
			body: path => buildRenewScript(path, 'newest', '2026-03-01T15:00:00Z'),
		});
		const credentials = await open();
		expect(await credentials.current()).toMatchObject({token: 'old', printedBy: undefined});
		writeFileSync(file, loginOf('new', '2026-03-01T14:00:00Z'));
		clock.time = Date.parse(later) - 60_001;
		expect(await credentials.current()).toMatchObject({token: 'old'});
		clock.time++;
		expect(await credentials.current()).toMatchObject({token: 'new'});
		clock.time = Date.parse('2026-03-01T14:00:00Z') - 1;
		expect(await credentials.current()).toMatchObject({token: 'new'});
		expect(wrangler.runs()).toHaveLength(0);
		clock.time++;
		expect(await credentials.current()).toMatchObject({token: 'newest'});
		expect(wrangler.runs()).toHaveLength(1);
	});

	test('if the file has no expiry', async () => {
		const {open} = createMachine({
			login: 'oauth_token = "old"',
			body: path => buildRenewScript(path, 'new', later),
		});
		expect(await (await open()).current()).toMatchObject({token: 'new'});
	});
});

describe('a login in the keyring', () => {
	test('is requested from wrangler, and kept until rejected', async () => {
		const {home, open, wrangler} = createMachine({
			profile: 'work',
			body: buildPrintScript({type: 'oauth', token: 'of keyring'}),
		});
		const config = join(home, '.config/.wrangler/config');
		renameSync(join(config, 'work.toml'), join(config, 'work.enc'));
		const credentials = await open();
		expect(wrangler.runs()).toHaveLength(0);
		expect(await credentials.current()).toMatchObject({
			token: 'of keyring',
			expires: undefined,
			profile: 'work',
		});
		await credentials.current();
		expect(wrangler.runs()).toHaveLength(1);
	});

	test('is requested again after a rejection when the user retries', async () => {
		const {file, open, wrangler} = createMachine({
			profile: 'work',
			body: path => `out(fs.readFileSync(${JSON.stringify(`${path}.keyring`)}));`,
		});
		const writeKeyring = (token: string) =>
			writeFileSync(`${file}.keyring`, JSON.stringify({type: 'oauth', token}));
		writeKeyring('revoked');
		renameSync(file, file.replace(/toml$/, 'enc'));
		const credentials = await open();
		const refused = await credentials.current();
		expect(await credentials.renew(refused)).toBeUndefined();
		writeKeyring('new');
		// Until the user retries, requests do not run it again.
		expect(await credentials.renew(await credentials.current())).toBeUndefined();
		expect(wrangler.runs()).toHaveLength(2);
		credentials.forgetRejections();
		expect(await credentials.current()).toMatchObject({token: 'new'});
		credentials.forgetRejections();
		await credentials.current();
		expect(wrangler.runs()).toHaveLength(3);
	});

	test('is requested again after a failed renewal', async () => {
		const {file, open, wrangler} = createMachine({
			login: loginOf('revoked', later),
			body: path =>
				`if (!fs.existsSync(${JSON.stringify(`${path}.keyring`)})) process.exit(1);${buildPrintScript({type: 'oauth', token: 'new'})}`,
		});
		const credentials = await open();
		const refused = await credentials.current();
		await failureOf(() => credentials.renew(refused));
		writeFileSync(`${file}.keyring`, '');
		await failureOf(() => credentials.renew(refused));
		credentials.forgetRejections();
		expect(await credentials.renew(await credentials.current())).toMatchObject({token: 'new'});
		expect(wrangler.runs()).toHaveLength(2);
	});

	test('reports that wrangler cannot open it', async () => {
		const {home, open} = createMachine({body: "err('The keyring is locked.\\n'); process.exit(1);"});
		const config = join(home, '.config/.wrangler/config');
		renameSync(join(config, 'default.toml'), join(config, 'default.enc'));
		const failure = await failureOf(async () => (await open()).current());
		expect(failure.message).toContain('config/default.enc is in the system keyring');
		expect(failure.details.why).toContain('The keyring is locked.');
	});
});

describe('a wrangler that does not renew a login', () => {
	test.each([
		[
			'an API token',
			buildPrintScript({type: 'api_token', token: secret}),
			'a credential that is not from a login',
		],
		[
			'a key',
			buildPrintScript({type: 'api_key', key: secret, email: 'a@b.test'}),
			'a credential that is not from a login',
		],
		['a token alone', `out(${JSON.stringify(`${secret}\n`)});`, 'a credential that is not from a login'],
		['no JSON', `out('{"type":"oauth","token":"${secret}"');`, 'no token'],
		['JSON of another form', buildPrintScript({type: 'oauth', token: {value: secret}}), 'no token'],
		['a list', buildPrintScript([{type: 'oauth', token: secret}]), 'no token'],
		['an empty token', buildPrintScript({type: 'oauth', token: ''}), 'no token'],
		['a banner', `out('wrangler 4\\n${secret}\\n');`, 'no token'],
		['nothing', '', 'no token'],
		[
			'more than 64 KB',
			`for (let i = 0; i < 70; i++) out('${'x'.repeat(1024)}');out('${secret}')`,
			'more than a token',
		],
		[
			'an exit code',
			`out('${secret}'); err('Not signed in.\\n'); process.exitCode = 3;`,
			'exited with code 3',
		],
		[
			'a signal',
			`out('${secret}'); process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1e6);`,
			'SIGTERM',
		],
		['a token that no header can hold', buildPrintScript({type: 'oauth', token: `${secret}\n`}), 'U+000A'],
	])('is reported if it prints or ends with %s', async (_, body, why) => {
		const {open} = createMachine({body});
		const failure = await failureOf(async () => (await open()).current());
		expect(failure).toMatchObject({code: 'credential_missing', exitCode: 4});
		expect(failure.details.why).toContain(why);
		expect(inspect(failure, {depth: 9, showHidden: true})).not.toContain(secret);
	});

	test("is reported with both remedies, the expiry and wrangler's reason, but no token", async () => {
		const {open} = createMachine({
			profile: 'work',
			body: `err('\\u001b[31mRefused\\u001b[0m: refresh of ${secret} failed\\n${'-'.repeat(20)}\\n\\n1\\n2\\n'); process.exit(1);`,
		});
		const failure = await failureOf(async () => (await open()).current());
		expect(failure.message).toContain('has expired, and wrangler did not renew it');
		expect(failure.details.why).toContain(`It was valid until ${before}.`);
		expect(failure.details.why).toContain('refresh of [redacted] failed');
		expect(failure.details.why?.split('\n')).toHaveLength(3);
		expect(failure.next).toContain('`wrangler auth create work`');
		expect(failure.next).toContain('CLOUDFLARE_API_TOKEN');
		expect(inspect(failure, {depth: 9})).not.toContain(secret);
	});

	test('is stopped after the timeout if it hangs', async () => {
		const {open} = createMachine({body: 'setInterval(() => {}, 1e6);'});
		const failure = await failureOf(async () => (await open({timeout: 1})).current());
		expect(failure.details.why).toContain('did not answer within 0.001 s');
	});

	test('is not asked again if the user has signed in meanwhile', async () => {
		const {open, wrangler, file} = createMachine({body: 'process.exit(1);'});
		const credentials = await open();
		await failureOf(() => credentials.current());
		expect(wrangler.runs()).toHaveLength(1);
		writeFileSync(file, loginOf('signed in again', later));
		expect(await credentials.current()).toMatchObject({token: 'signed in again'});
		expect(wrangler.runs()).toHaveLength(1);
	});

	test('is reported if it is not installed', async () => {
		const {open} = createMachine({});
		const startFolder = folderWith({});
		const failure = await failureOf(async () => (await open({env: {PATH: ''}, startFolder})).current());
		expect(failure).toMatchObject({code: 'credential_missing', exitCode: 4});
		expect(failure.message).toContain('wrangler was not found');
		expect(failure.details.why).toContain(`It was valid until ${before}.`);
		expect(failure.details.why).toContain(startFolder);
		expect(failure.next).toContain('`wrangler login`');
		expect(failure.next).toContain('CLOUDFLARE_API_TOKEN');
	});
});

describe('a login rejected by the service', () => {
	test('is renewed once for all rejected requests', async () => {
		const {open, wrangler} = createMachine({
			login: loginOf('revoked', later),
			body: path => buildRenewScript(path, 'new', later),
		});
		const credentials = await open();
		const refused = await credentials.current();
		const renewed = await Promise.all([1, 2, 3].map(() => credentials.renew(refused)));
		expect(new Set(renewed).size).toBe(1);
		expect(renewed[0]).toMatchObject({token: 'new'});
		expect(await credentials.current()).toBe(renewed[0]);
		// A late rejection of an earlier request renews nothing.
		expect(await credentials.renew(refused)).toBe(renewed[0]);
		expect(wrangler.runs()).toHaveLength(1);
	});

	test('is read from the file if the user has signed in again', async () => {
		const {open, wrangler, file} = createMachine({login: loginOf('revoked', later)});
		const credentials = await open();
		const refused = await credentials.current();
		writeFileSync(file, loginOf('new', later));
		expect(await credentials.renew(refused)).toMatchObject({token: 'new'});
		expect(wrangler.runs()).toHaveLength(0);
	});

	test('stays rejected if wrangler prints the same token, after asking once', async () => {
		const {open, wrangler, file} = createMachine({
			login: loginOf('revoked', later),
			body: buildPrintScript({type: 'oauth', token: 'revoked'}),
		});
		const credentials = await open();
		const refused = await credentials.current();
		const renewed = await Promise.all([1, 2].map(() => credentials.renew(refused)));
		expect(renewed).toEqual([undefined, undefined]);
		expect(await credentials.renew(await credentials.current())).toBeUndefined();
		expect(wrangler.runs()).toHaveLength(1);
		// A person who then signs in again need not start ledge again.
		writeFileSync(file, loginOf('new', later));
		expect(await credentials.renew(await credentials.current())).toMatchObject({token: 'new'});
		expect(await credentials.current()).toMatchObject({token: 'new'});
		expect(wrangler.runs()).toHaveLength(1);
	});

	test('is reported to each rejected request if wrangler fails', async () => {
		const {open, wrangler} = createMachine({
			login: loginOf('revoked', later),
			body: "err('Signed out.\\n'); process.exit(1);",
		});
		const credentials = await open();
		const refused = await credentials.current();
		const failures = await Promise.all([1, 2].map(() => failureOf(() => credentials.renew(refused))));
		failures.push(await failureOf(() => credentials.renew(refused)));
		for (const failure of failures) {
			expect(failure.code).toBe('credential_missing');
			expect(failure.message).toContain('The service no longer accepts');
			expect(failure.details.why).toContain('Signed out.');
		}
		expect(wrangler.runs()).toHaveLength(1);
	});

	test('has no replacement if it comes from variables', async () => {
		const credentials = await createTestCredentialSource(
			createSettingSources({env: {CLOUDFLARE_API_TOKEN: 't'}}),
			{},
		);
		expect(await credentials.renew(await credentials.current())).toBeUndefined();
	});
});

describe('choosing the wrangler to run', () => {
	test('prefers PATH over the project, whose wrangler is named before it runs', async () => {
		const {
			home,
			open,
			wrangler,
			noticed: notices,
		} = createMachine({body: path => buildRenewScript(path, 'new', later)});
		const project = join(home, 'project');
		const projectWrangler = createStandIn(
			join(project, 'node_modules/.bin/wrangler'),
			buildPrintScript({type: 'oauth', token: 'by the project'}),
		);
		const startFolder = join(project, 'a/b');
		mkdirSync(startFolder, {recursive: true});
		const runCounts: number[] = [];
		const notice = (sentence: string) => {
			notices.push(sentence);
			runCounts.push(projectWrangler.runs().length);
		};
		expect(await (await open({startFolder, env: {PATH: ''}, notice})).current()).toMatchObject({
			token: 'by the project',
			printedBy: projectWrangler.program,
		});
		expect(notices).toEqual([`Running ${projectWrangler.program} for the login "default".`]);
		expect(runCounts).toEqual([0]);
		await (await open({startFolder, notice})).current();
		expect(wrangler.runs()).toHaveLength(1);
		expect(notices).toHaveLength(1);
	});

	test('excludes a project that others can write to, but still uses PATH there', async () => {
		const {
			home,
			open,
			wrangler,
			noticed: notices,
		} = createMachine({body: path => buildRenewScript(path, 'new', later)});
		const project = join(home, 'project');
		const projectWrangler = createStandIn(
			join(project, 'node_modules/.bin/wrangler'),
			buildPrintScript({type: 'oauth', token: 'x'}),
		);
		const trust: TrustBasis = {
			userIds: [1000],
			groupIds: [],
			readStatus: path => ({uid: path === project ? 1001 : 1000, gid: 1000, mode: 0o755}),
		};
		const failure = await failureOf(async () =>
			(await open({startFolder: project, env: {PATH: ''}, trust})).current(),
		);
		expect(failure).toMatchObject({code: 'credential_missing', exitCode: 4});
		expect(failure.message).toContain("this project's wrangler is not safe to run");
		expect(failure.details.why).toContain(`${project} belongs to user 1001`);
		expect(failure.next).toContain('CLOUDFLARE_API_TOKEN');
		expect(projectWrangler.runs()).toHaveLength(0);
		expect(notices).toEqual([]);
		await (await open({startFolder: project, trust})).current();
		expect(wrangler.runs()).toHaveLength(1);
	});

	test('excludes relative folders in PATH, folders and files that are not executable', () => {
		const folder = realpathSync(folderWith({'a/wrangler/x': '', 'b/wrangler': '', 'c/wrangler': ''}));
		chmodSync(join(folder, 'c/wrangler'), 0o755);
		const findOnPath = (...path: string[]) => findWrangler({PATH: path.join(':')}, folder, 'linux');
		const [a, b, c] = ['a', 'b', 'c'].map(name => join(folder, name)) as [string, string, string];
		expect(findOnPath(relative(process.cwd(), c), '.', '', a, b)).toBeUndefined();
		expect(findOnPath(a, b, c)).toEqual({program: join(c, 'wrangler'), isProjectLocal: false});
		expect(findWrangler({}, folder, 'linux')).toBeUndefined();
	});

	test('uses the Windows names, with any case of PATH', () => {
		const folder = folderWith({'bin/wrangler': '', 'bin/wrangler.cmd': '', 'exe/wrangler.exe': ''});
		for (const file of ['bin/wrangler', 'bin/wrangler.cmd', 'exe/wrangler.exe'])
			chmodSync(join(folder, file), 0o755);
		const [bin, exe] = [join(folder, 'bin'), join(folder, 'exe')];
		expect(findWrangler({Path: bin}, folder, 'win32')?.program).toBe(join(bin, 'wrangler.cmd'));
		expect(findWrangler({PATH: exe}, folder, 'win32')?.program).toBe(join(exe, 'wrangler.exe'));
	});
});
