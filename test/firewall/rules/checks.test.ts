import {describe, expect, test} from 'vitest';
import {maxRulesByPlan} from '../../../source/firewall/limits.ts';
import {checkDraft} from '../../../source/firewall/rules/checks.ts';
import type {Rule, RuleDraft} from '../../../source/firewall/rules/rule.ts';
import type {Plan} from '../../../source/service/plan.ts';

const draft: RuleDraft = {filter: {expression: 'ip.src eq 192.0.2.1'}, action: 'block'};

const check = (given: Partial<RuleDraft>, plan: Plan | undefined = 'enterprise', there = 0) => {
	const one: Rule = {
		id: 'r',
		action: 'block',
		paused: true,
		priority: null,
		filter: {id: 'f', deleted: true},
	};
	return checkDraft({...draft, ...given}, {plan}, {rules: Array.from({length: there}, () => one)}).map(
		({severity, about, failure}) => `${severity} ${about} ${failure.code}`,
	);
};

describe('a rule before it is sent', () => {
	test('has nothing against it when it is right', () => {
		expect(check({})).toEqual([]);
		expect(
			check({filter: {id: 'f'}, action: 'bypass', products: ['waf'], priority: 0, description: ''}),
		).toEqual([]);
	});

	test('an unknown action is wrong', () => {
		expect(check({action: 'explode' as 'block'})).toEqual(['error action usage']);
	});

	test('log is for Enterprise: wrong below, a warning where the plan is not known', () => {
		expect(check({action: 'log'}, 'business')).toEqual(['error action plan_lacks']);
		expect(checkDraft({...draft, action: 'log'}, {plan: undefined}).map(one => one.severity)).toEqual([
			'warning',
		]);
		expect(check({action: 'log'}, 'enterprise')).toEqual([]);
	});

	test('bypass needs products, and only bypass has them', () => {
		expect(check({action: 'bypass'})).toEqual(['error products usage']);
		expect(check({action: 'bypass', products: []})).toEqual(['error products usage']);
		expect(check({products: ['bic']})).toEqual(['error products usage']);
		expect(check({action: 'bypass', products: ['nothing' as 'bic']})).toEqual(['error products usage']);
	});

	test.each(['zoneLockdown', 'waf'] as const)('bypassing %s is for Pro and above', product => {
		expect(check({action: 'bypass', products: [product]}, 'free')).toEqual(['error products plan_lacks']);
		expect(check({action: 'bypass', products: [product]}, 'pro')).toEqual([]);
	});

	test.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])('%s is no priority', priority => {
		expect(check({priority})).toEqual(['error priority usage']);
	});

	test('a description has 500 characters, a reference 50, emoji counted as one', () => {
		expect(check({description: '😀'.repeat(500), ref: 'r'.repeat(50)})).toEqual([]);
		expect(check({description: 'd'.repeat(501)})).toEqual(['error description limit']);
		expect(check({ref: 'r'.repeat(51)})).toEqual(['error ref limit']);
		expect(check({filter: {expression: 'true', description: 'd'.repeat(501)}})).toEqual([
			'error description limit',
		]);
	});

	test.each(['free', 'pro', 'business', 'enterprise'] as const)('%s has no room above its quota', plan => {
		expect(check({}, plan, maxRulesByPlan[plan] - 1)).toEqual([]);
		expect(check({}, plan, maxRulesByPlan[plan])).toEqual(['error quota plan_lacks']);
	});

	test('a quota is a warning where the plan is not known, and wrong where no plan has room', () => {
		const severities = (there: number) =>
			checkDraft(
				draft,
				{plan: undefined},
				{
					rules: Array.from({length: there}, () => ({
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

	test('an expression that does not parse is wrong, with its place', () => {
		const [found] = checkDraft({...draft, filter: {expression: 'ip.sorc eq 192.0.2.1'}}, {plan: 'pro'});
		expect(found).toMatchObject({
			severity: 'error',
			about: 'expression',
			failure: {code: 'expression_invalid'},
		});
		expect(found?.failure.details.why).toContain('line 1, column 1');
	});

	test('a regex below Business is what the plan lacks', () => {
		const matches = {filter: {expression: 'http.host matches "^a"'}};
		expect(check(matches, 'pro')).toEqual(['error expression plan_lacks']);
		expect(check(matches, 'business')).toEqual([]);
	});
});
