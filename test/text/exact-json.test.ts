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

	test('is always kept if JSON wrote it', () => {
		fc.assert(fc.property(fc.jsonValue(), value => findInexactNumber(JSON.stringify(value)) === undefined));
	});
});
