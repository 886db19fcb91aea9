import {describe, expect, test} from 'vitest';
import {contextColors} from '../../../source/settings/contexts/context.ts';
import {parseContexts} from '../../../source/settings/contexts/read.ts';
import {isLikelySecret} from '../../../source/settings/contexts/secrets.ts';
import {failureOf} from '../support/files.ts';

const read = (text: string) => parseContexts(Buffer.from(text), '/c/contexts.toml', '~/contexts.toml');
const token = 'Zq3Xw_9bTk-4mNp7RsVy2Lc8HdFj6Ga1Ue0Ti5Oo';
const key = '0123456789abcdef0123456789abcdef01234';

describe('reading contexts', () => {
	test('gives all fields, in file order', async () => {
		const text = `context_in_use = "prod.eu"

# the shop
[contexts."prod.eu"]
account_id = "0123456789abcdef0123456789abcdef"
credential_command = ["op", "read", "op://vault/item/token"]
base_url = "https://API.example.test/client/v4/"
zone = "Shop.example"
target = "remote"
read_only = true
production = true
color = "red"

[contexts.test]
profile = "work"
read_only = false

[contexts.ci]
token_variable = "CI_TOKEN"
target = "local"

[contexts.empty]
`;
		const {file, bytes, inUseName, all} = await read(text);
		expect([file, bytes.toString(), inUseName]).toEqual(['/c/contexts.toml', text, 'prod.eu']);
		expect(all).toEqual([
			{
				name: 'prod.eu',
				line: 4,
				accountId: '0123456789abcdef0123456789abcdef',
				credentialCommand: ['op', 'read', 'op://vault/item/token'],
				baseUrl: 'https://api.example.test/client/v4',
				zone: 'Shop.example',
				target: 'remote',
				readOnly: true,
				production: true,
				color: 'red',
			},
			{name: 'test', line: 14, profile: 'work', readOnly: false, production: false},
			{name: 'ci', line: 18, tokenVariable: 'CI_TOKEN', target: 'local', production: false},
			{name: 'empty', line: 22, production: false},
		]);
	});

	test.each(contextColors.map(color => [color]))('accepts the color %s', async color => {
		expect((await read(`[contexts.a]\ncolor = "${color}"\n`)).all[0]?.color).toBe(color);
	});

	test.each([
		['', 'nothing'],
		['# only a comment', 'a comment'],
		['\ufeff', 'a byte order mark'],
		['[contexts]\n', 'an empty table'],
	])('finds no contexts in %j (%s)', async text => {
		expect(await read(text)).toMatchObject({all: []});
	});

	test.each([
		'contexts.a.profile = "work"',
		'contexts = {a = {profile = "work"}}',
		'[contexts]\na.profile = "work"',
		'\ufeff[contexts.a]\r\nprofile = "work"\r\n',
	])('accepts the form %j', async text => {
		expect((await read(text)).all).toMatchObject([{name: 'a', profile: 'work'}]);
	});
});

