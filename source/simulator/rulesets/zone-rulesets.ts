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

/** The zone in the path, and its rulesets. */
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

/** Returns the ruleset in the path, or refuses with 404. */
export function rulesetNamed(ask: Ask): StoredRuleset {
	const id = ask.parameters.ruleset ?? '';
	return (
		zoneRulesets(ask).rulesets.get(id) ?? (managedNamed(ask) ? refuseManaged(id) : notFound(`ruleset ${id}`))
	);
}

const refuseManaged = (id: string): never =>
	refuse(400, {message: `the managed ruleset ${id} cannot be changed`});

/** Returns the managed ruleset in the path, if the zone can execute it. */
export const managedNamed = (ask: Ask): ManagedRuleset | undefined =>
	managedOf(ask).find(({id}) => id === ask.parameters.ruleset);

/** Lists the managed rulesets that the zone can execute: none on Free. */
export function managedOf(ask: Ask): readonly ManagedRuleset[] {
	const {plan, managed} = zoneRulesets(ask);
	return planHas(plan, 'pro') ? managed.rulesets : [];
}

/** Returns the phase in the path; refuses unknown phases with 404. */
export function phaseNamed({parameters}: Ask): string {
	const phase = parameters.phase ?? '';
	return zonePhases.includes(phase) ? phase : notFound(`phase "${phase}"`);
}

/** Returns the rules of a phase; refuses a phase that cannot be changed here. */
export const writable = (phase: string): PhaseRules =>
	phaseRules(phase) ??
	refuseValue(`'${phase}' is not a valid value for phase because it cannot be changed here`, '/phase');

/**
 * Checks the rules of a request and builds their stored form. A rule with an id replaces the one that has it;
 * `at` returns the place of a rule in the request.
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

/** Refuses rules that are too many for the plan, or share an id or ref. */
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

/** Returns a ruleset without its rules, as lists have it. */
export function withoutRules({rules: _, ...rest}: StoredRuleset | ManagedRuleset): JsonObject {
	return rest;
}
