import {rulesInListOrder} from '../limits.ts';
import {actions, type Rule} from './rule.ts';
import {named} from './users.ts';

/**
 * How a zone goes through its rules: `priority` for certain when a rule has one or there are more than 200, paused
 * ones too; `undecided` where the service may as well take them in the order of its list.
 */
export const orderingOf = (rules: readonly Rule[]): 'priority' | 'undecided' =>
	rules.length > rulesInListOrder || rules.some(rule => rule.priority !== null) ? 'priority' : 'undecided';

/** What decides the place of a rule. */
type OrderedRule = {readonly action: string; readonly priority?: number | null | undefined};

/**
 * Rules in the order in which they are evaluated: smaller priority first, none last, then by action, else as they
 * were. An action that ledge does not know goes after those that it knows.
 */
export const evaluationOrder = <Ordered extends OrderedRule>(rules: readonly Ordered[]): readonly Ordered[] =>
	rules.toSorted(
		(a, b) => compared(a.priority ?? Infinity, b.priority ?? Infinity) || precedence(a) - precedence(b),
	);

/**
 * The priority of a rule that is to go before all of these: one less than the smallest, 1 where none has one. None is
 * smaller than 0: then `ties` are the rules that have it, too.
 */
export function firstPriority(rules: readonly Rule[]): {
	readonly priority: number;
	readonly ties: readonly Rule[];
} {
	const smallest = Math.min(...rules.map(({priority}) => priority ?? Infinity), 2);
	const priority = Math.max(leastPriority, smallest - 1);
	return {priority, ties: rules.filter(one => one.priority !== null && one.priority <= priority)};
}

/** The smallest priority that the service takes. */
const leastPriority = 0;

/**
 * The priority with which a rule goes before all of these, and why it does, in a sentence; or why none does.
 * `undefined` for rules that could not be read: then it is the smallest that the service takes.
 */
export function goingFirst(rules: readonly Rule[] | undefined): {
	readonly priority: number;
	/** Whether it goes before all others for certain. */
	readonly isFirst: boolean;
	readonly sentence: string;
} {
	if (!rules)
		return {
			priority: leastPriority,
			isFirst: false,
			sentence: `Priority ${leastPriority}, the smallest of all: the rules could not be read, and others may have it, too.`,
		};
	const {priority, ties} = firstPriority(rules);
	if (ties.length > 0)
		return {
			priority,
			isFirst: false,
			sentence: `No priority is smaller than ${priority}, which ${named(ties)} ${ties.length === 1 ? 'has' : 'have'} already: among these the action decides, and block goes last.`,
		};
	const lowest = Math.min(...rules.map(rule => rule.priority ?? Infinity));
	const why =
		lowest === Infinity
			? rules.length === 0
				? 'no other rule exists'
				: 'no other rule has a priority, and those without one go last'
			: `below the lowest, ${lowest}`;
	return {priority, isFirst: true, sentence: `Priority ${priority}, before all other rules: ${why}.`};
}

/** None and none are equal: the difference of two infinities is NaN. */
const compared = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1);

function precedence({action}: OrderedRule): number {
	const place = (actions as readonly string[]).indexOf(action);
	return place < 0 ? actions.length : place;
}
