import fc from 'fast-check';
import {parse} from 'smol-toml';
import {describe, expect, test} from 'vitest';
import {formatEntrySnippet} from '../../source/settings/namespace-entry.ts';

describe('formatEntrySnippet', () => {
	test('is a table in TOML', () => {
		expect(formatEntrySnippet('toml', {binding: 'KV', id: 'a1'})).toBe(
			'[[kv_namespaces]]\nbinding = "KV"\nid = "a1"',
		);
		expect(formatEntrySnippet('toml', {binding: 'KV', previewId: 'a"1\\', environment: 'x.y'})).toBe(
			'[[env."x.y".kv_namespaces]]\nbinding = "KV"\npreview_id = "a\\"1\\\\"',
		);
	});

	test('is an object indented by two spaces in JSON', () => {
		const kv = '  "kv_namespaces": [\n    {\n      "binding": "KV",\n      "id": "a1"\n    }\n  ]\n';
		expect(formatEntrySnippet('json', {binding: 'KV', id: 'a1'})).toBe(`{\n${kv}}`);
		expect(
			JSON.parse(formatEntrySnippet('jsonc', {binding: 'KV', previewId: '"', environment: 's'})),
		).toEqual({
			env: {s: {kv_namespaces: [{binding: 'KV', preview_id: '"'}]}},
		});
	});

	test('parses back to its input in both formats, whatever it contains', () => {
		const text = fc.string({unit: 'grapheme', minLength: 1}).map(generated => generated.toWellFormed());
		fc.assert(
			fc.property(text, text, text, (binding, id, environment) => {
				const expected = {env: {[environment]: {kv_namespaces: [{binding, id}]}}};
				const entry = {binding, id, environment};
				expect(JSON.parse(formatEntrySnippet('json', entry))).toEqual(expected);
				expect(JSON.stringify(parse(formatEntrySnippet('toml', entry)))).toBe(JSON.stringify(expected));
			}),
		);
	});
});
