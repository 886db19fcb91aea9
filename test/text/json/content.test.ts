import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {detectContent, isJson} from '../../../source/text/json/content.ts';
import {maxJsonSize} from '../../../source/text/json/tree-nodes.ts';

const kindOf = (text: string) => detectContent(Buffer.from(text)).kind;

describe('the content of a value', () => {
	it.each(['{"a":1}', ' \n[1, 2]', '[]', '{"a":1,"a":2}'])('is JSON: %s', text => {
		expect(detectContent(Buffer.from(text))).toEqual({kind: 'json', text});
	});

	it.each([
		'',
		'12',
		'"text"',
		'true',
		'{"a":1',
		'{a:1}',
		'[1,]',
		'\ufeff{}',
		'{} x',
		'caf\u00e9',
	])('is text: %j', text => {
		expect(detectContent(Buffer.from(text))).toEqual({kind: 'text', text});
	});

	it('is binary with a NUL byte or invalid UTF-8', () => {
		expect(kindOf('{"a":\0}')).toBe('binary');
		expect(detectContent(Uint8Array.of(0x7b, 0xff, 0x7d))).toEqual({kind: 'binary'});
		expect(detectContent(Uint8Array.of(0xed, 0xa0, 0x80))).toEqual({kind: 'binary'});
	});

	it('is JSON up to the size limit, and text that is not decoded above it', () => {
		const padding = ' '.repeat(maxJsonSize - 2);
		expect(kindOf(`{}${padding}`)).toBe('json');
		expect(detectContent(Buffer.from(`{}${padding} `))).toEqual({kind: 'text'});
	});

	it('is read only from the bytes of the given view', () => {
		const bytes = Buffer.from('\0[1]\0');
		expect(detectContent(bytes.subarray(1, 4))).toEqual({kind: 'json', text: '[1]'});
	});

	it('keeps the bytes of text unchanged', () => {
		fc.assert(
			fc.property(fc.string({unit: 'binary'}), text => {
				const bytes = Buffer.from(text);
				const content = detectContent(bytes);
				if (content.kind === 'binary') expect(bytes.includes(0)).toBe(true);
				else expect(Buffer.from(content.text ?? '').equals(bytes)).toBe(true);
			}),
		);
	});
});

describe('isJson', () => {
	it('accepts JSON of any kind and nothing else', () => {
		expect(['1', '"a"', 'null', ' {} '].map(isJson)).toEqual([true, true, true, true]);
		expect(['', "'a'", 'undefined', '01', '{}{}'].map(isJson)).toEqual([false, false, false, false, false]);
	});
});
