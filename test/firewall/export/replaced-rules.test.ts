import {describe, expect, test} from 'vitest';
import {planOldRuleDeletion} from '../../../source/firewall/export/replaced-rules.ts';
import {toCustomRules} from '../../../source/firewall/rules/custom-rule.ts';
import type {Rule} from '../../../source/firewall/rules/rule.ts';

const old = (id: string, more: Partial<Rule> = {}): Rule => ({
	id,
	paused: false,
	action: 'block',
	priority: null,
	filter: {id: `f-${id}`, expression: `http.host eq "${id}"`, paused: false},
	...more,
});
const made = (...rules: readonly Rule[]) => toCustomRules(rules).rules;
const idsOf = ({plans}: ReturnType<typeof planOldRuleDeletion>) => plans.map(({rule}) => rule.id);
const keptOf = ({keptRules}: ReturnType<typeof planOldRuleDeletion>) =>
	keptRules.map(({rule, reason}) => [rule.id, reason]);

describe('firewall rules that were converted to custom rules', () => {
	test('are deleted in reverse order of evaluation', () => {
		const rules = [
			old('allow', {action: 'allow', priority: 1}),
			old('b', {priority: 3}),
			old('a', {priority: 2}),
		];
		expect(idsOf(planOldRuleDeletion(rules, rules, made(...rules)))).toEqual(['b', 'a', 'allow']);
	});

	test('stay if they were changed or created since, or lost their filter', () => {
		const lost = old('lost', {filter: {id: 'f-lost', deleted: true}});
		const read = [old('a'), old('b'), old('c'), lost, old('gone')];
		const filter = {id: 'f-c', expression: 'ssl', paused: false};
		const now = [old('a'), old('b', {paused: true}), old('new'), old('c', {filter}), lost];
		const plan = planOldRuleDeletion(read, now, made(...read));
		expect(idsOf(plan)).toEqual(['a']);
		expect(keptOf(plan).toSorted()).toEqual([
			['b', 'someone else changed it after it was read: paused'],
			['c', 'someone else changed it after it was read: filter expression'],
			['lost', 'its filter f-lost was deleted, so no custom rule replaces it'],
			['new', 'it was created after the rules were read'],
		]);
	});

	test.each([
		['is gone', (): ReturnType<typeof made> => []],
		['is paused', () => made(old('a')).map(rule => ({...rule, enabled: false}))],
		['has another action', () => made(old('a')).map(rule => ({...rule, action: 'log'}))],
		['has another expression', () => made(old('a')).map(rule => ({...rule, expression: 'ssl'}))],
	])('stay if their custom rule %s', (_what, existing) => {
		const plan = planOldRuleDeletion([old('a')], [old('a')], existing());
		expect(plan.plans).toEqual([]);
		expect(keptOf(plan)).toEqual([['a', 'the custom rule that replaces it was deleted or changed']]);
	});

	test('stay if they exempt requests from a rule that stays, since deleting them would block those requests', () => {
		const read = [old('office', {action: 'allow', priority: 1}), old('country', {priority: 2})];
		const now = [read[0] as Rule, old('country', {priority: 2, description: 'theirs'})];
		const plan = planOldRuleDeletion(read, now, made(...read));
		expect(plan.plans).toEqual([]);
		expect(keptOf(plan)).toContainEqual(['office', 'it lets requests past rule country, which is kept']);
		const paused = [read[0] as Rule, old('country', {priority: 2, paused: true})];
		expect(idsOf(planOldRuleDeletion(read, paused, made(...read)))).toEqual(['office']);
	});

	test('are deleted together if they share a filter and became one skip rule that exists', () => {
		const filter = {id: 'f', expression: 'ssl', paused: false};
		const rules = [
			old('a', {action: 'allow', filter}),
			old('b', {action: 'bypass', filter, products: ['waf']}),
		];
		expect(made(...rules)).toHaveLength(1);
		expect(idsOf(planOldRuleDeletion(rules, rules, made(...rules)))).toHaveLength(2);
		expect(idsOf(planOldRuleDeletion(rules, rules, []))).toEqual([]);
	});
});
