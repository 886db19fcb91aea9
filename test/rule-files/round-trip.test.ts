import fc from 'fast-check';
import {expect, test} from 'vitest';
import {writePhase} from '../../source/commands/rule-files/phase-write.ts';
import {hasDifference, isPhaseChange, planRules} from '../../source/rule-files/plan.ts';
import {ruleSections, type SectionKey} from '../../source/rule-files/sections.ts';
import type {RulesetRule} from '../../source/rulesets/ruleset.ts';
import {openZone} from '../firewall/support/zone.ts';
import {neverAbortedSignal} from '../service/scripted-transport.ts';
import {getRunCount} from '../support/full.ts';
import {formatYaml, migratedZone, parseYaml, readRules, replacePhase, toExportData} from './support.ts';

const ownRef = fc.option(fc.stringMatching(/^[a-z]{4,8}$/), {nil: undefined});
const description = fc.oneof(
	fc.constant(''),
	fc.string({unit: 'binary', maxLength: 30}).filter(text => text.isWellFormed()),
	fc.constantFrom(
		'yes',
		'# no comment',
		'- a: b',
		'two\nlines\n',
		' spaces ',
		'\u202e\u001b[31m',
		"it's",
		'0x10',
	),
);
const expression = fc.oneof(
	fc.constantFrom(
		'ip.src eq 192.0.2.1',
		'http.host eq "a\\"b"',
		'ssl',
		'not ssl\nand http.host eq "x"',
		'true',
	),
	fc.stringMatching(/^[a-z]{1,12}$/).map(name => `http.host eq "${name}.example"`),
);
const flag = fc.option(fc.boolean(), {nil: undefined});

/** Leaves out what is undefined. */
const omitMissing = (rule: object): RulesetRule =>
	Object.fromEntries(Object.entries(rule).filter(([, value]) => value !== undefined)) as RulesetRule;

const common = {ref: ownRef, description, expression, enabled: flag};
const response = fc.record({
	status_code: fc.integer({min: 400, max: 499}),
	content_type: fc.constantFrom('text/plain', 'application/json'),
	content: fc.constantFrom('Not found', '{"a": 1}', 'two\nlines'),
});
const blockRule = fc
	.record({
		...common,
		action: fc.constant('block'),
		action_parameters: fc.option(fc.record({response}), {nil: undefined}),
	})
	.map(omitMissing);
const challengeRule = fc
	.record({...common, action: fc.constantFrom('managed_challenge', 'js_challenge', 'challenge')})
	.map(omitMissing);
const skipRule = fc
	.record({
		...common,
		action: fc.constant('skip'),
		action_parameters: fc.constantFrom(
			{ruleset: 'current'},
			{products: ['bic', 'hot'], phases: ['http_ratelimit']},
		),
		logging: fc.option(fc.record({enabled: fc.boolean()}), {nil: undefined}),
	})
	.map(omitMissing);
const ratelimit = fc
	.record({
		characteristics: fc.constantFrom(['cf.colo.id', 'ip.src'], ['cf.colo.id']),
		period: fc.constantFrom(10, 60),
		requests_per_period: fc.integer({min: 1, max: 500}),
		mitigation_timeout: fc.option(fc.constantFrom(0, 600), {nil: undefined}),
		requests_to_origin: flag,
	})
	.map(omitMissing);
/** The Pro plan counts by path only. */
const pathExpression = fc.stringMatching(/^[a-z]{1,4}$/).map(name => `http.request.uri.path eq "/${name}"`);
const limitRule = fc.tuple(fc.oneof(blockRule, challengeRule), ratelimit, pathExpression).map(
	([rule, limit, limitExpression]): RulesetRule => ({
		...rule,
		expression: limitExpression,
		ratelimit: limit,
	}),
);
const executeRule = fc
	.record({
		ref: ownRef,
		action: fc.constant('execute'),
		expression: fc.constantFrom('true', 'http.host eq "a.example"'),
		enabled: flag,
		action_parameters: fc.constantFrom(
			{id: 'efb7b8c949ac4650a09736fc376e9aee'},
			{
				id: '4814384a9e5d4991b9815dcfc25d2f1f',
				overrides: {
					categories: [{category: 'paranoia-level-4', enabled: false}],
					rules: [{id: '6179ae15870a4bb7b2d480d4843b323c', score_threshold: 25, action: 'log'}],
				},
			},
		),
	})
	.map(omitMissing);
