import {describe, expect, test} from 'vitest';
import type {ExpressionProblem} from '../../source/firewall/expression/expressions.ts';
import {formatExpressionProblem, markStretch} from '../../source/terminal/expression-problems.ts';
import {measureColumns} from '../../source/text/columns.ts';

const buildProblem = (
	start: number,
	end: number,
	more: Partial<ExpressionProblem> = {},
): ExpressionProblem => ({
	severity: 'error',
	span: {start, end},
	line: 1,
	column: start + 1,
	sentence: 'There is no such word.',
	...more,
});

describe('a problem in an expression', () => {
	test('is drawn with carets exactly under its characters', () => {
		expect(formatExpressionProblem('ssl adn http', buildProblem(4, 7))).toEqual([
			'line 1, column 5: There is no such word.',
			'  ssl adn http',
			'      ^^^',
		]);
	});

	test('has its correction below it', () => {
		const correction = {span: {start: 4, end: 7}, text: 'and'};
		expect(formatExpressionProblem('ssl adn http', buildProblem(4, 7, {correction})).at(-1)).toBe(
			'  replace adn with and',
		);
		const removal = {span: {start: 4, end: 7}, text: ''};
		expect(formatExpressionProblem('ssl adn http', buildProblem(4, 7, {correction: removal})).at(-1)).toBe(
			'  remove adn',
		);
		const tab = {span: {start: 3, end: 4}, text: ' '};
		expect(formatExpressionProblem('ssl\tor', buildProblem(3, 4, {correction: tab})).at(-1)).toBe(
			'  replace \\t with a space',
		);
		const insertion = {span: {start: 4, end: 4}, text: 'and '};
		expect(formatExpressionProblem('ssl http', buildProblem(4, 4, {correction: insertion})).at(-1)).toBe(
			'  insert and here',
		);
	});
});

describe('the carets', () => {
	test.each([
		['at the very beginning', 'abc', 0, 1, '^'],
		['behind the end, where something is missing', 'abc', 3, 3, '   ^'],
		['on nothing at all', '', 0, 0, '^'],
		['under wide characters, two columns each', '"東京" x', 1, 3, ' ^^^^'],
		['behind a tab, which is shown as an escape', '\tx', 1, 2, '  ^'],
		['under a control character, as wide as its escape', 'a\u001bb', 1, 2, ' ^^^^'],
	])('stand %s', (_what, text, start, end, carets) => {
		expect(markStretch(text, start, end)[1]).toBe(carets);
	});

	test('stand only under the line of the problem', () => {
		const text = 'first\nsecond line\nthird';
		expect(markStretch(text, 13, 17)).toEqual(['second line', '       ^^^^']);
		expect(markStretch(text, 6, 24)).toEqual(['second line', '^^^^^^^^^^^']);
		expect(markStretch(text, 5, 6)).toEqual(['first', '     ^']);
	});

	test.each([0, 40, 500, 3990])('stay under a word at %d of a long line that is cut', start => {
		const text = `${'x'.repeat(start)}HERE${'y'.repeat(4000 - start)}`;
		const [line = '', carets = ''] = markStretch(text, start, start + 4);
		expect(measureColumns(line)).toBeLessThanOrEqual(100);
		expect(line.slice(carets.indexOf('^'), carets.lastIndexOf('^') + 1)).toBe('HERE');
	});

	test('are no longer than the line', () => {
		const [line = '', carets = ''] = markStretch('x'.repeat(4000), 10, 4000);
		expect(carets.length).toBeLessThanOrEqual(line.length);
	});
});
