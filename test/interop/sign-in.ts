import assert from 'node:assert/strict';
import {chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {createServer, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {delimiter, dirname, join} from 'node:path';
import type {Checks} from './checks.ts';
import type {Peer} from './peer.ts';
import {run} from './process.ts';
import {builtLedge, createInteropEnvironment, type Environment} from './programs.ts';

const account = '00000000000000000000000000000001';
const otherAccount = '00000000000000000000000000000002';

/** A service that records who asks, and an address that renews logins. */
type Recorder = {
	readonly url: string;
	/** Returns the bearer tokens that arrived since the last call, and clears them. */
	takeTokens(): readonly string[];
	close(): void;
};

/** Tokens are renewed to their refresh token with `-renewed`. Account 2 is refused to everybody. */
async function startRecorder(): Promise<Recorder> {
	let tokens: string[] = [];
	const server: Server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const {url = '', headers} = request;
			const json = (status: number, body: unknown) => {
				response.writeHead(status, {'content-type': 'application/json'});
				response.end(JSON.stringify(body));
			};
			if (url.startsWith('/token')) {
				const refreshToken = new URLSearchParams(Buffer.concat(chunks).toString('utf8')).get('refresh_token');
				return json(200, {
					access_token: `${refreshToken}-renewed`,
					refresh_token: `${refreshToken}-next`,
					expires_in: 3600,
					scope: 'account:read',
					token_type: 'bearer',
				});
			}
			tokens.push((headers.authorization ?? '').replace(/^Bearer /, ''));
			if (url.includes(otherAccount))
				return json(403, {
					success: false,
					result: null,
					errors: [{code: 10_000, message: 'Authentication error'}],
					messages: [],
				});
			const result = /\/accounts(\?|$)/.test(url) ? [{id: account, name: 'One'}] : [];
			json(200, {
				success: true,
				errors: [],
				messages: [],
				result,
				result_info: {page: 1, per_page: 50, count: result.length, total_count: result.length},
			});
		});
	});
	await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		takeTokens() {
			const takenTokens = tokens;
			tokens = [];
			return takenTokens;
		},
		close: () => void server.close(),
	};
}

type Home = {readonly path: string; readonly config: string; readonly bin: string; readonly env: Environment};

const loginText = (name: string, expires: string): string =>
	`oauth_token = "token-of-${name}"\nrefresh_token = "refresh-of-${name}"\nexpiration_time = "${expires}"\nscopes = ["account:read"]\n`;

const later = '2099-01-01T00:00:00.000Z';
const before = '2020-01-01T00:00:00.000Z';

