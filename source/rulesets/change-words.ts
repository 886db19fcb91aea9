import {isIdenticalRule, listRuleDifferences, type RuleChange} from './difference.ts';
import type {RulesetEdit} from './edit.ts';
import type {RulesetRule} from './ruleset.ts';

/** What a read after a write shows beyond the write itself. */
export type ConcurrentEdits = {
	/** Edits by others between the last read and the write. */
	readonly changes: readonly RuleChange[];
	/** Those of `changes` that the write has overwritten. */
	readonly overwritten: readonly RuleChange[];
	/** Version before the write, for restoring; undefined if the service does not keep it. */
	readonly version: string | undefined;
	/** Rules right before the write, including the edits by others. */
	readonly rulesBefore: readonly RulesetRule[];
	/** Differences from the intended rules that neither the write nor the edits by others explain. */
	readonly unexplained: readonly RuleChange[];
};

/**
 * Describes what others did to a rule, or what will be done to it (`planned`). Includes the rule's action and
 * expression.
 */
export function describeRuleChange(change: RuleChange, tense: 'done' | 'planned' = 'done'): string {
	const {rule, position} = change;
	const name = formatName(rule);
	const auxiliary = tense === 'done' ? 'was' : 'will be';
	const summary = `${rule.action} ${rule.expression}${rule.enabled === false ? ' (paused)' : ''}`;
	switch (change.kind) {
		case 'added':
			return `${name} ${auxiliary} added at position ${position}: ${summary}`;
		case 'removed':
			return `${name} ${auxiliary} deleted from position ${position}: ${summary}`;
		case 'changed':
			if (isIdenticalRule({...change.before, enabled: rule.enabled ?? true}, rule))
				return `${name} ${auxiliary} ${rule.enabled === false ? 'paused' : 'resumed'}: ${rule.action} ${rule.expression}`;
			return describeChangedRule(tense === 'planned' ? change.before : rule, change, auxiliary);
		case 'moved':
			return `${name} ${auxiliary} moved from position ${change.previousPosition} to ${position}: ${summary}`;
	}
}

/** Describes what differs in a rule, and what the rule does if that stays. `namedRule`: the rule as it is now. */
function describeChangedRule(
	namedRule: RulesetRule,
	{before, rule}: Extract<RuleChange, {readonly kind: 'changed'}>,
	auxiliary: string,
): string {
	const differences = listRuleDifferences(before, rule);
	const effect = before.expression === rule.expression ? ` (${rule.action} ${rule.expression})` : '';
	return `${formatName(namedRule)} ${auxiliary} changed: ${differences.join('; ')}${effect}`;
}

const formatName = ({id, description}: RulesetRule): string =>
	`${id ?? 'A rule'}${description ? ` (${description})` : ''}`;

/** Describes concurrent edits as sentences under headings; omits empty sections. */
export const describeConcurrentEdits = (
	{changes, overwritten, unexplained}: ConcurrentEdits,
	describeChange: (change: RuleChange) => string = change => describeRuleChange(change),
): readonly {readonly title: string; readonly changes: readonly string[]}[] =>
	[
		{title: 'Someone else changed these rules at the same time:', changes},
		{title: 'This write has overwritten these changes:', changes: overwritten},
		{title: 'The rules differ from what was sent:', changes: unexplained},
	]
		.filter(({changes}) => changes.length > 0)
		.map(({title, changes}) => ({title, changes: changes.map(describeChange)}));

/** Describes that an edit had no effect. The middle of a sentence. */
export function describeNotDone(edit: RulesetEdit): string {
	switch (edit.kind) {
		case 'add':
			return 'no new rule matches what was sent.';
		case 'change':
			return `rule ${edit.id} is unchanged.`;
		case 'delete':
			return `rule ${edit.id} still exists.`;
		case 'move':
			return `rule ${edit.id} is not at that position.`;
		case 'replace':
			return 'the rules are unchanged.';
	}
}

/** Describes a state that is neither that before an edit nor that after it. The middle of a sentence. */
export function describeMismatch(edit: RulesetEdit): string {
	switch (edit.kind) {
		case 'add':
			return 'more than one new rule matches what was sent.';
		case 'replace':
			return 'the rules match neither their previous state nor what was sent.';
		default:
			return `rule ${edit.id} was deleted, or matches neither its previous state nor what was sent.`;
	}
}
