import fc from 'fast-check';
import {expect, test} from 'vitest';
import {buildCustomRulesExport} from '../../../source/firewall/export/custom-rules.ts';
import {bypassableProducts, type Rule, ruleActionNames} from '../../../source/firewall/rules/rule.ts';
import type {RulesetRule} from '../../../source/rulesets/ruleset.ts';
import {runs} from '../../support/full.ts';

/** What becomes of a request: what ends its way through the rules, what is written down, what is gone around. */
type Fate = {end: string; logged: string[]; around: Set<string>};

type Matches = (expression: string) => boolean;

/** Smaller priorities first and none last, then log, bypass, allow, challenges, block, then as they were listed. */
const inOrder = (rules: readonly Rule[]): Rule[] =>
	rules.toSorted(
		(one, other) =>
			(one.priority ?? Number.POSITIVE_INFINITY) - (other.priority ?? Number.POSITIVE_INFINITY) ||
			precedence.indexOf(one.action) - precedence.indexOf(other.action),
	);
const precedence = ['log', 'bypass', 'allow', 'challenge', 'managed_challenge', 'js_challenge', 'block'];

function byFirewallRules(rules: readonly Rule[], matches: Matches): Fate {
	const fate: Fate = {end: 'passes', logged: [], around: new Set()};
	for (const {filter, paused, action, products: bypassed = []} of inOrder(rules)) {
		if (paused || 'deleted' in filter || filter.paused || !matches(filter.expression)) continue;
		if (action === 'log') fate.logged.push(filter.expression);
		else if (action === 'bypass') for (const one of bypassed) fate.around.add(one);
		else return {...fate, end: action === 'allow' ? 'passes' : action};
	}
	return fate;
}

function byCustomRules(rules: readonly RulesetRule[], matches: Matches): Fate {
	const fate: Fate = {end: 'passes', logged: [], around: new Set()};
	for (const {enabled = true, expression, action, action_parameters: skipped = {}} of rules) {
		if (!enabled || !matches(expression)) continue;
		if (action === 'log') fate.logged.push(expression);
		if (action !== 'log' && action !== 'skip') return {...fate, end: action};
		for (const one of (skipped.products ?? []) as string[]) fate.around.add(one);
		if (skipped.ruleset === 'current') return fate;
	}
	return fate;
}

const expressions = ['one', 'two', 'three'];
const filter = fc.record({
	id: fc.constantFrom('f1', 'f2', 'f3'),
	paused: fc.constant(false),
});
const rule: fc.Arbitrary<Omit<Rule, 'id'>> = fc.record({
	paused: fc.boolean(),
	action: fc.constantFrom(...ruleActionNames),
	priority: fc.option(fc.integer({min: 1, max: 3})),
	filter: filter.map(one => ({...one, expression: expressions[Number(one.id.slice(1)) - 1] ?? ''})),
	products: fc.subarray([...bypassableProducts], {minLength: 1}),
});

test('for any request, the custom rules do what the firewall rules did', () => {
	fc.assert(
		fc.property(fc.array(rule, {maxLength: 8}), some => {
			const rules = some.map(({products: named, ...one}, index) => ({
				...one,
				id: `r${index}`,
				...(one.action === 'bypass' && {products: named}),
			}));
			const made = buildCustomRulesExport(rules, 'none').body.rules;
			for (let bits = 0; bits < 2 ** expressions.length; bits++) {
				const matches: Matches = expression => (bits & (2 ** expressions.indexOf(expression))) !== 0;
				expect(byCustomRules(made, matches)).toEqual(byFirewallRules(rules, matches));
			}
		}),
		{numRuns: runs(1000)},
	);
});

test('skipping a retired product also skips the phases that replaced it', () => {
	const bypass: Rule = {
		id: 'r1',
		paused: false,
		action: 'bypass',
		priority: null,
		filter: {id: 'f1', expression: 'ssl', paused: false},
		products: ['waf', 'rateLimit', 'bic'],
	};
	expect(buildCustomRulesExport([bypass], 'none').body.rules).toMatchObject([
		{
			action: 'skip',
			action_parameters: {
				products: ['waf', 'rateLimit', 'bic'],
				phases: ['http_request_firewall_managed', 'http_ratelimit'],
			},
		},
	]);
});
