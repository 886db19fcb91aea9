import fc from 'fast-check';
import {expect, test} from 'vitest';
import {buildCustomRulesExport} from '../../../source/firewall/export/custom-rules.ts';
import {bypassableProducts, type Rule, ruleActionNames} from '../../../source/firewall/rules/rule.ts';
import type {RulesetRule} from '../../../source/rulesets/ruleset.ts';
import {getRunCount} from '../../support/full.ts';

/** What happens to a request: the action that ends its evaluation, what is logged, and what is skipped. */
type RequestOutcome = {finalAction: string; logged: string[]; skippedProducts: Set<string>};

type Matches = (expression: string) => boolean;

/** Sorts by priority (none is last), then by action as in `actionPrecedence`, then as listed. */
const sortByEvaluation = (rules: readonly Rule[]): Rule[] =>
	rules.toSorted(
		(one, other) =>
			(one.priority ?? Number.POSITIVE_INFINITY) - (other.priority ?? Number.POSITIVE_INFINITY) ||
			actionPrecedence.indexOf(one.action) - actionPrecedence.indexOf(other.action),
	);
const actionPrecedence = [
	'log',
	'bypass',
	'allow',
	'challenge',
	'managed_challenge',
	'js_challenge',
	'block',
];

function evaluateFirewallRules(rules: readonly Rule[], matches: Matches): RequestOutcome {
	const outcome: RequestOutcome = {finalAction: 'passes', logged: [], skippedProducts: new Set()};
	for (const {filter, paused, action, products: bypassed = []} of sortByEvaluation(rules)) {
		if (paused || 'deleted' in filter || filter.paused || !matches(filter.expression)) continue;
		if (action === 'log') outcome.logged.push(filter.expression);
		else if (action === 'bypass') for (const one of bypassed) outcome.skippedProducts.add(one);
		else return {...outcome, finalAction: action === 'allow' ? 'passes' : action};
	}
	return outcome;
}

function evaluateCustomRules(rules: readonly RulesetRule[], matches: Matches): RequestOutcome {
	const outcome: RequestOutcome = {finalAction: 'passes', logged: [], skippedProducts: new Set()};
	for (const {enabled = true, expression, action, action_parameters: actionParameters = {}} of rules) {
		if (!enabled || !matches(expression)) continue;
		if (action === 'log') outcome.logged.push(expression);
		if (action !== 'log' && action !== 'skip') return {...outcome, finalAction: action};
		for (const one of (actionParameters.products ?? []) as string[]) outcome.skippedProducts.add(one);
		if (actionParameters.ruleset === 'current') return outcome;
	}
	return outcome;
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
		fc.property(fc.array(rule, {maxLength: 8}), drawnRules => {
			const rules = drawnRules.map(({products: drawnProducts, ...one}, index) => ({
				...one,
				id: `r${index}`,
				...(one.action === 'bypass' && {products: drawnProducts}),
			}));
			const customRules = buildCustomRulesExport(rules, 'none').body.rules;
			for (let bits = 0; bits < 2 ** expressions.length; bits++) {
				const matches: Matches = expression => (bits & (2 ** expressions.indexOf(expression))) !== 0;
				expect(evaluateCustomRules(customRules, matches)).toEqual(evaluateFirewallRules(rules, matches));
			}
		}),
		{numRuns: getRunCount(1000)},
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
