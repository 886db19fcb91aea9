import type {ReactElement} from 'react';
import {doing} from '../../firewall/rules/custom-rule-words.ts';
import type {RulesetRule} from '../../rulesets/ruleset.ts';
import type {Has} from '../../store/ledge-store.ts';
import {columnsOf, drawable} from '../../text/columns.ts';
import {counted, grouped} from '../../text/figures.ts';
import {oneLine} from '../../text/one-line.ts';
import {countOfPlan} from '../firewall/listed.ts';
import {hasLoaded} from '../list/reading.ts';
import {formatListStatus} from '../list/screen.ts';
import type {Column} from '../list/table.tsx';
import {ListWithDetail} from '../list/with-detail.tsx';
import {useLedge} from '../shell/use-ledge.ts';
import {customRuleRows} from './detail-rows.ts';
import {type CustomRulesState, customRuleList, customRuleUnderCursor, placeOfRule, rulesOf} from './state.ts';

/** Computes the width of the action column. */
const actionColumns = (columns: number, rules: readonly RulesetRule[]): number =>
	Math.min(columns >= 100 ? 32 : 24, Math.max(6, ...rules.map(rule => columnsOf(drawable(doing(rule))))));

/** Builds the columns. During a move, shows new and old places. */
function columnsFor(state: CustomRulesState): readonly Column<RulesetRule>[] {
	const {rows} = state;
	const before = rulesOf(state);
	const describes = before.some(({description}) => description);
	return [
		{title: '#', width: () => 4, align: 'right', text: rule => grouped(placeOfRule(rows, rule))},
		{title: 'ACTION', width: columns => actionColumns(columns, before), text: doing},
		{
			title: describes ? 'DESCRIPTION, EXPRESSION' : 'EXPRESSION',
			gap: 2,
			text(rule, {marks}) {
				const was = placeOfRule(before, rule);
				return [
					was === placeOfRule(rows, rule) ? '' : `was ${was}`,
					rule.enabled === false ? 'paused' : '',
					oneLine(rule.description ?? '', 400),
					oneLine(rule.expression, 400),
				]
					.filter(Boolean)
					.join(` ${marks.dot} `);
			},
		},
	];
}

/** The custom rules of a zone in order of evaluation, and the details of the one under the cursor. */
export function CustomRules(): ReactElement {
	const data = useLedge(state => state.customRules.data);
	return (
		<ListWithDetail
			list={customRuleList}
			data={data}
			columns={columnsFor}
			isFront
			isMarked={({id}) => id !== undefined && id === data?.moving}
			isDim={({enabled}) => enabled === false}
			detail={customRuleRows}
			below={0.35}
			notOpen="No zone is open."
			narrowed={filter => `No custom rule has "${filter}" in what it says.`}
			none={({zone}) => `${zone.name} has no custom rule yet.`}
			next={() => 'n makes the first one, m makes them of the firewall rules'}
		/>
	);
}

/** Formats the status line: the state of the list, count and limit, and the selected id. */
export function customRulesStatus({
	customRules: {data: customRules},
	navigation: {viewport},
}: Has<'customRules'> & Has<'navigation', 'viewport'>): string {
	if (!customRules || (!hasLoaded(customRules) && customRules.rows.length === 0)) return '';
	const {zone, filter, moving, rows} = customRules;
	const rules = rulesOf(customRules);
	if (moving !== undefined) {
		const [from, to] = [rules, rows].map(order => placeOfRule(order, {id: moving}));
		return from === to
			? `place ${from} of ${rules.length}   up and down move the rule`
			: `place ${from} → ${to} of ${rules.length}   nothing has been sent`;
	}
	const count =
		filter === ''
			? countOfPlan(rules.length, 'custom rule', zone.plan)
			: `${grouped(customRuleList.visible(customRules).length)} of ${counted(rules.length, 'custom rule')}`;
	return formatListStatus(customRules, [count], customRuleUnderCursor(customRules)?.id, viewport);
}