/** A home with logins, folders that are bound to them, and `wrangler` in PATH. */
function createLoginHome(folder: string, peer: Peer, url: string): Home {
	const path = realpathSync(folder);
	const config = join(path, '.config', '.wrangler');
	const write = (file: string, text: string) => {
		mkdirSync(dirname(file), {recursive: true});
		writeFileSync(file, text);
	};
	for (const [name, expires] of [
		['default', later],
		['work', later],
		['client', later],
		['old', before],
	] as const)
		write(join(config, 'config', `${name}.toml`), loginText(name, expires));
	const bindings = {
		[join(path, 'work')]: 'work',
		[join(path, 'work', 'nested')]: 'client',
		[join(path, 'lost')]: 'missing',
	};
	write(join(config, 'profiles', 'directory-bindings.json'), JSON.stringify(bindings));
	for (const folderName of ['plain', 'work/deep', 'work/nested/deep', 'workshop', 'lost'])
		mkdirSync(join(path, folderName), {recursive: true});
	write(join(path, 'work', 'wrangler.toml'), 'name = "w"\n');
	const bin = join(path, 'bin');
	write(join(bin, 'wrangler'), `#!/bin/sh\nexec "${process.execPath}" "${peer.program}" "$@"\n`);
	chmodSync(join(bin, 'wrangler'), 0o755);
	return {
		path,
		config,
		bin,
		env: {
			...createInteropEnvironment(path),
			PATH: [bin, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
			CLOUDFLARE_API_BASE_URL: `${url}/client/v4`,
			WRANGLER_TOKEN_URL: `${url}/token`,
		},
	};
}

type Situation = {
	readonly name: string;
	readonly in: string;
	readonly words?: (home: Home) => readonly string[];
	readonly env?: Environment;
	/** The token that both choose; nothing where both refuse. */
	readonly token: string | undefined;
};

const situations: readonly Situation[] = [
	{name: 'the default login', in: 'plain', token: 'token-of-default'},
	{name: '--profile', in: 'plain', words: () => ['--profile', 'work'], token: 'token-of-work'},
	{
		name: 'CLOUDFLARE_AUTH_PROFILE',
		in: 'work',
		env: {CLOUDFLARE_AUTH_PROFILE: 'client'},
		token: 'token-of-client',
	},
	{name: 'a bound folder', in: 'work/deep', token: 'token-of-work'},
	{name: 'a folder bound inside a bound one', in: 'work/nested/deep', token: 'token-of-client'},
	{name: 'a sibling with the same beginning', in: 'workshop', token: 'token-of-default'},
	{
		name: '--config in a bound folder',
		in: 'plain',
		words: ({path}) => ['--config', join(path, 'work', 'wrangler.toml')],
		token: 'token-of-work',
	},
	{name: 'a profile that is not there, by a binding', in: 'lost', token: undefined},
	{
		name: 'a profile that is not there, by its name',
		in: 'plain',
		words: () => ['--profile', 'missing'],
		token: undefined,
	},
	{
		name: 'a login that has expired',
		in: 'plain',
		words: () => ['--profile', 'old'],
		token: 'refresh-of-old-renewed',
	},
	{
		name: 'a token of the environment beside a profile',
		in: 'work',
		words: () => ['--profile', 'client'],
		env: {CLOUDFLARE_API_TOKEN: 'token-of-environment'},
		token: 'token-of-environment',
	},
];

/** wrangler and ledge choose the same login in the same folder. */
export async function checkSignIn(checks: Checks, peer: Peer, folder: string): Promise<void> {
	const service = await startRecorder();
	try {
		for (const situation of situations) {
			await checks.check(`the same login as wrangler: ${situation.name}`, async () => {
				// Each program renews in a home of its own: the first one's renewal would be found by the second.
				const homes = ['wrangler', 'ledge'].map(name => {
					const home = join(folder, 'sign-in', name);
					rmSync(home, {recursive: true, force: true});
					mkdirSync(home, {recursive: true});
					return createLoginHome(home, peer, service.url);
				});
				const [wranglerHome, ledgeHome] = homes;
				assert.ok(wranglerHome && ledgeHome);
				assert.equal(await readWranglerToken(situation, wranglerHome, peer), situation.token);
				assert.equal(await readLedgeToken(situation, ledgeHome, service), situation.token);
			});
		}
		await checkOutOfReach(checks, peer, folder, service);
		await checkKeyring(checks, peer, folder, service);
	} finally {
		service.close();
	}
}

async function readWranglerToken(
	{in: startFolder, words, env}: Situation,
	home: Home,
	peer: Peer,
): Promise<string | undefined> {
	const result = await run(
		process.execPath,
		[peer.program, 'auth', 'token', '--json', ...(words?.(home) ?? [])],
		{
			cwd: join(home.path, startFolder),
			env: {...home.env, ...env},
		},
	);
	if (result.code !== 0) return undefined;
	return (JSON.parse(result.out.toString('utf8')) as {token?: string}).token;
}

async function readLedgeToken(
	{in: startFolder, words, env}: Situation,
	home: Home,
	service: Recorder,
): Promise<string | undefined> {
	service.takeTokens();
	const result = await run(
		process.execPath,
		[builtLedge, 'kv', 'namespace', 'list', ...(words?.(home) ?? [])],
		{
			cwd: join(home.path, startFolder),
			env: {...home.env, ...env, CLOUDFLARE_ACCOUNT_ID: account},
		},
	);
	const tokens = new Set(service.takeTokens());
	assert.ok(tokens.size <= 1, `${tokens.size} tokens`);
	const [token] = tokens;
	assert.equal(result.code, token === undefined ? 4 : 0, `${result.out}${result.err}`);
	return token;
}

async function checkOutOfReach(checks: Checks, peer: Peer, folder: string, service: Recorder): Promise<void> {
	await checks.check('an account that the profile cannot reach is an error with both', async () => {
		const path = join(folder, 'sign-in', 'reach');
		mkdirSync(path, {recursive: true});
		const home = createLoginHome(path, peer, service.url);
		const result = await run(process.execPath, [builtLedge, 'kv', 'namespace', 'list', '--profile', 'work'], {
			cwd: home.path,
			env: {...home.env, CLOUDFLARE_ACCOUNT_ID: otherAccount},
		});
		assert.equal(result.code, 4, result.err);
		assert.match(result.err, /"work"/);
		assert.match(result.err, new RegExp(otherAccount));
	});
}

/**
 * A login in the keyring: wrangler writes it there, with a stand-in for the system program that stores its
 * key.
 */
async function checkKeyring(checks: Checks, peer: Peer, folder: string, service: Recorder): Promise<void> {
	await checks.check('a login in the keyring is asked of wrangler', async () => {
		const path = join(folder, 'sign-in', 'keyring');
		mkdirSync(path, {recursive: true});
		const home = createLoginHome(path, peer, service.url);
		const keyringFile = join(home.path, 'kept');
		writeFileSync(
			join(home.bin, 'secret-tool'),
			`#!/bin/sh\ncase "$1" in store) cat > "${keyringFile}";; lookup|search) cat "${keyringFile}" 2>/dev/null || exit 1;; clear) rm -f "${keyringFile}";; esac\n`,
		);
		chmodSync(join(home.bin, 'secret-tool'), 0o755);
		writeFileSync(join(home.config, 'config', 'default.toml'), loginText('default', before));
		const env = {
			...home.env,
			CLOUDFLARE_AUTH_USE_KEYRING: 'true',
			DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere',
		};
		const renewed = await run(join(home.bin, 'wrangler'), ['auth', 'token', '--json'], {cwd: home.path, env});
		assert.equal(renewed.code, 0, `${renewed.out}${renewed.err}`);
		assert.ok(existsSync(join(home.config, 'config', 'default.enc')), `no .enc: ${renewed.err}`);
		assert.ok(!existsSync(join(home.config, 'config', 'default.toml')));
		service.takeTokens();
		const result = await run(process.execPath, [builtLedge, 'kv', 'namespace', 'list'], {
			cwd: home.path,
			env: {...env, CLOUDFLARE_ACCOUNT_ID: account},
		});
		assert.equal(result.code, 0, result.err);
		const {token} = JSON.parse(renewed.out.toString('utf8')) as {token: string};
		assert.deepEqual([...new Set(service.takeTokens())], [token]);
		assert.ok(!readFileSync(join(home.config, 'config', 'default.enc')).includes(token));
	});
}
