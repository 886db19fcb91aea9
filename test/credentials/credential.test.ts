import {format, inspect} from 'node:util';
import {describe, expect, test} from 'vitest';
import type {Credential} from '../../source/credentials/credential.ts';
import type {SettingSources} from '../../source/settings/settings.ts';
import {failureOf, folderWith} from '../settings/support/files.ts';
import {createConfiguration, createSettingSources} from '../settings/support/sources.ts';
import {getTestCredential} from './support/credential.ts';

const noon = new Date('2026-03-01T12:00:00Z');
const loginFile = (expires: string) => `oauth_token = "login-secret"
refresh_token = "refresh-secret"
expiration_time = "${expires}"
scopes = [ "account:read", "workers_kv:write" ]
`;
const loginPath = '.config/.wrangler/config/default.toml';

/** The credential on a machine whose home holds these files. */
const readCredential = (
	files: Record<string, string>,
	from: SettingSources,
	platform: NodeJS.Platform = 'linux',
) => getTestCredential(from, {home: folderWith(files), platform, now: () => noon});

describe('choosing a credential', () => {
	const allVariables = {CLOUDFLARE_API_TOKEN: 't', CLOUDFLARE_API_KEY: 'k', CLOUDFLARE_EMAIL: 'e@x.test'};

	test('prefers a token over key and email', async () => {
		expect(await readCredential({}, createSettingSources({env: allVariables}))).toMatchObject({
			kind: 'token',
			token: 't',
			from: 'CLOUDFLARE_API_TOKEN',
		});
	});

	test('prefers key and email over the login on disk', async () => {
		const found = await readCredential(
			{[loginPath]: loginFile('2027-01-01T00:00:00Z')},
			createSettingSources({env: {...allVariables, CLOUDFLARE_API_TOKEN: ''}}),
		);
		expect(found).toMatchObject({kind: 'key', key: 'k', email: 'e@x.test', from: 'CLOUDFLARE_API_KEY'});
	});

	test('accepts the older names after the newer ones', async () => {
		const olderVariables = {CF_API_TOKEN: 'old', CF_API_KEY: 'ok', CF_EMAIL: 'oe'};
		expect(await readCredential({}, createSettingSources({env: olderVariables}))).toMatchObject({
			token: 'old',
			from: 'CF_API_TOKEN',
		});
		expect(
			await readCredential({}, createSettingSources({env: {...olderVariables, ...allVariables}})),
		).toMatchObject({token: 't'});
		const found = await readCredential({}, createSettingSources({env: {CF_API_KEY: 'ok', CF_EMAIL: 'oe'}}));
		expect(found).toMatchObject({kind: 'key', key: 'ok', email: 'oe'});
	});

	test('uses the headers of the credential, and shows variables in them', async () => {
		const token = await readCredential({}, createSettingSources({env: {CF_API_TOKEN: 'abc'}}));
		expect(token.headers()).toEqual({Authorization: 'Bearer abc'});
		expect(token.getShownHeaders()).toEqual([{header: 'Authorization: Bearer ', variable: '$CF_API_TOKEN'}]);
		const key = await readCredential(
			{},
			createSettingSources({env: {CLOUDFLARE_API_KEY: 'k', CF_EMAIL: 'e'}}),
		);
		expect(key.headers()).toEqual({'X-Auth-Email': 'e', 'X-Auth-Key': 'k'});
		expect(key.getShownHeaders()).toEqual([
			{header: 'X-Auth-Email: ', variable: '$CF_EMAIL'},
			{header: 'X-Auth-Key: ', variable: '$CLOUDFLARE_API_KEY'},
		]);
	});

	test.each([
		{env: {CLOUDFLARE_API_KEY: 'k'}, there: 'CLOUDFLARE_API_KEY', missing: 'CLOUDFLARE_EMAIL'},
		{env: {CF_EMAIL: 'e', CLOUDFLARE_API_KEY: ''}, there: 'CF_EMAIL', missing: 'CLOUDFLARE_API_KEY'},
	])('refuses $there without $missing', async ({env, there, missing}) => {
		const failure = await failureOf(() =>
			readCredential({[loginPath]: loginFile('2027-01-01T00:00:00Z')}, createSettingSources({env})),
		);
		expect(failure).toMatchObject({code: 'credential_missing', exitCode: 4});
		expect(failure.message).toBe(`${there} is set, but ${missing} is not.`);
	});

	test('lists the variables to set if there is none', async () => {
		const failure = await failureOf(() =>
			readCredential({}, createSettingSources({configuration: createConfiguration('a')})),
		);
		expect(failure).toMatchObject({
			code: 'credential_missing',
			exitCode: 4,
			message: 'No credential was given.',
		});
		expect(failure.next).toContain('CLOUDFLARE_API_TOKEN');
		expect(failure.next).toContain('wrangler login');
	});
});

