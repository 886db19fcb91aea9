import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {findInexactNumber} from '../../source/text/exact-json.ts';

describe('a number in JSON', () => {
	test.each([
		'0',
		'-0',
		'40',
		'1.50',
		'1e2',
		'0.1',
		'-2.5E+3',
		'9007199254740991',
		'1e308',
		'5e-324',
		'0.30000000000000004',
		'{"a":[1,{"b":"9007199254740993"}]}',
	])('%s is kept as written', text => {
		expect(findInexactNumber(text)).toBeUndefined();
	});

	test.each([
		'9007199254740993',
		'-9007199254740993',
		'12345678901234567890',
		'1e400',
		'-1e400',
		'1e-400',
		'0.10000000000000000001',
	])('%s would be written differently', text => {
		expect(findInexactNumber(text)).toBe(text);
		expect(findInexactNumber(`{"rules":[{"score_threshold":${text}}]}`)).toBe(text);
	});

	test('with very many digits is shortened when reported', () => {
		expect(findInexactNumber('1'.repeat(100_000))).toBe(`${'1'.repeat(40)}…`);
	});

	test('is found after strings that look like numbers', () => {
		expect(findInexactNumber('{"1e400":"1e400","a\\"1e400":[true,1.0,-1e400]}')).toBe('-1e400');
	});

	test('of many is found without reading each as a value', () => {
		const text = `[${'1.5,'.repeat(500_000)}1e400]`;
		expect(findInexactNumber(text)).toBe('1e400');
	});

	test('is always kept if JSON wrote it', () => {
		fc.assert(fc.property(fc.jsonValue(), value => findInexactNumber(JSON.stringify(value)) === undefined));
	});
});
