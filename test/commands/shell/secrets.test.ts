import {chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {createSimulator} from '../../../source/simulator/simulator.ts';
import {type ArrivedRequest, buildRawResponse, startFaultyLine} from '../../support/faulty-line.ts';
import {isSampled} from '../../support/full.ts';
import {createScratchFolder, createVirtualClock, ledge} from '../../support/run.ts';
import {joinEncodings, listRevealingTexts} from '../../support/secrets.ts';

const zone = 'd0e032749968114a09730950255c7c0f';
const token = 'Zx9/q+tok_of-the=secrets~test';
const apiKey = 'c2547eb745079dac9320b638f5e225cf483cc5cfdda41';
const email = 'ada@example.com';

type Credential = {
	readonly name: string;
	readonly secret: string;
	readonly env: Readonly<Record<string, string>>;
	/** Puts the secret where ledge finds it; returns the variables that lead there. */
	prepare?(): {readonly HOME?: string; readonly PATH?: string};
};

/** Creates a home with a login of wrangler, and with programs that print the secret. */
function createHome(secret: string, expires: string): {readonly HOME: string; readonly PATH: string} {
	const home = createScratchFolder();
	mkdirSync(join(home, '.config/.wrangler/config'), {recursive: true});
	writeFileSync(
		join(home, '.config/.wrangler/config/default.toml'),
		`oauth_token = "${secret}"\nexpiration_time = "${expires}"\n`,
	);
	for (const [name, text] of [
		['wrangler', JSON.stringify({type: 'oauth', token: secret})],
		['printer', secret],
	] as const) {
		writeFileSync(join(home, name), `#!/bin/sh\necho '${text}'\n`);
		chmodSync(join(home, name), 0o700);
	}
	return {HOME: home, PATH: `${home}:/usr/bin:/bin`};
}

const credentials: readonly Credential[] = [
	{name: 'a token', secret: token, env: {CLOUDFLARE_API_TOKEN: token}},
	{
		name: 'a key',
		secret: apiKey,
		env: {CLOUDFLARE_API_TOKEN: '', CLOUDFLARE_API_KEY: apiKey, CLOUDFLARE_EMAIL: email},
	},
	{
		name: 'a login',
		secret: token,
		env: {CLOUDFLARE_API_TOKEN: ''},
		prepare: () => createHome(token, '2099-01-01T00:00:00Z'),
	},
	{
		name: 'a login that wrangler prints',
		secret: token,
		env: {CLOUDFLARE_API_TOKEN: ''},
		prepare: () => createHome(token, '2020-01-01T00:00:00Z'),
	},
	{
		name: 'a token that a command prints',
		secret: token,
		env: {CLOUDFLARE_API_TOKEN: '', LEDGE_CREDENTIAL_COMMAND: 'printer'},
		prepare: () => createHome(token, '2020-01-01T00:00:00Z'),
	},
];

const json = {'content-type': 'application/json'};

const echoes: Readonly<Record<string, (secret: string) => Uint8Array>> = {
	'an error text': secret =>
		buildRawResponse(
			400,
			JSON.stringify({
				success: false,
				errors: [
					{
						code: 1,
						message: `bad header ${joinEncodings(secret)}`,
						error_chain: [{code: 2, message: joinEncodings(secret)}],
						source: {pointer: `/${joinEncodings(secret)}`},
					},
				],
				messages: [{code: 3, message: joinEncodings(secret)}],
				result: null,
			}),
			json,
		),
	'a 500': secret =>
		buildRawResponse(
			500,
			JSON.stringify({
				success: false,
				errors: [{message: joinEncodings(secret)}],
				messages: null,
				result: null,
			}),
			json,
		),
	'a page': secret => buildRawResponse(403, `<html>${joinEncodings(secret)}`, {'content-type': 'text/html'}),
	'a page in which the excerpt would cut it': secret =>
		buildRawResponse(400, `${'x'.repeat(100 - Math.ceil(secret.length / 2))}${secret}`, {
			'content-type': 'text/html',
		}),
	'a page that begins with it': secret =>
		buildRawResponse(200, `${secret} <html>`, {'content-type': 'text/html'}),
	'a content type': secret => buildRawResponse(200, 'x', {'content-type': `text/${secret}`}),
	'a redirect': secret =>
		buildRawResponse(302, '', {location: `https://elsewhere.test/?t=${joinEncodings(secret)}`}),
	'a ray': secret => buildRawResponse(400, '{}', {'cf-ray': joinEncodings(secret)}),
	'an encoding': secret => buildRawResponse(200, '{}', {'content-encoding': joinEncodings(secret)}),
	'a message of a success': secret =>
		buildRawResponse(
			200,
			JSON.stringify({
				success: true,
				errors: [],
				messages: [{message: joinEncodings(secret)}],
				result: [],
				result_info: {per_page: 100, count: 0},
			}),
			{...json, 'cf-ray': secret},
		),
};

const commands: readonly (readonly string[])[] = [
	['kv', 'namespace', 'list'],
	['kv', 'namespace', 'create', 'NEW', '--no-prefix'],
	['kv', 'key', 'put', 'k', 'v', '--namespace-id', '7ce064d8b26f93391d8a14e4c40b28bb'],
	['kv', 'bulk', 'put', 'put.json', '--namespace-id', '7ce064d8b26f93391d8a14e4c40b28bb'],
	[
		'firewall',
		'rule',
		'create',
		'--zone-id',
		zone,
		'--expression',
		'ip.src eq 192.0.2.9',
		'--action',
		'block',
	],
	['migration', 'backup', '--zone-id', zone],
	['whoami'],
];

function listFiles(folder: string): string[] {
	return readdirSync(folder, {recursive: true, encoding: 'utf8'})
		.map(name => join(folder, name))
		.filter(path => statSync(path).isFile());
}

describe.each(credentials)('$name echoed by the service', ({secret, env, prepare}) => {
	// Credentials that a program prints meet only every eighth echo in `npm test`, as starting it is slow.
	const triedEchoes = Object.keys(echoes).filter((_, at) => !prepare || isSampled(at));

	test.each(triedEchoes)('is neither shown nor saved: in %s', async name => {
		const echo = echoes[name];
		using simulator = createSimulator({rateLimit: false});
		for (const words of commands) {
			for (const extra of [[], ['--json', '--verbose']]) {
				await using line = await startFaultyLine(simulator);
				const cwd = createScratchFolder();
				writeFileSync(join(cwd, 'put.json'), '[{"key":"a","value":"b"}]');
				const answer = (_request: ArrivedRequest) => echo?.(secret) ?? Buffer.alloc(0);
				line.setFault({matches: () => true, when: 'before the effect', reply: {answer}});
				const account = ['--account-id', 'a'.repeat(32)];
				const ended = await ledge([...words, ...extra, ...account], {
					cwd,
					env: {...line.env, ...env, ...prepare?.(), LEDGE_STATE_DIR: join(cwd, 'state')},
					clock: createVirtualClock(),
				});
				expect(line.arrived().length, ended.stderr).toBeGreaterThan(0);
				const savedTexts = listFiles(cwd).map(path => readFileSync(path, 'utf8'));
				const everything = [ended.stdout, ended.stderr, ...savedTexts].join('\n');
				for (const form of listRevealingTexts(secret))
					expect(everything.includes(form), `${words.join(' ')}: ${form} in ${everything}`).toBe(false);
			}
		}
	});
});