describe('a credential that does not fit into a header', () => {
	test.each([
		{value: 'abcdef…', place: 'Character 7 of 7 is U+2026'},
		{value: 'abc\n', place: 'Character 4 of 4 is U+000A'},
		{value: ' abc', place: 'Character 1 of 4 is U+0020'},
		{value: 'abc\u00a0', place: 'Character 4 of 4 is U+00A0'},
		{value: 'ab\r\nX-Evil: 1', place: 'Character 3 of 13 is U+000D'},
		{value: 'ab\u0085c', place: 'Character 3 of 4 is U+0085'},
		{value: 'ab\u{1f511}', place: 'Character 3 of 4 is U+1F511'},
	])('is refused with the position ($place) and never shown', async ({value, place}) => {
		const environments = [
			{CLOUDFLARE_API_TOKEN: value},
			{CLOUDFLARE_API_KEY: value, CLOUDFLARE_EMAIL: 'e'},
			{CLOUDFLARE_API_KEY: 'k', CLOUDFLARE_EMAIL: value},
		];
		for (const env of environments) {
			const failure = await failureOf(() => readCredential({}, createSettingSources({env})));
			expect(failure.code).toBe('credential_missing');
			expect(failure.details.why).toContain(place);
			expect(JSON.stringify([failure.message, failure.details])).not.toContain(value);
		}
	});

	test('is not one with inner spaces or Latin letters', async () => {
		expect(
			await readCredential({}, createSettingSources({env: {CLOUDFLARE_API_TOKEN: 'a bé~'}})),
		).toMatchObject({token: 'a bé~'});
	});
});

describe('the wrangler login', () => {
	test('is used if nothing else is given', async () => {
		const found = await readCredential(
			{[loginPath]: loginFile('2026-03-01T12:00:01Z')},
			createSettingSources({}),
		);
		expect(found).toMatchObject({
			kind: 'oauth',
			token: 'login-secret',
			from: `~/${loginPath}`,
			expires: new Date('2026-03-01T12:00:01Z'),
		});
		expect(found.headers()).toEqual({Authorization: 'Bearer login-secret'});
	});

	test('is refused after expiry, with both remedies', async () => {
		const failure = await failureOf(() =>
			readCredential({[loginPath]: loginFile('2026-03-01T12:00:00Z')}, createSettingSources({})),
		);
		expect(failure).toMatchObject({code: 'credential_missing', exitCode: 4});
		expect(failure.details.why).toContain('It was valid until 2026-03-01T12:00:00.000Z.');
		expect(failure.message).toContain(`~/${loginPath} has expired`);
		expect(failure.next).toContain('CLOUDFLARE_API_TOKEN');
		expect(failure.next).toContain('wrangler login');
	});

	test.each([
		['no time', 'oauth_token = "login-secret"', 'does not say how long it is valid'],
		['a time that is none', loginFile('later'), 'does not say how long it is valid'],
		['broken TOML', 'oauth_token = "login-secret\n', 'not valid TOML (line 1)'],
	])('with %s is refused without showing its content', async (_, content, why) => {
		const failure = await failureOf(() => readCredential({[loginPath]: content}, createSettingSources({})));
		expect(failure.code).toBe('credential_missing');
		expect(failure.details.why).toContain(why);
		expect(inspect(failure, {depth: 9})).not.toContain('login-secret');
	});

	test('can have a TOML date as expiry', async () => {
		const content = 'oauth_token = "login-secret"\nexpiration_time = 2027-01-01T00:00:00Z\n';
		expect((await readCredential({[loginPath]: content}, createSettingSources({}))).kind).toBe('oauth');
	});

	test('is ignored without a token', async () => {
		const failure = await failureOf(() =>
			readCredential({[loginPath]: 'api_token = "x"'}, createSettingSources({})),
		);
		expect(failure.message).toBe('No credential was given.');
	});
});

