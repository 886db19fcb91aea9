import type {JsonObject} from '../../json.ts';
import {type Plan, planNames} from '../../service/plan.ts';
import type {Ask} from '../route.ts';
import {planOfZone} from '../zone-plan.ts';
import {zoneOf} from '../zone-routes.ts';
import {notFound, refuseValue} from './errors.ts';
import type {GivenRule} from './given-rule.ts';
import {type PhaseRules, phaseRules, zonePhases} from './phases.ts';
import {type StoredRule, type StoredRuleset, StoredRulesets, storedRule} from './stored-rulesets.ts';

/** What a request for rulesets is about: the zone that the path names, and what is in it. */
export type ZoneRulesets = {readonly plan: Plan; readonly rulesets: StoredRulesets; readonly now: number};

export function zoneRulesets(ask: Ask): ZoneRulesets {
	const zone = zoneOf(ask);
	return {
		plan: planOfZone(zone),
		rulesets: new StoredRulesets(ask.world, String(zone.id)),
		now: ask.now,
	};
}

/** The ruleset that the path names, or 404. */
export function rulesetNamed(ask: Ask): StoredRuleset {
	const id = ask.parameters.ruleset ?? '';
	return zoneRulesets(ask).rulesets.get(id) ?? notFound(`ruleset ${id}`);
}

/** The phase that the path names; 404 for one that no zone has. */
export function phaseNamed({parameters}: Ask): string {
	const phase = parameters.phase ?? '';
	return zonePhases.includes(phase) ? phase : notFound(`phase "${phase}"`);
}

/** What a phase takes; it is refused where this service takes nothing. */
export const writable = (phase: string): PhaseRules =>
	phaseRules(phase) ??
	refuseValue(`'${phase}' is not a valid value for phase because it cannot be changed here`, '/phase');

/**
 * Checks given rules and makes stored ones of them. One with an id takes the place of the rule that has it now; `at`
 * says where in the request a rule stands.
 */
export function checkedRules(
	{plan, now}: ZoneRulesets,
	phase: PhaseRules,
	{
		given,
		before,
		at,
	}: {
		readonly given: readonly GivenRule[];
		readonly before: readonly StoredRule[];
		readonly at: (index: number) => string;
	},
): readonly StoredRule[] {
	return given.map((rule, index) => {
		phase.check(rule, plan, at(index));
		const kept = before.find(other => other.id === rule.id);
		if (rule.id !== undefined && !kept) refuseValue(`there is no rule ${rule.id}`, `${at(index)}/id`);
		return storedRule(rule, kept, now);
	});
}

/** Refuses rules that cannot be together: too many for the plan, or one id or ref twice. */
export function checkTogether({plan}: ZoneRulesets, phase: PhaseRules, rules: readonly StoredRule[]): void {
	const most = phase.most(plan);
	if (rules.length > most)
		refuseValue(
			`${rules.length} rules are not valid because exceeded maximum number of rules for phase ${phase.phase}: ${most} on the ${planNames[plan]} plan`,
			'/rules',
		);
	for (const name of ['id', 'ref'] as const) {
		const twice = rules.findIndex(
			(rule, index) => rules.findIndex(other => other[name] === rule[name]) < index,
		);
		if (twice >= 0)
			refuseValue(`the ${name} ${rules[twice]?.[name]} stands twice`, `/rules/${twice}/${name}`);
	}
}

/** A ruleset as lists show it. */
export function withoutRules({rules: _, ...rest}: StoredRuleset): JsonObject {
	return rest;
}
