import {formatRulesCommand} from '../../firewall/commands.ts';
import {formatExpressionEnd, hasEnded} from '../../firewall/rules/end-time.ts';
import type {RulesetRule} from '../../rulesets/ruleset.ts';
import {formatInteger, formatQuantity} from '../../text/figures.ts';
import {formatOneLine} from '../../text/one-line.ts';
import {getPositionWidth} from '../list/list.ts';
import {hasLoaded} from '../list/reading.ts';
import {
	createListScreen,
	createMarkSelection,
	formatListStatus,
	formatMarkedCount,
	type ListScreenDefinition,
} from '../list/screen.ts';
import type {Column} from '../list/table.tsx';
import type {Viewport} from '../shell/navigation-slice.ts';
import {createRuleListSlice} from './list-slice.ts';
import {
	findRulePosition,
	getListedRules,
	hasUnsentOrder,
	type RuleList,
	type RuleListSlice,
	type RuleListState,
} from './rule-list.ts';

/** What one type of rules adds to the screen of its list. */
type RuleListOptions = Pick<
	Parameters<typeof createListScreen<RulesetRule, RuleListSlice>>[1],
	'label' | 'buildPath' | 'reload' | 'buildDetail' | 'actions'
> & {
	/** The columns between the position and the expression. */
	buildColumns(rules: readonly RulesetRule[]): readonly Column<RulesetRule>[];
	/** Formats the number of rules, with the limit of the plan if there is one. */
	formatCount(state: RuleListState): string;
};

/** Creates the screen of a list of rules in order of evaluation, with the details of the current one. */
export const createRuleListScreen = (
	list: RuleList,
	{buildColumns, formatCount, ...options}: RuleListOptions,
): ListScreenDefinition =>
	createListScreen(list, {
		...options,
		createSlice: createRuleListSlice(list),
		selection: createMarkSelection(list),
		getOpenForm(state) {
			const {data} = list.getSlice(state);
			return data && hasUnsentOrder(data)
				? `order of the ${list.type.noun}s of ${data.zone.name}`
				: undefined;
		},
		staysOpen: () => true,
		getUnsaved(state) {
			const {data} = list.getSlice(state);
			return data && hasUnsentOrder(data)
				? {lines: [`The new order of the ${list.type.noun}s of ${data.zone.name} has not been sent.`]}
				: undefined;
		},
		listUndoable: state =>
			list
				.getSlice(state)
				.listUndoableZones()
				.map(({zone, count}) => ({
					count,
					subject: `the ${list.type.noun}s of ${zone.name}`,
					command: formatRulesCommand(zone, ['versions'], list.type.commandOptions),
				})),
		view: {
			getColumns: state => buildRuleColumns(state, buildColumns(getListedRules(state))),
			hasCursor: true,
			// The rule that is being moved, or else those that the user marked.
			isMarked: (rule, state) =>
				state.movingRuleId === undefined ? list.isMarked(state, rule) : rule.id === state.movingRuleId,
			isDim: ({enabled, expression}) => enabled === false || hasEnded(expression),
			detailShare: 0.35,
			getDetailHint: ({movingRuleId}) => (movingRuleId === undefined ? ': enter' : undefined),
			describeEmpty: ({zone}) => `${zone.name} has no ${list.type.noun}s yet.`,
			describeNextStep: list.type.describeEmptyAdvice,
		},
		formatStatus: (state, viewport) => formatRuleListStatus(list, formatCount, state, viewport),
	});

/**
 * Builds the columns. During a move, the rows have the unsent order; both positions are shown.
 */
function buildRuleColumns(
	state: RuleListState,
	columns: readonly Column<RulesetRule>[],
): readonly Column<RulesetRule>[] {
	const {rows} = state;
	const currentRules = getListedRules(state);
	const hasDescriptions = currentRules.some(({description}) => description);
	return [
		{
			title: '#',
			isEssential: true,
			getWidth: () => getPositionWidth(rows.length),
			align: 'right',
			getText: rule => formatInteger(findRulePosition(rows, rule)),
		},
		...columns,
		{
			title: hasDescriptions ? 'DESCRIPTION, EXPRESSION' : 'EXPRESSION',
			gap: 2,
			getText(rule, {marks}) {
				const oldPosition = findRulePosition(currentRules, rule);
				return [
					oldPosition === findRulePosition(rows, rule) ? '' : `was ${oldPosition}`,
					rule.enabled === false ? 'paused' : '',
					formatExpressionEnd(rule.expression),
					formatOneLine(rule.description ?? '', 400),
					formatOneLine(rule.expression, 400),
				]
					.filter(Boolean)
					.join(` ${marks.dot} `);
			},
		},
	];
}

/** Formats the status line: the state of the list, its count, and the id of the current rule. */
function formatRuleListStatus(
	list: RuleList,
	formatCount: (state: RuleListState) => string,
	state: RuleListState,
	viewport: Viewport,
): string {
	if (!hasLoaded(state) && state.rows.length === 0) return '';
	const {filter, movingRuleId, rows} = state;
	const rules = getListedRules(state);
	const {noun, shortNoun} = list.type;
	if (movingRuleId !== undefined) {
		const [oldPosition, newPosition] = [rules, rows].map(order =>
			findRulePosition(order, {id: movingRuleId}),
		);
		return oldPosition === newPosition
			? `position ${oldPosition} of ${rules.length}   up and down move the ${shortNoun}`
			: `position ${oldPosition} → ${newPosition} of ${rules.length}   nothing has been sent`;
	}
	const visibleRules = list.listVisible(state);
	const count =
		filter === ''
			? formatCount(state)
			: `${formatInteger(visibleRules.length)} of ${formatQuantity(rules.length, noun)}`;
	const markedCount = formatMarkedCount(list.listMarked(state), visibleRules);
	return formatListStatus(state, [...markedCount, count], list.getSelectedRule(state)?.id, viewport);
}