describe('invalid fields are refused with their position and never quoted', () => {
	test.each([
		['account_id', '"qq uu"', 'the id of an account'],
		['account_id', '""', 'the id of an account'],
		['account_id', '7171', 'the id of an account'],
		['profile', '"../qquu"', 'the name of a wrangler profile'],
		['profile', 'true', 'the name of a wrangler profile'],
		['credential_command', '"qquu"', 'a list of strings'],
		['credential_command', '[]', 'a list of strings'],
		['credential_command', '[""]', 'a list of strings'],
		['credential_command', '["qquu", 1]', 'a list of strings'],
		['token_variable', '"$QQUU"', 'the name of a variable'],
		['token_variable', '"1QQUU"', 'the name of a variable'],
		['base_url', '"http://qquu.test/v4"', 'an https address'],
		['base_url', '"https://qquu:qquu@x.test"', 'an https address'],
		['base_url', '"qquu"', 'an https address'],
		['base_url', '1', 'an https address'],
		['zone', '"qq/uu"', 'the name or id of a zone'],
		['zone', '["qquu"]', 'the name or id of a zone'],
		['target', '"qquu"', '"local" or "remote"'],
		['read_only', '"qquu"', 'true or false'],
		['read_only', '1', 'true or false'],
		['production', '"qquu"', 'true or false'],
		['color', '"qquu"', 'one of red, green, yellow, blue, magenta, cyan'],
		['color', '2026-01-01', 'one of red'],
	])('%s = %s', async (field, value, must) => {
		const failure = await failureOf(() => read(`# first\n[contexts.a]\n  ${field} = ${value}\n`));
		expect(failure).toMatchObject({code: 'configuration_invalid', exitCode: 2});
		expect(failure.message).toMatch(new RegExp(`^~/contexts.toml:3:3: "${field}" must be `));
		expect(failure.message).toContain(must);
		expect(failure.next).toContain('line 3');
		expect(JSON.stringify([failure.message, failure.details])).not.toMatch(/qq ?u?u?|7171/i);
	});

	test.each([
		['not TOML', 'contexts = [', /^~\/contexts.toml:1:\d+: this is not valid TOML/],
		['a context twice', '[contexts.a]\n[contexts.a]\n', /^~\/contexts.toml:2:\d+: this is not valid TOML/],
		[
			'contexts that are not tables',
			'\ncontexts = 1',
			/^~\/contexts.toml:2:1: "contexts" must contain tables/,
		],
		[
			'a list of contexts',
			'[[contexts]]\nname = "a"',
			/^~\/contexts.toml:1:1: "contexts" must contain tables/,
		],
		['a context that is not a table', '[contexts]\na = 1', /^~\/contexts.toml:2:1: this must be a table/],
		[
			'two ways to sign in',
			'[contexts.a]\nprofile = "w"\ntoken_variable = "T"',
			/^~\/contexts.toml:3:1: "profile" and "token_variable" both/,
		],
		['a name with a slash', '[contexts."a/b"]', /^~\/contexts.toml:1:1: a context name consists of/],
		['an empty name', '[contexts.""]', /^~\/contexts.toml:1:1: a context name consists of/],
		['a name that begins with a dash', '[contexts.-a]', /^~\/contexts.toml:1:1: a context name consists of/],
		['a built-in property name of JavaScript', '[contexts.__proto__]', /a context name consists of/],
	])('%s', async (_, text, message) => {
		const failure = await failureOf(() => read(text));
		expect(failure).toMatchObject({code: 'configuration_invalid', exitCode: 2});
		expect(failure.message).toMatch(message);
	});

	test.each([
		[
			'a context in use that does not exist',
			'context_in_use = "b"\n[contexts.a]\n[contexts.c]',
			/:1:1: "context_in_use" must be one of the contexts: "?a"?(, | and )"?c"?\.$/,
		],
		[
			'a context in use that is not a string',
			'context_in_use = 1\n[contexts.a]',
			/:1:1: "context_in_use" must be/,
		],
		['a context in use without contexts', 'context_in_use = "a"', /:1:1: .*none is defined\.$/],
	])('%s fails only when it is needed', async (_, text, message) => {
		const {inUseName, inUseProblem} = await read(text);
		expect(inUseName).toBeUndefined();
		expect(inUseProblem).toMatchObject({code: 'configuration_invalid', exitCode: 2});
		expect(inUseProblem?.message).toMatch(message);
	});

	test.each([
		['acount_id = "a"', '"account_id"'],
		['colour = "red"', '"color"'],
		['readonly = true', '"read_only"'],
		['quux = 1', 'The fields are '],
	])('%s is not a field', async (line, suggestion) => {
		const failure = await failureOf(() => read(`[contexts.a]\nproduction = true\n${line}\n`));
		expect(failure.code).toBe('configuration_invalid');
		expect(failure.message).toMatch(/^~\/contexts.toml:3:1: there is no field with this name here\./);
		expect(failure.message).toContain(suggestion);
	});

	test.each([
		['in_use = "a"', 1, '"context_in_use"'],
		['[context.a]', 1, '"contexts"'],
		['[contexts.a]\nx.y = 1', 2, 'The fields are'],
	])('%j is not a field of the file', async (text, line, suggestion) => {
		const failure = await failureOf(() => read(text));
		expect(failure.message).toContain(`contexts.toml:${line}:1: there is no field`);
		expect(failure.message).toContain(suggestion);
	});
});

