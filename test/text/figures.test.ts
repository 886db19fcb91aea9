import {describe, expect, test} from 'vitest';
import {formatPlainQuantity, formatQuantity, parseFigure} from '../../source/text/figures.ts';

describe('quantities', () => {
	test.each([
		[0, '0 bytes', '0 bytes'],
		[1, '1 byte', '1 byte'],
		[2, '2 bytes', '2 bytes'],
		[10_000, '10000 bytes', '10,000 bytes'],
	])('of %d have the right form of the noun, in plain digits and in groups', (figure, plain, groups) => {
		expect(formatPlainQuantity(figure, 'byte')).toBe(plain);
		expect(formatQuantity(figure, 'byte')).toBe(groups);
	});

	test('can have an irregular plural', () => {
		expect([1, 2].map(figure => formatPlainQuantity(figure, 'entry', 'entries'))).toEqual([
			'1 entry',
			'2 entries',
		]);
	});
});

describe('a figure typed by a person', () => {
	test.each([
		['10000', 10_000],
		['10,000', 10_000],
		[' 10,000 ', 10_000],
		['1,234,567', 1_234_567],
		['0', 0],
		['007', 7],
	])('%j is accepted', (text, figure) => {
		expect(parseFigure(text)).toBe(figure);
	});

	test.each([
		'',
		',',
		'10,00',
		'1,0000',
		'1000,000',
		'10.000',
		'1e3',
		'-1',
		'10,000 keys',
		'9007199254740993',
	])('%j is rejected', text => {
		expect(parseFigure(text)).toBeUndefined();
	});
});
