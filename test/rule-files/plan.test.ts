import {describe, expect, test} from 'vitest';
import {Failure} from '../../source/failure.ts';
import {type PhaseChange, planRules} from '../../source/rule-files/plan.ts';
import {describeLeftOut, type ZoneRules} from '../../source/rule-files/zone-rules.ts';
import {customPhase, type Ruleset, type RulesetRule, rateLimitPhase} from '../../source/rulesets/ruleset.ts';
import {buildFile, migratedZone} from './support.ts';

const zone = {...migratedZone, plan: 'enterprise'} as const;

const rule = (id: string, expression: string, more: Partial<RulesetRule> = {}): RulesetRule => ({
	id,
	ref: id,
	action: 'block',
	expression,
	description: '',
	enabled: true,
	...more,
});

const buildRuleset = (phase: string, rules: readonly RulesetRule[]): Ruleset => ({
	id: 'r',
	name: 'default',
	kind: 'zone',
	phase,
	version: '1',
	rules,
});

/** A zone with these rules, whose managed rules are left out. */
const buildZoneRules = (custom: readonly RulesetRule[], limits: readonly RulesetRule[] = []): ZoneRules => ({
	custom_rules: {ruleset: buildRuleset(customPhase, custom)},
	rate_limits: {ruleset: buildRuleset(rateLimitPhase, limits)},
	managed_rules: new Failure('not_eligible', 'It has not migrated.', {why: 'Really.'}),
	managedState: undefined,
});

/** Plans the custom rules, without ids unless the rules have them. */
const planCustom = (current: readonly RulesetRule[], wanted: readonly object[]): PhaseChange =>
	planRules(buildFile({custom_rules: wanted as readonly RulesetRule[]}), buildZoneRules(current), {zone})
		.phases[0] as PhaseChange;

const one = rule('a'.repeat(32), 'http.host eq "one"');
const two = rule('b'.repeat(32), 'http.host eq "two"', {ref: 'second'});
const block = (expression: string, more: object = {}) => ({action: 'block', expression, ...more});

describe('a plan', () => {
	test('keeps ids by id, then ref, then content, and ignores ids of other zones', () => {
		const {targetRules, changes} = planCustom(
			[one, two],
			[
				block('http.host eq "changed"', {ref: 'second', id: 'f'.repeat(32)}),
				block('http.host eq "one"', {description: 'new'}),
			],
		);
		expect(targetRules.map(({id, ref}) => [id, ref])).toEqual([
			[two.id, 'second'],
			[one.id, one.id],
		]);
		expect(changes.map(({kind, fields}) => [kind, ...fields.map(({field}) => field)])).toEqual([
			['changed', 'expression'],
			['moved'],
			['changed', 'description'],
		]);
	});

	test('leaves a phase without its section, and one that is left out', () => {
		const {phases} = planRules(buildFile({managed_rules: []}), buildZoneRules([one]), {zone});
		expect(phases.map(({state}) => state)).toEqual(['not in file', 'not in file', 'left out']);
		expect(phases.map(phase => ('reason' in phase ? describeLeftOut(phase.reason) : ''))).toContain(
			'It has not migrated. Really.',
		);
	});

	test('sends a rule that does not change as the service has it', () => {
		expect(planCustom([one, two], [block('http.host eq "one"')]).targetRules[0]).toBe(one);
	});

	test('sets explicitly what a changed rule no longer has', () => {
		const paused = {...one, enabled: false, description: 'old'};
		const {edit} = planCustom([paused], [block('http.host eq "one"')]);
		expect(edit).toMatchObject({kind: 'change', rule: {enabled: true, description: ''}});
	});

	test('reports errors of new and changed expressions only', () => {
		const odd = rule('c'.repeat(32), 'http.hots eq "x"');
		const findErrors = (wanted: readonly object[]) =>
			planRules(buildFile({custom_rules: wanted as readonly RulesetRule[]}), buildZoneRules([odd]), {
				zone,
			}).findings.filter(({severity}) => severity === 'error');
		expect(findErrors([block('http.hots eq "x"', {description: 'new'})])).toEqual([]);
		expect(findErrors([block('http.hots eq "y"')])).toHaveLength(1);
	});
});

