import type {ReactElement} from 'react';
import {formatCustomRuleAction} from '../../firewall/rules/custom-rule-words.ts';
import {formatExpressionEnd, hasEnded} from '../../firewall/rules/end-time.ts';
import type {RulesetRule} from '../../rulesets/ruleset.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {measureColumns, toDrawable} from '../../text/columns.ts';
import {formatInteger, formatQuantity} from '../../text/figures.ts';
import {formatOneLine} from '../../text/one-line.ts';
import {formatPlanCount} from '../firewall/list.ts';
import {getPositionWidth} from '../list/list.ts';
import {hasLoaded} from '../list/reading.ts';
import {formatListStatus, formatMarkedCount} from '../list/screen.ts';
import type {Column} from '../list/table.tsx';
import {ListWithDetail} from '../list/with-detail.tsx';
import {useLedge} from '../shell/use-ledge.ts';
import {buildCustomRuleRows} from './detail-rows.ts';
import {
	type CustomRulesState,
	customRuleList,
	getCustomRulePosition,
	getCustomRules,
	getSelectedCustomRule,
} from './state.ts';

/** Computes the width of the action column. */
const computeActionWidth = (columns: number, rules: readonly RulesetRule[]): number =>
	Math.min(
		columns >= 100 ? 32 : 24,
		Math.max(6, ...rules.map(rule => measureColumns(toDrawable(formatCustomRuleAction(rule))))),
	);

/**
 * Builds the columns. During a move, `rows` has the unsent order and `currentRules` the active one; both
 * positions are shown.
 */
function buildCustomRuleColumns(state: CustomRulesState): readonly Column<RulesetRule>[] {
	const {rows} = state;
	const currentRules = getCustomRules(state);
	const hasDescriptions = currentRules.some(({description}) => description);
	return [
		{
			title: '#',
			isEssential: true,
			getWidth: () => getPositionWidth(rows.length),
			align: 'right',
			getText: rule => formatInteger(getCustomRulePosition(rows, rule)),
		},
		{
			title: 'ACTION',
			isEssential: true,
			getWidth: columns => computeActionWidth(columns, currentRules),
			getText: formatCustomRuleAction,
		},
		{
			title: hasDescriptions ? 'DESCRIPTION, EXPRESSION' : 'EXPRESSION',
			gap: 2,
			getText(rule, {marks}) {
				const oldPosition = getCustomRulePosition(currentRules, rule);
				return [
					oldPosition === getCustomRulePosition(rows, rule) ? '' : `was ${oldPosition}`,
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

/** True for the rule that is being moved, or else for those that the user marked. */
const isMarkedCustomRule = (data: CustomRulesState, rule: RulesetRule): boolean =>
	data.movingRuleId === undefined ? customRuleList.isMarked(data, rule) : rule.id === data.movingRuleId;

/** The custom rules of a zone in order of evaluation, and the details of the one under the cursor. */
export function CustomRules(): ReactElement {
	const data = useLedge(state => state.customRules.data);
	return (
		<ListWithDetail
			list={customRuleList}
			data={data}
			getColumns={buildCustomRuleColumns}
			hasCursor
			isMarked={rule => data !== undefined && isMarkedCustomRule(data, rule)}
			isDim={({enabled, expression}) => enabled === false || hasEnded(expression)}
			buildDetail={buildCustomRuleRows}
			detailShare={0.35}
			detailHint={data?.movingRuleId === undefined ? ': enter' : undefined}
			describeEmpty={({zone}) => `${zone.name} has no custom rules yet.`}
			describeNextStep={() => 'press a to create one, m to create them from the firewall rules'}
		/>
	);
}

/** Formats the status line: the state of the list, count and limit, and the selected id. */
export function formatCustomRulesStatus({
	customRules: {data: customRules},
	navigation: {viewport},
}: StateWith<'customRules'> & StateWith<'navigation', 'viewport'>): string {
	if (!customRules || (!hasLoaded(customRules) && customRules.rows.length === 0)) return '';
	const {zone, filter, movingRuleId, rows} = customRules;
	const rules = getCustomRules(customRules);
	if (movingRuleId !== undefined) {
		const [oldPosition, newPosition] = [rules, rows].map(order =>
			getCustomRulePosition(order, {id: movingRuleId}),
		);
		return oldPosition === newPosition
			? `position ${oldPosition} of ${rules.length}   up and down move the rule`
			: `position ${oldPosition} → ${newPosition} of ${rules.length}   nothing has been sent`;
	}
	const count =
		filter === ''
			? formatPlanCount(rules.length, 'custom rule', zone.plan)
			: `${formatInteger(customRuleList.listVisible(customRules).length)} of ${formatQuantity(rules.length, 'custom rule')}`;
	const markedCount = formatMarkedCount(
		customRuleList.listMarked(customRules),
		customRuleList.listVisible(customRules),
	);
	return formatListStatus(
		customRules,
		[...markedCount, count],
		getSelectedCustomRule(customRules)?.id,
		viewport,
	);
}
