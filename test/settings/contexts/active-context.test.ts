import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {chooseCredential, describeChoice} from '../../../source/credentials/choice.ts';
import {resolveBaseUrl} from '../../../source/settings/base-url.ts';
import {findContexts} from '../../../source/settings/contexts/active-context.ts';
import {
	resolveAccountId,
	resolveReadOnly,
	resolveTarget,
	resolveZone,
	type SettingOptions,
} from '../../../source/settings/settings.ts';
import {readVariables} from '../../../source/settings/variables.ts';
import {failureOf, folderWith} from '../support/files.ts';
import {configuration, inUse, sources} from '../support/sources.ts';

const file = `context_in_use = "test"

[contexts.prod]
account_id = "acc-prod"
profile = "shop"
base_url = "https://prod.test/v4"
zone = "shop.example"
target = "remote"
read_only = true

[contexts.test]
account_id = "acc-test"
target = "local"

[contexts.ci]
token_variable = "CI_TOKEN"

[contexts.vault]
credential_command = ["op", "read", "x"]
`;

const find = (
	env: Readonly<Record<string, string>> = {},
	options: SettingOptions & {readonly simulate?: boolean} = {},
	text = file,
) => {
	const folder = folderWith({'ledge/contexts.toml': text});
	return findContexts({options, variables: readVariables(env), env: {...env, XDG_CONFIG_HOME: folder}});
};

describe('the active context', () => {
	test.each([
		[{}, {}, 'test', 'in use'],
		[{LEDGE_CONTEXT: 'prod'}, {}, 'prod', 'LEDGE_CONTEXT'],
		[{LEDGE_CONTEXT: 'nowhere'}, {context: 'prod'}, 'prod', '--context'],
		[{LEDGE_CONTEXT: ''}, {}, 'test', 'in use'],
		[{}, {context: 'test'}, 'test', '--context'],
	])('with %j and %j is %s (%s)', async (env, options, name, named) => {
		const {contextsFile, active} = await find(env, options);
		expect(active).toMatchObject({name, namedBy: named, from: `context ${name} (${named})`});
		expect(contextsFile?.all).toHaveLength(4);
	});

	test('is undefined if no context is in use or there is no file', async () => {
		expect((await find({}, {}, '[contexts.a]\n')).active).toBeUndefined();
		const env = {XDG_CONFIG_HOME: folderWith({})};
		expect(await findContexts({options: {}, variables: readVariables(env), env})).toEqual({
			contextsFile: undefined,
			inForce: undefined,
		});
	});

	test('is undefined for the simulated service, which reads no file', async () => {
		expect(await find({LEDGE_CONTEXT: 'prod'}, {simulate: true}, 'damaged')).toEqual({
			contextsFile: undefined,
			inForce: undefined,
		});
		const failure = await failureOf(() => find({}, {simulate: true, context: 'prod'}));
		expect(failure).toMatchObject({code: 'usage', exitCode: 2});
	});

	test.each([
		[{}, {context: 'prd'}],
		[{LEDGE_CONTEXT: 'prd'}, {}],
	])('fails with context_unknown if it does not exist: %j %j', async (env, options) => {
		const failure = await failureOf(() => find(env, options));
		expect(failure).toMatchObject({code: 'context_unknown', exitCode: 2});
		expect(failure.message).toContain('"prd"');
		expect(failure.details.why).toContain('"prod", "test", "ci", "vault"');
		expect(failure.next).toContain('"prod"');
	});

	test('fails with "No context is defined." if there is no file', async () => {
		const env = {XDG_CONFIG_HOME: folderWith({})};
		const failure = await failureOf(() =>
			findContexts({options: {context: 'prod'}, variables: readVariables(env), env}),
		);
		expect(failure).toMatchObject({code: 'context_unknown', details: {why: 'No context is defined.'}});
	});
});

