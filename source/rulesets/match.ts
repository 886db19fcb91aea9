import {isJsonObject} from '../text/json.ts';
import {isSentRule} from './difference.ts';
import type {RulesetRule} from './ruleset.ts';

/**
 * Finds the counterpart of each rule among `candidates`: the rule with its id, else with its own `ref`, else
 * an identical one, else one with the same content. Each candidate is used once, in order. Undefined for a
 * rule without a counterpart.
 */
export function matchRules<Candidate extends RulesetRule>(
	rules: readonly RulesetRule[],
	candidates: readonly Candidate[],
): readonly (Candidate | undefined)[] {
	const matches: (Candidate | undefined)[] = rules.map(() => undefined);
	const unused = new Set(candidates);
	const matchAll = (isMatch: (rule: RulesetRule, candidate: Candidate) => boolean) => {
		for (const [index, rule] of rules.entries()) {
			if (matches[index]) continue;
			const match = unused.values().find(candidate => isMatch(rule, candidate));
			if (!match) continue;
			matches[index] = match;
			unused.delete(match);
		}
	};
	matchAll((rule, candidate) => rule.id !== undefined && rule.id === candidate.id);
	matchAll((rule, candidate) => getOwnRef(rule) !== undefined && getOwnRef(rule) === getOwnRef(candidate));
	matchAll((rule, candidate) => isSentRule({...rule, ...pickRef(candidate)}, candidate));
	matchAll((rule, candidate) => getContentKey(rule) === getContentKey(candidate));
	return matches;
}

/** Returns the reference that a person gave a rule; by default, the service repeats the id. */
export const getOwnRef = ({id, ref}: RulesetRule): string | undefined =>
	ref === undefined || ref === '' || ref === id ? undefined : ref;

const pickRef = ({ref}: RulesetRule): {readonly ref?: string} => (ref === undefined ? {} : {ref});

/** What a rule does to which requests; a managed ruleset that is executed is the same one for any requests. */
function getContentKey({action, expression, action_parameters: parameters}: RulesetRule): string {
	const executedId = action === 'execute' && isJsonObject(parameters) ? parameters.id : undefined;
	return JSON.stringify([action, executedId ?? expression]);
}
