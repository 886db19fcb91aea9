import type {JsonObject} from '../../text/json.ts';
import {type Plan, planHas, planNames} from '../accounts/plan.ts';
import {zoneNamed} from '../accounts/zone-routes.ts';
import {refuse} from '../http/answer.ts';
import type {Ask} from '../http/route.ts';
import {readStage, stageAt} from '../waf/stored-stage.ts';
import {notFound, refuseValue} from './errors.ts';
import type {GivenRule} from './given-rule.ts';
import {type ManagedRuleset, managedCatalogue} from './managed-catalogue.ts';
import type {PhaseRules, RulesZone} from './phase-rules.ts';
import {phaseRules, zonePhases} from './phases.ts';
import {type StoredRule, type StoredRuleset, StoredRulesets, storedRule} from './stored-rulesets.ts';

/** What a request for rulesets is about: the zone that the path names, and what is in it. */
export type ZoneRulesets = RulesZone & {
	readonly plan: Plan;
	readonly rulesets: StoredRulesets;
	readonly now: number;
};

export function zoneRulesets(ask: Ask): ZoneRulesets {
	const {id, plan} = zoneNamed(ask);
	return {
		plan,
		rulesets: new StoredRulesets(ask.world, id),
		managed: managedCatalogue(ask.world, id),
		isMigrated: stageAt(readStage(ask.world, id), ask.now) === 'complete',
		now: ask.now,
	};
}

/** The ruleset that the path names, or 404. */
export function rulesetNamed(ask: Ask): StoredRuleset {
	const id = ask.parameters.ruleset ?? '';
	return (
		zoneRulesets(ask).rulesets.get(id) ?? (managedNamed(ask) ? refuseManaged(id) : notFound(`ruleset ${id}`))
	);
}

const refuseManaged = (id: string): never =>
	refuse(400, {message: `the managed ruleset ${id} cannot be changed`});

/** The managed ruleset that the path names, if the zone can execute it. */
export const managedNamed = (ask: Ask): ManagedRuleset | undefined =>
	managedOf(ask).find(({id}) => id === ask.parameters.ruleset);

/** The managed rulesets that the zone can execute: none on the Free plan. */
export function managedOf(ask: Ask): readonly ManagedRuleset[] {
	const {plan, managed} = zoneRulesets(ask);
	return planHas(plan, 'pro') ? managed.rulesets : [];
}

/** The phase that the path names; 404 for a phase that no zone has. */
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
 * is the place of a rule in the request.
 */
export function checkedRules(
	zone: ZoneRulesets,
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
		phase.check(rule, zone, at(index));
		const kept = before.find(other => other.id === rule.id);
		if (rule.id !== undefined && !kept) refuseValue(`there is no rule ${rule.id}`, `${at(index)}/id`);
		return storedRule(rule, kept, zone.now);
	});
}

/** Refuses rules that cannot be together: too many for the plan, or one id or ref twice. */
export function checkTogether(zone: ZoneRulesets, phase: PhaseRules, rules: readonly StoredRule[]): void {
	const {plan} = zone;
	const most = phase.most(plan);
	if (rules.length > most)
		refuseValue(
			`${rules.length} rules are not valid because exceeded maximum number of rules for phase ${phase.phase}: ${most} on the ${planNames[plan]} plan`,
			'/rules',
		);
	phase.checkTogether?.(rules, zone);
	for (const name of ['id', 'ref'] as const) {
		const twice = rules.findIndex(
			(rule, index) => rules.findIndex(other => other[name] === rule[name]) < index,
		);
		if (twice >= 0)
			refuseValue(`the ${name} ${rules[twice]?.[name]} stands twice`, `/rules/${twice}/${name}`);
	}
}

/** A ruleset as lists show it. */
export function withoutRules({rules: _, ...rest}: StoredRuleset | ManagedRuleset): JsonObject {
	return rest;
}