const skip = (expression: string, more: object = {}) => ({
	action: 'skip',
	expression,
	action_parameters: {ruleset: 'current'},
	...more,
});
const skipRule = rule('d'.repeat(32), 'ip.src eq 192.0.2.1', {
	action: 'skip',
	action_parameters: {ruleset: 'current'},
});

describe('less protection is named for', () => {
	const reductionCases: readonly (readonly [string, readonly RulesetRule[], readonly object[], RegExp])[] = [
		['a deleted block', [one, two], [two], /Requests it stopped get through/],
		['a paused block', [one], [{...one, enabled: false}], /get through immediately/],
		['a block that only logs', [one], [{...one, action: 'log'}], /get through immediately/],
		['a narrower expression', [one], [{...one, expression: 'http.host eq "one" and ssl'}], /may stop fewer/],
		['a new skip rule', [one], [one, skip('ip.src eq 192.0.2.9')], /Matching requests skip/],
		['a resumed skip rule', [{...skipRule, enabled: false}], [skipRule], /Matching requests skip/],
		[
			'a wider skip rule',
			[skipRule],
			[{...skipRule, expression: 'ip.src in {192.0.2.1 192.0.2.2}'}],
			/may let more/,
		],
		['a skip rule that moves ahead', [one, two, skipRule], [skipRule, one, two], /now skip 2 rules/],
		[
			'a block behind a skip rule',
			[one, skipRule, two],
			[skipRule, two, one],
			/skip 1 rule|let requests through now run before/,
		],
	];
	test.each(reductionCases)('%s', (_name, current, wanted, expected) => {
		const {changes} = planCustom(current, wanted);
		expect(changes.flatMap(({reductions}) => reductions).join('\n')).toMatch(expected);
	});

	const harmlessCases: readonly (readonly [string, readonly RulesetRule[], readonly object[]])[] = [
		['a new block', [one], [one, block('ssl')]],
		['a resumed block', [{...one, enabled: false}], [one]],
		['a wider expression', [one], [{...one, expression: 'http.host eq "one" or http.host eq "two"'}]],
		['a deleted skip rule', [one, skipRule], [one]],
		['a paused skip rule', [skipRule], [{...skipRule, enabled: false}]],
		['a narrower skip rule', [{...skipRule, expression: 'ip.src in {192.0.2.1 192.0.2.2}'}], [skipRule]],
		['a skip rule that moves back', [skipRule, one, two], [one, two, skipRule]],
		['another description', [one], [{...one, description: 'x'}]],
	];
	test.each(harmlessCases)('not for %s', (_name, current, wanted) => {
		const {changes} = planCustom(current, wanted);
		expect(changes.length).toBeGreaterThan(0);
		expect(changes.flatMap(({reductions}) => reductions)).toEqual([]);
	});

	const limit = (more: object = {}): RulesetRule =>
		rule('e'.repeat(32), 'http.request.uri.path eq "/x"', {
			ratelimit: {
				characteristics: ['ip.src'],
				period: 60,
				requests_per_period: 20,
				mitigation_timeout: 600,
				...more,
			},
		} as Partial<RulesetRule>);
	test.each([
		['more requests', {requests_per_period: 30}, /It allows more: 20 requests in 60 s → 30 requests in 60 s/],
		['a shorter period', {period: 10}, /It allows more/],
		['a shorter time', {mitigation_timeout: 60}, /It acts for less time: 600 s → 60 s/],
		['another count', {characteristics: ['cf.colo.id']}, /may count fewer/],
		['fewer requests', {requests_per_period: 10}, /^$/],
		['a longer time', {mitigation_timeout: 700}, /^$/],
	])('a rate limit with %s as it should be', (_name, more, expected) => {
		const {phases} = planRules(buildFile({rate_limits: [limit(more)]}), buildZoneRules([], [limit()]), {
			zone,
		});
		const {changes} = phases[1] as PhaseChange;
		expect(changes).toHaveLength(1);
		expect(changes.flatMap(({reductions}) => reductions).join('\n')).toMatch(expected);
	});
});
