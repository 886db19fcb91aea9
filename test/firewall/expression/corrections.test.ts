import {describe, expect, test} from 'vitest';
import {
	analyse,
	type ExpressionProblem,
	formatExpression,
} from '../../../source/firewall/expression/expressions.ts';

const applyCorrection = (text: string, problem: ExpressionProblem | undefined): string | undefined => {
	const correction = problem?.correction;
	return (
		correction && text.slice(0, correction.span.start) + correction.text + text.slice(correction.span.end)
	);
};

/** Mistakes, each with the text after its correction. */
const correctedMistakes: Readonly<Record<string, readonly (readonly [text: string, becomes: string])[]>> = {
	'a value where a condition belongs': [
		['http.host eq "a" or "b" or "c"', 'http.host eq "a" or http.host eq "b" or http.host eq "c"'],
		['http.host ne "a" or "b" or "c"', 'not http.host in {"a" "b" "c"}'],
		['http.host ne "a" and "b"', 'http.host ne "a" and http.host ne "b"'],
		['http.host contains "a" or "b"', 'http.host contains "a" or http.host contains "b"'],
		['ssl or http.host eq "a" or "b"', 'ssl or http.host eq "a" or http.host eq "b"'],
		['cf.edge.server_port gt 80 and lt 90', 'cf.edge.server_port gt 80 and cf.edge.server_port lt 90'],
	],
	'an address where a condition belongs': [
		['203.0.113.7', 'ip.src eq 203.0.113.7'],
		['2001:db8::7', 'ip.src eq 2001:db8::7'],
		['203.0.113.0/24', 'ip.src in {203.0.113.0/24}'],
		['ssl and 203.0.113.0/24', 'ssl and ip.src in {203.0.113.0/24}'],
	],
	'several values without any or all': [
		['http.request.headers.names[*] ne "a"', 'all(http.request.headers.names[*] ne "a")'],
		['http.request.headers.names ne "a"', 'all(http.request.headers.names[*] ne "a")'],
		['http.request.headers.names[*] eq "a"', 'any(http.request.headers.names[*] eq "a")'],
	],
	'several values of one comparison': [
		['http.host contains {"a" "b"}', '(http.host contains "a" or http.host contains "b")'],
		['http.host contains {"a"}', 'http.host contains "a"'],
		['http.host contains "a" "b"', '(http.host contains "a" or http.host contains "b")'],
		['not http.host wildcard "a", "b"', 'not (http.host wildcard "a" or http.host wildcard "b")'],
		['http.host eq ("a" or "b")', 'http.host in {"a" "b"}'],
		['http.host eq (a or b)', 'http.host in {"a" "b"}'],
		['http.host ne ("a" or "b")', 'not http.host in {"a" "b"}'],
		['http.host eq ("a")', 'http.host eq "a"'],
		['http.host contains ("a" and "b")', '(http.host contains "a" and http.host contains "b")'],
		['http.host eq "a", "b"', 'http.host in {"a" "b"}'],
		['cf.edge.server_port eq 80, 443', 'cf.edge.server_port in {80 443}'],
		['http.host in "a" or "b"', 'http.host in {"a" "b"}'],
	],
	'the value first': [
		['"a" in http.host', 'http.host contains "a"'],
		['"a" contains http.host', 'http.host contains "a"'],
		['"a" in http.request.headers.names', 'any(http.request.headers.names[*] eq "a")'],
		['"a" eq http.request.headers["x"][0]', 'http.request.headers["x"][0] eq "a"'],
		['80 < cf.edge.server_port <= 90', 'cf.edge.server_port gt 80 and cf.edge.server_port le 90'],
		['not 80 < cf.edge.server_port < 90', 'not (cf.edge.server_port gt 80 and cf.edge.server_port lt 90)'],
	],
	'functions and words used as operators': [
		['http.host starts_with("a")', 'starts_with(http.host, "a")'],
		['http.host starts with "a"', 'starts_with(http.host, "a")'],
		['http.host ends with .com', 'ends_with(http.host, ".com")'],
		['http.host not ends_with ".a"', 'not ends_with(http.host, ".a")'],
		['http.host ends_with {".a" ".b"}', '(ends_with(http.host, ".a") or ends_with(http.host, ".b"))'],
		['http.host does not contain "a"', 'not http.host contains "a"'],
		['http.host strictwildcard "a"', 'http.host strict wildcard "a"'],
		['cf.edge.server_port between 80 and 90', 'cf.edge.server_port in {80..90}'],
		['starts_with http.host "a"', 'starts_with(http.host, "a")'],
		['any http.request.headers.names[*] eq "b"', 'any(http.request.headers.names[*] eq "b")'],
		['lower http.host eq "a"', 'lower(http.host) eq "a"'],
	],
	'brackets and spaces': [
		['(http.host) eq "a"', 'http.host eq "a"'],
		['http.host.eq "a"', 'http.host eq "a"'],
		['http.hosteq "a"', 'http.host eq "a"'],
		['cf.edge.server_port eq 80and ssl', 'cf.edge.server_port eq 80 and ssl'],
		[') ssl', ' ssl'],
		['ip.src in {{1.1.1.1}}', 'ip.src in {1.1.1.1}'],
		['cf.edge.server_port in {1 .. 5}', 'cf.edge.server_port in {1..5}'],
		['ip.src in {1.1.1.1 - 1.1.1.9}', 'ip.src in {1.1.1.1..1.1.1.9}'],
		['ip.src in {1.1.1.* 2.2.2.2}', 'ip.src in {1.1.1.0/24 2.2.2.2}'],
		['ip.src in {[::1]}', 'ip.src in {::1}'],
	],
	'the same mistake in several values': [
		['http.host in {a b c}', 'http.host in {"a" "b" "c"}'],
		["http.host in {'a' 'b'}", 'http.host in {"a" "b"}'],
		['cf.edge.server_port in {"80" "443"}', 'cf.edge.server_port in {80 443}'],
	],
	comments: [
		['ssl # a comment', 'ssl'],
		['ssl // a comment\nand ssl', 'ssl\nand ssl'],
		['/* a comment */ssl', 'ssl'],
		['ssl /* open', 'ssl'],
		["ssl # don't\nor ssl", 'ssl\nor ssl'],
		['http.host in {"a" # one\n"b"}', 'http.host in {"a"\n"b"}'],
	],
};

