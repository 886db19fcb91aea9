import {chmodSync, mkdirSync, realpathSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {failureOf, folderWith} from '../settings/support/files.ts';
import {sources} from '../settings/support/sources.ts';
import {credential} from './support/credential.ts';

const login = 'oauth_token = "ordinary"\nexpiration_time = "2027-01-01T00:00:00Z"\n';
const loginFile = '.config/.wrangler/config/default.toml';
const bindingsFile = '.config/.wrangler/profiles/directory-bindings.json';

type Given = Omit<Parameters<typeof sources>[0], 'start'> & {
	readonly files?: Readonly<Record<string, string>>;
	readonly platform?: NodeJS.Platform;
};

/** The credential of someone with the ordinary login, who starts in `start` with these bindings. */
function startedIn(start: string, bindings: unknown, {files, platform = 'linux', ...given}: Given = {}) {
	const text = typeof bindings === 'string' ? bindings : JSON.stringify(bindings);
	const home = folderWith({[loginFile]: login, [bindingsFile]: text, ...files});
	return credential(sources({...given, start}), {
		home,
		platform,
		now: () => new Date('2026-03-01T12:00:00Z'),
	});
}

const ordinary = {kind: 'oauth', token: 'ordinary'};

describe('a folder that is bound to another profile', () => {
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
		{named: 'written in two ways, to two profiles', start: '/w', bindings: {'/w': 'default', '/w/': 'work'}},
	])('is refused: $named', async ({start, bindings}) => {
		const failure = await failureOf(() => startedIn(start, bindings));
		expect(failure).toMatchObject({code: 'credential_missing', exit: 4});
		expect(failure.message).toContain('"work"');
		expect(failure.details.why).toContain(`in ~/${bindingsFile}`);
		expect(failure.next).toContain('CLOUDFLARE_API_TOKEN');
		expect(failure.next).toContain('`wrangler auth token --json --profile work`');
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
	])('does not concern a folder $named', async ({start, bindings}) => {
		expect(await startedIn(start, bindings)).toMatchObject(ordinary);
	});

	test('names the folder as the file does', async () => {
		const failure = await failureOf(() => startedIn('/srv/app/x', {'/srv/app/': 'work'}));
		expect(failure.details.why).toContain('The folder /srv/app/ is bound');
	});

	test('is found through links, on either side', async () => {
		const folder = realpathSync(folderWith({'real/app/x': ''}));
		symlinkSync(join(folder, 'real'), join(folder, 'link'));
		for (const [bound, start] of [
			['real/app', 'link/app'],
			['link/app', 'real/app'],
			['link', 'real/app'],
		] as const) {
			const failure = await failureOf(() => startedIn(join(folder, start), {[join(folder, bound)]: 'work'}));
			expect(failure.message).toContain('"work"');
		}
	});

	test('the wrong login is not used where a link leads elsewhere than its path', async () => {
		const folder = realpathSync(folderWith({'real/app/x': '', 'mine/x': ''}));
		symlinkSync(join(folder, 'real/app'), join(folder, 'mine/app'));
		const bindings = {[join(folder, 'mine')]: 'default', [join(folder, 'real')]: 'work'};
		const failure = await failureOf(() => startedIn(join(folder, 'mine/app'), bindings));
		expect(failure.message).toContain('"work"');
	});

	test('on Windows in either case of its letters', async () => {
		const folder = 'AppData/Roaming/xdg.config/.wrangler';
		const home = folderWith({
			[`${folder}/config/default.toml`]: login,
			[`${folder}/profiles/directory-bindings.json`]: JSON.stringify({'C:\\Users\\Ada\\App\\': 'work'}),
		});
		const on = (start: string) =>
			credential(sources({start}), {home, platform: 'win32', now: () => new Date('2026-03-01T12:00:00Z')});
		expect((await failureOf(() => on('c:\\users\\ada\\app\\src'))).message).toContain('"work"');
		expect(await on('C:\\Users\\Ada\\Apple')).toMatchObject(ordinary);
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
		const failure = await failureOf(() => credential(sources({env: variables, start}), {home, platform}));
		expect(failure.message).toContain('"work"');
	});

	test('is refused where nobody signed in by default, too', async () => {
		const home = folderWith({[bindingsFile]: JSON.stringify({'/srv': 'work'})});
		const failure = await failureOf(() => credential(sources({start: '/srv'}), {home, platform: 'linux'}));
		expect(failure.message).toContain('"work"');
	});
});

describe('a profile that is named', () => {
	const bound = {'/srv': 'work'};

	test.each([
		['--profile', {options: {profile: 'staff'}}],
		['CLOUDFLARE_AUTH_PROFILE', {env: {CLOUDFLARE_AUTH_PROFILE: 'staff'}}],
		['--profile', {options: {profile: 'staff'}, env: {CLOUDFLARE_AUTH_PROFILE: 'default'}}],
	])('by %s is refused before any binding', async (from, given) => {
		const failure = await failureOf(() => startedIn('/srv', bound, given));
		expect(failure.message).toContain('"staff"');
		expect(failure.details.why).toContain(`${from} names it.`);
	});

	test.each([
		{options: {profile: 'default'}},
		{env: {CLOUDFLARE_AUTH_PROFILE: 'default'}},
		{options: {profile: 'default'}, env: {CLOUDFLARE_AUTH_PROFILE: 'work'}},
	])('default is the ordinary login wherever it is started: %j', async given => {
		expect(await startedIn('/srv', bound, given)).toMatchObject(ordinary);
	});

	test('with a name that no command line should hold is not put into one', async () => {
		const failure = await failureOf(() => startedIn('/srv', {'/srv': 'a; rm -rf "$HOME"'}));
		expect(failure.next).not.toContain('rm -rf');
	});

	test('does not count beside a token or a key', async () => {
		const env = {CLOUDFLARE_API_TOKEN: 't', CLOUDFLARE_AUTH_PROFILE: 'work'};
		expect(await startedIn('/srv', 'damaged', {env, options: {profile: 'work'}})).toMatchObject({
			kind: 'token',
		});
	});
});

describe('bindings that cannot be read are no "no binding"', () => {
	test.each([
		['', 'not valid JSON'],
		['{"/srv": "wor', 'not valid JSON'],
		['["/srv"]', 'not a JSON object'],
		['null', 'not a JSON object'],
		['{"/srv": {"name": "work"}}', '"/srv"'],
		['{"/srv": ""}', '"/srv"'],
		['{"work": "work"}', '"work"'],
	])('%s', async (text, why) => {
		const failure = await failureOf(() => startedIn('/elsewhere', text));
		expect(failure).toMatchObject({code: 'credential_missing', exit: 4});
		expect(failure.message).toContain(`~/${bindingsFile}`);
		expect(failure.details.why).toContain(why);
	});

	test('a folder in its place, and one that may not be entered', async () => {
		const home = folderWith({[loginFile]: login});
		mkdirSync(join(home, bindingsFile), {recursive: true});
		const read = () => credential(sources({}), {home, platform: 'linux', now: () => new Date('2026-03-01')});
		expect((await failureOf(read)).details.why).toContain('EISDIR');
		if (process.getuid?.() === 0) return;
		chmodSync(join(home, '.config/.wrangler/profiles'), 0);
		expect((await failureOf(read)).details.why).toContain('EACCES');
		chmodSync(join(home, '.config/.wrangler/profiles'), 0o700);
	});

	test('a byte order mark does no harm', async () => {
		expect(await startedIn('/elsewhere', '\ufeff{"/srv": "work"}')).toMatchObject(ordinary);
	});
});
