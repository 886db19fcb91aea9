import {bodyRows} from '../../components/layout.ts';
import type {Has} from '../../store/ledge-store.ts';
import {detailColumns} from '../list/screen.ts';
import {onZone, type ScreenDefinition, shownOf} from '../shell/screen.ts';
import {readCustomRules} from '../zones/actions.ts';
import {customRuleRows} from './detail-rows.ts';
import {rulesOf, visibleCustomRules} from './state.ts';

/** Through the list, the rule that is moved with it; or through all of one rule, as far as there are rows. */
function move(
	state: Has<'customRules', 'data' | 'move' | 'showDetail'> & Has<'navigation', 'viewport'>,
	by: number,
): void {
	const customRules = state.customRules.data;
	const {viewport} = state.navigation;
	if (customRules?.detail === undefined) {
		state.customRules.move(by);
		return;
	}
	const marks = {warning: '!', dot: '.'};
	const rows = customRuleRows(customRules, detailColumns(viewport.columns), marks).length;
	state.customRules.showDetail(
		Math.max(0, Math.min(rows - bodyRows(viewport.rows), customRules.detail + by)),
	);
}

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
	move,
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
