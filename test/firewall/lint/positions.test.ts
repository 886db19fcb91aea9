import {expect, test} from 'vitest';
import {lintFile} from './support.ts';

/** The text at the position of the first error. */
function getTextAtError(text: string): string | undefined {
	const [finding] = lintFile(text).filter(({level}) => level === 'error');
	if (!finding?.position) return undefined;
	const {line, column} = finding.position;
	return text.split('\n')[line - 1]?.slice(column - 1, column + 8);
}

test.each([
	['a plain value', '    expression: ssl and http.hots eq "a"'],
	['single quotes', `    expression: 'http.host eq "it''s" and http.hots eq "a"'`],
	['double quotes', '    expression: "http.host eq \\"\\x41\\u00e9\\" and http.hots eq \\"a\\""'],
	['a block', '    expression: |-\n      ssl and\n        not http.hots eq "a"'],
	['a block whose first line is indented', '    expression: |2\n       ssl and\n      http.hots eq "a"'],
])('an error is found at its place in %s', (_name, expression) => {
	expect(getTextAtError(`custom_rules:\n  - action: block\n${expression}\n`)).toBe('http.hots');
});

test('an error is found at its place in JSON', () => {
	const rule = {action: 'block', expression: 'http.host eq "ü\\\\" and http.hots eq "a"'};
	expect(getTextAtError(JSON.stringify({custom_rules: [rule]}, null, 2))).toBe('http.hots');
	expect(getTextAtError(JSON.stringify({custom_rules: [rule]}))).toBe('http.hots');
});

test('an error in folded text is found at the start of the text', () => {
	const text =
		'custom_rules:\n  - action: block\n    expression: >-\n      ssl and\n      http.hots eq "a"\n';
	expect(getTextAtError(text)).toBe('>-');
});

test('an error in a counting expression, and in the action, are found there', () => {
	const ratelimit = {
		characteristics: ['ip.src', 'cf.colo.id'],
		period: 60,
		requests_per_period: 20,
		counting_expression: 'http.hots eq "a"',
	};
	const limit = {action: 'block', expression: 'ssl', ratelimit};
	expect(getTextAtError(JSON.stringify({rate_limits: [limit]}))).toBe('http.hots');
	const [finding] = lintFile('custom_rules:\n  - action: blok\n    expression: ssl\n');
	expect(finding).toMatchObject({level: 'error', code: 'E200', position: {line: 2, column: 5}});
});
