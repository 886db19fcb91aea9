import {findEncounters} from '../../firewall/expression/expressions.ts';
import {managedPhase} from '../../rulesets/ruleset.ts';
import {findExecutedRulesetId} from './override-edits.ts';
import type {ConfiguredRule} from './rule-overrides.ts';
import {listSkippedIds} from './rule-strength.ts';

/** A managed ruleset that runs for a request, with the exceptions before it that match the request. */
export type Execution = {
	readonly rule: ConfiguredRule;
	readonly rulesetId: string;
	readonly exceptions: readonly ConfiguredRule[];
};

/** The managed rulesets that run for one kind of request, before and after a change. */
export type TrafficSituation = {
	readonly before: readonly Execution[];
	readonly after: readonly Execution[];
	/**
	 * The number of sample requests of this kind, by part of the ordinary traffic. Artificial requests count
	 * under `undefined`.
	 */
	readonly samples: ReadonlyMap<string | undefined, number>;
};

/** Groups sample requests by the rules that match them in two configurations. */
export function findSituations(
	before: readonly ConfiguredRule[],
	after: readonly ConfiguredRule[],
	zoneName: string | undefined,
): readonly TrafficSituation[] {
	const [oldRules, newRules] = [before.filter(isActiveRule), after.filter(isActiveRule)];
	const kinds = new Map<string, TrafficSituation & {readonly samples: Map<string | undefined, number>}>();
	const expressions = [...oldRules, ...newRules].map(({expression}) => expression);
	for (const {matchedExpressions, traffic} of findEncounters(expressions, zoneName)) {
		const key = expressions.map(expression => (matchedExpressions.has(expression) ? '1' : '0')).join('');
		const kind = kinds.get(key) ?? {
			before: findExecutions(oldRules, matchedExpressions),
			after: findExecutions(newRules, matchedExpressions),
			samples: new Map(),
		};
		kind.samples.set(traffic, (kind.samples.get(traffic) ?? 0) + 1);
		kinds.set(key, kind);
	}
	return [...kinds.values()];
}

const isActiveRule = (rule: ConfiguredRule): boolean =>
	rule.enabled !== false && (rule.action === 'skip' || findExecutedRulesetId(rule) !== undefined);

function findExecutions(
	rules: readonly ConfiguredRule[],
	matchedExpressions: ReadonlySet<string>,
): readonly Execution[] {
	const matchingRules = rules.filter(({expression}) => matchedExpressions.has(expression));
	return matchingRules.flatMap((rule, index): readonly Execution[] => {
		const rulesetId = findExecutedRulesetId(rule);
		if (rulesetId === undefined) return [];
		return [
			{rule, rulesetId, exceptions: matchingRules.slice(0, index).filter(({action}) => action === 'skip')},
		];
	});
}

/** True if an exception skips all managed rules after it. */
export const skipsAllManagedRules = ({action_parameters: {ruleset, phases} = {}}: ConfiguredRule): boolean =>
	ruleset === 'current' || (Array.isArray(phases) && phases.includes(managedPhase));

/** True if an exception skips a managed rule. `id` undefined: a rule that no exception can name. */
export const isManagedRuleSkipped = ({exceptions, rulesetId}: Execution, id: string | undefined): boolean =>
	exceptions.some(exception => {
		const {rulesets} = exception.action_parameters ?? {};
		if (skipsAllManagedRules(exception) || (Array.isArray(rulesets) && rulesets.includes(rulesetId)))
			return true;
		return id !== undefined && listSkippedIds(exception, rulesetId).has(id);
	});
