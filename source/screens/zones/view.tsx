import {Text} from 'ink';
import {memo, type ReactElement} from 'react';
import {bodyRows} from '../../components/layout.ts';
import {List} from '../../components/list.tsx';
import {useTheme} from '../../components/theme.ts';
import type {Zone} from '../../service/zones.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import {drawable} from '../../text/columns.ts';
import {cutEnd, cutMiddle, fitted} from '../../text/cut.ts';
import {counted} from '../../text/figures.ts';
import {Empty} from '../shell/empty.tsx';
import {useLedge} from '../shell/use-ledge.ts';
import {selectedZone, visibleZones} from './slice.ts';

/** Columns of the list: at 60 the account goes first, then the id is cut. */
function columnsFor(columns: number) {
	const plan = columns >= 76 ? 18 : 12;
	const status = 9;
	const account = columns >= 76 ? Math.min(32, Math.floor(columns / 5)) : 0;
	const id = columns >= 120 ? 32 : 0;
	const rest = (width: number) => (width > 0 ? width + 1 : 0);
	return {
		plan,
		status,
		account,
		id,
		name: columns - 3 - rest(plan) - rest(status) - rest(account) - rest(id) - 1,
	};
}

/** The zones that the credential sees. */
export function Zones(): ReactElement {
	const zones = useLedge(state => state.zones);
	const {columns, rows} = useLedge(state => state.viewport);
	const {dim} = useTheme();
	const visible = visibleZones(zones);
	if (visible.length === 0) return <Empty {...whyEmpty(zones)} />;
	const widths = columnsFor(columns);
	return (
		<>
			<Text {...dim} wrap="truncate">
				{`   ${fitted('ZONE', widths.name)} ${fitted('PLAN', widths.plan)} ${fitted('STATUS', widths.status)}${widths.account > 0 ? ` ${fitted('ACCOUNT', widths.account)}` : ''}${widths.id > 0 ? ' ID' : ''}`}
			</Text>
			<List
				count={visible.length}
				cursor={zones.cursor}
				height={bodyRows(rows) - 1}
				row={(index, isHere) => {
					const zone = visible[index];
					return zone ? <ZoneLine zone={zone} isHere={isHere} columns={columns} /> : <Text> </Text>;
				}}
			/>
		</>
	);
}

const ZoneLine = memo(
	({
		zone: {id, name, status, plan, account},
		isHere,
		columns,
	}: {
		readonly zone: Zone;
		readonly isHere: boolean;
		readonly columns: number;
	}): ReactElement => {
		const {here, dim, marks} = useTheme();
		const widths = columnsFor(columns);
		return (
			<Text wrap="truncate" {...(isHere ? here : {})}>
				{` ${isHere ? marks.here : ' '} `}
				{fitted(cutMiddle(drawable(name), widths.name), widths.name)} {fitted(drawable(plan), widths.plan)}{' '}
				{fitted(drawable(status), widths.status)}
				{widths.account > 0 ? ` ${fitted(drawable(account.name || account.id), widths.account)}` : ''}
				<Text {...(isHere ? {} : dim)}>{widths.id > 0 ? ` ${cutEnd(drawable(id), widths.id)}` : ''}</Text>
			</Text>
		);
	},
);

function whyEmpty({reading, filter, failure}: LedgeState['zones']) {
	if (reading === 'reading' || reading === 'unread') return {title: ''};
	if (failure) return {failure};
	if (filter !== '')
		return {title: `No zone has "${filter}" in what is shown of it.`, next: 'esc shows all of them'};
	return {
		title: 'This credential sees no zone.',
		next: 'It needs Zone Read for the zones to be listed; with the id of one, start ledge with --zone-id.',
	};
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
