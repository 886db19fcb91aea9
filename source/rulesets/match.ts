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

/**
 * Finds what each rule of an earlier state is now: as `matchRules` does, else the only rule left with its
 * description. A ruleset that was replaced as a whole has new ids for the same rules.
 */
export function matchEarlierRules(
	earlierRules: readonly RulesetRule[],
	currentRules: readonly RulesetRule[],
): readonly (RulesetRule | undefined)[] {
	const matches = matchRules(earlierRules, currentRules);
	const unmatchedRules = earlierRules.filter((_rule, index) => !matches[index]);
	const unusedRules = currentRules.filter(rule => !matches.includes(rule));
	const findOnly = (rules: readonly RulesetRule[], description: string | undefined) => {
		const sameRules = description ? rules.filter(rule => rule.description === description) : [];
		return sameRules.length === 1 ? sameRules[0] : undefined;
	};
	return earlierRules.map((rule, index) => {
		const isOnlyOne = findOnly(unmatchedRules, rule.description) === rule;
		return matches[index] ?? (isOnlyOne ? findOnly(unusedRules, rule.description) : undefined);
	});
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
