import type {Rule} from '../../../firewall/rules/rule.ts';
import {columnsOf, drawable} from '../../../text/columns.ts';

/** From so many columns on, rules and filters stand side by side. */
const bothLists = 150;

/** Columns of the two lists; 0 for a list without room, which is the list without the cursor. */
export function listColumns(columns: number, side: 'rules' | 'filters', isSpoken = false) {
	if (columns < bothLists || isSpoken)
		return {rules: side === 'rules' ? columns : 0, filters: side === 'filters' ? columns : 0};
	const rules = Math.ceil(columns * 0.58);
	return {rules, filters: columns - rules};
}

/** Rows of what is said about the selected one, below the lists: the same whatever is selected, so nothing jumps. */
export const detailHeight = (rows: number): number => Math.max(3, Math.floor(rows * 0.35));

/** The widest action that ledge knows, and the word above it. */
const actionColumns = {most: 'managed_challenge'.length, least: 'ACTION'.length} as const;

/**
 * Columns of a row of the rules, by what all of them have: how wide the actions are, and whether a filter has several
 * rules, for only then it is shown. A priority that has more figures is cut.
 */
export function ruleColumns(columns: number, rules: readonly Rule[]) {
	const place = 4;
	const {most, least} = actionColumns;
	const action = Math.min(most, Math.max(least, ...rules.map(rule => columnsOf(drawable(rule.action)))));
	const priority = columns >= 100 ? 8 : 5;
	const isShared = new Set(rules.map(({filter}) => filter.id)).size < rules.length;
	const users = !isShared || columns < 66 ? 0 : columns >= 100 ? 12 : 7;
	const rest = columns - 4 - (place + 1) - (action + 1) - (priority + 2) - (users > 0 ? users + 1 : 0);
	return {place, action, priority, users, text: rest - 1};
}

export type RuleColumns = ReturnType<typeof ruleColumns>;

/** Columns of a row of the filters. */
export function filterColumns(columns: number) {
	const users = 12;
	const description = columns >= 76 ? Math.floor(columns * 0.28) : 0;
	return {
		users,
		description,
		expression: columns - 4 - users - 1 - (description > 0 ? description + 1 : 0) - 1,
	};
}
