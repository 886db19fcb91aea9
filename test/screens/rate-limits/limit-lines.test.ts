import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {RulesetRule} from '../../../source/rulesets/ruleset.ts';
import {
	findRateLimitProblem,
	formatRateLimitTexts,
	type RateLimitTexts,
	withRateLimitTexts,
} from '../../../source/screens/ruleset-form/limit-lines.ts';

const ruleArbitrary: fc.Arbitrary<RulesetRule> = fc
	.record(
		{
			requests_per_period: fc.oneof(fc.nat(), fc.double({noNaN: true}), fc.string()),
			period: fc.oneof(fc.nat(), fc.string()),
			characteristics: fc.array(fc.string(), {maxLength: 3}),
			mitigation_timeout: fc.nat(),
			counting_expression: fc.string(),
			requests_to_origin: fc.boolean(),
			score_per_period: fc.nat(),
		},
		{requiredKeys: []},
	)
	.map(ratelimit => ({action: 'block', expression: 'ssl', ratelimit}));

test('lines that nobody changed keep every field of the rule as the service sent it', () => {
	fc.assert(
		fc.property(ruleArbitrary, rule => {
			const texts = formatRateLimitTexts(rule);
			expect(withRateLimitTexts(rule, texts)).toEqual(rule);
			expect(findRateLimitProblem(texts, rule)).toBeUndefined();
		}),
		{seed: 38},
	);
});

test('a changed line changes its field only', () => {
	const changes = fc.constantFrom<readonly [keyof RateLimitTexts, string, string, unknown]>(
		['requests', '7', 'requests_per_period', 7],
		['period', '3600', 'period', 3600],
		[
			'characteristics',
			'cf.colo.id,http.request.headers["a,b"]',
			'characteristics',
			['cf.colo.id', 'http.request.headers["a,b"]'],
		],
		['timeout', '0', 'mitigation_timeout', 0],
		['timeout', '', 'mitigation_timeout', undefined],
		['counting', 'ssl', 'counting_expression', 'ssl'],
	);
	fc.assert(
		fc.property(ruleArbitrary, changes, (rule, [line, text, field, value]) => {
			const texts = formatRateLimitTexts(rule);
			fc.pre(texts[line] !== text);
			const {[field]: _, ...others} = rule.ratelimit as Record<string, unknown>;
			expect(withRateLimitTexts(rule, {...texts, [line]: text}).ratelimit).toEqual({
				...others,
				...(value !== undefined && {[field]: value}),
			});
		}),
		{seed: 39},
	);
});

test.each([
	['ip.src cf.colo.id', ['ip.src', 'cf.colo.id']],
	[' ip.src,  cf.colo.id ,', ['ip.src', 'cf.colo.id']],
	['cf.colo.id http.request.headers["a, b"]', ['cf.colo.id', 'http.request.headers["a, b"]']],
	[
		'cf.colo.id lookup_json_string(http.request.body.raw, "a b") ip.src',
		['cf.colo.id', 'lookup_json_string(http.request.body.raw, "a b")', 'ip.src'],
	],
	[
		'cf.colo.id lower(url_decode(http.host, "r")), x',
		['cf.colo.id', 'lower(url_decode(http.host, "r"))', 'x'],
	],
] as const)('"%s" is separated by commas or spaces outside calls and quotes', (characteristics, expected) => {
	const texts = {...formatRateLimitTexts(undefined), characteristics, requests: '5'};
	expect(findRateLimitProblem(texts, undefined)).toBeUndefined();
	expect(withRateLimitTexts({action: 'block', expression: 'ssl'}, texts).ratelimit).toMatchObject({
		characteristics: expected,
	});
});