describe('a context together with variables', () => {
	test.each([
		['prod', {CLOUDFLARE_ACCOUNT_ID: 'other'}, ['CLOUDFLARE_ACCOUNT_ID', 'other', 'acc-prod']],
		['prod', {CF_ACCOUNT_ID: 'other'}, ['CF_ACCOUNT_ID', 'other', 'acc-prod']],
		[
			'prod',
			{CLOUDFLARE_API_BASE_URL: 'https://x.test/v4'},
			['CLOUDFLARE_API_BASE_URL', 'https://x.test/v4', 'https://prod.test/v4'],
		],
		['prod', {CLOUDFLARE_ZONE_ID: 'z'}, ['CLOUDFLARE_ZONE_ID', 'shop.example']],
		['prod', {CLOUDFLARE_AUTH_PROFILE: 'work'}, ['CLOUDFLARE_AUTH_PROFILE', 'work', 'shop']],
		['vault', {CLOUDFLARE_AUTH_PROFILE: 'work'}, ['CLOUDFLARE_AUTH_PROFILE', 'work', 'credential_command']],
		['ci', {CLOUDFLARE_AUTH_PROFILE: 'work', CI_TOKEN: 't'}, ['CLOUDFLARE_AUTH_PROFILE', 'token_variable']],
		['prod', {CLOUDFLARE_API_TOKEN: 's3cret'}, ['CLOUDFLARE_API_TOKEN', 'profile']],
		['prod', {CF_API_TOKEN: 's3cret'}, ['CF_API_TOKEN', 'profile']],
		[
			'vault',
			{CLOUDFLARE_API_KEY: 's3cret', CLOUDFLARE_EMAIL: 'e'},
			['CLOUDFLARE_API_KEY', 'credential_command'],
		],
		['ci', {CLOUDFLARE_API_TOKEN: 's3cret', CI_TOKEN: 't'}, ['CLOUDFLARE_API_TOKEN', 'token_variable']],
		['vault', {LEDGE_CREDENTIAL_COMMAND: 'pass s3cret'}, ['LEDGE_CREDENTIAL_COMMAND', 'credential_command']],
		[
			'prod',
			{CLOUDFLARE_ACCOUNT_ID: 'other', CLOUDFLARE_API_TOKEN: 's3cret'},
			['CLOUDFLARE_ACCOUNT_ID', 'CLOUDFLARE_API_TOKEN'],
		],
	])('is unclear if it is named and they contradict it: %s with %j', async (name, env, parts) => {
		for (const [more, options] of [
			[{}, {context: name}],
			[{LEDGE_CONTEXT: name}, {}],
		] as const) {
			const failure = await failureOf(() => find({...env, ...more}, options));
			expect(failure).toMatchObject({code: 'account_unclear', exitCode: 2});
			expect(failure.message).toContain(`"${name}"`);
			for (const part of parts) expect(failure.details.why).toContain(part);
			for (const variable of parts.filter(part => part === part.toUpperCase()))
				expect(failure.next).toContain(variable);
			expect(JSON.stringify([failure.message, failure.details])).not.toContain('s3cret');
		}
	});

	test.each([
		[
			'prod',
			{
				CLOUDFLARE_ACCOUNT_ID: 'acc-prod',
				CLOUDFLARE_API_BASE_URL: 'https://prod.test/v4/',
				CLOUDFLARE_AUTH_PROFILE: 'shop',
			},
		],
		['test', {CLOUDFLARE_API_TOKEN: 't', CLOUDFLARE_ZONE_ID: 'z', CLOUDFLARE_AUTH_PROFILE: 'work'}],
		['ci', {CI_TOKEN: 't'}],
		['prod', {CLOUDFLARE_API_TOKEN: ''}],
	])('is used if it is named and they do not contradict it: %s with %j', async (name, env) => {
		expect((await find(env, {context: name})).active?.name).toBe(name);
	});

	test('is used if options settle the contradiction', async () => {
		const env = {
			CLOUDFLARE_ACCOUNT_ID: 'other',
			CLOUDFLARE_API_BASE_URL: 'https://x.test/v4',
			CLOUDFLARE_ZONE_ID: 'z',
			CLOUDFLARE_AUTH_PROFILE: 'work',
		};
		const options = {
			context: 'prod',
			accountId: 'a',
			baseUrl: 'https://y.test',
			zone: 'z.test',
			profile: 'p',
		};
		expect((await find(env, options)).active?.name).toBe('prod');
		expect(
			(await find({CLOUDFLARE_AUTH_PROFILE: 'work'}, {context: 'vault', profile: 'p'})).active?.name,
		).toBe('vault');
	});

	test('is not compared with them if it is only in use', async () => {
		const text = file.replace('"test"', '"prod"');
		const {active} = await find({CLOUDFLARE_ACCOUNT_ID: 'other', CLOUDFLARE_API_TOKEN: 't'}, {}, text);
		expect(active).toMatchObject({name: 'prod', namedBy: 'in use'});
	});
});