describe('secrets are refused and never shown', () => {
	test.each([
		['account_id', `"${token}"`],
		['account_id', `"${key}"`],
		['profile', `"${token}"`],
		['credential_command', `["echo", "${token}"]`],
		['credential_command', `["curl", "-H", "X-Auth-Key: ${key}"]`],
		['credential_command', `["x", "--token=cfat_qq1quxquuzcorgegrault"]`],
		['token_variable', `"${token.replaceAll('-', '_')}"`],
		['base_url', `"https://x.test/${token}"`],
		['zone', `"${token}.example"`],
		['target', `"${token}"`],
		['read_only', `"${token}"`],
		['color', `"${key}"`],
		['note', `"${token}"`],
		['note', `{deep = ["${token}"]}`],
		['token', '"short"'],
		['api_token', '"short"'],
		['apiToken', '"short"'],
		['api_key', '"short"'],
		['API_KEY', '"short"'],
		['client_secret', '"short"'],
		['password', '"short"'],
		['credential', '"short"'],
		['auth', '{token = "short"}'],
		[`"${token}"`, '"x"'],
	])('%s = %s', async (field, value) => {
		const failure = await failureOf(() => read(`[contexts.a]\nproduction = true\n${field} = ${value}\n`));
		expect(failure).toMatchObject({code: 'configuration_invalid', exitCode: 2});
		expect(failure.message).toMatch(/^~\/contexts.toml:3:\d+: this looks like a secret/);
		expect(failure.message).toContain('"token_variable"');
		for (const secret of [token, token.replaceAll('-', '_'), key, 'cfat', 'short'])
			expect(JSON.stringify([failure.message, failure.details])).not.toContain(secret);
	});

	test.each([
		[`context_in_use = "${token}"`],
		[`api_token = "short"`],
		['contexts = {a = {api_token = "short"}}'],
		['[[contexts.a]]\napi_token = "short"'],
		[`[contexts.${token}]`],
		[`[${token}]`],
	])('outside a context or as a name: %s', async text => {
		const failure = await failureOf(() => read(text));
		expect(failure.message).toContain('this looks like a secret');
		expect(JSON.stringify([failure.message, failure.details])).not.toContain(token);
	});

	test.each([
		'0123456789abcdef0123456789abcdef',
		'f2f6a3c1-8f3e-4a7c-9d1b-0c2d4e6f8a9b',
		'op://Private/f2f6a3c1-8f3e-4a7c-9d1b-0c2d4e6f8a9b/credential',
		'/Users/ada/Library/Application Support/vault/read-token.sh',
		'the-one-for-everything-that-we-run-in-production',
		'https://api.cloudflare.com/client/v4',
		'ops-team-in-europe-and-america',
		'ops-europe-production-2',
		'CLOUDFLARE_API_TOKEN_OF_THE_FIRST_ACCOUNT',
		'shop.example',
	])('%s does not look like a secret', text => {
		expect(isLikelySecret(text)).toBe(false);
	});

	test.each([
		token,
		key,
		`Bearer ${token}`,
		`x=${key}&y`,
		'cfut_0abcdefghijklmnop',
		'ghp_0abcdefghijklmnop',
		'sk-0abcdefghijklmnop',
		'ops_eyJzaWduSW5BZGRyZXNzIjoi0',
	])('%s looks like a secret', text => {
		expect(isLikelySecret(text)).toBe(true);
	});
});
