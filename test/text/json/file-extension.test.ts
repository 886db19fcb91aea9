import {expect, test} from 'vitest';
import {detectExtension} from '../../../source/text/json/file-extension.ts';

test.each([
	['', 'txt'],
	['hello', 'txt'],
	['42', 'txt'],
	['note: to self', 'txt'],
	['Dear Ada,\n\nhow are you, and Bea?\n', 'txt'],
	['A=1\nB=two words\n', 'txt'],
	[' {"a": [1, 2]}\n', 'json'],
	['[]', 'json'],
	['{"a": 1,}', 'txt'],
	['{"a":1}\n{"a":2}\n', 'txt'],
	['[ledge]\nname = "a"\nports = [\n  1,\n  2,\n]\n', 'toml'],
	['# first\nenabled = true\n', 'toml'],
	['<?xml version="1.0"?><a/>', 'xml'],
	['<feed xmlns="x">\n</feed>', 'xml'],
	['<!DOCTYPE html>\n<p>', 'html'],
	['\n<HTML lang="en">', 'html'],
	['a < b', 'txt'],
	['name: ledge\nplaces:\n  - one\n  - two\n', 'yaml'],
	['---\n- one\n- two\n', 'yaml'],
	['- name: a\n  at: 1\n- name: b\n  at: 2\n', 'yaml'],
	['id,name\n1,"Bea, Ada"\n2,Cy\n', 'csv'],
])('%j is %s', (text, extension) => {
	expect(detectExtension(Buffer.from(text))).toBe(extension);
});

test('content that is not text is bin', () => {
	expect(detectExtension(Buffer.from([0xff, 0xfe]))).toBe('bin');
	expect(detectExtension(Buffer.from('a\0b'))).toBe('bin');
});

test('a long text is judged by its first complete lines, but JSON is parsed to its end', () => {
	const rows = Array.from({length: 20_000}, (_, index) => `${index},"name ${index}",x`).join('\n');
	expect(detectExtension(Buffer.from(rows))).toBe('csv');
	const json = JSON.stringify(Array.from({length: 20_000}, (_, index) => index));
	expect(detectExtension(Buffer.from(json))).toBe('json');
	expect(detectExtension(Buffer.from(json.slice(0, -1)))).toBe('txt');
});
