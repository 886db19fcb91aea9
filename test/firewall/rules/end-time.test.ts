import {describe, expect, test} from 'vitest';
import {analyse} from '../../../source/firewall/expression/expressions.ts';
import {findEmergencyZoneNameReasons} from '../../../source/firewall/rules/emergency-name.ts';
import {
	addEnd,
	findEnd,
	formatEnd,
	formatEndTime,
	parseEnd,
	removeEnd,
} from '../../../source/firewall/rules/end-time.ts';

const end = 1_795_839_969;
const expressions = [
	'ip.src eq 198.51.100.7',
	'ip.src eq 198.51.100.7 or http.host eq "a"',
	'(ip.src eq 198.51.100.7) or (http.host eq "a")',
	'http.host eq "a) and http.request.timestamp.sec lt 1795839969"',
	'http.user_agent contains "\\")" or ssl',
	'http.user_agent matches r#"(")"# or ssl',
	'true',
];

describe('the end of a rule', () => {
	test.each(expressions)('is found and removed again: %s', expression => {
		const withEnd = addEnd(expression, end);
		expect(findEnd(withEnd)).toBe(end);
		expect(removeEnd(withEnd)).toBe(expression);
		expect(analyse(withEnd).tree).toBeDefined();
	});

	test.each(expressions)('is replaced, not added twice: %s', expression => {
		expect(addEnd(addEnd(expression, end), end + 60)).toBe(addEnd(expression, end + 60));
	});

	test.each([
		...expressions,
		'(ip.src eq 198.51.100.7) or (http.host eq "a") and http.request.timestamp.sec lt 1795839969',
		'ip.src eq 198.51.100.7 and http.request.timestamp.sec lt 1795839969',
		'(ssl) and http.request.timestamp.sec gt 1795839969',
	])('is not seen where there is none: %s', expression => {
		expect(findEnd(expression)).toBeUndefined();
		expect(removeEnd(expression)).toBe(expression);
	});

	test('is a time in UTC', () => {
		expect(formatEnd(end)).toBe('until 2026-11-28 04:26 UTC');
	});

	test.each([
		'true',
		'ip.src in {0.0.0.0/1}',
		'http.host eq "acme.example"',
		'http.request.uri.path eq "/login"',
	])('does not spare a broad block its confirmation: %s', expression => {
		const findReasons = (text: string) =>
			findEmergencyZoneNameReasons(
				{name: 'acme.example'},
				{after: {action: 'block', filter: {expression: text}}},
			);
		expect(findReasons(expression)).toHaveLength(1);
		expect(findReasons(addEnd(expression, end))).toEqual(findReasons(expression));
	});
});

describe('a typed end', () => {
	const now = 1_795_836_000.5;

	test.each([
		['2h', 1_795_836_001 + 7200],
		[' 30M ', 1_795_836_001 + 1800],
		['1h30m', 1_795_836_001 + 5400],
		['2026-11-28 18:00', 1_795_888_800],
		['2026-11-28 18:00 UTC', 1_795_888_800],
	])('%s is a time after now', (text, seconds) => {
		expect(parseEnd(text, now)).toBe(seconds);
	});

	test.each(['', '2', '30s', '367d', '2x', '2026-11-27', '2028-01-01', 'never'])('"%s" is none', text => {
		expect(parseEnd(text, now)).toBeUndefined();
	});

	test('is read again as it is formatted', () => {
		expect(parseEnd(formatEndTime(1_795_888_800), now)).toBe(1_795_888_800);
	});
});
