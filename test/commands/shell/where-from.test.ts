import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {createScratchFolder, type EndedRun, ledge} from '../../support/run.ts';
import {serveSimulator} from '../../support/serve-simulator.ts';
import type {RunningService} from '../../support/service.ts';

let service: RunningService;
let folder: string;

beforeAll(async () => {
	service = await serveSimulator();
});

beforeEach(() => {
	folder = createScratchFolder();
});

const run = (words: readonly string[], env: Record<string, string> = {}): Promise<EndedRun> =>
	ledge(words, {cwd: folder, env: {...service.env, ...env}});

describe('ledge config', () => {
	const readEnvironment = async (words: readonly string[], env: Record<string, string> = {}) =>
		JSON.parse((await run(['config', '--json', ...words], env)).stdout).settings.environment;

	test('names the env file that set the environment', async () => {
		writeFileSync(join(folder, 'wrangler.toml'), 'name = "w"\n[env.stg]\n');
		writeFileSync(join(folder, 'ce.env'), 'CLOUDFLARE_ENV=stg\n');
		expect(await readEnvironment(['--env-file', 'ce.env'])).toEqual({
			value: 'stg',
			from: 'CLOUDFLARE_ENV in ce.env',
		});
		expect(await readEnvironment([], {CLOUDFLARE_ENV: 'stg'})).toEqual({
			value: 'stg',
			from: 'CLOUDFLARE_ENV',
		});
		expect(await readEnvironment(['--env', 'stg'])).toEqual({value: 'stg', from: '--env'});
		expect(await readEnvironment([])).toEqual({value: null, from: 'none'});
	});
});

describe('ledge whoami', () => {
	test.each([
		[{CLOUDFLARE_API_TOKEN: 'wrong'}, 'CLOUDFLARE_API_TOKEN'],
		[
			{CLOUDFLARE_API_TOKEN: '', CLOUDFLARE_API_KEY: 'a'.repeat(37), CLOUDFLARE_EMAIL: 'a@b.test'},
			'CLOUDFLARE_API_KEY',
		],
	])('names the rejected credential, and does not suggest itself', async (env, from) => {
		const ended = await run(['whoami', '--json'], env);
		expect(ended).toMatchObject({code: 4, stdout: ''});
		const {error} = JSON.parse(ended.stderr);
		expect(error.code).toBe('credential_refused');
		expect(error.why).toContain(`from ${from}.`);
		expect(error.next).toContain(from);
		expect(ended.stderr).not.toContain('See `ledge whoami`');
	});
});

describe('in a folder bound to a wrangler profile', () => {
	const noToken = {CLOUDFLARE_API_TOKEN: ''};
	/** Binds a folder to the profile "work", in a home with a default login. */
	const bind = (bound: string) => {
		const configFolder = join(folder, '.wrangler');
		mkdirSync(join(configFolder, 'config'), {recursive: true});
		mkdirSync(join(configFolder, 'profiles'), {recursive: true});
		writeFileSync(
			join(configFolder, 'config', 'default.toml'),
			'oauth_token = "simulated"\nexpiration_time = "2999-01-01T00:00:00Z"\n',
		);
		writeFileSync(
			join(configFolder, 'profiles', 'directory-bindings.json'),
			JSON.stringify({[bound]: 'work'}),
		);
	};

	test.each([['whoami'], ['kv namespace list'], ['zones']])('ledge %s refuses', async words => {
		bind(folder);
		const ended = await run([...words.split(' '), '--json'], noToken);
		expect(ended).toMatchObject({code: 4, stdout: ''});
		const {error} = JSON.parse(ended.stderr);
		expect(error.code).toBe('credential_missing');
		expect(error.what).toContain('"work"');
		expect(error.why).toContain(`${folder} is bound to it in ~/.wrangler/profiles/directory-bindings.json`);
	});

	test('ledge config says so, and the default login can be used by name', async () => {
		bind(folder);
		const {settings} = JSON.parse((await run(['config', '--json'], noToken)).stdout);
		expect(settings.credential).toMatchObject({value: null, from: expect.stringContaining('"work"')});
		expect((await run(['whoami', '--profile', 'default'], noToken)).stdout).toContain('wrangler');
	});

	test('the folder is taken from --config or --cwd', async () => {
		for (const name of ['bound', 'free']) {
			mkdirSync(join(folder, name));
			writeFileSync(join(folder, name, 'wrangler.toml'), 'name = "w"\n');
		}
		bind(join(folder, 'bound'));
		const codes = [];
		for (const words of [[], ['--config', 'bound/wrangler.toml'], ['--cwd', 'bound'], ['--cwd', 'free']])
			codes.push((await run(['whoami', ...words], noToken)).code);
		expect(codes).toEqual([0, 4, 4, 0]);
		const combined = await run(['whoami', '--cwd', 'bound', '--config', '../free/wrangler.toml'], noToken);
		expect(combined.code).toBe(0);
	});
});
