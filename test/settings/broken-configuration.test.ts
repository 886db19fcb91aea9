import {describe, expect, test} from 'vitest';
import {readTestConfiguration} from './support/configured.ts';
import {failureOf} from './support/files.ts';

describe('a broken file', () => {
	const brokenFiles: {name: string; content: string | Uint8Array; says: string; environment?: string}[] = [
		{
			name: 'wrangler.toml',
			content: 'name = "a"\nid = \n',
			says: 'wrangler.toml:2:6: this is not valid TOML: ',
		},
		{
			name: 'wrangler.toml',
			content: 'a = 1\r\na = 2\r\n',
			says: 'wrangler.toml:2:1: this is not valid TOML: ',
		},
		{
			name: 'wrangler.json',
			content: '{\n  "a": 1\n  "b": 2\n}',
			says: 'wrangler.json:3:3: this is not valid JSON: a comma is missing before this.',
		},
		{
			name: 'wrangler.jsonc',
			content: '{"a": [1, 2',
			says: 'wrangler.jsonc:1:12: this is not valid JSON: a closing bracket is missing here.',
		},
		{
			name: 'wrangler.jsonc',
			content: '{"a": x}',
			says: 'wrangler.jsonc:1:7: this is not valid JSON: this is not a JSON value.',
		},
		{
			name: 'wrangler.jsonc',
			content: '{\n/* open',
			says: 'wrangler.jsonc:2:1: this is not valid JSON: the comment is not closed.',
		},
		{
			name: 'wrangler.json',
			content: '',
			says: 'wrangler.json:1:1: this is not valid JSON: a value is missing here.',
		},
		{
			name: 'wrangler.json',
			content: '[1]',
			says: 'wrangler.json:1:1: the whole file must be one object, `{ … }`.',
		},
		{name: 'wrangler.json', content: `{"a": ${'['.repeat(100_000)}`, says: 'nested deeper than 1,000 levels'},
		{
			name: 'wrangler.json',
			content: `{"a": ${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
			says: 'nested deeper than 1,000 levels',
		},
		{
			name: 'wrangler.jsonc',
			content: `// a\n{"a": ${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
			says: 'nested deeper than 1,000 levels',
		},
		{name: 'wrangler.toml', content: `a = ${'['.repeat(100_000)}`, says: 'wrangler.toml:1:'},
		{
			name: 'wrangler.toml',
			content: Buffer.from('\ufeffname = "a"', 'utf16le'),
			says: 'wrangler.toml:1:1: the file is encoded in UTF-16, not in UTF-8.',
		},
		{
			name: 'wrangler.json',
			content: Uint8Array.of(0, 0, 0xfe, 0xff, 0, 0, 0, 0x7b),
			says: 'wrangler.json:1:1: the file is encoded in UTF-32, not in UTF-8.',
		},
		{
			name: 'wrangler.toml',
			content: '\nname = 3',
			says: 'wrangler.toml:2:1: "name" must be a string, but is a number.',
		},
		{
			name: 'wrangler.toml',
			content: 'account_id = true',
			says: 'wrangler.toml:1:1: "account_id" must be a string, but is true or false.',
		},
		{
			name: 'wrangler.toml',
			content: '\nenv = 3',
			says: 'wrangler.toml:2:1: "env" must contain one table for each environment, but is a number.',
		},
		{
			name: 'wrangler.toml',
			content: '[env]\nprod = []',
			says: 'wrangler.toml:2:1: the environment "prod" must be a table, but is a list.',
		},
		{
			name: 'wrangler.toml',
			content: '[kv_namespaces]\nbinding = "A"',
			says: 'wrangler.toml:1:1: "kv_namespaces" must be a list of bindings, but is a table.',
		},
		{
			name: 'wrangler.toml',
			content: 'kv_namespaces = [\n  "A",\n]',
			says: 'wrangler.toml:2:3: an entry of "kv_namespaces" must be a table with a binding, but is a string.',
		},
		{
			name: 'wrangler.json',
			content: '{"kv_namespaces": [\nnull]}',
			says: 'wrangler.json:2:1: an entry of "kv_namespaces" must be a table with a binding, but is null.',
		},
		{
			name: 'wrangler.toml',
			content: '[[kv_namespaces]]\nbinding = "A"\n\n[[kv_namespaces]]\nid = "x"',
			says: 'wrangler.toml:4:1: this entry of "kv_namespaces" has no "binding"; every entry needs one.',
		},
		{
			name: 'wrangler.toml',
			content: '[[kv_namespaces]]\nid = "x"\nbinding = ""',
			says: 'wrangler.toml:3:1: "binding" must be a non-empty string.',
		},
		{
			name: 'wrangler.json',
			content: '{"kv_namespaces": [{"binding": 5}]}',
			says: 'wrangler.json:1:21: "binding" must be a string, but is a number.',
		},
		{
			name: 'wrangler.jsonc',
			content: '{"kv_namespaces": [\n  {"binding": "A",\n   "id": {}}]}',
			says: 'wrangler.jsonc:3:4: "id" must be a string, but is a table.',
		},
		{
			name: 'wrangler.toml',
			content: 'kv_namespaces = [{binding = "A", id = ""}]',
			says: 'wrangler.toml:1:34: "id" must be a non-empty string.',
		},
		{
			name: 'wrangler.toml',
			content: '[[kv_namespaces]]\nbinding = "A"\npreview_id = 1979-05-27',
			says: 'wrangler.toml:3:1: "preview_id" must be a string, but is a date.',
		},
		{
			name: 'wrangler.json',
			content: '{"kv_namespaces": [{"binding": "A", "preview_id": ""}]}',
			says: 'wrangler.json:1:37: "preview_id" must be a non-empty string.',
		},
		{
			name: 'wrangler.toml',
			content: '[[kv_namespaces]]\nbinding = "A"\nremote = "yes"',
			says: 'wrangler.toml:3:1: "remote" must be true or false, but is a string.',
		},
		{
			name: 'wrangler.toml',
			content:
				'[[kv_namespaces]]\nbinding = "A"\n[[kv_namespaces]]\nbinding = "B"\n[[kv_namespaces]]\nbinding = "A"',
			says: 'wrangler.toml:6:1: the binding "A" is defined twice: on line 1 and on line 5.',
		},
		{
			name: 'wrangler.toml',
			content: '[env.a]\n[[env.a.kv_namespaces]]\nbinding = 1',
			environment: 'a',
			says: 'wrangler.toml:3:1: "binding" must be a string, but is a number.',
		},
	];

	test.each(brokenFiles)('$name: $says', async ({name, content, says, environment}) => {
		const failure = await failureOf(() => readTestConfiguration(name, content, environment));
		expect(failure).toMatchObject({code: 'configuration_invalid', exitCode: 2});
		expect(failure.message).toContain(says);
	});

	test.each([
		{name: 'wrangler.toml', content: '[vars]\nSECRET = "hunter2"\nbroken = \n'},
		{name: 'wrangler.json', content: '{"vars": {"SECRET": "hunter2" "x": 1}}'},
		{name: 'wrangler.toml', content: '[[kv_namespaces]]\nbinding = "A"\nid = ["hunter2"]\n'},
	])('is never quoted: $content', async ({name, content}) => {
		const failure = await failureOf(() => readTestConfiguration(name, content));
		const everything = JSON.stringify([
			failure.message,
			failure.details,
			String(failure.cause),
			failure.stack,
		]);
		expect(everything).not.toContain('hunter2');
	});
});
