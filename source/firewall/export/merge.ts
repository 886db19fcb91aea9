import {inPlace} from '../../rulesets/position.ts';
import type {RulesetRule} from '../../rulesets/ruleset.ts';
import {canonical} from '../expression/canonical.ts';

/** Custom rules that exist, with those that were made of firewall rules. */
export type Merged = {
	readonly rules: readonly RulesetRule[];
	readonly added: readonly RulesetRule[];
	/** Made rules that exist already, however they are written. */
	readonly present: readonly {readonly rule: RulesetRule; readonly there: RulesetRule}[];
	readonly notes: readonly string[];
};

/**
 * Adds made rules to those that exist, in their order: behind all of them, or before one. A rule that does the same to the
 * same requests is not added twice: whoever merges a second time adds nothing.
 */
export function merged(
	existing: readonly RulesetRule[],
	made: readonly RulesetRule[],
	before?: string | undefined,
): Merged {
	const added: RulesetRule[] = [];
	const present: {rule: RulesetRule; there: RulesetRule}[] = [];
	const notes: string[] = [];
	const references = new Set(existing.map(({ref}) => ref));
	const left = new Map<string, RulesetRule[]>();
	for (const rule of existing) left.set(meaningOf(rule), [...(left.get(meaningOf(rule)) ?? []), rule]);
	for (const rule of made) {
		// Two firewall rules that say the same are two custom rules, and each existing rule is one of them.
		const there = left.get(meaningOf(rule))?.shift();
		if (there) {
			present.push({rule, there});
			continue;
		}
		if (rule.ref !== undefined && references.has(rule.ref)) {
			notes.push(`The reference "${rule.ref}" is left out: a custom rule has it already.`);
			const {ref: _, ...rest} = rule;
			added.push(rest);
		} else added.push(rule);
	}
	const position = before === undefined ? {after: ''} : {before};
	let rules = existing;
	for (const rule of added) rules = inPlace(rules, rule, position);
	return {rules, added, present, notes};
}

/** What a rule does to which requests, and whether it is in force: as a text that is the same for the same. */
function meaningOf({action, action_parameters: given = {}, expression, enabled = true}: RulesetRule): string {
	const parts = Object.entries(given).toSorted(([one], [other]) => (one < other ? -1 : 1));
	return JSON.stringify([action, parts, canonical(expression) ?? expression, enabled]);
}