const exceptionRule = fc
	.record({...common, action: fc.constant('skip'), action_parameters: fc.constant({ruleset: 'current'})})
	.map(omitMissing);

const listRules = (rule: fc.Arbitrary<RulesetRule>) =>
	fc.uniqueArray(rule, {maxLength: 6, selector: ({ref}) => ref ?? Symbol('none')});
const ruleSet = fc.record({
	custom_rules: listRules(fc.oneof(blockRule, challengeRule, skipRule)),
	rate_limits: listRules(limitRule),
	managed_rules: listRules(fc.oneof(executeRule, exceptionRule)),
});

/** Rules of the other zone have no references: an export of a file without one keeps those of the zone. */
const otherRuleSet = ruleSet.map(
	sections =>
		Object.fromEntries(
			Object.entries(sections).map(([key, rules]) => [key, rules.map(({ref: _, ...rule}) => rule)]),
		) as unknown as Readonly<Record<SectionKey, readonly RulesetRule[]>>,
);

const runCount = getRunCount(500);

test('an export applied to another zone and exported there gives the same file, for random rule sets', async () => {
	const source = await openZone('pro', {}, {samples: true});
	const target = await openZone('pro', {}, {samples: true});
	const openedTarget = {client: target.client, zone: migratedZone};
	const counts = {calls: 0, kept: 0};
	await fc.assert(
		fc.asyncProperty(ruleSet, otherRuleSet, async (rules, otherRules) => {
			for (const {key, phase} of ruleSections) {
				await replacePhase(source.direct, phase, rules[key]);
				await replacePhase(target.direct, phase, otherRules[key]);
			}
			const sourceRules = await readRules(source.client);
			const exported = formatYaml(toExportData('any.example', sourceRules, false));
			const before = await readRules(target.client);
			// Half of the files name the ids of the source, which the target does not have.
			const file = parseYaml(
				formatYaml(toExportData('any.example', sourceRules, rules.custom_rules.length % 2 === 0)),
			);
			const plan = planRules(file, before, {zone: migratedZone});
			expect(plan.findings.filter(({severity}) => severity === 'error')).toEqual([]);
			for (const phase of plan.phases) {
				if (!isPhaseChange(phase) || !phase.edit) continue;
				target.forgetRequests();
				const outcome = await writePhase(openedTarget, phase, before.managedState, {
					signal: neverAbortedSignal,
					onRecheck: () => {},
				});
				expect(outcome).toMatchObject({state: 'done', concurrentEdits: undefined});
				expect(target.listWrites()).toHaveLength(1);
				counts.calls++;
			}
			const after = await readRules(target.client);
			expect(formatYaml(toExportData('any.example', after, false))).toBe(exported);
			expect(hasDifference(planRules(file, after, {zone: migratedZone}))).toBe(false);
			counts.kept += countKeptIds(before.custom_rules, after.custom_rules);
		}),
		{numRuns: runCount},
	);
	// Most differ in all phases, and some rules exist in both zones: those keep their ids.
	expect(counts.calls).toBeGreaterThan(2 * runCount);
	expect(counts.kept).toBeGreaterThan(0);
}, 300_000);

function countKeptIds(before: object, after: object): number {
	const listIds = (reading: object) =>
		((reading as {ruleset?: {rules: readonly RulesetRule[]}}).ruleset?.rules ?? []).map(({id}) => id);
	return listIds(after).filter(id => listIds(before).includes(id)).length;
}
