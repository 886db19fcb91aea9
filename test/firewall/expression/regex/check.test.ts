import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {checkRegex} from '../../../../source/firewall/expression/regex/check.ts';
import {measureCpuTime} from '../../../support/effort.ts';
import {getRunCount} from '../../../support/full.ts';
import {anyText} from '../../../text/any-text.ts';

const listErrors = (pattern: string): string[] =>
	checkRegex(pattern).flatMap(({engine, span}) => (engine ? [`${span.start}-${span.end} ${engine}`] : []));

const correctPattern = (pattern: string): string | undefined => {
	const correction = checkRegex(pattern).find(finding => finding.correction)?.correction;
	if (!correction) return undefined;
	return pattern.slice(0, correction.span.start) + correction.text + pattern.slice(correction.span.end);
};

const patternPiece = fc.constantFrom(
	...[
		'(',
		')',
		'[',
		']',
		'{',
		'}',
		'*',
		'+',
		'?',
		'|',
		'^',
		'$',
		'.',
		'\\',
		'-',
		',',
		':',
		'<',
		'>',
		'=',
		'!',
	],
	...[
		'a',
		'b',
		'd',
		'p',
		'P',
		'x',
		'u',
		'i',
		'Z',
		'z',
		'0',
		'1',
		'9',
		' ',
		'#',
		'&',
		'~',
		'é',
		'(?',
		'[^',
		'[[:',
	],
);

/** Patterns that mean the same in JavaScript, which can compile them. */
const simplePattern = fc.letrec<{pattern: string; part: string; atom: string}>(tie => ({
	pattern: fc.oneof(
		{depthSize: 'small'},
		fc.array(tie('part'), {maxLength: 4}).map(parts => parts.join('')),
		fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `${one}|${other}`),
	),
	part: fc
		.tuple(
			tie('atom'),
			fc.constantFrom('', '*', '+', '?', '*?', '+?', '??', '{2}', '{2,}', '{2,5}', '{1,2}?'),
		)
		.map(([atom, repetition]) => atom + repetition),
	atom: fc.oneof(
		{depthSize: 'small'},
		fc.constantFrom(
			...['a', 'Z', '7', '_', '-', ' ', '/', '.', '\\.', '\\d', '\\W', '\\s', '\\\\', '\\x41', '\\n', '\\/'],
			...['[a-z]', '[^"]', '[a\\]b]', '[\\d_-]', '[.]', '\\{', '\\('],
		),
		tie('pattern').map(pattern => `(${pattern})`),
		tie('pattern').map(pattern => `(?:${pattern})`),
	),
})).pattern;

