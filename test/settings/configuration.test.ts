import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {readConfiguration} from '../../source/settings/configuration.ts';
import {readTestConfiguration} from './support/configured.ts';
import {failureOf, folderWith} from './support/files.ts';

const toml = `# the worker
name = "api"
account_id = "abc123"

[[kv_namespaces]]
binding = "CACHE"
id = "1111"

[[kv_namespaces]]
binding = "SESSIONS" # people
id = "2222"
preview_id = "3333"
remote = true

[env.staging]
account_id = "other"

[[env.staging.kv_namespaces]]
binding = "CACHE"
preview_id = "4444"

[env.production]
vars = { A = "b" }
`;

const jsonc = `{
	// the worker
	"name": "api",
	"account_id": "abc123", /* "kv_namespaces": [ */
	"kv_namespaces": [
		{"binding": "CACHE", "id": "1111"},
		{
			"binding": "SESSIONS", // people
			"id": "2222",
			"preview_id": "3333",
			"remote": true,
		},
	],
	"env": {
		"staging": {
			"account_id": "other",
			"kv_namespaces": [{"binding": "CACHE", "preview_id": "4444"}]
		},
		"production": {"vars": {"A": "b"}}
	},
}
`;

const json = JSON.stringify(
	{
		name: 'api',
		account_id: 'abc123',
		kv_namespaces: [
			{binding: 'CACHE', id: '1111'},
			{binding: 'SESSIONS', id: '2222', preview_id: '3333', remote: true},
		],
		env: {
			staging: {account_id: 'other', kv_namespaces: [{binding: 'CACHE', preview_id: '4444'}]},
			production: {vars: {A: 'b'}},
		},
	},
	null,
	2,
);

describe.each([
	{name: 'wrangler.toml', content: toml, lines: {account: 3, first: 5, second: 9, staging: 18}},
	{name: 'wrangler.jsonc', content: jsonc, lines: {account: 4, first: 6, second: 7, staging: 17}},
	{name: 'wrangler.json', content: jsonc, lines: {account: 4, first: 6, second: 7, staging: 17}},
	{name: 'wrangler.json', content: json, lines: {account: 3, first: 5, second: 9, staging: 20}},
])('the same project in $name', ({name, content, lines}) => {
	test('is read with the line of each binding', async () => {
		const configuration = await readTestConfiguration(name, content);
		expect(configuration).toMatchObject({
			shownAs: name,
			name: 'api',
			accountId: {value: 'abc123', from: `${name}:${lines.account}`},
			environments: ['staging', 'production'],
			warnings: [],
		});
		expect(configuration.environment).toBeUndefined();
		expect(configuration.namespaces).toEqual([
			{binding: 'CACHE', id: '1111', line: lines.first},
			{binding: 'SESSIONS', id: '2222', previewId: '3333', remote: true, line: lines.second},
		]);
	});

	test('has the same lines with a byte order mark and CRLF', async () => {
		const configuration = await readTestConfiguration(name, `\ufeff${content.replaceAll('\n', '\r\n')}`);
		expect(configuration.namespaces.map(({line}) => line)).toEqual([lines.first, lines.second]);
	});

	test('gives an environment only its own bindings, and its own account', async () => {
		const configuration = await readTestConfiguration(name, content, 'staging');
		expect(configuration.environment).toBe('staging');
		expect(configuration.name).toBe('api');
		expect(configuration.accountId?.value).toBe('other');
		expect(configuration.namespaces).toEqual([{binding: 'CACHE', previewId: '4444', line: lines.staging}]);
		expect(configuration.warnings).toEqual([]);
	});

	test('passes the account to an environment but not the bindings, with a warning', async () => {
		const configuration = await readTestConfiguration(name, content, 'production');
		expect(configuration.accountId?.value).toBe('abc123');
		expect(configuration.namespaces).toEqual([]);
		expect(configuration.warnings).toEqual([
			`${name}: the environment "production" has no kv_namespaces of its own, and does not inherit those of the top level.`,
		]);
	});

	test('refuses an unknown environment and names the existing ones', async () => {
		const failure = await failureOf(() => readTestConfiguration(name, content, 'stagin'));
		expect(failure).toMatchObject({code: 'environment_unknown', exitCode: 2});
		expect(failure.message).toContain(`${name} has no environment "stagin"`);
		expect(failure.details.why).toContain('"staging", "production"');
		expect(failure.next).toContain('Did you mean "staging"?');
	});
});

