import type {JsonObject} from '../../text/json.ts';
import {hasRequiredPlan, type Plan, planNames} from '../accounts/plan.ts';
import {getRequestedZone} from '../accounts/zone-routes.ts';
import {refuseRequest} from '../http/answer.ts';
import type {RequestContext} from '../http/route.ts';
import {getServiceStage, readStageRecord} from '../waf/stored-stage.ts';
import {refuseNotFound, refuseValue} from './errors.ts';
import {getManagedCatalogue, type ManagedRuleset} from './managed-catalogue.ts';
import type {PhaseDefinition, RuleContext} from './phase-rules.ts';
import {findPhaseDefinition, zonePhases} from './phases.ts';
import type {RequestedRule} from './requested-rule.ts';
import {buildStoredRule, type StoredRule, type StoredRuleset, StoredRulesets} from './stored-rulesets.ts';

/** The zone in the path, and its rulesets. */
export type ZoneRulesets = RuleContext & {
	readonly plan: Plan;
	readonly rulesets: StoredRulesets;
	readonly now: number;
};

export function getZoneRulesets(context: RequestContext): ZoneRulesets {
	const {id, plan} = getRequestedZone(context);
	return {
		plan,
		rulesets: new StoredRulesets(context.world, id),
		catalogue: getManagedCatalogue(context.world, id),
		isMigrated: getServiceStage(readStageRecord(context.world, id), context.now) === 'complete',
		now: context.now,
	};
}

/** Returns the ruleset in the path, or refuses with 404. */
export function getRequestedRuleset(context: RequestContext): StoredRuleset {
	const id = context.parameters.ruleset ?? '';
	return (
		getZoneRulesets(context).rulesets.get(id) ??
		(findRequestedManagedRuleset(context) ? refuseManagedChange(id) : refuseNotFound(`ruleset ${id}`))
	);
}

const refuseManagedChange = (id: string): never =>
	refuseRequest(400, {message: `the managed ruleset ${id} cannot be changed`});

/** Returns the managed ruleset in the path, if the zone can execute it. */
export const findRequestedManagedRuleset = (context: RequestContext): ManagedRuleset | undefined =>
	listManagedRulesets(context).find(({id}) => id === context.parameters.ruleset);

/** Lists the managed rulesets that the zone can execute: none on Free. */
export function listManagedRulesets(context: RequestContext): readonly ManagedRuleset[] {
	const {plan, catalogue} = getZoneRulesets(context);
	return hasRequiredPlan(plan, 'pro') ? catalogue.rulesets : [];
}

/** Returns the phase in the path; refuses unknown phases with 404. */
export function getRequestedPhase({parameters}: RequestContext): string {
	const phase = parameters.phase ?? '';
	return zonePhases.includes(phase) ? phase : refuseNotFound(`phase "${phase}"`);
}

/** Returns the definition of a phase; refuses a phase whose rules cannot be changed. */
export const getWritablePhase = (phase: string): PhaseDefinition =>
	findPhaseDefinition(phase) ??
	refuseValue(`'${phase}' is not a valid value for phase because it cannot be changed here`, '/phase');

/**
 * Checks the rules of a request and builds their stored form. A rule with an id replaces the stored rule with
 * that id. `getPointer` returns the location of a rule in the request.
 */
export function buildStoredRules(
	zone: ZoneRulesets,
	phase: PhaseDefinition,
	{
		requestedRules,
		storedRules,
		getPointer,
	}: {
		readonly requestedRules: readonly RequestedRule[];
		readonly storedRules: readonly StoredRule[];
		readonly getPointer: (index: number) => string;
	},
): readonly StoredRule[] {
	return requestedRules.map((rule, index) => {
		phase.check(rule, zone, getPointer(index));
		const currentRule = storedRules.find(storedRule => storedRule.id === rule.id);
		if (rule.id !== undefined && !currentRule)
			refuseValue(`there is no rule ${rule.id}`, `${getPointer(index)}/id`);
		return buildStoredRule(rule, currentRule, zone.now);
	});
}

/**
 * Refuses the rules of a ruleset if there are too many for the plan, if the phase does not allow them
 * together, or if two share an id or ref.
 */
export function checkRuleCombination(
	zone: ZoneRulesets,
	phase: PhaseDefinition,
	rules: readonly StoredRule[],
): void {
	const {plan} = zone;
	const maxRules = phase.getMaxRules(plan);
	if (rules.length > maxRules)
		refuseValue(
			`${rules.length} rules are not valid because exceeded maximum number of rules for phase ${phase.name}: ${maxRules} on the ${planNames[plan]} plan`,
			'/rules',
		);
	phase.checkCombination?.(rules, zone);
	for (const name of ['id', 'ref'] as const) {
		const duplicateIndex = rules.findIndex(
			(rule, index) => rules.findIndex(otherRule => otherRule[name] === rule[name]) < index,
		);
		if (duplicateIndex >= 0)
			refuseValue(
				`the ${name} ${rules[duplicateIndex]?.[name]} stands twice`,
				`/rules/${duplicateIndex}/${name}`,
			);
	}
}

/** Returns a ruleset without its rules, as in lists. */
export function omitRules({rules: _, ...fields}: StoredRuleset | ManagedRuleset): JsonObject {
	return fields;
}
