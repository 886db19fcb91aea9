import {parseAllowingConstants} from '../expression/expressions.ts';
import {type EarlierRule, findEarlierRules} from './earlier-rules.ts';
import type {EmergencyDraft} from './emergency-draft.ts';
import type {FirewallZone, Rule} from './rule.ts';

/** Lists what still gets through once an emergency is active, whatever other rules the zone has. */
export const listEmergencyLimits = (
	{action}: Pick<EmergencyDraft, 'action'>,
	zone: Pick<FirewallZone, 'name'>,
): readonly string[] => [
	"Requests that IP access rules let through; ledge doesn't read those rules.",
	...(action === 'block' ? [] : ['Visitors who pass the challenge.']),
	`Requests that don't go through ${zone.name}: directly to the origin's IP address, or to other zones.`,
	'Requests let through before the rule is active.',
];

/**
 * Finds firewall rules that would run before a new one and let some of its requests through; empty while the
 * expression is incomplete.
 */
export const findRulesBeforeDraft = (
	draft: EmergencyDraft,
	rules: readonly Rule[],
): readonly EarlierRule[] =>
	parseAllowingConstants(draft.filter.expression) === undefined
		? []
		: findEarlierRules(
				{id: '', action: draft.action, priority: draft.priority ?? null},
				draft.filter.expression,
				rules,
			);
