import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {checkWildcard} from '../../../../source/firewall/expression/checks/wildcard.ts';
import {anyText} from '../../../text/any-text.ts';

const correctPattern = (pattern: string): string =>
	checkWildcard(pattern)
		.toReversed()
		.reduce((text, {correction}) => {
			if (!correction) return text;
			const {span} = correction;
			return text.slice(0, span.start) + correction.text + text.slice(span.end);
		}, pattern);

describe('wildcard patterns', () => {
	test.each([
		'',
		'*',
		'a*b*c',
		'*.example.org',
		'\\*',
		'\\\\',
		'*\\**',
		'\\\\*',
		'a?b',
	])('%s is fine', pattern => {
		expect(checkWildcard(pattern)).toEqual([]);
	});

	test('consecutive stars are marked as an error and corrected to one', () => {
		const [finding, ...more] = checkWildcard('a***b');
		expect(more).toEqual([]);
		expect(finding).toMatchObject({
			severity: 'error',
			span: {start: 1, end: 4},
			engine: 'wildcard contains a double star',
			correction: {span: {start: 1, end: 4}, text: '*'},
		});
	});

	test.each([
		['a\\b', 1],
		['\\', 0],
		['\\\\\\', 2],
		['\\?', 0],
	])('a backslash escapes only stars and backslashes: %s', (pattern, start) => {
		expect(checkWildcard(pattern).map(({span}) => span)).toEqual([{start, end: start + 1}]);
	});

	test('any pattern is fine once corrected', () => {
		fc.assert(
			fc.property(fc.oneof(anyText, fc.string({unit: fc.constantFrom('*', '\\', 'a')})), pattern => {
				expect(checkWildcard(correctPattern(pattern))).toEqual([]);
			}),
		);
	});
});
