import {formatQuantity} from '../../text/figures.ts';
import {maxRulesInListOrder} from '../limits.ts';
import {type Rule, ruleActionNames} from './rule.ts';
import {formatRuleNames} from './users.ts';

/**
 * Returns how a zone orders its rules. `priority` is certain if a rule has one or there are more than 200
 * (including paused ones); `undecided` if the service may use list order instead.
 */
export const getRuleOrdering = (rules: readonly Rule[]): 'priority' | 'undecided' =>
	rules.length > maxRulesInListOrder || rules.some(rule => rule.priority !== null) ? 'priority' : 'undecided';

/** Properties that determine a rule's position. */
type OrderedRule = {readonly action: string; readonly priority?: number | null | undefined};

/**
 * Sorts rules by evaluation order: lower priority first, none last, then by action, else stable. Unknown
 * actions come after known ones.
 */
export const sortForEvaluation = <Ordered extends OrderedRule>(
	rules: readonly Ordered[],
): readonly Ordered[] =>
	rules.toSorted(
		(a, b) =>
			comparePriorities(a.priority ?? Infinity, b.priority ?? Infinity) ||
			getPrecedence(a) - getPrecedence(b),
	);

/**
 * Computes the priority for a rule to run before all of these: one less than the lowest, 1 if none has one.
 * The minimum is 0; `ties` are rules that already have it.
 */
export function computeFirstPriority(rules: readonly Rule[]): {
	readonly priority: number;
	readonly ties: readonly Rule[];
} {
	const lowestPriority = Math.min(...rules.map(({priority}) => priority ?? Infinity), 2);
	const priority = Math.max(minPriority, lowestPriority - 1);
	return {priority, ties: rules.filter(one => one.priority !== null && one.priority <= priority)};
}

const minPriority = 0;

/**
 * Describes the priority with which a rule of this action runs before all others, or why none does. If `rules` could
 * not be read (undefined), it is the minimum.
 */
export function describeFirstPriority(
	rules: readonly Rule[] | undefined,
	action: string,
): {
	readonly priority: number;
	/** True if it certainly runs before all rules with another action. */
	readonly isFirst: boolean;
	readonly sentence: string;
} {
	if (!rules)
		return {
			priority: minPriority,
			isFirst: false,
			sentence: `Priority ${minPriority}, the lowest number possible: the rules could not be read, so others may have it too.`,
		};
	const {priority, ties} = computeFirstPriority(rules);
	if (ties.length > 0 && ties.every(rule => rule.action === action))
		return {
			priority,
			isFirst: true,
			sentence: `Priority ${priority}, like ${formatQuantity(ties.length, 'other rule')} with the action ${action}: which of them runs first makes no difference.`,
		};
	if (ties.length > 0)
		return {
			priority,
			isFirst: false,
			sentence: `No priority is lower than ${priority}, and ${formatRuleNames(ties)} already ${ties.length === 1 ? 'has' : 'have'} it: among equal priorities the action decides, and block runs last.`,
		};
	const lowestPriority = Math.min(...rules.map(rule => rule.priority ?? Infinity));
	const why =
		lowestPriority === Infinity
			? rules.length === 0
				? 'there are no other rules'
				: 'no other rule has a priority, and rules without one run last'
			: `below the current lowest, ${lowestPriority}`;
	return {priority, isFirst: true, sentence: `Priority ${priority}, before all other rules: ${why}.`};
}

/** Two infinities (no priority) are equal; their difference would be NaN. */
const comparePriorities = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1);

function getPrecedence({action}: OrderedRule): number {
	const index = (ruleActionNames as readonly string[]).indexOf(action);
	return index < 0 ? ruleActionNames.length : index;
}
