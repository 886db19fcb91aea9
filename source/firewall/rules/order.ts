import {rulesInListOrder} from '../limits.ts';
import {actions, type Rule} from './rule.ts';

/**
 * How a zone goes through its rules: `priority` for certain when a rule has one or there are more than 200, paused
 * ones too; `undecided` where the service may as well take them in the order of its list.
 */
export const orderingOf = (rules: readonly Rule[]): 'priority' | 'undecided' =>
	rules.length > rulesInListOrder || rules.some(rule => rule.priority !== null) ? 'priority' : 'undecided';

/**
 * Rules in the order in which they are evaluated: smaller priority first, none last, then by action, else as they
 * were. An action that ledge does not know goes after those that it knows.
 */
export const evaluationOrder = (rules: readonly Rule[]): readonly Rule[] =>
	rules.toSorted(
		(a, b) => compared(a.priority ?? Infinity, b.priority ?? Infinity) || precedence(a) - precedence(b),
	);

/**
 * The priority of a rule that is to go before all of these: one less than the smallest, 1 where none has any. None is
 * smaller than 0: then `ties` are the rules that have it, too.
 */
export function firstPriority(rules: readonly Rule[]): {
	readonly priority: number;
	readonly ties: readonly Rule[];
} {
	const smallest = Math.min(...rules.map(({priority}) => priority ?? Infinity), 2);
	const priority = Math.max(0, smallest - 1);
	return {priority, ties: rules.filter(one => one.priority !== null && one.priority <= priority)};
}

/** None and none are equal: the difference of two infinities is NaN. */
const compared = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1);

function precedence({action}: Rule): number {
	const place = (actions as readonly string[]).indexOf(action);
	return place < 0 ? actions.length : place;
}
