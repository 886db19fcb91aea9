import {bodyRows} from '../../components/layout.ts';
import type {Has} from '../../store/ledge-store.ts';
import {counted, grouped} from '../../text/figures.ts';
import {detailColumns} from '../list/screen.ts';
import {onZone, type ScreenDefinition} from '../shell/screen.ts';
import {readFirewall} from '../zones/actions.ts';
import {detailRows} from './detail-rows.ts';
import {visibleFilters, visibleRules} from './listed.ts';
import type {FirewallState} from './state.ts';

/** Through the lists; or through all of what is selected, as far as there are rows. */
function move(
	state: Has<'firewall', 'data' | 'move' | 'showDetail'> & Has<'navigation', 'viewport'>,
	by: number,
): void {
	const firewall = state.firewall.data;
	const {viewport} = state.navigation;
	if (firewall?.detail === undefined) {
		state.firewall.move(by);
		return;
	}
	const rows = detailRows(firewall, detailColumns(viewport.columns), {warning: '!', dot: '.'}).length;
	state.firewall.showDetail(Math.max(0, Math.min(rows - bodyRows(viewport.rows), firewall.detail + by)));
}

/** Of both lists, since both are narrowed. */
function countsIn(firewall: FirewallState): string {
	const rules = `${grouped(visibleRules(firewall).length)} of ${counted(firewall.rules.length, 'rule')}`;
	const filters = `${grouped(visibleFilters(firewall).length)} of ${counted(firewall.filters.length, 'filter')}`;
	return `${rules}, ${filters}`;
}

export const firewallScreen: ScreenDefinition = {
	group: 'Firewall',
	called: 'the firewall',
	path: (_before, {firewall: {data: firewall}}) => ['ledge', 'firewall', firewall?.zone.name ?? ''],
	actsOn: (_before, {firewall: {data: firewall}}) => onZone(firewall?.zone),
	reload: readFirewall,
	move,
	filter: {
		text: ({firewall: {data: firewall}}) => firewall?.sought ?? '',
		narrow: (state, text) => state.firewall.filter(text),
		counts: ({firewall: {data: firewall}}) => (firewall ? countsIn(firewall) : ''),
	},
};
