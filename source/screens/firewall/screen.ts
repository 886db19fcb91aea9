import {counted, grouped} from '../../text/figures.ts';
import {listScreen} from '../list/screen.ts';
import {onZone, type ScreenDefinition} from '../shell/screen.ts';
import {readFirewall} from '../zones/actions.ts';
import {detailRows} from './detail-rows.ts';
import {firewallList, visibleFilters, visibleRules} from './listed.ts';
import type {FirewallState} from './state.ts';

/** Formats the matches of both lists: "3 of 20 rules, 2 of 4 filters". */
export function countsIn(firewall: FirewallState): string {
	const rules = `${grouped(visibleRules(firewall).length)} of ${counted(firewall.rules.length, 'rule')}`;
	const filters = `${grouped(visibleFilters(firewall).length)} of ${counted(firewall.filters.length, 'filter')}`;
	return `${rules}, ${filters}`;
}

export const firewallScreen: ScreenDefinition = listScreen(firewallList, {
	called: 'the firewall',
	path: (_before, {firewall: {data}}) => ['ledge', 'firewall', data?.zone.name ?? ''],
	actsOn: (_before, {firewall: {data}}) => onZone(data?.zone),
	reload: readFirewall,
	detail: detailRows,
	counts: countsIn,
});