describe('a second account', () => {
	const firstAccount = {CLOUDFLARE_API_TOKEN: 'first', CLOUDFLARE_API_KEY: 'k', CLOUDFLARE_EMAIL: 'e'};

	test('uses its own credential before that of the first', async () => {
		const env = {
			...firstAccount,
			LEDGE_TO_CLOUDFLARE_API_KEY: 'own',
			LEDGE_TO_CLOUDFLARE_EMAIL: 'own@x.test',
		};
		expect(await readCredential({}, createSettingSources({env, prefix: 'LEDGE_TO_'}))).toMatchObject({
			kind: 'key',
			key: 'own',
			email: 'own@x.test',
			from: 'LEDGE_TO_CLOUDFLARE_API_KEY',
		});
		expect(await readCredential({}, createSettingSources({env, prefix: 'LEDGE_FROM_'}))).toMatchObject({
			token: 'first',
		});
	});

	test('does not complete its credential with half of the first one', async () => {
		const env = {...firstAccount, LEDGE_TO_CLOUDFLARE_API_KEY: 'own'};
		const failure = await failureOf(() =>
			readCredential({}, createSettingSources({env, prefix: 'LEDGE_TO_'})),
		);
		expect(failure.message).toBe('LEDGE_TO_CLOUDFLARE_API_KEY is set, but LEDGE_TO_CLOUDFLARE_EMAIL is not.');
	});

	test('never uses the credential of the first on another service', async () => {
		const env = {...firstAccount, LEDGE_TO_CLOUDFLARE_API_BASE_URL: 'https://other.test/client/v4'};
		const failure = await failureOf(() =>
			readCredential(
				{[loginPath]: loginFile('2027-01-01T00:00:00Z')},
				createSettingSources({env, prefix: 'LEDGE_TO_'}),
			),
		);
		expect(failure).toMatchObject({code: 'credential_missing', exitCode: 4});
		expect(failure.next).toContain('LEDGE_TO_CLOUDFLARE_API_TOKEN');
		const envWithOwnToken = {...env, LEDGE_TO_CLOUDFLARE_API_TOKEN: 'own'};
		expect(
			await readCredential({}, createSettingSources({env: envWithOwnToken, prefix: 'LEDGE_TO_'})),
		).toMatchObject({token: 'own'});
	});
});

describe('the secret of a credential is never shown', () => {
	const kinds: [string, () => Promise<Credential>][] = [
		['token', () => readCredential({}, createSettingSources({env: {CLOUDFLARE_API_TOKEN: 'login-secret'}}))],
		[
			'key',
			() =>
				readCredential(
					{},
					createSettingSources({env: {CLOUDFLARE_API_KEY: 'login-secret', CLOUDFLARE_EMAIL: 'e@x.test'}}),
				),
		],
		[
			'oauth',
			() => readCredential({[loginPath]: loginFile('2027-01-01T00:00:00Z')}, createSettingSources({})),
		],
	];

	test.each(kinds)('%s', async (kind, make) => {
		const found = await make();
		const shown = [
			JSON.stringify({deep: [found]}),
			format('%s %o %O %j', found, found, found, found),
			format({found}),
			inspect(found, {showHidden: true, depth: 9, getters: true}),
			inspect(found, {showHidden: true, depth: 9, customInspect: false}),
			JSON.stringify({...found}),
			JSON.stringify(Object.entries(Object.getOwnPropertyDescriptors(found))),
			`${found}`,
		];
		for (const text of shown) expect(text).not.toContain('login-secret');
		expect(shown[0]).toContain(`"kind":"${kind}"`);
	});
});
