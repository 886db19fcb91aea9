import type {ReactElement} from 'react';
import type {Zone} from '../../service/zones.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import {counted} from '../../text/figures.ts';
import {type Column, ListBody} from '../shell/table.tsx';
import {useLedge} from '../shell/use-ledge.ts';
import {selectedZone, visibleZones} from './slice.ts';

/** At 60 columns the account goes first, then the id. */
const columns: readonly Column<Zone>[] = [
	{title: 'ZONE', cut: 'middle', text: ({name}) => name},
	{title: 'PLAN', width: all => (all >= 76 ? 18 : 12), text: ({plan}) => plan},
	{title: 'STATUS', width: () => 9, text: ({status}) => status},
	{
		title: 'ACCOUNT',
		width: all => (all >= 76 ? Math.min(32, Math.floor(all / 5)) : 0),
		text: ({account}) => account.name || account.id,
	},
	{title: 'ID', width: all => (all >= 120 ? 32 : 0), text: ({id}) => id, look: () => 'dim'},
];

const none = {
	title: 'This credential sees no zone.',
	next: 'It needs Zone Read for the zones to be listed; with the id of one, start ledge with --zone-id.',
};

/** The zones that the credential sees. */
export function Zones(): ReactElement {
	const zones = useLedge(state => state.zones);
	return (
		<ListBody
			list={zones}
			visible={visibleZones(zones)}
			columns={columns}
			narrowed={`No zone has "${zones.filter}" in what is shown of it.`}
			none={none}
		/>
	);
}

/** The whole id, and how many there are. */
export function zonesStatus({zones}: Pick<LedgeState, 'zones'>): string {
	const zone = selectedZone(zones);
	const all = zones.rows.length;
	if (!zone) return '';
	return [
		zone.id,
		zone.account.name || zone.account.id,
		zones.filter === '' ? counted(all, 'zone') : `${visibleZones(zones).length} of ${counted(all, 'zone')}`,
	].join('   ');
}
