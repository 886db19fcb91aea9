import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {type Ended, ledge, scratch} from '../support/ledge.ts';
import {type RunningService, startService} from '../support/service.ts';

let service: RunningService;
let folder: string;

beforeAll(async () => {
	service = await startService();
});

beforeEach(() => {
	folder = scratch();
});

const run = (words: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
	ledge(words, {cwd: folder, env: {...service.env, ...env}});

describe('ledge config', () => {
	const environment = async (words: readonly string[], env: Record<string, string> = {}) =>
		JSON.parse((await run(['config', '--json', ...words], env)).stdout).settings.environment;

	test('names the file of variables that the environment came from', async () => {
		writeFileSync(join(folder, 'wrangler.toml'), 'name = "w"\n[env.stg]\n');
		writeFileSync(join(folder, 'ce.env'), 'CLOUDFLARE_ENV=stg\n');
		expect(await environment(['--env-file', 'ce.env'])).toEqual({
			value: 'stg',
			from: 'CLOUDFLARE_ENV in ce.env',
		});
		expect(await environment([], {CLOUDFLARE_ENV: 'stg'})).toEqual({value: 'stg', from: 'CLOUDFLARE_ENV'});
		expect(await environment(['--env', 'stg'])).toEqual({value: 'stg', from: '--env'});
		expect(await environment([])).toEqual({value: null, from: 'none'});
	});
});

describe('ledge whoami', () => {
	test.each([
		[{CLOUDFLARE_API_TOKEN: 'wrong'}, 'CLOUDFLARE_API_TOKEN'],
		[
			{CLOUDFLARE_API_TOKEN: '', CLOUDFLARE_API_KEY: 'a'.repeat(37), CLOUDFLARE_EMAIL: 'a@b.test'},
			'CLOUDFLARE_API_KEY',
		],
	])('names the credential that was refused, and does not send to itself', async (env, from) => {
		const ended = await run(['whoami', '--json'], env);
		expect(ended).toMatchObject({code: 4, stdout: ''});
		const {error} = JSON.parse(ended.stderr);
		expect(error.code).toBe('credential_refused');
		expect(error.why).toContain(`from ${from}.`);
		expect(error.next).toContain(from);
		expect(ended.stderr).not.toContain('See `ledge whoami`');
	});
});
