import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {toCustomRule, toCustomRules} from '../../../source/firewall/rules/custom-rule.ts';
import {getRuleOrdering, sortForEvaluation} from '../../../source/firewall/rules/order.ts';
import {type Rule, ruleActionNames} from '../../../source/firewall/rules/rule.ts';

let ruleNumber = 0;
const rule = (action: string, more: Partial<Rule> = {}): Rule => {
	const id = `rule${++ruleNumber}`;
	return {
		id,
		action,
		paused: false,
		priority: null,
		filter: {id: `filter of ${id}`, expression: `http.host eq "${id}"`, paused: false},
		...more,
	};
};

describe('the order of evaluation', () => {
	test('is by priority, lowest first and none last, then by action', () => {
		const rules = [
			rule('block'),
			rule('log'),
			rule('allow', {priority: 5}),
			rule('block', {priority: 1}),
			rule('bypass', {priority: 5}),
			rule('unheard_of'),
		];
		expect(sortForEvaluation(rules).map(({action, priority}) => `${action} ${priority}`)).toEqual([
			'block 1',
			'bypass 5',
			'allow 5',
			'log null',
			'block null',
			'unheard_of null',
		]);
	});

	test('keeps equal rules in place, and loses none', () => {
		const given = fc.array(
			fc.record({
				action: fc.constantFrom(...ruleActionNames, 'x'),
				priority: fc.option(fc.integer({min: 0, max: 3})),
			}),
		);
		fc.assert(
			fc.property(given, settings => {
				const rules = settings.map((one, index) => rule(one.action, {...one, id: String(index)}));
				const ordered = sortForEvaluation(rules);
				expect(new Set(ordered)).toEqual(new Set(rules));
				expect(sortForEvaluation(ordered)).toEqual(ordered);
				for (const [index, one] of ordered.entries()) {
					const next = ordered[index + 1];
					if (next && next.action === one.action && next.priority === one.priority)
						expect(Number(one.id)).toBeLessThan(Number(next.id));
				}
			}),
		);
	});

	test('is certainly by priority if any rule has one, or with more than 200 rules', () => {
		const createRules = (count: number) => Array.from({length: count}, () => rule('block', {paused: true}));
		expect(getRuleOrdering(createRules(200))).toBe('undecided');
		expect(getRuleOrdering(createRules(201))).toBe('priority');
		expect(getRuleOrdering([rule('block', {priority: 0})])).toBe('priority');
	});
});

describe('a firewall rule as a custom rule', () => {
	test.each([
		'block',
		'challenge',
		'js_challenge',
		'managed_challenge',
		'log',
	])('keeps the action %s', action => {
		const one = rule(action);
		expect(toCustomRule(one)).toEqual({
			action,
			expression: 'expression' in one.filter && one.filter.expression,
			enabled: true,
		});
	});

	test('becomes a skip of the remaining ruleset for allow', () => {
		expect(toCustomRule(rule('allow'))).toMatchObject({
			action: 'skip',
			action_parameters: {ruleset: 'current'},
			logging: {enabled: true},
		});
	});

	test('becomes a skip of products, and of the phases that replaced them, for bypass', () => {
		const parameters = (products: string[]) => toCustomRule(rule('bypass', {products})).action_parameters;
		expect(parameters(['bic'])).toEqual({products: ['bic']});
		expect(parameters(['waf', 'hot', 'rateLimit'])).toEqual({
			products: ['waf', 'hot', 'rateLimit'],
			phases: ['http_request_firewall_managed', 'http_ratelimit'],
		});
	});

	test('is disabled if the rule or its filter is paused', () => {
		const paused = rule('block', {paused: true});
		const filter = {id: 'f', expression: 'true', paused: true};
		expect(toCustomRule(paused).enabled).toBe(false);
		expect(toCustomRule(rule('block', {filter})).enabled).toBe(false);
	});

	test('keeps its description and reference', () => {
		expect(toCustomRule(rule('block', {description: 'why', ref: 'mine'}))).toMatchObject({
			description: 'why',
			ref: 'mine',
		});
	});

	test('fails if its expression is unknown', () => {
		expect(() => toCustomRule(rule('block', {filter: {id: 'f', deleted: true}}))).toThrow('unknown');
	});
});

describe('all rules as custom rules', () => {
	const filter = {id: 'shared', expression: 'http.host eq "a"', paused: false};
	const convertRules = (rules: readonly Rule[]) =>
		toCustomRules(rules).rules.map(({action, action_parameters}) => ({action, ...action_parameters}));

	test('are in order of evaluation', () => {
		expect(convertRules([rule('block', {priority: 2}), rule('challenge', {priority: 1})])).toEqual([
			{action: 'challenge'},
			{action: 'block'},
		]);
	});

	test('combine allow and bypass with the same filter into one skip', () => {
		const rules = [rule('allow', {filter}), rule('bypass', {filter, products: ['waf']})];
		expect(convertRules(rules)).toEqual([
			{
				action: 'skip',
				ruleset: 'current',
				products: ['waf'],
				phases: ['http_request_firewall_managed'],
			},
		]);
	});

	test('keep allow and bypass apart if a rule between them could end the evaluation', () => {
		const rules = [
			rule('bypass', {filter, products: ['bic'], priority: 1}),
			rule('block', {priority: 2}),
			rule('allow', {filter, priority: 3}),
		];
		expect(convertRules(rules).map(({action}) => action)).toEqual(['skip', 'block', 'skip']);
	});

	test('keep allow and bypass apart if only one of them is paused', () => {
		const rules = [rule('allow', {filter}), rule('bypass', {filter, products: ['bic'], paused: true})];
		expect(convertRules(rules)).toHaveLength(2);
	});

	test('omit a rule without a filter, with a note', () => {
		const {rules, notes} = toCustomRules([rule('block', {id: 'lost', filter: {id: 'f', deleted: true}})]);
		expect(rules).toEqual([]);
		expect(notes.join()).toContain('lost');
	});

	test('keep a repeated reference once, with a note', () => {
		const {rules, notes} = toCustomRules([rule('block', {ref: 'r'}), rule('block', {ref: 'r'})]);
		expect(rules.map(({ref}) => ref)).toEqual(['r', undefined]);
		expect(notes.join()).toContain('"r"');
	});

	test('have a note only if the order of the list may have been intended', () => {
		expect(toCustomRules([rule('block'), rule('allow')]).notes.join()).toContain('in list order');
		expect(toCustomRules([rule('allow'), rule('block')]).notes).toEqual([]);
		expect(toCustomRules([rule('block', {priority: 2}), rule('allow', {priority: 1})]).notes).toEqual([]);
	});
});
