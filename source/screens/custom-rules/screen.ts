import {createListScreen, type ListScreenDefinition} from '../list/screen.ts';
import {readCustomRules} from '../zones/actions.ts';
import {buildCustomRuleRows} from './detail-rows.ts';
import {createCustomRulesSlice} from './slice.ts';
import {customRuleList} from './state.ts';

export const customRulesScreen: ListScreenDefinition = createListScreen(customRuleList, {
	label: 'the custom rules',
	createSlice: createCustomRulesSlice,
	buildPath: (_before, {customRules: {data}}) => ['ledge', 'custom rules', data?.zone.name ?? ''],
	reload: readCustomRules,
	buildDetail: buildCustomRuleRows,
	handleEscape({state}) {
		const {data, cancelMove, unmark} = state().customRules;
		if (data?.movingRuleId !== undefined) {
			cancelMove();
			return true;
		}
		const hasMarks = data !== undefined && customRuleList.listMarked(data).length > 0;
		if (hasMarks) unmark();
		return hasMarks;
	},
});