describe.each(Object.entries(correctedMistakes))('%s', (_name, cases) => {
	test.each(cases)('%s', (text, expectedText) => {
		const {errors} = analyse(text);
		expect(errors.map(({sentence}) => sentence)).toHaveLength(1);
		expect(applyCorrection(text, errors[0])).toBe(expectedText);
		expect(analyse(expectedText).errors).toEqual([]);
	});
});

describe('a single mistake with an unclear intention has no correction', () => {
	test.each([
		'not ip.src eq 1.1.1.1 or 2.2.2.2',
		'http.host eq "a" and "b"',
		'ssl and http.host eq "a" or "b"',
		'http.host eq "a" or "b" and ssl',
		'http.host ne "a" or ne "b"',
		'not http.host contains "a" or contains "b"',
		'not http.host in "a" or "b"',
		'http.host eq ("a" and "b")',
		'http.host eq ("a" or http.referer eq "b")',
		'ssl and ! or ssl',
		'ssl and not or ssl',
		'ssl and or ssl',
		'ssl and not',
		'http.host lt {"a" "b"}',
		'cf.edge.server_port eq 1,000',
		'ip.src lt $l',
		'cf.edge.server_port contains {"a"}',
		'http.host between "a" and "b"',
		'(',
		'((',
		'ssl and (',
	])('%s', text => {
		const {errors} = analyse(text);
		expect(errors.map(({sentence}) => sentence)).toHaveLength(1);
		expect(errors[0]?.correction).toBeUndefined();
	});
});

