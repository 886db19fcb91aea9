import {formatInteger, formatQuantity} from '../../text/figures.ts';
import {createListScreen, createMarkSelection, type ListScreenDefinition} from '../list/screen.ts';
import {readFirewall} from '../zones/actions.ts';
import {buildFirewallDetailRows} from './detail-rows.ts';
import {
	firewallList,
	getMarkRefusal,
	listMarkedFirewallRules,
	listVisibleFilters,
	listVisibleRules,
} from './list.ts';
import {createFirewallSlice} from './slice.ts';
import type {FirewallState} from './state.ts';

/** Formats the matches of both lists: "3 of 20 rules, 2 of 4 filters". */
export function formatFirewallCounts(firewall: FirewallState): string {
	const rules = `${formatInteger(listVisibleRules(firewall).length)} of ${formatQuantity(firewall.rules.length, 'rule')}`;
	const filters = `${formatInteger(listVisibleFilters(firewall).length)} of ${formatQuantity(firewall.filters.length, 'filter')}`;
	return `${rules}, ${filters}`;
}

export const firewallScreen: ListScreenDefinition = createListScreen(firewallList, {
	label: 'the firewall',
	createSlice: createFirewallSlice,
	selection: createMarkSelection(firewallList, getMarkRefusal, listMarkedFirewallRules),
	buildPath: (_before, {firewall: {data}}) => [
		'ledge',
		data?.side === 'filters' ? 'filters' : 'firewall rules',
		data?.zone.name ?? '',
	],
	reload: readFirewall,
	buildDetail: buildFirewallDetailRows,
	formatCounts: formatFirewallCounts,
	listUndoable({firewall: {undoSteps}}) {
		const steps = undoSteps.filter(({edits}) => edits.length > 0);
		return [...Map.groupBy(steps, ({zoneId}) => zoneId).values()].flatMap(([first, ...others]) =>
			first ? [{count: others.length + 1, subject: `the firewall rules of ${first.zoneName}`}] : [],
		);
	},
	listMarked: listMarkedFirewallRules,
	returnToOrigin: state => state.firewall.returnFromRelated(),
});
