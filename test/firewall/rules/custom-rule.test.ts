import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {toCustomRule, toCustomRules} from '../../../source/firewall/rules/custom-rule.ts';
import {getRuleOrdering, sortForEvaluation} from '../../../source/firewall/rules/order.ts';
import {type Rule, ruleActionNames} from '../../../source/firewall/rules/rule.ts';

let numbered = 0;
const rule = (action: string, more: Partial<Rule> = {}): Rule => {
	const id = `rule${++numbered}`;
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
	test('smaller priority first, none last, then by action', () => {
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

	test('keeps what is equal as it was, and loses nothing', () => {
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

	test('is by priority for certain with any priority, or with more than 200 rules', () => {
		const many = (count: number) => Array.from({length: count}, () => rule('block', {paused: true}));
		expect(getRuleOrdering(many(200))).toBe('undecided');
		expect(getRuleOrdering(many(201))).toBe('priority');
		expect(getRuleOrdering([rule('block', {priority: 0})])).toBe('priority');
	});
});

describe('a firewall rule as a custom rule', () => {
	test.each(['block', 'challenge', 'js_challenge', 'managed_challenge', 'log'])('%s stays itself', action => {
		const one = rule(action);
		expect(toCustomRule(one)).toEqual({
			action,
			expression: 'expression' in one.filter && one.filter.expression,
			enabled: true,
		});
	});

	test('allow skips what remains of the ruleset', () => {
		expect(toCustomRule(rule('allow'))).toMatchObject({
			action: 'skip',
			action_parameters: {ruleset: 'current'},
			logging: {enabled: true},
		});
	});

	test('bypass skips its products, and the phases that took their place', () => {
		const parameters = (products: string[]) => toCustomRule(rule('bypass', {products})).action_parameters;
		expect(parameters(['bic'])).toEqual({products: ['bic']});
		expect(parameters(['waf', 'hot', 'rateLimit'])).toEqual({
			products: ['waf', 'hot', 'rateLimit'],
			phases: ['http_request_firewall_managed', 'http_ratelimit'],
		});
	});

	test('a paused rule and a paused filter are disabled', () => {
		const paused = rule('block', {paused: true});
		const filter = {id: 'f', expression: 'true', paused: true};
		expect(toCustomRule(paused).enabled).toBe(false);
		expect(toCustomRule(rule('block', {filter})).enabled).toBe(false);
	});

	test('description and reference are kept', () => {
		expect(toCustomRule(rule('block', {description: 'why', ref: 'mine'}))).toMatchObject({
			description: 'why',
			ref: 'mine',
		});
	});

	test('a rule whose expression is not known fails', () => {
		expect(() => toCustomRule(rule('block', {filter: {id: 'f', deleted: true}}))).toThrow('not known');
	});
});

describe('all rules as custom rules', () => {
	const filter = {id: 'shared', expression: 'http.host eq "a"', paused: false};
	const made = (rules: readonly Rule[]) =>
		toCustomRules(rules).rules.map(({action, action_parameters}) => ({action, ...action_parameters}));

	test('stand in the order of evaluation', () => {
		expect(made([rule('block', {priority: 2}), rule('challenge', {priority: 1})])).toEqual([
			{action: 'challenge'},
			{action: 'block'},
		]);
	});

	test('allow and bypass on one filter become one skip with both', () => {
		const rules = [rule('allow', {filter}), rule('bypass', {filter, products: ['waf']})];
		expect(made(rules)).toEqual([
			{
				action: 'skip',
				ruleset: 'current',
				products: ['waf'],
				phases: ['http_request_firewall_managed'],
			},
		]);
	});

	test('they stay two where a rule between them could end the evaluation', () => {
		const rules = [
			rule('bypass', {filter, products: ['bic'], priority: 1}),
			rule('block', {priority: 2}),
			rule('allow', {filter, priority: 3}),
		];
		expect(made(rules).map(({action}) => action)).toEqual(['skip', 'block', 'skip']);
	});

	test('they stay two where only one of them is paused', () => {
		const rules = [rule('allow', {filter}), rule('bypass', {filter, products: ['bic'], paused: true})];
		expect(made(rules)).toHaveLength(2);
	});

	test('a rule without its filter is left out, and said', () => {
		const {rules, notes} = toCustomRules([rule('block', {id: 'lost', filter: {id: 'f', deleted: true}})]);
		expect(rules).toEqual([]);
		expect(notes.join()).toContain('lost');
	});

	test('a reference that stands twice is kept once, and said', () => {
		const {rules, notes} = toCustomRules([rule('block', {ref: 'r'}), rule('block', {ref: 'r'})]);
		expect(rules.map(({ref}) => ref)).toEqual(['r', undefined]);
		expect(notes.join()).toContain('"r"');
	});

	test('it is said when the order of the list may have been meant, and only then', () => {
		expect(toCustomRules([rule('block'), rule('allow')]).notes.join()).toContain('order of its list');
		expect(toCustomRules([rule('allow'), rule('block')]).notes).toEqual([]);
		expect(toCustomRules([rule('block', {priority: 2}), rule('allow', {priority: 1})]).notes).toEqual([]);
	});
});