test('correcting an operator or a value keeps the not between them', () => {
	for (const text of [
		'http.host is not {"a" "b"}',
		'http.host does not contain {"a"}',
		'http.host is not "*a"',
	]) {
		const {errors, warnings} = analyse(text);
		for (const problem of [...errors, ...warnings])
			expect(applyCorrection(text, problem) ?? 'not').toContain('not');
	}
});

describe('keywords joined to a word, accepted by the service', () => {
	test.each([
		['notssl', 'not ssl'],
		['ssl andssl', 'ssl and ssl'],
		['http.host eq "a"andssl', 'http.host eq "a" and ssl'],
		['ssl ornot cf.client.bot', 'ssl or not cf.client.bot'],
		['cf.edge.server_port eq80', 'cf.edge.server_port eq 80'],
		['cf.edge.server_port eq 80or ssl', 'cf.edge.server_port eq 80 or ssl'],
		['cf.edge.server_port eq 80orssl', 'cf.edge.server_port eq 80 or ssl'],
		['ip.src eq1.1.1.1', 'ip.src eq 1.1.1.1'],
		['ip.src eq 1.1.1.1or ssl', 'ip.src eq 1.1.1.1 or ssl'],
	])('%s', (text, expectedText) => {
		const {errors, warnings, tokens} = analyse(text);
		expect(errors).toEqual([]);
		expect(warnings).toHaveLength(1);
		expect(formatExpression(text)).toBe(expectedText);
		expect(formatExpression(applyCorrection(text, warnings[0]) ?? '')).toBe(expectedText);
		expect(tokens.map(({start, end}) => text.slice(start, end)).join('')).toBe(text);
		expect(tokens.map(({kind}) => kind)).not.toContain('identifier');
	});
});

describe('conditions that are always or never true', () => {
	test.each<[string, string | undefined]>([
		['http.host ne "a" or http.host ne "b"', 'not http.host in {"a" "b"}'],
		['ip.src ne 1.1.1.1 or (ip.src != 2.2.2.2)', 'not ip.src in {1.1.1.1 2.2.2.2}'],
		['http.host ne "a" or ssl or http.host ne "b"', undefined],
		['http.host eq "a" and (http.host eq "b")', undefined],
	])('%s', (text, expectedText) => {
		const {errors, warnings} = analyse(text);
		expect(errors).toEqual([]);
		expect(warnings).toHaveLength(1);
		expect(applyCorrection(text, warnings[0])).toBe(expectedText);
	});

	test.each([
		'http.host ne "a" and http.host ne "b"',
		'http.host eq "a" or http.host eq "b"',
		'http.host ne "a" or http.referer ne "b"',
		'http.host ne "a" or http.host ne "a"',
		'ip.src ne ::1 or ip.src ne 0::1',
	])('%s is neither', text => {
		expect(analyse(text).warnings).toEqual([]);
	});
});

describe('invisible characters in a text', () => {
	test.each([
		['\u202e', 'U+202E'],
		['\u2066', 'U+2066'],
		['\u200b', 'U+200B'],
		['\u0000', 'U+0000'],
		['\t', 'U+0009'],
		['\u{e0041}', 'U+E0041'],
	])('%j', (character, code) => {
		const text = `http.host eq "a${character}b"`;
		const {errors, warnings} = analyse(text);
		expect(errors).toEqual([]);
		expect(warnings.map(({sentence}) => sentence)).toEqual([
			`This string contains an invisible character: ${code}.`,
		]);
		expect(warnings[0]?.span).toEqual({start: 15, end: 15 + character.length});
	});

	test('letters of any script, line breaks and joined emoji are not reported', () => {
		expect(analyse('http.user_agent eq "ü 名前 שלום 👩\u200d💻\n"').warnings).toEqual([]);
	});
});
