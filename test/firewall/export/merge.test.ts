import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {buildFirewallExport} from '../../../source/firewall/export/json.ts';
import {findMergeProblems, listMergedRules, mergeCustomRules} from '../../../source/firewall/export/merge.ts';
import {parseRulesExport} from '../../../source/firewall/export/read-export.ts';
import {toCustomRules} from '../../../source/firewall/rules/custom-rule.ts';
import {type Rule, ruleActionNames} from '../../../source/firewall/rules/rule.ts';
import {readRulesetEntryPoint, sendEdit} from '../../../source/rulesets/calls.ts';
import {computeRulesetEdit} from '../../../source/rulesets/edit.ts';
import {customPhase, type RulesetRule} from '../../../source/rulesets/ruleset.ts';
import {neverAbortedSignal} from '../../service/scripted-transport.ts';
import {getRunCount} from '../../support/full.ts';
import {openZone} from '../support/zone.ts';

const rule = (expression: string, more: Partial<RulesetRule> = {}): RulesetRule => ({
	action: 'block',
	expression,
	enabled: true,
	...more,
});
const createExistingRule = (
	id: string,
	expression: string,
	more: Partial<RulesetRule> = {},
): RulesetRule => ({
	...rule(expression, more),
	id,
	ref: id,
});
const getExpressions = (rules: readonly RulesetRule[]) => rules.map(({expression}) => expression);

describe('new rules merged with existing ones', () => {
	const existing = [createExistingRule('a', 'ssl'), createExistingRule('b', 'http.host eq "b"')];

	test('go after all existing ones, or before a chosen one, and keep their order', () => {
		const newRules = [rule('http.host eq "c"'), rule('http.host eq "d"')];
		expect(getExpressions(mergeCustomRules(existing, newRules).rules)).toEqual([
			'ssl',
			'http.host eq "b"',
			'http.host eq "c"',
			'http.host eq "d"',
		]);
		expect(getExpressions(mergeCustomRules(existing, newRules, 'b').rules)).toEqual([
			'ssl',
			'http.host eq "c"',
			'http.host eq "d"',
			'http.host eq "b"',
		]);
	});

	test('are not added if an existing one means the same, however it is written', () => {
		const {rules, addedRules, presentRules} = mergeCustomRules(existing, [
			rule('(http.host == "b")'),
			rule('not ssl'),
		]);
		expect(addedRules).toEqual([rule('not ssl')]);
		expect(presentRules).toMatchObject([{existingRule: {id: 'b'}}]);
		expect(rules).toHaveLength(3);
	});

	test('are added if their action differs, or if they are paused', () => {
		const newRules = [rule('ssl', {action: 'log'}), rule('ssl', {enabled: false})];
		expect(mergeCustomRules(existing, newRules).addedRules).toEqual(newRules);
	});

	test('are compared only with existing rules, each of which stands for one new rule at most', () => {
		expect(mergeCustomRules(existing, [rule('ssl'), rule('ssl')]).addedRules).toHaveLength(1);
		expect(mergeCustomRules([], [rule('ssl'), rule('ssl')]).addedRules).toHaveLength(2);
	});

	test('lose a reference that another rule has', () => {
		const {addedRules, notes} = mergeCustomRules(
			[createExistingRule('a', 'ssl', {ref: 'mine'})].map(one => ({...one, ref: 'mine'})),
			[rule('not ssl', {ref: 'mine'})],
		);
		expect(addedRules[0]).not.toHaveProperty('ref');
		expect(notes.join()).toContain('mine');
	});
});

describe('a merge', () => {
	const existing = [createExistingRule('a', 'ssl'), createExistingRule('b', 'http.host eq "b"')];

	test('lists each rule with its position, and marks the new ones', () => {
		const result = mergeCustomRules(existing, [rule('not ssl')], 'b');
		expect(
			listMergedRules(result).map(({position, isNew, rule: {expression}}) => [position, isNew, expression]),
		).toEqual([
			[1, false, 'ssl'],
			[2, true, 'not ssl'],
			[3, false, 'http.host eq "b"'],
		]);
	});

	test('has no problems if each new rule is valid and the plan has room for all of them', () => {
		const newRules = ['c', 'd', 'e'].map(host => rule(`http.host eq "${host}"`));
		expect(findMergeProblems(mergeCustomRules(existing, newRules), {plan: 'free'})).toEqual([]);
		const [limitProblem, ...others] = findMergeProblems(
			mergeCustomRules(existing, [...newRules, rule('not ssl')]),
			{
				plan: 'free',
			},
		);
		expect(others).toEqual([]);
		expect(limitProblem).toMatchObject({
			failure: {code: 'plan_lacks', message: expect.stringContaining('6 custom')},
		});
		expect(limitProblem?.rule).toBeUndefined();
	});

	test('names every rule that the service would reject', () => {
		const newRules = [rule('not ssl', {action: 'log'}), rule('http.host eq "c"'), rule('ip.src eq 1')];
		const problems = findMergeProblems(mergeCustomRules(existing, newRules), {plan: 'pro'});
		expect(problems.map(({rule: one}) => one?.expression)).toEqual(['not ssl', 'ip.src eq 1']);
		expect(problems[0]?.failure.details.why).toContain('In this rule: log  not ssl');
	});

	test('has no problems with fields that ledge does not know: the service had accepted them', () => {
		const newRules = [rule('ip.nothing eq 1')];
		expect(findMergeProblems(mergeCustomRules(existing, newRules), {plan: 'pro'})).toEqual([]);
	});

	test('that adds nothing has no problems, however many rules exist', () => {
		const existingRules = Array.from({length: 7}, (_, at) =>
			createExistingRule(`r${at}`, `http.host eq "${at}"`),
		);
		expect(findMergeProblems(mergeCustomRules(existingRules, []), {plan: 'free'})).toEqual([]);
	});
});

