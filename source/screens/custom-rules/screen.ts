import {listScreen} from '../list/screen.ts';
import {onZone, type ScreenDefinition} from '../shell/screen.ts';
import {readCustomRules} from '../zones/actions.ts';
import {customRuleRows} from './detail-rows.ts';
import {customRuleList} from './state.ts';

export const customRulesScreen: ScreenDefinition = listScreen(customRuleList, {
	called: 'the custom rules',
	path: (_before, {customRules: {data}}) => ['ledge', 'custom rules', data?.zone.name ?? ''],
	actsOn: (_before, {customRules: {data}}) => onZone(data?.zone),
	reload: readCustomRules,
	detail: customRuleRows,
	takeBack({state}) {
		const isMoving = state().customRules.data?.moving !== undefined;
		state().customRules.endMove();
		return isMoving;
	},
});
