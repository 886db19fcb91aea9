import {moveThrough} from '../list/screen.ts';
import {onZone, type ScreenDefinition, shownOf} from '../shell/screen.ts';
import {readCustomRules} from '../zones/actions.ts';
import {customRuleRows} from './detail-rows.ts';
import {rulesOf, visibleCustomRules} from './state.ts';

export const customRulesScreen: ScreenDefinition = {
	group: 'Custom rules',
	called: 'the custom rules',
	path: (_before, {customRules: {data: customRules}}) => [
		'ledge',
		'custom rules',
		customRules?.zone.name ?? '',
	],
	actsOn: (_before, {customRules: {data: customRules}}) => onZone(customRules?.zone),
	reload: readCustomRules,
	move: (state, by) => moveThrough(state.customRules, customRuleRows, state.navigation.viewport, by),
	filter: {
		text: ({customRules: {data: customRules}}) => customRules?.sought ?? '',
		narrow: (state, text) => state.customRules.filter(text),
		counts: ({customRules: {data: customRules}}) =>
			customRules ? shownOf(visibleCustomRules(customRules), rulesOf(customRules)) : '',
	},
	takeBack({state}) {
		if (!state().customRules.data?.moving) return false;
		state().customRules.endMove();
		return true;
	},
};