describe('regular expressions', () => {
	test.each([
		...[
			'',
			'a',
			'a|b|',
			'(a|b)+',
			'()',
			'(?:)',
			'a**',
			'^*',
			'(a){2}{3}',
			'a{2}',
			'a{2,}',
			'a{2,5}?',
			'a{ 2 , 3 }',
		],
		...[
			'(?i)a',
			'(?i-s:a)',
			'(?-u)',
			'(?P<n>a)',
			'(?<n1.x[0]>a)',
			'(?x) a # (\n b',
			'(?xi:a b)c',
			']',
			'}',
			'a}',
		],
		...[
			'[]a]',
			'[^]a]',
			'[-a]',
			'[a-]',
			'[--a]',
			'[a--b]',
			'[a&&b]',
			'[a~~b]',
			'[[:alpha:]_]',
			'[[:^digit:]]',
		],
		...[
			'[[:nonsense:]]',
			'[a[b]c]',
			'[a-z&&[^x]]',
			'[\\d-]',
			'[\\x00-\\xff]',
			'[.*+?(){}|]',
			'\\[\\]\\(\\)\\{\\}',
		],
		...[
			'\\d\\D\\w\\W\\s\\S',
			'\\A\\b\\Ba\\z',
			'\\b{start}a\\b{end}',
			'\\<a\\>',
			'\\a\\f\\t\\n\\r\\v',
			'\\-\\/\\ \\#',
		],
		...[
			'\\x41',
			'\\x{1F600}',
			'\\u00e9',
			'\\U0001F600',
			'é',
			'(?u)\\p{Greek}',
			'(?u:[é])',
			'(?:\\b){2}',
			'\\b{2}',
		],
	])('%j is fine', pattern => {
		expect(listErrors(pattern)).toEqual([]);
	});

	test.each([
		['a(?=b)', '1-4 look-around, including look-ahead and look-behind, is not supported'],
		['a(?!b)', '1-4 look-around, including look-ahead and look-behind, is not supported'],
		['(?<=b)a', '0-4 look-around, including look-ahead and look-behind, is not supported'],
		['(?<!b)a', '0-4 look-around, including look-ahead and look-behind, is not supported'],
		['(a)\\1', '3-5 backreferences are not supported'],
		['(?P=n)', '0-4 backreferences are not supported'],
		['(?>a)', '2-3 unrecognized flag'],
		['(?ii)', '3-4 duplicate flag'],
		['(?i-s-m)', '5-6 flag negation operator repeated'],
		['(?i-)', '3-4 dangling flag negation operator'],
		['(?)', '1-2 repetition operator missing expression'],
		['(?i', '0-3 expected flag but got end of regex'],
		['(?P<>a)', '4-5 empty capture group name'],
		['(?<1>a)', '3-4 invalid capture group character'],
		['(?<n', '3-4 unclosed capture group name'],
		['(?<n>)(?<n>)', '9-10 duplicate capture group name'],
		['a(b', '1-2 unclosed group'],
		['a)', '1-2 unopened group'],
		['*a', '0-1 repetition operator missing expression'],
		['a|+', '2-3 repetition operator missing expression'],
		['(?i)?', '4-5 repetition operator missing expression'],
		['a{2,1}', '1-6 invalid repetition count range, the start must be <= the end'],
		['a{', '1-2 repetition quantifier expects a valid decimal'],
		['a{b}', '1-2 repetition quantifier expects a valid decimal'],
		['a{,5}', '1-5 repetition quantifier expects a valid decimal'],
		['a{2', '1-2 unclosed counted repetition'],
		['a{2,3x}', '1-2 unclosed counted repetition'],
		['a{4294967296}', '1-13 decimal literal invalid'],
		['x[a', '1-3 unclosed character class'],
		['[]', '0-2 unclosed character class'],
		['[a[b]', '0-5 unclosed character class'],
		['[z-a]', '1-4 invalid character class range, the start must be <= the end'],
		['[\\d-z]', '1-5 invalid range boundary, must be a literal'],
		['[\\b]', '1-3 invalid escape sequence found in character class'],
		['[é]', '1-2 Unicode not allowed here'],
		['\\p{L}', '0-5 Unicode not allowed here'],
		['(?u:a)\\pL', '6-9 Unicode not allowed here'],
		['\\Z', '0-2 unrecognized escape sequence'],
		['\\é', '0-2 unrecognized escape sequence'],
		['a\\', '1-2 incomplete escape sequence, reached end of pattern prematurely'],
		['\\x4', '0-3 incomplete escape sequence, reached end of pattern prematurely'],
		['\\xgg', '0-2 invalid hexadecimal digit'],
		['\\x{}', '0-4 hexadecimal literal empty'],
		['\\ud800', '0-6 hexadecimal literal is not a Unicode scalar value'],
		['\\b{middle}', '0-10 unrecognized special word boundary assertion'],
		['(?:a{1000}){1000}', '11-17 Compiled regex exceeds size limit of 10485760 bytes.'],
		['a{999999999}', '1-12 Compiled regex exceeds size limit of 10485760 bytes.'],
		['('.repeat(300), '249-250 exceeded the maximum nesting depth: 250'],
	])('%j is wrong: %s', (pattern, error) => {
		expect(listErrors(pattern)).toEqual([error]);
	});

	test.each([
		['a{5,2}', 'a{2,5}'],
		['a{,5}', 'a{0,5}'],
		['{a}', '\\{a}'],
		['?q=1', '\\?q=1'],
		['a)', 'a\\)'],
		['[9-0]', '[0-9]'],
		['end\\Z', 'end\\z'],
		['\\é', 'é'],
	])('%s is corrected to %s', (pattern, expectedPattern) => {
		expect(correctPattern(pattern)).toBe(expectedPattern);
	});

	test('an unescaped dot in a host name gives a warning, and can be escaped', () => {
		expect(checkRegex('^www.example.com$').map(({severity, span}) => [severity, span.start])).toEqual([
			['warning', 4],
			['warning', 12],
		]);
		expect(correctPattern('example.com')).toBe('example\\.com');
	});

	test.each([
		'a.*b',
		'.com',
		'a.',
		'a\\.b',
		'[a.b]',
		'\\d.c',
		'\\\\.c',
		'a..b',
		'(a).b',
		'a.\\d',
		'\\x41.b',
	])('a dot in %s is not part of a host name', pattern => {
		expect(checkRegex(pattern)).toEqual([]);
	});

	test('plain patterns that JavaScript compiles are fine', () => {
		fc.assert(
			fc.property(simplePattern, pattern => {
				expect(() => new RegExp(pattern)).not.toThrow();
				expect(listErrors(pattern)).toEqual([]);
			}),
			{numRuns: getRunCount(500)},
		);
	});

	test('a plain pattern with an extra parenthesis or bracket is invalid here and in JavaScript', () => {
		fc.assert(
			fc.property(simplePattern, fc.constantFrom('(', ')', '['), fc.boolean(), (pattern, sign, before) => {
				const broken = before ? sign + pattern : pattern + sign;
				fc.pre(!(sign === '[' && before));
				expect(() => new RegExp(broken)).toThrow();
				expect(listErrors(broken)).toHaveLength(1);
			}),
		);
	});

	test('any text is checked, with findings inside its bounds and at most one error', () => {
		fc.assert(
			fc.property(fc.oneof(anyText, fc.string({unit: patternPiece, maxLength: 30})), pattern => {
				const findings = checkRegex(pattern);
				for (const {span} of findings) {
					expect(span.start).toBeGreaterThanOrEqual(0);
					expect(span.end).toBeGreaterThanOrEqual(span.start);
					expect(span.end).toBeLessThanOrEqual(pattern.length);
				}
				expect(findings.filter(({severity}) => severity === 'error').length).toBeLessThanOrEqual(1);
			}),
			{numRuns: getRunCount(2000)},
		);
	});

	test.each([
		'(',
		'[',
		'{',
		'\\b{a',
		'(?x)#',
		'[[:',
		'a.',
		'(?<n',
		' ',
		'(?:a){',
		'[a-',
		'\\x{',
	])('sixteen times as many of %j take about sixteen times as long', unit => {
		const measureTime = (count: number): number => {
			const pattern = unit.repeat(count);
			return measureCpuTime(() => checkRegex(pattern));
		};
		measureTime(1000);
		// If each unit looked at all units before it, this would take 256 times as long: seconds.
		expect(measureTime(64_000)).toBeLessThan(64 * measureTime(4000) + 100);
	});
});
