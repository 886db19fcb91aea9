import {compareConfigurations} from '../migration/configuration/difference.ts';
import {
	describeConfiguredRule,
	formatConfiguredRuleName,
	formatFullRuleName,
} from '../migration/configuration/difference-words.ts';
import type {RuleChange} from '../rulesets/difference.ts';

/**
 * Describes a change that others made in the managed phase, or one that will be made (`planned`). The text is
 * not escaped for the terminal.
 */
export function describeManagedChange(change: RuleChange, tense: 'done' | 'planned' = 'done'): string {
	const {rule} = change;
	// What follows then contains the expression, so the name need not.
	const isDescribedInFull = change.kind === 'added' || change.kind === 'removed';
	const ruleLabel = isDescribedInFull ? formatConfiguredRuleName([rule], 0) : formatFullRuleName(rule);
	const name = `${change.rule.id ?? 'A rule'} (${ruleLabel})`;
	const auxiliary = tense === 'done' ? 'was' : 'will be';
	switch (change.kind) {
		case 'added':
			return `${name} ${auxiliary} added at position ${change.position}: ${describeConfiguredRule(rule)}`;
		case 'removed':
			return `${name} ${auxiliary} deleted from position ${change.position}: ${describeConfiguredRule(rule)}`;
		case 'changed': {
			const parts = compareConfigurations({rules: [change.before]}, {rules: [rule]});
			const summary = parts.map(({about, before, after}) => `${about}: ${before} → ${after}`).join('; ');
			return `${name} ${auxiliary} changed${summary === '' ? '' : `: ${summary}`}`;
		}
		case 'moved':
			return `${name} ${auxiliary} moved from position ${change.previousPosition} to ${change.position}.`;
		default:
			return change satisfies never;
	}
}
