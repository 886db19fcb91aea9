import {compareConfigurations} from '../migration/configuration/difference.ts';
import {
	describeConfiguredRule,
	formatConfiguredRuleName,
	formatFullRuleName,
} from '../migration/configuration/difference-words.ts';
import type {RuleChange} from '../rulesets/difference.ts';

/**
 * Describes a change by others in the managed phase, or with `planned` an intended one. Holds raw text of
 * data.
 */
export function describeManagedChange(change: RuleChange, when: 'done' | 'planned' = 'done'): string {
	const {rule} = change;
	const isWholeRule = change.kind === 'added' || change.kind === 'removed';
	const ruleLabel = isWholeRule ? formatConfiguredRuleName([rule], 0) : formatFullRuleName(rule);
	const name = `${change.rule.id ?? 'A rule'} (${ruleLabel})`;
	const was = when === 'done' ? 'was' : 'will be';
	switch (change.kind) {
		case 'added':
			return `${name} ${was} added at place ${change.place}: ${describeConfiguredRule(rule)}`;
		case 'removed':
			return `${name} ${was} deleted from place ${change.place}: ${describeConfiguredRule(rule)}`;
		case 'changed': {
			const parts = compareConfigurations({rules: [change.before]}, {rules: [rule]});
			const summary = parts.map(({about, before, after}) => `${about}: ${before} → ${after}`).join('; ');
			return `${name} ${was} changed${summary === '' ? '' : `: ${summary}`}`;
		}
		case 'moved':
			return `${name} ${was} moved from place ${change.from} to ${change.place}.`;
		default:
			return change satisfies never;
	}
}
