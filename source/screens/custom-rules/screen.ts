import {formatCustomRuleAction} from '../../firewall/rules/custom-rule-words.ts';
import {measureColumns, toDrawable} from '../../text/columns.ts';
import {formatPlanCount} from '../firewall/list.ts';
import type {ListScreenDefinition} from '../list/screen.ts';
import {createRuleListScreen} from '../rulesets/list-screen.ts';
import {getListedRules, type RuleListSlice} from '../rulesets/rule-list.ts';
import {readCustomRules} from '../zones/actions.ts';
import {buildCustomRuleRows} from './detail-rows.ts';
import {customRuleList} from './state.ts';

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly customRules: RuleListSlice;
	}
}

export const customRulesScreen: ListScreenDefinition = createRuleListScreen(customRuleList, {
	label: 'the custom rules',
	buildPath: (_before, {customRules: {data}}) => ['ledge', 'custom rules', data?.zone.name ?? ''],
	reload: readCustomRules,
	buildDetail: buildCustomRuleRows,
	buildColumns: rules => [
		{
			title: 'ACTION',
			isEssential: true,
			getWidth: columns =>
				Math.min(
					columns >= 100 ? 32 : 24,
					Math.max(6, ...rules.map(rule => measureColumns(toDrawable(formatCustomRuleAction(rule))))),
				),
			getText: formatCustomRuleAction,
		},
	],
	formatCount: state => formatPlanCount(getListedRules(state).length, 'custom rule', state.zone.plan),
});