test('a file that is not UTF-8 is not an export', () => {
	expect(() => parseRulesExport(Buffer.from([0xff, 0xfe]), 'The file x')).toThrow(
		'The file x is not UTF-8 text.',
	);
	expect(
		parseRulesExport(Buffer.from('{"rules":[{"action":"block","expression":"ssl"}]}'), 'It').rules,
	).toEqual([{action: 'block', expression: 'ssl'}]);
});

const filterExpression = fc.constantFrom(
	'ssl',
	'http.host eq "a.example"',
	'(http.host=="a.example")',
	'ip.src in {192.0.2.0/24}',
	'http.request.uri.path contains "/b" and not ssl',
);
const firewallRules = fc
	.array(
		fc.record({
			action: fc.constantFrom(...ruleActionNames),
			expression: filterExpression,
			priority: fc.option(fc.nat({max: 9}), {nil: null}),
			paused: fc.boolean(),
			products: fc.constantFrom(['bic'], ['waf', 'rateLimit']),
			description: fc.constantFrom(undefined, 'of before', 'größe'),
		}),
		{maxLength: 8},
	)
	.map(all =>
		all.map(
			({expression, products, ...one}, index): Rule => ({
				...one,
				id: `r${index}`,
				...(one.action === 'bypass' && {products}),
				filter: {id: `f${index}`, expression, paused: false},
			}),
		),
	);

test('an export that is applied and read back has the same order and meaning, and applying it again adds nothing', async () => {
	let testZone = await openZone('enterprise');
	let runCount = 0;
	await fc.assert(
		fc.asyncProperty(firewallRules, firewallRules, async (oldFirewallRules, rules) => {
			// A new client, because one client sends no more than its quota in five minutes.
			if (++runCount % 250 === 0) testZone = await openZone('enterprise');
			const setupEdit = {kind: 'replace', rules: toCustomRules(oldFirewallRules).rules} as const;
			await sendEdit(
				testZone.direct,
				testZone.zone.id,
				customPhase,
				undefined,
				setupEdit,
				neverAbortedSignal,
			);
			const rulesetBefore = await readRulesetEntryPoint(
				testZone.direct,
				testZone.zone.id,
				customPhase,
				neverAbortedSignal,
			);
			const parsedExport = parseRulesExport(
				JSON.stringify(buildFirewallExport(testZone.zone, [], rules)),
				'It',
			);
			expect(parsedExport).toEqual(toCustomRules(rules));
			const result = mergeCustomRules(rulesetBefore?.rules ?? [], parsedExport.rules);
			const edit = computeRulesetEdit(rulesetBefore?.rules ?? [], result.rules);
			if (edit)
				await sendEdit(
					testZone.direct,
					testZone.zone.id,
					customPhase,
					rulesetBefore,
					edit,
					neverAbortedSignal,
				);
			const rulesetAfter = await readRulesetEntryPoint(
				testZone.direct,
				testZone.zone.id,
				customPhase,
				neverAbortedSignal,
			);
			const pickMeaning = (all: readonly RulesetRule[] = []) =>
				all.map(({action, action_parameters = {}, expression, enabled}) => [
					action,
					action_parameters,
					expression,
					enabled,
				]);
			expect(pickMeaning(rulesetAfter?.rules)).toEqual(pickMeaning(result.rules));
			expect(rulesetAfter?.rules.slice(0, rulesetBefore?.rules.length).map(({id}) => id)).toEqual(
				rulesetBefore?.rules.map(({id}) => id),
			);
			expect(result.addedRules.length + result.presentRules.length).toBe(parsedExport.rules.length);
			expect(mergeCustomRules(rulesetAfter?.rules ?? [], parsedExport.rules).addedRules).toEqual([]);
		}),
		{numRuns: getRunCount(1000)},
	);
});

test.each([
	['no JSON', '{', 'not JSON'],
	['a list', '[]', 'no list of rules'],
	['a rule without an action', '{"rules":[{"expression":"ssl"}]}', 'rule'],
	['a filter without an expression', '{"filters":[{"id":"f"}],"rules":[]}', 'filter'],
])('%s is not an export', (_what, text, reason) => {
	expect(() => parseRulesExport(text, 'The file x')).toThrow(/not a firewall rules export/);
	try {
		parseRulesExport(text, 'The file x');
	} catch (error) {
		expect(error).toMatchObject({code: 'input_malformed', details: {why: expect.stringContaining(reason)}});
	}
});