describe('environments', () => {
	test('an unknown one only warns if the file defines none, and the top level is used', async () => {
		const configuration = await readTestConfiguration(
			'wrangler.toml',
			'[[kv_namespaces]]\nbinding = "A"\n',
			'staging',
		);
		expect(configuration.environment).toBe('staging');
		expect(configuration.namespaces).toEqual([{binding: 'A', line: 1}]);
		expect(configuration.warnings).toEqual([
			'wrangler.toml defines no environments: using its top level for "staging" (--env).',
		]);
	});

	test('an empty name means no environment', async () => {
		expect((await readTestConfiguration('wrangler.toml', toml, '')).environment).toBeUndefined();
	});

	test('built-in property names of objects are not environments', async () => {
		for (const name of ['__proto__', 'constructor', 'toString']) {
			const failure = await failureOf(() =>
				readTestConfiguration('wrangler.jsonc', `${jsonc} // comment`, name),
			);
			expect(failure.code).toBe('environment_unknown');
		}
	});

	test('an environment may be named like a built-in property', async () => {
		const configuration = await readTestConfiguration(
			'wrangler.json',
			'{"env":{"__proto__":{"kv_namespaces":[{"binding":"A"}]}}}',
			'__proto__',
		);
		expect(configuration.namespaces).toEqual([{binding: 'A', line: 1}]);
	});

	test('the name of the environment is used if the top level has none', async () => {
		const configuration = await readTestConfiguration('wrangler.toml', '[env.a]\nname = "x"\n', 'a');
		expect(configuration.name).toBe('x');
	});
});

describe('harmless oddities', () => {
	test('unknown properties of a binding are named with the line', async () => {
		const configuration = await readTestConfiguration(
			'wrangler.toml',
			'\n[[kv_namespaces]]\nbinding = "A"\nidd = "1"\n"x\\u001b[2J" = 2\n',
		);
		expect(configuration.namespaces).toEqual([{binding: 'A', line: 2}]);
		expect(configuration.warnings).toEqual([
			'wrangler.toml:2: the binding "A" has unknown properties: "idd", "x\u001b[2J".',
		]);
	});

	test('an empty account_id counts as none', async () => {
		expect((await readTestConfiguration('wrangler.toml', 'account_id = ""')).accountId).toBeUndefined();
	});

	test('whole numbers too large for JavaScript are accepted', async () => {
		expect((await readTestConfiguration('wrangler.toml', 'big = 99999999999999999999')).namespaces).toEqual(
			[],
		);
	});

	test('comments in another encoding are accepted', async () => {
		const content = Buffer.concat([Buffer.from('# '), Buffer.of(0xe9), Buffer.from('\nname = "a"\n')]);
		expect((await readTestConfiguration('wrangler.toml', content)).name).toBe('a');
	});

	test('an empty TOML file is accepted', async () => {
		expect(await readTestConfiguration('wrangler.toml', '')).toMatchObject({
			environments: [],
			namespaces: [],
			warnings: [],
		});
	});

	test('the last of two equal JSON keys counts, with its line', async () => {
		const content = '{"kv_namespaces": [{"binding": "A"}],\n"kv_namespaces": [{"binding": "B"}]}';
		expect((await readTestConfiguration('wrangler.json', content)).namespaces).toEqual([
			{binding: 'B', line: 2},
		]);
	});

	test('an object does not inherit settings from a __proto__ key', async () => {
		const content = '{"__proto__": {"kv_namespaces": [{"binding": "A"}]}, /* comment */}';
		expect((await readTestConfiguration('wrangler.jsonc', content)).namespaces).toEqual([]);
	});
});

test('there is no configuration without a file', async () => {
	expect(await readConfiguration({cwd: folderWith({'a/x': ''})})).toBeUndefined();
});

test('a file in a parent folder is shown with its relative path', async () => {
	const folder = folderWith({'wrangler.toml': '[[kv_namespaces]]\nbinding = 1', 'src/x.ts': ''});
	const failure = await failureOf(() => readConfiguration({cwd: join(folder, 'src')}));
	expect(failure.message).toMatch(/^\.\.\/wrangler\.toml:2:1: /);
});
