import {bodyRows} from '../../components/layout.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import {onZone, type ScreenDefinition} from '../shell/screen.ts';
import {readFirewall} from '../zones/actions.ts';
import {detailColumns, detailRows} from './detail-rows.ts';

/** Through the lists; or through all of what is selected, as far as there are rows. */
function move(state: LedgeState, by: number): void {
	const {firewall, viewport} = state;
	if (firewall?.detail === undefined) {
		state.moveInFirewall(by);
		return;
	}
	const rows = detailRows(firewall, detailColumns(viewport.columns), {warning: '!', dot: '.'}).length;
	state.showDetail(Math.max(0, Math.min(rows - bodyRows(viewport.rows), firewall.detail + by)));
}

export const firewallScreen: ScreenDefinition = {
	group: 'Firewall',
	called: 'the firewall',
	path: (_before, {firewall}) => ['ledge', 'firewall', firewall?.zone.name ?? ''],
	actsOn: (_before, {firewall}) => onZone(firewall?.zone),
	reload: readFirewall,
	move,
	filter: {text: ({firewall}) => firewall?.sought ?? '', narrow: (state, text) => state.narrowFirewall(text)},
};
