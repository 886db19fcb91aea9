import {existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {program} from '../../support/program.ts';
import {createScratchFolder, ledge} from '../../support/run.ts';
import {serveSimulator} from '../../support/serve-simulator.ts';
import type {RunningService} from '../../support/service.ts';
import {runInTerminal} from '../../terminal/pseudo-terminal.ts';

let service: RunningService;
let folder: string;

beforeAll(async () => {
	service = await serveSimulator({tokens: ['simulated', 'another']});
});

beforeEach(() => {
	folder = createScratchFolder();
});

const run = (words: string[], env: Record<string, string> = {}, input = '') =>
	ledge(words, {cwd: folder, env: {...service.env, ...env}, input});

const local = ['--local', '--namespace-id', 'N'];

describe('the target of a command', () => {
	test('is the service by default; LEDGE_TARGET=local changes this and --remote changes it back', async () => {
		await run(['kv', 'key', 'put', 'k', 'here', ...local]);
		expect(
			(await run(['kv', 'key', 'get', 'k', '--namespace-id', 'N'], {LEDGE_TARGET: 'local'})).stdout,
		).toBe('here');
		expect((await run(['kv', 'key', 'get', 'k', '--namespace-id', 'N'])).code).toBe(3);
		expect(
			(await run(['kv', 'key', 'get', 'k', '--namespace-id', 'N', '--remote'], {LEDGE_TARGET: 'local'})).code,
		).toBe(3);
		expect((await run(['kv', 'key', 'get', 'k', '--namespace-id', 'N', '--remote=false'])).stdout).toBe(
			'here',
		);
		expect((await run(['kv', 'key', 'get', 'k', '--namespace-id', 'N', '--local', 'false'])).code).toBe(3);
	});

	test('is printed before a remote write on a terminal, but not to a pipe', async () => {
		const [{id}] = JSON.parse(
			(await run(['kv', 'namespace', 'create', 'told', '--no-prefix', '--json'])).stdout,
		);
		const words = ['kv', 'key', 'put', 'k', 'v', '--namespace-id', id];
		expect((await runInTerminal(words, {cwd: folder, env: service.env})).output).toContain(
			`remote: Acme (simulated) › ${id}`,
		);
		expect((await run(words)).stderr).not.toContain('remote:');
		expect((await runInTerminal([...words, ...['--local']], {cwd: folder})).output).not.toContain('remote:');
	});
});

describe('choosing a namespace', () => {
	test('by binding, environment and preview works with every form of the option', async () => {
		writeFileSync(
			join(folder, 'wrangler.toml'),
			'[[kv_namespaces]]\nbinding = "KV"\nid = "production"\npreview_id = "preview"\n[[env.staging.kv_namespaces]]\nbinding = "KV"\nid = "staging"\n',
		);
		for (const id of ['production', 'preview', 'staging'])
			await run(['kv', 'key', 'put', 'k', id, '--local', '--namespace-id', id]);
		const get = async (...words: string[]) =>
			(await run(['kv', 'key', 'get', 'k', '--binding', 'KV', '--local', ...words])).stdout;
		expect(await get()).toBe('production');
		for (const form of [['--preview'], ['--preview', 'true'], ['--preview=true']])
			expect(await get(...form)).toBe('preview');
		for (const form of [['--no-preview'], ['--preview', 'false'], ['--preview=false']])
			expect(await get(...form)).toBe('production');
		expect(await get('--env', 'staging')).toBe('staging');
		expect(
			(await run(['kv', 'key', 'get', 'k', '--binding', 'KV', '--local'], {CLOUDFLARE_ENV: 'staging'}))
				.stdout,
		).toBe('staging');
		mkdirSync(join(folder, 'deep', 'er'), {recursive: true});
		expect(
			(
				await run([
					'kv',
					'key',
					'get',
					'k',
					'--binding',
					'KV',
					'--local',
					'--cwd',
					join(folder, 'deep', 'er'),
				])
			).stdout,
		).toBe('production');
	});

	test('by a local binding without an id uses its name, as in wrangler', async () => {
		writeFileSync(join(folder, 'wrangler.json'), '{"kv_namespaces": [{"binding": "BARE"}]}');
		await run(['kv', 'key', 'put', 'k', 'bare', '--binding', 'BARE', '--local']);
		expect((await run(['kv', 'key', 'get', 'k', '--namespace-id', 'BARE', '--local'])).stdout).toBe('bare');
		expect((await run(['kv', 'key', 'get', 'k', '--binding', 'BARE'])).code).toBe(2);
	});
});

describe('credentials', () => {
	const whoami = async (env: Record<string, string>) =>
		JSON.parse((await run(['whoami', '--json'], env)).stdout);

	test('from a token take precedence over key and email, and whoami names them', async () => {
		const identity = await whoami({CLOUDFLARE_API_KEY: 'k'.repeat(37), CLOUDFLARE_EMAIL: 'a@b.test'});
		expect(identity.credential).toEqual({kind: 'token', from: 'CLOUDFLARE_API_TOKEN'});
		expect(identity.accounts).toHaveLength(1);
	});

	test('treat an empty variable as unset, and accept the older names', async () => {
		const identity = await whoami({CLOUDFLARE_API_TOKEN: '', CF_API_TOKEN: 'another'});
		expect(identity.credential).toEqual({kind: 'token', from: 'CF_API_TOKEN'});
	});

	test('come from a .env only if it is named', async () => {
		writeFileSync(join(folder, '.env'), 'CLOUDFLARE_API_TOKEN=another\n');
		expect((await run(['whoami'], {CLOUDFLARE_API_TOKEN: ''})).code).toBe(4);
		const named = JSON.parse(
			(await run(['whoami', '--json', '--env-file', '.env'], {CLOUDFLARE_API_TOKEN: ''})).stdout,
		);
		expect(named.credential.from).toContain('.env');
	});

	test('fall back to the wrangler login, and an expired one names both ways out', async () => {
		const configFolder = join(folder, '.config/.wrangler/config');
		mkdirSync(configFolder, {recursive: true});
		const login = (time: string) =>
			`oauth_token = "another"\nexpiration_time = "${time}"\nrefresh_token = "r"\nscopes = ["account:read"]\n`;
		writeFileSync(join(configFolder, 'default.toml'), login('2099-01-01T00:00:00.000Z'));
		expect((await whoami({CLOUDFLARE_API_TOKEN: ''})).credential.kind).toBe('oauth');
		writeFileSync(join(configFolder, 'default.toml'), login('2020-01-01T00:00:00.000Z'));
		const expired = await run(['whoami'], {CLOUDFLARE_API_TOKEN: ''});
		expect(expired.code).toBe(4);
		expect(expired.stderr).toContain('CLOUDFLARE_API_TOKEN');
		expect(expired.stderr).toContain('wrangler login');
	});

	test('with an ellipsis pasted in are refused before being sent, and never shown', async () => {
		const {code, stderr} = await run(['whoami'], {CLOUDFLARE_API_TOKEN: 'abc…secret'});
		expect(code).toBe(4);
		expect(stderr).not.toContain('secret');
	});

	test('are never shown in settings, calls or plans', async () => {
		const env = {CLOUDFLARE_API_TOKEN: 'another'};
		const [{id}] = JSON.parse(
			(await run(['kv', 'namespace', 'create', 'quiet', '--no-prefix', '--json'], env)).stdout,
		);
		for (const words of [
			['config'],
			['config', '--json'],
			['whoami', '--verbose'],
			['kv', 'key', 'put', 'k', 'v', '--namespace-id', id, '--dry-run', '--verbose'],
		]) {
			const {stdout, stderr} = await run(words, env);
			expect(stdout + stderr).not.toContain('another');
		}
	});
});

describe('ledge config', () => {
	test('shows the active configuration and the source of each part', async () => {
		writeFileSync(
			join(folder, 'wrangler.toml'),
			'account_id = "fromfile"\n\n[[kv_namespaces]]\nbinding = "KV"\nid = "x"\n',
		);
		const {stdout} = await run(['config', '--json', '--zone', 'example.test'], {LEDGE_READ_ONLY: '1'});
		const {settings, namespaces} = JSON.parse(stdout);
		expect(settings.account).toEqual({value: 'fromfile', from: 'wrangler.toml:1'});
		expect(settings.service).toEqual({value: service.url, from: 'CLOUDFLARE_API_BASE_URL'});
		expect(settings.credential).toEqual({value: 'API token', from: 'CLOUDFLARE_API_TOKEN'});
		expect(settings.zone).toEqual({value: 'example.test', from: '--zone'});
		expect(settings['read-only']).toEqual({value: 'true', from: 'LEDGE_READ_ONLY'});
		expect(namespaces).toEqual([{binding: 'KV', id: 'x', previewId: null, from: 'wrangler.toml:3'}]);
		expect((await run(['config'], {CLOUDFLARE_ACCOUNT_ID: 'fromenv'})).stdout).toMatch(
			/account +fromenv +CLOUDFLARE_ACCOUNT_ID/,
		);
	});
});

describe('local state', () => {
	test('has an audit log with a line for each write, with mode 0600 and no values', async () => {
		await run(['kv', 'key', 'put', 'audited', 'the-value', ...local]);
		await run(['kv', 'key', 'put', 'x', 'y', '--namespace-id', 'f'.repeat(32)]);
		const file = join(folder, '.local/state/ledge/audit.ndjson');
		const lines = readFileSync(file, 'utf8')
			.trimEnd()
			.split('\n')
			.map(line => JSON.parse(line));
		expect(lines.map(line => [line.what, line.result])).toEqual([
			['put audited', 'done'],
			['put x', 'namespace_not_found'],
		]);
		expect(readFileSync(file, 'utf8')).not.toContain('the-value');
		expect(statSync(file).mode & 0o777).toBe(0o600);
		expect(statSync(join(folder, '.local/state/ledge')).mode & 0o777).toBe(0o700);
	});

	test('is not written by a read, which works without a HOME', async () => {
		await run(['kv', 'key', 'get', 'k', ...local]);
		expect(existsSync(join(folder, '.local'))).toBe(false);
		expect(readdirSync(folder).filter(name => name !== '.cache')).toEqual([]);
		const store = createScratchFolder();
		await run(['kv', 'key', 'put', 'k', 'v', ...local, '--persist-to', store]);
		expect(await run(['kv', 'key', 'get', 'k', ...local, '--persist-to', store], {HOME: ''})).toMatchObject({
			code: 0,
			stdout: 'v',
		});
		expect(
			(await run(['kv', 'key', 'put', 'k', 'w', ...local, '--persist-to', store], {HOME: '/dev/null'})).code,
		).toBe(0);
	});
});

describe('kv key edit', () => {
	const writeEditor = (script: string): string => {
		const file = join(folder, 'editor.cjs');
		writeFileSync(
			file,
			`const fs = require('node:fs'); const file = process.argv[2]; let text = fs.readFileSync(file, 'utf8');\n${script}`,
		);
		return `${process.execPath} ${file}`;
	};
	const edit = (script: string, ...words: string[]) =>
		run(['kv', 'key', 'edit', 'k', ...local, ...words], {EDITOR: writeEditor(script)});
	const get = async (...words: string[]) => (await run(['kv', 'key', 'get', 'k', ...local, ...words])).stdout;

	test('keeps the metadata and expiry', async () => {
		const farExpiration = Math.floor(Date.now() / 1000) + 5000;
		await run([
			'kv',
			'key',
			'put',
			'k',
			'old',
			'--metadata',
			'{"v":1}',
			'--expiration',
			String(farExpiration),
			...local,
		]);
		expect((await edit(`fs.writeFileSync(file, text + ' and new')`)).code).toBe(0);
		expect(await get()).toBe('old and new');
		const {metadata, expiration} = JSON.parse(await get('--metadata'));
		expect(metadata).toEqual({v: 1});
		expect(Date.parse(expiration)).toBe(farExpiration * 1000);
	});

	test('writes nothing after no change or a failing editor', async () => {
		await run(['kv', 'key', 'put', 'k', 'old', ...local]);
		expect((await edit('')).stderr).toContain('No changes; nothing was written.');
		const failed = await edit(`fs.writeFileSync(file, 'lost'); process.exit(3)`);
		expect(failed.code).toBe(1);
		expect(await get()).toBe('old');
	});

	test('keeps a concurrent change, and saves the edited text to a file with mode 0600', async () => {
		await run(['kv', 'key', 'put', 'k', 'old', ...local]);
		const concurrentPutScript = `require('node:child_process').execFileSync(process.execPath, ${JSON.stringify([program, 'kv', 'key', 'put', 'k', 'theirs', ...local])});`;
		const ended = await edit(`${concurrentPutScript} fs.writeFileSync(file, 'mine')`);
		expect(ended.code).toBe(1);
		expect(ended.stderr).toContain('was changed while you edited it');
		expect(await get()).toBe('theirs');
		const draft = /saved in (\S+)/.exec(ended.stderr)?.[1] ?? '';
		expect(readFileSync(draft, 'utf8')).toBe('mine');
		expect(statSync(draft).mode & 0o777).toBe(0o600);
	});

	test('gives the editor a fixed name in a 0700 folder, and removes both afterwards', async () => {
		await run(['kv', 'key', 'put', 'k', 'old', ...local]);
		const seenPath = join(folder, 'seen.json');
		await edit(
			`fs.writeFileSync(${JSON.stringify(seenPath)}, JSON.stringify([file, fs.statSync(require('node:path').dirname(file)).mode & 0o777, fs.statSync(file).mode & 0o777]))`,
		);
		const [file, folderMode, fileMode] = JSON.parse(readFileSync(seenPath, 'utf8'));
		expect([file.split('/').at(-1), folderMode, fileMode]).toEqual(['value.txt', 0o700, 0o600]);
		expect(existsSync(file)).toBe(false);
	});

	test('exits with 3 for a missing key', async () => {
		expect((await edit('')).code).toBe(3);
	});
});

describe('--simulate', () => {
	test('keeps one world per user, ignores the environment, and marks its output', async () => {
		const env = {CLOUDFLARE_API_TOKEN: 'never-sent', CLOUDFLARE_API_BASE_URL: 'http://127.0.0.1:9/client/v4'};
		const [created] = JSON.parse(
			(await run(['--simulate', 'kv', 'namespace', 'create', 'kept', '--no-prefix', '--json'], env)).stdout,
		);
		expect(created.simulated).toBe(true);
		expect(
			(await run(['kv', 'key', 'put', 'k', 'v', '--namespace-id', created.id, '--simulate'], env)).code,
		).toBe(0);
		expect(
			(await run(['kv', 'key', 'get', 'k', '--namespace-id', created.id, '--simulate'], env)).stdout,
		).toBe('v');
		expect(statSync(join(folder, '.local/state/ledge/simulated.sqlite')).mode & 0o777).toBe(0o600);
		expect((await run(['simulate', '--reset'])).code).toBe(0);
		expect((await run(['kv', 'key', 'get', 'k', '--namespace-id', created.id, '--simulate'])).code).toBe(3);
		const separateWorld = ['--simulate', '--state', join(folder, 'apart.sqlite')];
		expect((await run([...separateWorld, 'kv', 'namespace', 'list'])).code).toBe(0);
		expect(existsSync(join(folder, 'apart.sqlite'))).toBe(true);
	});

	test('is refused with --base-url or --local', async () => {
		expect(
			(await run(['--simulate', 'kv', 'namespace', 'list', '--base-url', 'https://x.test/client/v4'])).code,
		).toBe(2);
		expect((await run(['--simulate', 'kv', 'key', 'list', ...local])).code).toBe(2);
	});

	test('refuses a foreign Host or Origin when served', async () => {
		const {request} = await import('node:http');
		const requestStatus = (headers: Record<string, string>) =>
			new Promise<number | undefined>((done, fail) => {
				request(
					`${service.url}/accounts`,
					{headers: {Authorization: 'Bearer simulated', ...headers}},
					response => {
						response.resume();
						done(response.statusCode);
					},
				)
					.on('error', fail)
					.end();
			});
		expect(await requestStatus({})).toBe(200);
		expect(await requestStatus({Host: 'evil.test'})).toBe(403);
		expect(await requestStatus({Origin: 'https://evil.test'})).toBe(403);
	});
});

describe('the overview', () => {
	test('exits with 0, connected or not, as text and as JSON', async () => {
		expect((await run(['--simulate'])).stdout).toContain('SIMULATED');
		const unconnected = await run([], {CLOUDFLARE_API_TOKEN: ''});
		expect(unconnected).toMatchObject({code: 0, stderr: ''});
		expect(unconnected.stdout).toContain('wrangler.toml');
		expect(unconnected.stdout).toContain('--simulate');
		const broken = await run(['--json'], {
			CLOUDFLARE_API_BASE_URL: 'http://127.0.0.1:9/client/v4',
			LEDGE_TIME_SCALE: '0.001',
		});
		expect(broken.code).toBe(0);
		expect(JSON.parse(broken.stdout).service.connected).toBe(false);
	});
});
