/** From so many columns on, rules and filters stand side by side. */
const bothLists = 120;

/** Columns of the two lists; 0 for the one that has no room, which is the one without the cursor. */
export function listColumns(columns: number, side: 'rules' | 'filters') {
	if (columns < bothLists)
		return {rules: side === 'rules' ? columns : 0, filters: side === 'filters' ? columns : 0};
	const rules = Math.ceil(columns * 0.58);
	return {rules, filters: columns - rules};
}

/** Rows of what is said about the selected one, below the lists: the same whatever is selected, so nothing jumps. */
export const detailHeight = (rows: number): number => Math.max(3, Math.floor(rows * 0.35));

/** Columns of a row of the rules; a priority that has more figures is cut. */
export function ruleColumns(columns: number) {
	const place = 4;
	const action = 17;
	const priority = columns >= 76 ? 8 : 5;
	const users = columns >= 66 ? 12 : 0;
	const rest = columns - 4 - (place + 1) - (action + 1) - (priority + 2) - (users > 0 ? users + 1 : 0);
	return {place, action, priority, users, expression: rest - 1};
}

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
