import {describe, expect, test} from 'vitest';
import {
	formatRate,
	formatRateLimitTimeout,
	parseRateLimit,
} from '../../../source/firewall/rules/rate-limit.ts';

const parseLimit = (ratelimit: Record<string, number | string | boolean | string[]>) =>
	parseRateLimit({ratelimit});

describe('the rate limit of a rule', () => {
	test('includes the count, the characteristics and the duration of the action', () => {
		const fullLimit = parseLimit({
			characteristics: ['cf.colo.id', 'ip.src'],
			period: 60,
			requests_per_period: 1000,
			mitigation_timeout: 86_400,
			counting_expression: 'http.response.code eq 404',
			requests_to_origin: true,
		});
		expect(fullLimit).toEqual({
			requests: 1000,
			period: 60,
			characteristics: ['cf.colo.id', 'ip.src'],
			timeout: 86_400,
			countingExpression: 'http.response.code eq 404',
			unknownFields: {requests_to_origin: true},
		});
		expect(formatRate(fullLimit)).toBe('1,000 requests in 60 s');
		expect(formatRateLimitTimeout(fullLimit)).toBe('86,400 s');
	});

	test('applies only while it is exceeded if it has no duration', () => {
		expect(formatRateLimitTimeout(parseLimit({mitigation_timeout: 0}))).toBe('only while over limit');
	});

	test('has only a period if it counts a score, and keeps its other fields', () => {
		const scored = parseLimit({period: 10, score_per_period: 400, counting_expression: ''});
		expect(formatRate(scored)).toBe('counted in 10 s');
		expect(scored.countingExpression).toBeUndefined();
		expect(scored.unknownFields).toEqual({score_per_period: 400});
	});

	test.each([
		['no field', {}],
		['another form', {ratelimit: 'fast'}],
		['odd values', {ratelimit: {period: '60', characteristics: 'ip.src'}}],
	])('is unknown for %s', (_what, rule) => {
		const found = parseRateLimit(rule);
		expect([formatRate(found), formatRateLimitTimeout(found), found.characteristics]).toEqual([
			undefined,
			undefined,
			[],
		]);
	});
});
