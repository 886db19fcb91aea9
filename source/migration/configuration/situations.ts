import {findEncounters} from '../../firewall/expression/expressions.ts';
import {managedPhase} from '../../rulesets/ruleset.ts';
import {listSkippedIds} from './judged-rules.ts';
import {findExecutedRuleset} from './override-edits.ts';
import type {ConfiguredRule} from './rule-overrides.ts';

/** A managed ruleset that runs for a request, and the matching exceptions before it. */
export type Execution = {
	readonly rule: ConfiguredRule;
	readonly ruleset: string;
	readonly exceptions: readonly ConfiguredRule[];
};

/** The managed rulesets that run for requests of one kind, before and after a change. */
export type TrafficSituation = {
	readonly before: readonly Execution[];
	readonly after: readonly Execution[];
	/** Samples of this kind per part of ordinary traffic; made-up requests count under `undefined`. */
	readonly samples: ReadonlyMap<string | undefined, number>;
};

/** Groups sample requests by the rules that match them in two configurations. `zone`: its name, if known. */
export function findSituations(
	before: readonly ConfiguredRule[],
	after: readonly ConfiguredRule[],
	zone: string | undefined,
): readonly TrafficSituation[] {
	const [old, now] = [before.filter(isActiveRule), after.filter(isActiveRule)];
	const kinds = new Map<string, TrafficSituation & {readonly samples: Map<string | undefined, number>}>();
	const expressions = [...old, ...now].map(({expression}) => expression);
	for (const {matched, traffic} of findEncounters(expressions, zone)) {
		const key = expressions.map(expression => (matched.has(expression) ? '1' : '0')).join('');
		const kind = kinds.get(key) ?? {
			before: findExecutions(old, matched),
			after: findExecutions(now, matched),
			samples: new Map(),
		};
		kind.samples.set(traffic, (kind.samples.get(traffic) ?? 0) + 1);
		kinds.set(key, kind);
	}
	return [...kinds.values()];
}

const isActiveRule = (rule: ConfiguredRule): boolean =>
	rule.enabled !== false && (rule.action === 'skip' || findExecutedRuleset(rule) !== undefined);

function findExecutions(
	rules: readonly ConfiguredRule[],
	matched: ReadonlySet<string>,
): readonly Execution[] {
	const matching = rules.filter(({expression}) => matched.has(expression));
	return matching.flatMap((rule, index): readonly Execution[] => {
		const ruleset = findExecutedRuleset(rule);
		if (ruleset === undefined) return [];
		return [{rule, ruleset, exceptions: matching.slice(0, index).filter(({action}) => action === 'skip')}];
	});
}

/** True if an exception skips all managed rules after it. */
export const skipsAllManagedRules = ({action_parameters: {ruleset, phases} = {}}: ConfiguredRule): boolean =>
	ruleset === 'current' || (Array.isArray(phases) && phases.includes(managedPhase));

/** True if an exception skips a managed rule. `id` undefined: a rule that no exception can name. */
export const isManagedRuleSkipped = ({exceptions, ruleset}: Execution, id: string | undefined): boolean =>
	exceptions.some(exception => {
		const {rulesets} = exception.action_parameters ?? {};
		if (skipsAllManagedRules(exception) || (Array.isArray(rulesets) && rulesets.includes(ruleset)))
			return true;
		return id !== undefined && listSkippedIds(exception, ruleset).has(id);
	});
