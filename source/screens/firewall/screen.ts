import {counted, grouped} from '../../text/figures.ts';
import {moveThrough} from '../list/screen.ts';
import {onZone, type ScreenDefinition} from '../shell/screen.ts';
import {readFirewall} from '../zones/actions.ts';
import {detailRows} from './detail-rows.ts';
import {visibleFilters, visibleRules} from './listed.ts';
import type {FirewallState} from './state.ts';

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
	move: (state, by) => moveThrough(state.firewall, detailRows, state.navigation.viewport, by),
	filter: {
		text: ({firewall: {data: firewall}}) => firewall?.sought ?? '',
		narrow: (state, text) => state.firewall.filter(text),
		counts: ({firewall: {data: firewall}}) => (firewall ? countsIn(firewall) : ''),
	},
};
