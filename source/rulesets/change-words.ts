import {isEquivalentRule, type RuleChange} from './difference.ts';
import type {RulesetRule} from './ruleset.ts';

/** Differences between the actual rules and what the edit alone would produce. */
export type ConcurrentEdits = {
	/** Edits by others between the last read and the write. */
	readonly changes: readonly RuleChange[];
	/** Those that the write has overwritten unknowingly. */
	readonly overwritten: readonly RuleChange[];
	/** Version before the write, for restoring; undefined if the service does not keep it. */
	readonly version: string | undefined;
	/** Rules right before the write, including the edits by others. */
	readonly theirs: readonly RulesetRule[];
	/** Unexplained differences from what was intended. */
	readonly otherwise: readonly RuleChange[];
};

/**
 * Describes what others did to a rule, or with `planned` what will be done, with the rule's action and
 * expression.
 */
export function describeRuleChange(change: RuleChange, when: 'done' | 'planned' = 'done'): string {
	const {rule, place} = change;
	const name = `${rule.id ?? 'A rule'}${rule.description ? ` (${rule.description})` : ''}`;
	const was = when === 'done' ? 'was' : 'will be';
	const says = `${rule.action} ${rule.expression}${rule.enabled === false ? ' (paused)' : ''}`;
	switch (change.kind) {
		case 'added':
			return `${name} ${was} added at place ${place}: ${says}`;
		case 'removed':
			return `${name} ${was} deleted from place ${place}: ${says}`;
		case 'changed':
			if (isEquivalentRule({...change.before, enabled: rule.enabled ?? true}, rule))
				return `${name} ${was} ${rule.enabled === false ? 'paused' : 'resumed'}: ${rule.action} ${rule.expression}`;
			return `${name} ${was} changed to: ${says}`;
		case 'moved':
			return `${name} ${was} moved from place ${change.from} to ${place}: ${says}`;
	}
}

/** Describes concurrent edits as sentences under headings; omits empty sections. */
export const describeConcurrentEdits = (
	{changes, overwritten: undone, otherwise: odd}: ConcurrentEdits,
	describe: (change: RuleChange) => string = change => describeRuleChange(change),
): readonly {readonly title: string; readonly changes: readonly string[]}[] =>
	[
		{title: 'Someone else changed these rules at the same time:', changes},
		{title: 'This write has overwritten of it:', changes: undone},
		{title: 'The rules are otherwise than was sent:', changes: odd},
	]
		.filter(({changes}) => changes.length > 0)
		.map(({title, changes}) => ({title, changes: changes.map(describe)}));
