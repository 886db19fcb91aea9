import {describe, expect, test} from 'vitest';
import {planOldRuleDeletion} from '../../../source/firewall/export/replaced-rules.ts';
import {toCustomRules} from '../../../source/firewall/rules/custom-rule.ts';
import type {Rule} from '../../../source/firewall/rules/rule.ts';

const createFirewallRule = (id: string, more: Partial<Rule> = {}): Rule => ({
	id,
	paused: false,
	action: 'block',
	priority: null,
	filter: {id: `f-${id}`, expression: `http.host eq "${id}"`, paused: false},
	...more,
});
const convertRules = (...rules: readonly Rule[]) => toCustomRules(rules).rules;
const getDeletedIds = ({deletionPlans}: ReturnType<typeof planOldRuleDeletion>) =>
	deletionPlans.map(({rule}) => rule.id);
const getKeptReasons = ({keptRules}: ReturnType<typeof planOldRuleDeletion>) =>
	keptRules.map(({rule, reason}) => [rule.id, reason]);

describe('firewall rules that were converted to custom rules', () => {
	test('are deleted in reverse order of evaluation', () => {
		const rules = [
			createFirewallRule('allow', {action: 'allow', priority: 1}),
			createFirewallRule('b', {priority: 3}),
			createFirewallRule('a', {priority: 2}),
		];
		expect(getDeletedIds(planOldRuleDeletion(rules, rules, convertRules(...rules)))).toEqual([
			'b',
			'a',
			'allow',
		]);
	});

	test('stay if they were changed or created since, or lost their filter', () => {
		const ruleWithoutFilter = createFirewallRule('lost', {filter: {id: 'f-lost', deleted: true}});
		const rulesBefore = [
			createFirewallRule('a'),
			createFirewallRule('b'),
			createFirewallRule('c'),
			ruleWithoutFilter,
			createFirewallRule('gone'),
		];
		const filter = {id: 'f-c', expression: 'ssl', paused: false};
		const currentRules = [
			createFirewallRule('a'),
			createFirewallRule('b', {paused: true}),
			createFirewallRule('new'),
			createFirewallRule('c', {filter}),
			ruleWithoutFilter,
		];
		const plan = planOldRuleDeletion(rulesBefore, currentRules, convertRules(...rulesBefore));
		expect(getDeletedIds(plan)).toEqual(['a']);
		expect(getKeptReasons(plan).toSorted()).toEqual([
			['b', 'someone else changed it after it was read: paused'],
			['c', 'someone else changed it after it was read: filter expression'],
			['lost', 'its filter f-lost was deleted, so no custom rule replaces it'],
			['new', 'it was created after the rules were read'],
		]);
	});

	test.each([
		['is gone', (): ReturnType<typeof convertRules> => []],
		['is paused', () => convertRules(createFirewallRule('a')).map(rule => ({...rule, enabled: false}))],
		[
			'has another action',
			() => convertRules(createFirewallRule('a')).map(rule => ({...rule, action: 'log'})),
		],
		[
			'has another expression',
			() => convertRules(createFirewallRule('a')).map(rule => ({...rule, expression: 'ssl'})),
		],
	])('stay if their custom rule %s', (_what, existing) => {
		const plan = planOldRuleDeletion([createFirewallRule('a')], [createFirewallRule('a')], existing());
		expect(plan.deletionPlans).toEqual([]);
		expect(getKeptReasons(plan)).toEqual([['a', 'the custom rule that replaces it was deleted or changed']]);
	});

	test('stay if they exempt requests from a rule that stays, since deleting them would block those requests', () => {
		const rulesBefore = [
			createFirewallRule('office', {action: 'allow', priority: 1}),
			createFirewallRule('country', {priority: 2}),
		];
		const currentRules = [
			rulesBefore[0] as Rule,
			createFirewallRule('country', {priority: 2, description: 'theirs'}),
		];
		const plan = planOldRuleDeletion(rulesBefore, currentRules, convertRules(...rulesBefore));
		expect(plan.deletionPlans).toEqual([]);
		expect(getKeptReasons(plan)).toContainEqual([
			'office',
			'it lets requests past rule country, which is kept',
		]);
		const paused = [rulesBefore[0] as Rule, createFirewallRule('country', {priority: 2, paused: true})];
		expect(getDeletedIds(planOldRuleDeletion(rulesBefore, paused, convertRules(...rulesBefore)))).toEqual([
			'office',
		]);
	});

	test('are deleted together if they share a filter and became one skip rule, which exists', () => {
		const filter = {id: 'f', expression: 'ssl', paused: false};
		const rules = [
			createFirewallRule('a', {action: 'allow', filter}),
			createFirewallRule('b', {action: 'bypass', filter, products: ['waf']}),
		];
		expect(convertRules(...rules)).toHaveLength(1);
		expect(getDeletedIds(planOldRuleDeletion(rules, rules, convertRules(...rules)))).toHaveLength(2);
		expect(getDeletedIds(planOldRuleDeletion(rules, rules, []))).toEqual([]);
	});
});
