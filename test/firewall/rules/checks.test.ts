import {describe, expect, test} from 'vitest';
import {maxRulesByPlan} from '../../../source/firewall/limits.ts';
import {checkDraft} from '../../../source/firewall/rules/checks.ts';
import type {Rule, RuleDraft} from '../../../source/firewall/rules/rule.ts';
import type {ZonePlan} from '../../../source/service/plan.ts';

const draft: RuleDraft = {filter: {expression: 'ip.src eq 192.0.2.1'}, action: 'block'};

const check = (given: Partial<RuleDraft>, plan: ZonePlan | undefined = 'enterprise', ruleCount = 0) => {
	const one: Rule = {
		id: 'r',
		action: 'block',
		paused: true,
		priority: null,
		filter: {id: 'f', deleted: true},
	};
	return checkDraft({...draft, ...given}, {plan}, {rules: Array.from({length: ruleCount}, () => one)}).map(
		({severity, about, failure}) => `${severity} ${about} ${failure.code}`,
	);
};

describe('the check of a rule before it is sent', () => {
	test('finds no problem in a valid rule', () => {
		expect(check({})).toEqual([]);
		expect(
			check({filter: {id: 'f'}, action: 'bypass', products: ['waf'], priority: 0, description: ''}),
		).toEqual([]);
	});

	test('refuses an unknown action', () => {
		expect(check({action: 'explode' as 'block'})).toEqual(['error action usage']);
	});

	test('refuses log below Enterprise, and only warns if the plan is unknown', () => {
		expect(check({action: 'log'}, 'business')).toEqual(['error action plan_lacks']);
		expect(checkDraft({...draft, action: 'log'}, {plan: undefined}).map(one => one.severity)).toEqual([
			'warning',
		]);
		expect(check({action: 'log'}, 'enterprise')).toEqual([]);
	});

	test('requires products for bypass, and refuses them for other actions', () => {
		expect(check({action: 'bypass'})).toEqual(['error products usage']);
		expect(check({action: 'bypass', products: []})).toEqual(['error products usage']);
		expect(check({products: ['bic']})).toEqual(['error products usage']);
		expect(check({action: 'bypass', products: ['nothing' as 'bic']})).toEqual(['error products usage']);
	});

	test.each(['zoneLockdown', 'waf'] as const)('requires Pro or higher to bypass %s', product => {
		expect(check({action: 'bypass', products: [product]}, 'free')).toEqual(['error products plan_lacks']);
		expect(check({action: 'bypass', products: [product]}, 'pro')).toEqual([]);
	});

	test.each([
		-1,
		1.5,
		Number.NaN,
		Number.POSITIVE_INFINITY,
		2 ** 31,
	])('refuses %s as a priority', priority => {
		expect(check({priority})).toEqual(['error priority usage']);
	});

	test('allows 500 characters for a description and 50 for a reference, counting an emoji as one', () => {
		expect(check({description: '😀'.repeat(500), ref: 'r'.repeat(50)})).toEqual([]);
		expect(check({description: 'd'.repeat(501)})).toEqual(['error description limit']);
		expect(check({ref: 'r'.repeat(51)})).toEqual(['error ref limit']);
		expect(check({filter: {expression: 'true', description: 'd'.repeat(501)}})).toEqual([
			'error description limit',
		]);
	});

	test.each([
		'free',
		'pro',
		'business',
		'enterprise',
	] as const)('refuses a rule beyond the quota of %s', plan => {
		expect(check({}, plan, maxRulesByPlan[plan] - 1)).toEqual([]);
		expect(check({}, plan, maxRulesByPlan[plan])).toEqual(['error quota plan_lacks']);
	});

	test('warns about the quota if the plan is unknown, and refuses the rule if no plan has room', () => {
		const severities = (ruleCount: number) =>
			checkDraft(
				draft,
				{plan: undefined},
				{
					rules: Array.from({length: ruleCount}, () => ({
						id: 'r',
						action: 'x',
						paused: false,
						priority: null,
						filter: {id: 'f', deleted: true},
					})),
				},
			).map(({severity}) => severity);
		expect(severities(4)).toEqual([]);
		expect(severities(5)).toEqual(['warning']);
		expect(severities(1000)).toEqual(['error']);
	});

	test('refuses an expression that does not parse, and gives the position of the error', () => {
		const [problem] = checkDraft({...draft, filter: {expression: 'ip.sorc eq 192.0.2.1'}}, {plan: 'pro'});
		expect(problem).toMatchObject({
			severity: 'error',
			about: 'expression',
			failure: {code: 'expression_invalid'},
		});
		expect(problem?.failure.details.why).toContain('line 1, column 1');
	});

	test('reports a regex below Business as not in the plan', () => {
		const matches = {filter: {expression: 'http.host matches "^a"'}};
		expect(check(matches, 'pro')).toEqual(['error expression plan_lacks']);
		expect(check(matches, 'business')).toEqual([]);
	});
});
