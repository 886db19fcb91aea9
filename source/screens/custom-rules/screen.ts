import {createListScreen} from '../list/screen.ts';
import {createZoneTarget, type ScreenDefinition} from '../shell/screen.ts';
import {readCustomRules} from '../zones/actions.ts';
import {buildCustomRuleRows} from './detail-rows.ts';
import {customRuleList} from './state.ts';

export const customRulesScreen: ScreenDefinition = createListScreen(customRuleList, {
	label: 'the custom rules',
	buildPath: (_before, {customRules: {data}}) => ['ledge', 'custom rules', data?.zone.name ?? ''],
	getTarget: (_before, {customRules: {data}}) => createZoneTarget(data?.zone),
	reload: readCustomRules,
	buildDetail: buildCustomRuleRows,
	handleEscape({state}) {
		const isMoving = state().customRules.data?.movingRuleId !== undefined;
		state().customRules.cancelMove();
		return isMoving;
	},
});
