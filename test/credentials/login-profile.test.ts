import {chmodSync, mkdirSync, realpathSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {failureOf, folderWith} from '../settings/support/files.ts';
import {createConfiguration, createSettingSources} from '../settings/support/sources.ts';
import {getTestCredential} from './support/credential.ts';

const loginOf = (token: string): string =>
	`oauth_token = "${token}"\nexpiration_time = "2027-01-01T00:00:00Z"\n`;
const login = loginOf('ordinary');
const loginFile = '.config/.wrangler/config/default.toml';
const profileFile = (name: string): string => `.config/.wrangler/config/${name}.toml`;
const bindingsFile = '.config/.wrangler/profiles/directory-bindings.json';

type GivenSettings = Omit<Parameters<typeof createSettingSources>[0], 'start'> & {
	readonly files?: Readonly<Record<string, string>>;
	readonly platform?: NodeJS.Platform;
};

/** The credential of someone with the logins default, work and staff, who starts in `start` with these bindings. */
function readCredentialIn(
	start: string,
	bindings: unknown,
	{files, platform = 'linux', ...given}: GivenSettings = {},
) {
	const text = typeof bindings === 'string' ? bindings : JSON.stringify(bindings);
	const logins = {[profileFile('work')]: loginOf('of work'), [profileFile('staff')]: loginOf('of staff')};
	const home = folderWith({[loginFile]: login, ...logins, [bindingsFile]: text, ...files});
	return getTestCredential(createSettingSources({...given, start}), {
		home,
		platform,
		now: () => new Date('2026-03-01T12:00:00Z'),
	});
}

const defaultCredential = {kind: 'oauth', token: 'ordinary', profile: 'default'};
const workCredential = {kind: 'oauth', token: 'of work', profile: 'work'};

describe('a folder bound to another profile', () => {
	test.each([
		{named: 'itself', start: '/srv/app', bindings: {'/srv/app': 'work'}},
		{named: 'one above', start: '/srv/app/src/deep', bindings: {'/srv/app': 'work'}},
		{
			named: 'the nearest of several',
			start: '/srv/app/x',
			bindings: {'/srv': 'default', '/srv/app': 'work'},
		},
		{named: 'the root', start: '/anywhere', bindings: {'/': 'work'}},
		{named: 'with a slash at its end', start: '/srv/app', bindings: {'/srv/app/': 'work'}},
		{named: 'with .. in it', start: '/srv/app', bindings: {'/srv/other/../app': 'work'}},
		{named: 'with doubled slashes', start: '/srv//app/', bindings: {'/srv///app': 'work'}},
	])('uses the login of the profile: $named', async ({start, bindings}) => {
		expect(await readCredentialIn(start, bindings)).toMatchObject({
			...workCredential,
			from: `~/${profileFile('work')}`,
		});
	});

	test('is ambiguous if bound twice to two profiles', async () => {
		const failure = await failureOf(() => readCredentialIn('/w', {'/w': 'default', '/w/': 'work'}));
		expect(failure).toMatchObject({code: 'credential_missing', exitCode: 4});
		expect(failure.message).toContain('"default" and "work"');
		expect(failure.details.why).toContain(`~/${bindingsFile} binds it`);
		expect(failure.next).toContain('--profile');
	});

	test.each([
		{from: '--account-id', options: {accountId: 'acc'}},
		{from: 'CLOUDFLARE_ACCOUNT_ID', env: {CLOUDFLARE_ACCOUNT_ID: 'acc'}},
		{from: 'the configuration', configuration: createConfiguration('acc')},
	])('without its login uses no other, and names the account of $from', async ({from: _, ...given}) => {
		const failure = await failureOf(() => readCredentialIn('/srv/app/x', {'/srv/app/': 'gone'}, given));
		expect(failure).toMatchObject({code: 'credential_missing', exitCode: 4});
		expect(failure.message).toContain('"gone"');
		expect(failure.details.why).toContain(`The folder /srv/app/ is bound to it in ~/${bindingsFile}.`);
		expect(failure.details.why).toContain(`~/${profileFile('gone')} does not exist`);
		expect(failure.details.why).toContain('for the account acc');
		expect(failure.next).toContain('`wrangler auth create gone`');
		expect(failure.next).toContain('CLOUDFLARE_API_TOKEN');
	});

	test.each([
		{named: 'beside it', start: '/srv/application', bindings: {'/srv/app': 'work'}},
		{named: 'above it', start: '/srv', bindings: {'/srv/app': 'work'}},
		{
			named: 'bound to default itself',
			start: '/srv/app/x',
			bindings: {'/srv': 'work', '/srv/app': 'default'},
		},
		{named: 'no binding', start: '/srv', bindings: {}},
	])('does not affect a folder $named', async ({start, bindings}) => {
		expect(await readCredentialIn(start, bindings)).toMatchObject(defaultCredential);
	});

	test('is found through links on either side', async () => {
		const folder = realpathSync(folderWith({'real/app/x': ''}));
		symlinkSync(join(folder, 'real'), join(folder, 'link'));
		for (const [bound, start] of [
			['real/app', 'link/app'],
			['link/app', 'real/app'],
			['link', 'real/app'],
		] as const) {
			expect(await readCredentialIn(join(folder, start), {[join(folder, bound)]: 'work'})).toMatchObject(
				workCredential,
			);
		}
	});

	test('does not use the wrong login if a link leads elsewhere', async () => {
		const folder = realpathSync(folderWith({'real/app/x': '', 'mine/x': ''}));
		symlinkSync(join(folder, 'real/app'), join(folder, 'mine/app'));
		const bindings = {[join(folder, 'mine')]: 'default', [join(folder, 'real')]: 'work'};
		const failure = await failureOf(() => readCredentialIn(join(folder, 'mine/app'), bindings));
		expect(failure.message).toContain('"work"');
	});

	test('ignores case on Windows', async () => {
		const folder = 'AppData/Roaming/xdg.config/.wrangler';
		const home = folderWith({
			[`${folder}/config/default.toml`]: login,
			[`${folder}/profiles/directory-bindings.json`]: JSON.stringify({'C:\\Users\\Ada\\App\\': 'work'}),
		});
		const readOnWindows = (start: string) =>
			getTestCredential(createSettingSources({start}), {
				home,
				platform: 'win32',
				now: () => new Date('2026-03-01T12:00:00Z'),
			});
		expect((await failureOf(() => readOnWindows('c:\\users\\ada\\app\\src'))).message).toContain('"work"');
		expect(await readOnWindows('C:\\Users\\Ada\\Apple')).toMatchObject(defaultCredential);
	});

	test.each([
		['linux', {}, '.config/.wrangler'],
		['linux', {}, '.wrangler'],
		['darwin', {}, 'Library/Preferences/.wrangler'],
		['linux', {XDG_CONFIG_HOME: '<home>/xdg'}, 'xdg/.wrangler'],
		['win32', {APPDATA: '<home>/roaming'}, 'roaming/xdg.config/.wrangler'],
	] as const)('on %s with %j is read from %s', async (platform, env, folder) => {
		const bindings = JSON.stringify(platform === 'win32' ? {'C:\\w': 'work'} : {'/w': 'work'});
		const home = folderWith({
			[`${folder}/config/default.toml`]: login,
			[`${folder}/profiles/directory-bindings.json`]: bindings,
		});
		const variables = Object.fromEntries(
			Object.entries(env).map(([name, value]) => [name, value.replace('<home>', home)]),
		);
		const start = platform === 'win32' ? 'C:\\w\\x' : '/w/x';
		const failure = await failureOf(() =>
			getTestCredential(createSettingSources({env: variables, start}), {home, platform}),
		);
		expect(failure.message).toContain('"work"');
	});

	test('is refused even without a default login', async () => {
		const home = folderWith({[bindingsFile]: JSON.stringify({'/srv': 'work'})});
		const failure = await failureOf(() =>
			getTestCredential(createSettingSources({start: '/srv'}), {home, platform: 'linux'}),
		);
		expect(failure.message).toContain('"work"');
	});
});

describe('a named profile', () => {
	const bindings = {'/srv': 'work'};

	test.each([
		['--profile', {options: {profile: 'staff'}}],
		['CLOUDFLARE_AUTH_PROFILE', {env: {CLOUDFLARE_AUTH_PROFILE: 'staff'}}],
		['--profile', {options: {profile: 'staff'}, env: {CLOUDFLARE_AUTH_PROFILE: 'default'}}],
	])('given by %s takes precedence over any binding', async (from, given) => {
		expect(await readCredentialIn('/srv', bindings, given)).toMatchObject({
			token: 'of staff',
			profile: 'staff',
		});
		const missingProfile = JSON.parse(JSON.stringify(given).replaceAll('staff', 'gone'));
		const failure = await failureOf(() => readCredentialIn('/srv', bindings, missingProfile));
		expect(failure).toMatchObject({code: 'credential_missing', exitCode: 4});
		expect(failure.message).toContain('"gone"');
		expect(failure.details.why).toContain(`${from} names it.`);
		expect(failure.next).toContain('--profile');
	});

	test('given by --profile ignores the bindings, even damaged ones', async () => {
		expect(await readCredentialIn('/srv', 'damaged', {options: {profile: 'work'}})).toMatchObject(
			workCredential,
		);
	});

	test.each([
		'../x',
		'a/b',
		'a b',
		'staging',
		'Staging',
		'a\nb',
		'',
		'.',
		'é',
	])('cannot be called %j', async name => {
		for (const [from, act] of [
			['--profile', () => readCredentialIn('/srv', bindings, {options: {profile: name}})],
			...(name === ''
				? []
				: ([
						[
							'CLOUDFLARE_AUTH_PROFILE',
							() => readCredentialIn('/srv', bindings, {env: {CLOUDFLARE_AUTH_PROFILE: name}}),
						],
						[`~/${bindingsFile}`, () => readCredentialIn('/srv', {'/srv': name})],
					] as const)),
		] as const) {
			const failure = await failureOf(act);
			expect(failure).toMatchObject({code: 'usage', exitCode: 2});
			expect(failure.message).toContain(from);
		}
	});

	test.each([
		{options: {profile: 'default'}},
		{env: {CLOUDFLARE_AUTH_PROFILE: 'default'}},
		{options: {profile: 'default'}, env: {CLOUDFLARE_AUTH_PROFILE: 'work'}},
	])('called default is the ordinary login in any folder: %j', async given => {
		expect(await readCredentialIn('/srv', bindings, given)).toMatchObject(defaultCredential);
	});

	test('with an unsafe name is not put into a suggested command', async () => {
		const failure = await failureOf(() => readCredentialIn('/srv', {'/srv': 'a; rm -rf "$HOME"'}));
		expect(failure.next).not.toContain('rm -rf');
	});

	test('is ignored if a token or key is given', async () => {
		const env = {CLOUDFLARE_API_TOKEN: 't', CLOUDFLARE_AUTH_PROFILE: 'work'};
		expect(await readCredentialIn('/srv', 'damaged', {env, options: {profile: 'work'}})).toMatchObject({
			kind: 'token',
		});
	});
});

describe('unreadable bindings are not treated as missing', () => {
	test.each([
		['', 'not valid JSON'],
		['{"/srv": "wor', 'not valid JSON'],
		['["/srv"]', 'not a JSON object'],
		['null', 'not a JSON object'],
		['{"/srv": {"name": "work"}}', '"/srv"'],
		['{"/srv": ""}', '"/srv"'],
		['{"work": "work"}', '"work"'],
	])('%s', async (text, why) => {
		const failure = await failureOf(() => readCredentialIn('/elsewhere', text));
		expect(failure).toMatchObject({code: 'credential_missing', exitCode: 4});
		expect(failure.message).toContain(`~/${bindingsFile}`);
		expect(failure.details.why).toContain(why);
	});

	test('a folder in place of the file, or one without access', async () => {
		const home = folderWith({[loginFile]: login});
		mkdirSync(join(home, bindingsFile), {recursive: true});
		const read = () =>
			getTestCredential(createSettingSources({}), {
				home,
				platform: 'linux',
				now: () => new Date('2026-03-01'),
			});
		expect((await failureOf(read)).details.why).toContain('EISDIR');
		if (process.getuid?.() === 0) return;
		chmodSync(join(home, '.config/.wrangler/profiles'), 0);
		expect((await failureOf(read)).details.why).toContain('EACCES');
		chmodSync(join(home, '.config/.wrangler/profiles'), 0o700);
	});

	test('a byte order mark is accepted', async () => {
		expect(await readCredentialIn('/elsewhere', '\ufeff{"/srv": "work"}')).toMatchObject(defaultCredential);
	});
});
