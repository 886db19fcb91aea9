import {compareConfigurations} from '../migration/configuration/difference.ts';
import {
	describeConfiguredRule,
	formatConfiguredRuleName,
	formatFullRuleName,
	type ManagedRuleNames,
	shortenRuleId,
} from '../migration/configuration/difference-words.ts';
import type {RuleChange} from '../rulesets/difference.ts';

/**
 * Describes a change that others made in the managed phase, or one that will be made (`planned`). The text is
 * not escaped for the terminal. With `ruleNames`, names come first and ids are shortened.
 */
export function describeManagedChange(
	change: RuleChange,
	tense: 'done' | 'planned' = 'done',
	ruleNames?: ManagedRuleNames,
): string {
	const {rule} = change;
	// What follows then contains the expression, so the name need not.
	const isDescribedInFull = change.kind === 'added' || change.kind === 'removed';
	const ruleLabel = isDescribedInFull ? formatConfiguredRuleName([rule], 0) : formatFullRuleName(rule);
	const {id} = change.rule;
	const name =
		ruleNames && id !== undefined
			? `${ruleLabel} (${shortenRuleId(id)})`
			: `${id ?? 'A rule'} (${ruleLabel})`;
	const auxiliary = tense === 'done' ? 'was' : 'will be';
	switch (change.kind) {
		case 'added':
			return `${name} ${auxiliary} added at position ${change.position}: ${describeConfiguredRule(rule)}`;
		case 'removed':
			return `${name} ${auxiliary} deleted from position ${change.position}: ${describeConfiguredRule(rule)}`;
		case 'changed': {
			const parts = compareConfigurations({rules: [change.before]}, {rules: [rule]}, {ruleNames});
			const summary = parts.map(({about, before, after}) => `${about}: ${before} → ${after}`).join('; ');
			return `${name} ${auxiliary} changed${summary === '' ? '' : `: ${summary}`}`;
		}
		case 'moved':
			return `${name} ${auxiliary} moved from position ${change.previousPosition} to ${change.position}.`;
		default:
			return change satisfies never;
	}
}