describe('the order of settings: option, variable, named context, configuration, context in use', () => {
	const fields = {
		accountId: 'of-context',
		baseUrl: 'https://context.test/v4',
		zone: 'context.example',
		target: 'local',
		readOnly: true,
	} as const;
	const used = inUse(fields);
	const named = inUse({...fields, namedBy: '--context'});
	const from = {used: 'context prod (in use)', named: 'context prod (--context)'};

	test('applies to the account', async () => {
		const env = {CLOUDFLARE_ACCOUNT_ID: 'of-variable'};
		const file = configuration('of-file');
		for (const context of [used, named]) {
			expect(
				resolveAccountId(sources({options: {accountId: 'o'}, env, configuration: file, context})),
			).toEqual({
				value: 'o',
				from: '--account-id',
			});
			expect(resolveAccountId(sources({env, configuration: file, context}))?.value).toBe('of-variable');
		}
		expect(resolveAccountId(sources({configuration: file, context: named}))).toEqual({
			value: 'of-context',
			from: from.named,
		});
		expect(resolveAccountId(sources({context: used}))).toEqual({value: 'of-context', from: from.used});
		expect(resolveAccountId(sources({configuration: file, context: inUse({zone: 'z'})}))?.from).toBe(
			'wrangler.toml:3',
		);
		expect(resolveAccountId(sources({configuration: configuration('of-context'), context: used}))?.from).toBe(
			'wrangler.toml:3',
		);
		const failure = await failureOf(() => resolveAccountId(sources({configuration: file, context: used})));
		expect(failure).toMatchObject({code: 'account_unclear', exitCode: 2});
		for (const part of [from.used, 'of-context', 'wrangler.toml:3', 'of-file'])
			expect(failure.details.why).toContain(part);
		expect(failure.next).toContain('--context prod');
		expect(failure.next).toContain('--account-id of-file');
	});

	test('applies to the address', () => {
		const env = {CLOUDFLARE_API_BASE_URL: 'https://variable.test/v4'};
		expect(resolveBaseUrl(sources({options: {baseUrl: 'https://o.test'}, env, context: named})).from).toBe(
			'--base-url',
		);
		expect(resolveBaseUrl(sources({env, context: named})).value).toBe('https://variable.test/v4');
		expect(resolveBaseUrl(sources({context: used}))).toEqual({value: fields.baseUrl, from: from.used});
		expect(resolveBaseUrl(sources({context: inUse({})})).from).toBe('default');
	});

	test('applies to the zone, by name or ID', () => {
		const id = '0123456789abcdef0123456789abcdef';
		const env = {CLOUDFLARE_ZONE_ID: 'z'};
		expect(resolveZone(sources({options: {zone: 'o.test'}, env, context: named}))).toMatchObject({
			kind: 'name',
			name: {from: '--zone'},
		});
		expect(resolveZone(sources({env, context: named}))).toMatchObject({kind: 'id', id: {value: 'z'}});
		expect(resolveZone(sources({context: used}))).toEqual({
			kind: 'name',
			name: {value: fields.zone, from: from.used},
		});
		expect(resolveZone(sources({context: inUse({zone: id})}))).toMatchObject({kind: 'id', id: {value: id}});
		expect(resolveZone(sources({context: inUse({})}))).toBeUndefined();
	});

	test('applies to the target', () => {
		expect(
			resolveTarget(sources({options: {remote: true}, env: {LEDGE_TARGET: 'local'}, context: named})),
		).toMatchObject({value: 'remote'});
		expect(resolveTarget(sources({env: {LEDGE_TARGET: 'remote'}, context: named}))).toMatchObject({
			value: 'remote',
		});
		expect(resolveTarget(sources({context: used}))).toEqual({value: 'local', from: from.used});
		expect(resolveTarget(sources({context: inUse({})}))).toEqual({value: 'remote', from: 'default'});
	});

	test('applies to read-only, which nothing can turn off', () => {
		expect(
			resolveReadOnly(sources({options: {readOnly: false}, env: {LEDGE_READ_ONLY: '0'}, context: used})),
		).toEqual({
			value: true,
			from: from.used,
		});
		expect(
			resolveReadOnly(sources({env: {LEDGE_READ_ONLY: '1'}, context: inUse({readOnly: false})})),
		).toMatchObject({
			value: true,
			from: 'LEDGE_READ_ONLY',
		});
		expect(resolveReadOnly(sources({context: inUse({readOnly: false})})).value).toBe(false);
	});
});

