import {existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {program} from '../../support/program.ts';
import {ledge, scratch} from '../../support/run.ts';
import {serveSimulator} from '../../support/serve-simulator.ts';
import type {RunningService} from '../../support/service.ts';
import {runInTerminal} from '../../terminal/pseudo-terminal.ts';

let service: RunningService;
let folder: string;

beforeAll(async () => {
	service = await serveSimulator({tokens: ['simulated', 'another']});
});

beforeEach(() => {
	folder = scratch();
});

const run = (words: string[], env: Record<string, string> = {}, input = '') =>
	ledge(words, {cwd: folder, env: {...service.env, ...env}, input});

const local = ['--local', '--namespace-id', 'N'];

describe('where a command acts', () => {
	test('on the service unless told otherwise; LEDGE_TARGET=local turns it round, --remote turns it back', async () => {
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

	test('before a remote write a terminal is told where it goes; a pipe is not', async () => {
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

describe('which namespace', () => {
	test('binding, environment and preview choose the id, in every form of the switch', async () => {
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

	test('a local binding without an id is a namespace of its name, as with the peer', async () => {
		writeFileSync(join(folder, 'wrangler.json'), '{"kv_namespaces": [{"binding": "BARE"}]}');
		await run(['kv', 'key', 'put', 'k', 'bare', '--binding', 'BARE', '--local']);
		expect((await run(['kv', 'key', 'get', 'k', '--namespace-id', 'BARE', '--local'])).stdout).toBe('bare');
		expect((await run(['kv', 'key', 'get', 'k', '--binding', 'BARE'])).code).toBe(2);
	});
});

describe('credentials', () => {
	const whoami = async (env: Record<string, string>) =>
		JSON.parse((await run(['whoami', '--json'], env)).stdout);

	test('the token wins over key and email, and whoami says which is in use', async () => {
		const seen = await whoami({CLOUDFLARE_API_KEY: 'k'.repeat(37), CLOUDFLARE_EMAIL: 'a@b.test'});
		expect(seen.credential).toEqual({kind: 'token', from: 'CLOUDFLARE_API_TOKEN'});
		expect(seen.accounts).toHaveLength(1);
	});

	test('an empty variable is an unset one, and the older names work', async () => {
		const seen = await whoami({CLOUDFLARE_API_TOKEN: '', CF_API_TOKEN: 'another'});
		expect(seen.credential).toEqual({kind: 'token', from: 'CF_API_TOKEN'});
	});

	test('a .env is read only when it is named', async () => {
		writeFileSync(join(folder, '.env'), 'CLOUDFLARE_API_TOKEN=another\n');
		expect((await run(['whoami'], {CLOUDFLARE_API_TOKEN: ''})).code).toBe(4);
		const named = JSON.parse(
			(await run(['whoami', '--json', '--env-file', '.env'], {CLOUDFLARE_API_TOKEN: ''})).stdout,
		);
		expect(named.credential.from).toContain('.env');
	});

	test("wrangler's login on disk is used when nothing else is given, and an expired one names both ways out", async () => {
		const place = join(folder, '.config/.wrangler/config');
		mkdirSync(place, {recursive: true});
		const login = (time: string) =>
			`oauth_token = "another"\nexpiration_time = "${time}"\nrefresh_token = "r"\nscopes = ["account:read"]\n`;
		writeFileSync(join(place, 'default.toml'), login('2099-01-01T00:00:00.000Z'));
		expect((await whoami({CLOUDFLARE_API_TOKEN: ''})).credential.kind).toBe('oauth');
		writeFileSync(join(place, 'default.toml'), login('2020-01-01T00:00:00.000Z'));
		const expired = await run(['whoami'], {CLOUDFLARE_API_TOKEN: ''});
		expect(expired.code).toBe(4);
		expect(expired.stderr).toContain('CLOUDFLARE_API_TOKEN');
		expect(expired.stderr).toContain('wrangler login');
	});

	test('a token with a pasted ellipsis is refused before it is sent, and never shown', async () => {
		const {code, stderr} = await run(['whoami'], {CLOUDFLARE_API_TOKEN: 'abc…secret'});
		expect(code).toBe(4);
		expect(stderr).not.toContain('secret');
	});

	test('a token never shows in the settings, the calls or a plan', async () => {
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
	test('says what is in force and where each part came from', async () => {
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

describe('state', () => {
	test('every write leaves a line in the audit log, 0600, never a value', async () => {
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

	test('a read keeps nothing, and works without a HOME', async () => {
		await run(['kv', 'key', 'get', 'k', ...local]);
		expect(existsSync(join(folder, '.local'))).toBe(false);
		expect(readdirSync(folder).filter(name => name !== '.cache')).toEqual([]);
		const store = scratch();
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
	const editor = (script: string): string => {
		const file = join(folder, 'editor.cjs');
		writeFileSync(
			file,
			`const fs = require('node:fs'); const file = process.argv[2]; let text = fs.readFileSync(file, 'utf8');\n${script}`,
		);
		return `${process.execPath} ${file}`;
	};
	const edit = (script: string, ...words: string[]) =>
		run(['kv', 'key', 'edit', 'k', ...local, ...words], {EDITOR: editor(script)});
	const get = async (...words: string[]) => (await run(['kv', 'key', 'get', 'k', ...local, ...words])).stdout;

	test('keeps metadata and expiry', async () => {
		const far = Math.floor(Date.now() / 1000) + 5000;
		await run([
			'kv',
			'key',
			'put',
			'k',
			'old',
			'--metadata',
			'{"v":1}',
			'--expiration',
			String(far),
			...local,
		]);
		expect((await edit(`fs.writeFileSync(file, text + ' and new')`)).code).toBe(0);
		expect(await get()).toBe('old and new');
		const {metadata, expiration} = JSON.parse(await get('--metadata'));
		expect(metadata).toEqual({v: 1});
		expect(Date.parse(expiration)).toBe(far * 1000);
	});

	test('nothing changed, nothing written; a failing editor writes nothing', async () => {
		await run(['kv', 'key', 'put', 'k', 'old', ...local]);
		expect((await edit('')).stderr).toContain('Nothing was changed');
		const failed = await edit(`fs.writeFileSync(file, 'lost'); process.exit(3)`);
		expect(failed.code).toBe(1);
		expect(await get()).toBe('old');
	});

	test('a foreign change meanwhile stands, and what was written is kept in a file of 0600', async () => {
		await run(['kv', 'key', 'put', 'k', 'old', ...local]);
		const foreign = `require('node:child_process').execFileSync(process.execPath, ${JSON.stringify([program, 'kv', 'key', 'put', 'k', 'theirs', ...local])});`;
		const ended = await edit(`${foreign} fs.writeFileSync(file, 'mine')`);
		expect(ended.code).toBe(1);
		expect(ended.stderr).toContain('was changed while you edited it');
		expect(await get()).toBe('theirs');
		const draft = /kept in (\S+)/.exec(ended.stderr)?.[1] ?? '';
		expect(readFileSync(draft, 'utf8')).toBe('mine');
		expect(statSync(draft).mode & 0o777).toBe(0o600);
	});

	test('the editor gets a fixed name in a 0700 folder, and both are gone afterwards', async () => {
		await run(['kv', 'key', 'put', 'k', 'old', ...local]);
		const seen = join(folder, 'seen.json');
		await edit(
			`fs.writeFileSync(${JSON.stringify(seen)}, JSON.stringify([file, fs.statSync(require('node:path').dirname(file)).mode & 0o777, fs.statSync(file).mode & 0o777]))`,
		);
		const [file, folderMode, fileMode] = JSON.parse(readFileSync(seen, 'utf8'));
		expect([file.split('/').at(-1), folderMode, fileMode]).toEqual(['value.txt', 0o700, 0o600]);
		expect(existsSync(file)).toBe(false);
	});

	test('a key that is not there is exit 3', async () => {
		expect((await edit('')).code).toBe(3);
	});
});

describe('--simulate', () => {
	test('keeps one world a user, ignores credentials and address of the environment, and marks its output', async () => {
		const env = {CLOUDFLARE_API_TOKEN: 'never-sent', CLOUDFLARE_API_BASE_URL: 'http://127.0.0.1:9/client/v4'};
		const [made] = JSON.parse(
			(await run(['--simulate', 'kv', 'namespace', 'create', 'kept', '--no-prefix', '--json'], env)).stdout,
		);
		expect(made.simulated).toBe(true);
		expect(
			(await run(['kv', 'key', 'put', 'k', 'v', '--namespace-id', made.id, '--simulate'], env)).code,
		).toBe(0);
		expect((await run(['kv', 'key', 'get', 'k', '--namespace-id', made.id, '--simulate'], env)).stdout).toBe(
			'v',
		);
		expect(statSync(join(folder, '.local/state/ledge/simulated.sqlite')).mode & 0o777).toBe(0o600);
		expect((await run(['simulate', '--reset'])).code).toBe(0);
		expect((await run(['kv', 'key', 'get', 'k', '--namespace-id', made.id, '--simulate'])).code).toBe(3);
		const apart = ['--simulate', '--state', join(folder, 'apart.sqlite')];
		expect((await run([...apart, 'kv', 'namespace', 'list'])).code).toBe(0);
		expect(existsSync(join(folder, 'apart.sqlite'))).toBe(true);
	});

	test('together with --base-url or --local it is refused', async () => {
		expect(
			(await run(['--simulate', 'kv', 'namespace', 'list', '--base-url', 'https://x.test/client/v4'])).code,
		).toBe(2);
		expect((await run(['--simulate', 'kv', 'key', 'list', ...local])).code).toBe(2);
	});

	test('the served one refuses a foreign Host and a foreign Origin', async () => {
		const {request} = await import('node:http');
		const ask = (headers: Record<string, string>) =>
			new Promise<number | undefined>((done, fail) => {
				request(
					`${service.url}/accounts`,
					{headers: {Authorization: 'Bearer simulated', ...headers}},
					answer => {
						answer.resume();
						done(answer.statusCode);
					},
				)
					.on('error', fail)
					.end();
			});
		expect(await ask({})).toBe(200);
		expect(await ask({Host: 'evil.test'})).toBe(403);
		expect(await ask({Origin: 'https://evil.test'})).toBe(403);
	});
});

describe('the overview', () => {
	test('ends with 0, connected or not, as text and as JSON', async () => {
		expect((await run(['--simulate'])).stdout).toContain('SIMULATED');
		const alone = await run([], {CLOUDFLARE_API_TOKEN: ''});
		expect(alone).toMatchObject({code: 0, stderr: ''});
		expect(alone.stdout).toContain('wrangler.toml');
		expect(alone.stdout).toContain('--simulate');
		const broken = await run(['--json'], {
			CLOUDFLARE_API_BASE_URL: 'http://127.0.0.1:9/client/v4',
			LEDGE_TIME_SCALE: '0.001',
		});
		expect(broken.code).toBe(0);
		expect(JSON.parse(broken.stdout).service.connected).toBe(false);
	});
});
