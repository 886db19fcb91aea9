import {bodyRows} from '../../components/layout.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import {detailColumns} from '../firewall/detail-rows.ts';
import {onZone, type ScreenDefinition, shownOf} from '../shell/screen.ts';
import {readRateLimits} from './actions.ts';
import {rateLimitRows} from './detail-rows.ts';
import {visibleLimits} from './slice.ts';

/** Through the list, or through all of one rule as far as there are rows. */
function move(state: LedgeState, by: number): void {
	const rateLimits = state.rateLimits.data;
	const {viewport} = state.navigation;
	if (rateLimits?.detail === undefined) {
		state.rateLimits.move(by);
		return;
	}
	const marks = {warning: '!', dot: '.'};
	const rows = rateLimitRows(rateLimits, detailColumns(viewport.columns), marks).length;
	state.rateLimits.showDetail(Math.max(0, Math.min(rows - bodyRows(viewport.rows), rateLimits.detail + by)));
}

export const rateLimitsScreen: ScreenDefinition = {
	group: 'Rate limits',
	called: 'the rate limits',
	path: before => [...before, 'rate limits'],
	actsOn: (_before, {rateLimits: {data: rateLimits}}) => onZone(rateLimits?.zone),
	reload: readRateLimits,
	move,
	filter: {
		text: ({rateLimits: {data: rateLimits}}) => rateLimits?.filter ?? '',
		narrow: (state, text) => state.rateLimits.filter(text),
		counts: ({rateLimits: {data: rateLimits}}) =>
			rateLimits ? shownOf(visibleLimits(rateLimits), rateLimits.rows) : '',
	},
};