describe('the order of credentials: variables, --profile, variables naming a profile, the context, the folder', () => {
	const loginOf = (token: string) => `oauth_token = "${token}"\nexpiration_time = "2027-01-01T00:00:00Z"\n`;
	const wrangler = '.config/.wrangler';
	const bindings = `~/${wrangler}/profiles/directory-bindings.json`;
	const machine = () => ({
		home: folderWith({
			...Object.fromEntries(
				['default', 'shop', 'work'].map(name => [`${wrangler}/config/${name}.toml`, loginOf(name)]),
			),
			[`${wrangler}/profiles/directory-bindings.json`]: JSON.stringify({'/srv': 'work'}),
		}),
		platform: 'linux' as const,
	});
	const choose = (given: Parameters<typeof sources>[0]) => chooseCredential(sources(given), machine());
	const shop = {profile: 'shop'};
	const command = {LEDGE_CREDENTIAL_COMMAND: 'pass x'};

	test.each([
		[
			'a token',
			{env: {CLOUDFLARE_API_TOKEN: 't', ...command}, options: {profile: 'work'}, context: inUse(shop)},
			{source: 'given', credential: {token: 't'}},
		],
		[
			'--profile',
			{env: command, options: {profile: 'work'}, context: inUse({...shop, namedBy: '--context' as const})},
			{source: 'login', profile: {name: 'work', from: '--profile'}},
		],
		[
			'a command',
			{env: {...command, CLOUDFLARE_AUTH_PROFILE: 'work'}, context: inUse(shop)},
			{source: 'command', command: {value: ['pass', 'x'], from: 'LEDGE_CREDENTIAL_COMMAND'}},
		],
		[
			'a profile',
			{env: {CLOUDFLARE_AUTH_PROFILE: 'work'}, context: inUse(shop)},
			{source: 'login', profile: {name: 'work', from: 'CLOUDFLARE_AUTH_PROFILE'}},
		],
		[
			'the profile of the context',
			{context: inUse(shop)},
			{source: 'login', profile: {name: 'shop', from: 'context prod (in use)'}},
		],
		[
			'the profile of a named context, in a bound folder',
			{start: '/srv', context: inUse({...shop, namedBy: '--context' as const})},
			{source: 'login', profile: {name: 'shop'}},
		],
		[
			'the same profile as that of the folder',
			{start: '/srv', context: inUse({profile: 'work'})},
			{source: 'login', profile: {name: 'work'}},
		],
		[
			'the command of the context',
			{context: inUse({credentialCommand: ['x', 'y z']})},
			{source: 'command', command: {value: ['x', 'y z'], from: 'context prod (in use)'}},
		],
		[
			'the variable of the context',
			{env: {CI: 't'}, context: inUse({tokenVariable: 'CI'})},
			{source: 'given', credential: {token: 't', from: 'CI'}},
		],
		[
			'the folder, beside a context without a login',
			{start: '/srv/x', context: inUse({accountId: 'a'})},
			{source: 'login', profile: {name: 'work', from: bindings}},
		],
		['the ordinary login', {context: inUse({accountId: 'a'})}, {source: 'login', profile: {name: 'default'}}],
	])('%s', async (_, given, choice) => {
		expect(await choose(given)).toMatchObject(choice);
	});

	test.each([
		['profile', {profile: 'shop'}],
		['credential_command', {credentialCommand: ['x'] as const}],
		['token_variable', {tokenVariable: 'CI'}],
	])('is unclear between a context in use and a folder bound elsewhere (%s)', async (field, fields) => {
		const failure = await failureOf(() =>
			choose({start: '/srv/app', env: {CI: 't'}, context: inUse(fields)}),
		);
		expect(failure).toMatchObject({code: 'account_unclear', exitCode: 2});
		for (const part of ['context prod (in use)', field, '/srv', '"work"', bindings])
			expect(failure.details.why).toContain(part);
		expect(failure.next).toContain('--context prod');
		expect(failure.next).toContain('--profile work');
	});

	test("fails if the context's variable is not set or its profile has no login", async () => {
		const unset = await failureOf(() => choose({context: inUse({tokenVariable: 'CI'})}));
		expect(unset).toMatchObject({code: 'credential_missing', exitCode: 4, message: 'CI is not set.'});
		expect(unset.details.why).toContain('context prod (in use)');
		const gone = await failureOf(() => choose({context: inUse({profile: 'gone', accountId: 'acc'})}));
		expect(gone).toMatchObject({code: 'credential_missing', exitCode: 4});
		expect(gone.message).toContain('"gone"');
		for (const part of ['context prod (in use) names it', `~/${wrangler}/config/gone.toml`, 'acc'])
			expect(gone.details.why).toContain(part);
		expect((await failureOf(() => choose({context: inUse({profile: 'staging'})}))).code).toBe('usage');
	});

	test('is described in words before anything runs', async () => {
		const words = async (given: Parameters<typeof sources>[0], now = '2026-01-01') =>
			describeChoice(await choose(given), new Date(now));
		const path = (name: string) => `~/${join(wrangler, 'config', `${name}.toml`)}`;
		expect(await words({env: {CLOUDFLARE_API_TOKEN: 't'}})).toEqual({
			kind: 'token',
			what: 'API token',
			from: 'CLOUDFLARE_API_TOKEN',
		});
		expect(await words({env: command})).toEqual({
			kind: 'command',
			what: 'printed by pass',
			from: 'LEDGE_CREDENTIAL_COMMAND',
		});
		expect(await words({})).toEqual({kind: 'oauth', what: 'wrangler login', from: path('default')});
		expect(await words({options: {profile: 'shop'}}, '2028-01-01')).toEqual({
			kind: 'oauth',
			what: 'wrangler login "shop", expired: ledge asks wrangler to renew it',
			from: `${path('shop')} (--profile)`,
		});
		expect((await words({start: '/srv/x'})).from).toBe(`${path('work')} (/srv is bound to it)`);
	});
});
