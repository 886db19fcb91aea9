import {configurationDifference} from '../migration/configuration/difference.ts';
import {ruleInWords, ruleName, ruleNameInFull} from '../migration/configuration/difference-words.ts';
import type {RuleChange} from '../rulesets/difference.ts';

/**
 * Describes a change by others in the managed phase, or with `planned` an intended one. Holds raw text of
 * data.
 */
export function managedChangeSentence(change: RuleChange, when: 'done' | 'planned' = 'done'): string {
	const {rule} = change;
	const isTold = change.kind === 'added' || change.kind === 'removed';
	const called = isTold ? ruleName([rule], 0) : ruleNameInFull(rule);
	const name = `${change.rule.id ?? 'A rule'} (${called})`;
	const was = when === 'done' ? 'was' : 'will be';
	switch (change.kind) {
		case 'added':
			return `${name} ${was} added at place ${change.place}: ${ruleInWords(rule)}`;
		case 'removed':
			return `${name} ${was} deleted from place ${change.place}: ${ruleInWords(rule)}`;
		case 'changed': {
			const parts = configurationDifference({rules: [change.before]}, {rules: [rule]});
			const said = parts.map(({about, before, after}) => `${about}: ${before} → ${after}`).join('; ');
			return `${name} ${was} changed${said === '' ? '' : `: ${said}`}`;
		}
		case 'moved':
			return `${name} ${was} moved from place ${change.from} to ${change.place}.`;
		default:
			return change satisfies never;
	}
}
