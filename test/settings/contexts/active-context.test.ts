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
import {createActiveContext, createConfiguration, createSettingSources} from '../support/sources.ts';

const contextsText = `context_in_use = "test"

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

const findTestContexts = (
	env: Readonly<Record<string, string>> = {},
	options: SettingOptions & {readonly simulate?: boolean} = {},
	text = contextsText,
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
	])('with %j and %j is %s (%s)', async (env, options, name, namedBy) => {
		const {contextsFile, active} = await findTestContexts(env, options);
		expect(active).toMatchObject({name, namedBy: namedBy, from: `context ${name} (${namedBy})`});
		expect(contextsFile?.all).toHaveLength(4);
	});

	test('is undefined if no context is in use or there is no file', async () => {
		expect((await findTestContexts({}, {}, '[contexts.a]\n')).active).toBeUndefined();
		const env = {XDG_CONFIG_HOME: folderWith({})};
		expect(await findContexts({options: {}, variables: readVariables(env), env})).toEqual({
			contextsFile: undefined,
			active: undefined,
		});
	});

	test('is undefined for the simulated service, which reads no file', async () => {
		expect(await findTestContexts({LEDGE_CONTEXT: 'prod'}, {simulate: true}, 'damaged')).toEqual({
			contextsFile: undefined,
			active: undefined,
		});
		const failure = await failureOf(() => findTestContexts({}, {simulate: true, context: 'prod'}));
		expect(failure).toMatchObject({code: 'usage', exitCode: 2});
	});

	test.each([
		[{}, {context: 'prd'}],
		[{LEDGE_CONTEXT: 'prd'}, {}],
	])('fails with context_unknown if it does not exist: %j %j', async (env, options) => {
		const failure = await failureOf(() => findTestContexts(env, options));
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
		for (const [extraVariables, options] of [
			[{}, {context: name}],
			[{LEDGE_CONTEXT: name}, {}],
		] as const) {
			const failure = await failureOf(() => findTestContexts({...env, ...extraVariables}, options));
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
		expect((await findTestContexts(env, {context: name})).active?.name).toBe(name);
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
		expect((await findTestContexts(env, options)).active?.name).toBe('prod');
		expect(
			(await findTestContexts({CLOUDFLARE_AUTH_PROFILE: 'work'}, {context: 'vault', profile: 'p'})).active
				?.name,
		).toBe('vault');
	});

	test('is not compared with them if it is only in use', async () => {
		const text = contextsText.replace('"test"', '"prod"');
		const {active} = await findTestContexts(
			{CLOUDFLARE_ACCOUNT_ID: 'other', CLOUDFLARE_API_TOKEN: 't'},
			{},
			text,
		);
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
	const contextInUse = createActiveContext(fields);
	const namedContext = createActiveContext({...fields, namedBy: '--context'});
	const origins = {contextInUse: 'context prod (in use)', named: 'context prod (--context)'};

	test('applies to the account', async () => {
		const env = {CLOUDFLARE_ACCOUNT_ID: 'of-variable'};
		const fileConfiguration = createConfiguration('of-file');
		for (const context of [contextInUse, namedContext]) {
			expect(
				resolveAccountId(
					createSettingSources({options: {accountId: 'o'}, env, configuration: fileConfiguration, context}),
				),
			).toEqual({
				value: 'o',
				from: '--account-id',
			});
			expect(
				resolveAccountId(createSettingSources({env, configuration: fileConfiguration, context}))?.value,
			).toBe('of-variable');
		}
		expect(
			resolveAccountId(createSettingSources({configuration: fileConfiguration, context: namedContext})),
		).toEqual({
			value: 'of-context',
			from: origins.named,
		});
		expect(resolveAccountId(createSettingSources({context: contextInUse}))).toEqual({
			value: 'of-context',
			from: origins.contextInUse,
		});
		expect(
			resolveAccountId(
				createSettingSources({configuration: fileConfiguration, context: createActiveContext({zone: 'z'})}),
			)?.from,
		).toBe('wrangler.toml:3');
		expect(
			resolveAccountId(
				createSettingSources({configuration: createConfiguration('of-context'), context: contextInUse}),
			)?.from,
		).toBe('wrangler.toml:3');
		const failure = await failureOf(() =>
			resolveAccountId(createSettingSources({configuration: fileConfiguration, context: contextInUse})),
		);
		expect(failure).toMatchObject({code: 'account_unclear', exitCode: 2});
		for (const part of [origins.contextInUse, 'of-context', 'wrangler.toml:3', 'of-file'])
			expect(failure.details.why).toContain(part);
		expect(failure.next).toContain('--context prod');
		expect(failure.next).toContain('--account-id of-file');
	});

	test('applies to the address', () => {
		const env = {CLOUDFLARE_API_BASE_URL: 'https://variable.test/v4'};
		expect(
			resolveBaseUrl(createSettingSources({options: {baseUrl: 'https://o.test'}, env, context: namedContext}))
				.from,
		).toBe('--base-url');
		expect(resolveBaseUrl(createSettingSources({env, context: namedContext})).value).toBe(
			'https://variable.test/v4',
		);
		expect(resolveBaseUrl(createSettingSources({context: contextInUse}))).toEqual({
			value: fields.baseUrl,
			from: origins.contextInUse,
		});
		expect(resolveBaseUrl(createSettingSources({context: createActiveContext({})})).from).toBe('default');
	});

	test('applies to the zone, by name or ID', () => {
		const id = '0123456789abcdef0123456789abcdef';
		const env = {CLOUDFLARE_ZONE_ID: 'z'};
		expect(
			resolveZone(createSettingSources({options: {zone: 'o.test'}, env, context: namedContext})),
		).toMatchObject({
			kind: 'name',
			name: {from: '--zone'},
		});
		expect(resolveZone(createSettingSources({env, context: namedContext}))).toMatchObject({
			kind: 'id',
			id: {value: 'z'},
		});
		expect(resolveZone(createSettingSources({context: contextInUse}))).toEqual({
			kind: 'name',
			name: {value: fields.zone, from: origins.contextInUse},
		});
		expect(resolveZone(createSettingSources({context: createActiveContext({zone: id})}))).toMatchObject({
			kind: 'id',
			id: {value: id},
		});
		expect(resolveZone(createSettingSources({context: createActiveContext({})}))).toBeUndefined();
	});

	test('applies to the target', () => {
		expect(
			resolveTarget(
				createSettingSources({options: {remote: true}, env: {LEDGE_TARGET: 'local'}, context: namedContext}),
			),
		).toMatchObject({value: 'remote'});
		expect(
			resolveTarget(createSettingSources({env: {LEDGE_TARGET: 'remote'}, context: namedContext})),
		).toMatchObject({
			value: 'remote',
		});
		expect(resolveTarget(createSettingSources({context: contextInUse}))).toEqual({
			value: 'local',
			from: origins.contextInUse,
		});
		expect(resolveTarget(createSettingSources({context: createActiveContext({})}))).toEqual({
			value: 'remote',
			from: 'default',
		});
	});

	test('applies to read-only, which nothing can turn off', () => {
		expect(
			resolveReadOnly(
				createSettingSources({
					options: {readOnly: false},
					env: {LEDGE_READ_ONLY: '0'},
					context: contextInUse,
				}),
			),
		).toEqual({
			value: true,
			from: origins.contextInUse,
		});
		expect(
			resolveReadOnly(
				createSettingSources({env: {LEDGE_READ_ONLY: '1'}, context: createActiveContext({readOnly: false})}),
			),
		).toMatchObject({
			value: true,
			from: 'LEDGE_READ_ONLY',
		});
		expect(
			resolveReadOnly(createSettingSources({context: createActiveContext({readOnly: false})})).value,
		).toBe(false);
	});
});

describe('the order of credentials: variables, --profile, variables naming a profile, the context, the folder', () => {
	const formatLogin = (token: string) =>
		`oauth_token = "${token}"\nexpiration_time = "2027-01-01T00:00:00Z"\n`;
	const wranglerFolder = '.config/.wrangler';
	const bindingsPath = `~/${wranglerFolder}/profiles/directory-bindings.json`;
	const createMachine = () => ({
		home: folderWith({
			...Object.fromEntries(
				['default', 'shop', 'work'].map(name => [`${wranglerFolder}/config/${name}.toml`, formatLogin(name)]),
			),
			[`${wranglerFolder}/profiles/directory-bindings.json`]: JSON.stringify({'/srv': 'work'}),
		}),
		platform: 'linux' as const,
	});
	const choose = (given: Parameters<typeof createSettingSources>[0]) =>
		chooseCredential(createSettingSources(given), createMachine());
	const shopProfile = {profile: 'shop'};
	const commandVariables = {LEDGE_CREDENTIAL_COMMAND: 'pass x'};

	test.each([
		[
			'a token',
			{
				env: {CLOUDFLARE_API_TOKEN: 't', ...commandVariables},
				options: {profile: 'work'},
				context: createActiveContext(shopProfile),
			},
			{source: 'given', credential: {token: 't'}},
		],
		[
			'--profile',
			{
				env: commandVariables,
				options: {profile: 'work'},
				context: createActiveContext({...shopProfile, namedBy: '--context' as const}),
			},
			{source: 'login', profile: {name: 'work', from: '--profile'}},
		],
		[
			'a command',
			{
				env: {...commandVariables, CLOUDFLARE_AUTH_PROFILE: 'work'},
				context: createActiveContext(shopProfile),
			},
			{source: 'command', command: {value: ['pass', 'x'], from: 'LEDGE_CREDENTIAL_COMMAND'}},
		],
		[
			'a profile',
			{env: {CLOUDFLARE_AUTH_PROFILE: 'work'}, context: createActiveContext(shopProfile)},
			{source: 'login', profile: {name: 'work', from: 'CLOUDFLARE_AUTH_PROFILE'}},
		],
		[
			'the profile of the context',
			{context: createActiveContext(shopProfile)},
			{source: 'login', profile: {name: 'shop', from: 'context prod (in use)'}},
		],
		[
			'the profile of a named context, in a bound folder',
			{start: '/srv', context: createActiveContext({...shopProfile, namedBy: '--context' as const})},
			{source: 'login', profile: {name: 'shop'}},
		],
		[
			'the same profile as that of the folder',
			{start: '/srv', context: createActiveContext({profile: 'work'})},
			{source: 'login', profile: {name: 'work'}},
		],
		[
			'the command of the context',
			{context: createActiveContext({credentialCommand: ['x', 'y z']})},
			{source: 'command', command: {value: ['x', 'y z'], from: 'context prod (in use)'}},
		],
		[
			'the variable of the context',
			{env: {CI: 't'}, context: createActiveContext({tokenVariable: 'CI'})},
			{source: 'given', credential: {token: 't', from: 'CI'}},
		],
		[
			'the folder, beside a context without a login',
			{start: '/srv/x', context: createActiveContext({accountId: 'a'})},
			{source: 'login', profile: {name: 'work', from: bindingsPath}},
		],
		[
			'the ordinary login',
			{context: createActiveContext({accountId: 'a'})},
			{source: 'login', profile: {name: 'default'}},
		],
	])('%s', async (_, given, choice) => {
		expect(await choose(given)).toMatchObject(choice);
	});

	test.each([
		['profile', {profile: 'shop'}],
		['credential_command', {credentialCommand: ['x'] as const}],
		['token_variable', {tokenVariable: 'CI'}],
	])('is unclear between a context in use and a folder bound elsewhere (%s)', async (field, fields) => {
		const failure = await failureOf(() =>
			choose({start: '/srv/app', env: {CI: 't'}, context: createActiveContext(fields)}),
		);
		expect(failure).toMatchObject({code: 'account_unclear', exitCode: 2});
		for (const part of ['context prod (in use)', field, '/srv', '"work"', bindingsPath])
			expect(failure.details.why).toContain(part);
		expect(failure.next).toContain('--context prod');
		expect(failure.next).toContain('--profile work');
	});

	test("fails if the context's variable is not set or its profile has no login", async () => {
		const unsetFailure = await failureOf(() => choose({context: createActiveContext({tokenVariable: 'CI'})}));
		expect(unsetFailure).toMatchObject({code: 'credential_missing', exitCode: 4, message: 'CI is not set.'});
		expect(unsetFailure.details.why).toContain('context prod (in use)');
		const missingLoginFailure = await failureOf(() =>
			choose({context: createActiveContext({profile: 'gone', accountId: 'acc'})}),
		);
		expect(missingLoginFailure).toMatchObject({code: 'credential_missing', exitCode: 4});
		expect(missingLoginFailure.message).toContain('"gone"');
		for (const part of ['context prod (in use) names it', `~/${wranglerFolder}/config/gone.toml`, 'acc'])
			expect(missingLoginFailure.details.why).toContain(part);
		expect((await failureOf(() => choose({context: createActiveContext({profile: 'staging'})}))).code).toBe(
			'usage',
		);
	});

	test('is described in words before anything runs', async () => {
		const describeChosen = async (given: Parameters<typeof createSettingSources>[0], now = '2026-01-01') =>
			describeChoice(await choose(given), new Date(now));
		const getLoginPath = (name: string) => `~/${join(wranglerFolder, 'config', `${name}.toml`)}`;
		expect(await describeChosen({env: {CLOUDFLARE_API_TOKEN: 't'}})).toEqual({
			kind: 'token',
			what: 'API token',
			from: 'CLOUDFLARE_API_TOKEN',
		});
		expect(await describeChosen({env: commandVariables})).toEqual({
			kind: 'command',
			what: 'printed by pass',
			from: 'LEDGE_CREDENTIAL_COMMAND',
		});
		expect(await describeChosen({})).toEqual({
			kind: 'oauth',
			what: 'wrangler login',
			from: getLoginPath('default'),
		});
		expect(await describeChosen({options: {profile: 'shop'}}, '2028-01-01')).toEqual({
			kind: 'oauth',
			what: 'wrangler login "shop", expired: ledge asks wrangler to renew it',
			from: `${getLoginPath('shop')} (--profile)`,
		});
		expect((await describeChosen({start: '/srv/x'})).from).toBe(
			`${getLoginPath('work')} (/srv is bound to it)`,
		);
	});
});
