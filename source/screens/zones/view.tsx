import {Box, Text} from 'ink';
import {type ReactElement, useEffect, useMemo} from 'react';
import {getBodyRows} from '../../components/layout.ts';
import {useTheme} from '../../components/theme.ts';
import {areCustomRulesNearlyFull, getZoneProgress} from '../../migration/overview/overview.ts';
import {buildOverviewCells, formatZoneTotals} from '../../migration/overview/words.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {measureColumns} from '../../text/columns.ts';
import {cutEnd} from '../../text/cut.ts';
import {formatQuantity} from '../../text/figures.ts';
import {type Column, ListBody} from '../list/table.tsx';
import {useApp, useLedge} from '../shell/use-ledge.ts';
import {readUnreadZones} from './actions.ts';
import {getSelectedZone, listVisibleZones, type ZoneRow} from './slice.ts';

const formatOwner = ({account}: ZoneRow): string => account.name || account.id;

/** Minimum terminal columns for the versions of the managed rules, the ids, and the full reasons. */
const [minVersionColumns, minIdColumns, minReasonColumns] = [76, 120, 160];

/** Minimum rows of the body for the totals below the list, and for the number of hidden zones. */
const [minTotalsRows, minFootRows] = [14, 7];

/** Narrow terminals hide ids and reasons first, then the versions, which the status line shows instead. */
const buildColumns = (order: 'name' | 'attention'): readonly Column<ZoneRow>[] => [
	{
		title: order === 'name' ? 'ZONE (by name)' : 'ZONE (by urgency)',
		cut: 'middle',
		getText: ({name}) => name,
	},
	{
		title: 'PLAN',
		getWidth: () => 10,
		getText: ({level, plan, overview}) => (level ? buildOverviewCells(overview).plan : plan),
	},
	{
		title: 'OLD',
		getWidth: terminalColumns => (terminalColumns >= minVersionColumns ? 8 : 0),
		getText: ({overview}) => buildOverviewCells(overview).old,
	},
	{
		title: 'NEW',
		getWidth: terminalColumns => (terminalColumns >= minVersionColumns ? 8 : 0),
		getText: ({overview}) => buildOverviewCells(overview).new,
	},
	{
		title: 'MIGRATION',
		isEssential: true,
		getWidth: () => 11,
		getText: ({overview}) => buildOverviewCells(overview).migration,
		getLook({overview}, {warning, good}) {
			switch (getZoneProgress(overview)) {
				case 'in doubt':
				case 'sending':
				case 'unfinished':
				case 'blocked':
					return warning;
				case 'complete':
					return good;
				case 'none':
				case 'unknown':
					return 'dim';
				default:
					return {};
			}
		},
	},
	{
		title: 'CUSTOM',
		getWidth: () => 11,
		getText: ({overview}) => buildOverviewCells(overview).custom,
		getLook: ({overview}, {warning}) => (areCustomRulesNearlyFull(overview) ? warning : {}),
	},
	{
		title: 'STATUS',
		getWidth: terminalColumns => (terminalColumns >= minIdColumns ? 9 : 0),
		getText: ({status}) => status,
	},
	{
		title: 'ACCOUNT',
		getWidth: terminalColumns => (terminalColumns >= minReasonColumns ? Math.floor(terminalColumns / 8) : 0),
		getText: formatOwner,
	},
	{
		title: 'ID',
		getWidth: terminalColumns => (terminalColumns >= minIdColumns ? 32 : 0),
		getText: ({id}) => id,
		getLook: () => 'dim',
	},
	{
		title: 'ABOUT',
		getWidth: terminalColumns =>
			terminalColumns >= minReasonColumns ? Math.floor((terminalColumns - 124) * 0.6) : 0,
		getText: ({overview}) => buildOverviewCells(overview).about.join(', '),
	},
];

const emptyMessage = {
	title: 'This credential has access to no zones.',
	next: 'Listing zones needs Zone Read; if you know a zone id, start ledge with --zone-id.',
};

/** Lists the zones. What each needs is read while they are shown. */
export function Zones(): ReactElement {
	const app = useApp();
	const zones = useLedge(state => state.zones.data);
	const {changeCount} = zones;
	useEffect(() => app.state().zones.forgetPassingStates(), [app]);
	// A zone that changes while they are shown, as by a write in the background, is read again.
	useEffect(() => {
		if (changeCount > 0) readUnreadZones(app);
	}, [app, changeCount]);
	const {rows, order} = zones;
	const columns = useMemo(() => buildColumns(order), [order]);
	const totals = useMemo(
		() => (rows.length === 0 ? '' : formatZoneTotals(rows.map(({overview}) => overview))),
		[rows],
	);
	const {dim, isSpoken} = useTheme();
	const bodyRows = useLedge(state => getBodyRows(state.navigation.viewport.rows));
	const visibleRows = listVisibleZones(zones);
	const shownTotals = bodyRows >= minTotalsRows ? totals : '';
	const roomWithFoot = bodyRows - 2;
	const hiddenCount =
		isSpoken || bodyRows < minFootRows || visibleRows.length <= bodyRows - (shownTotals === '' ? 1 : 2)
			? 0
			: visibleRows.length - roomWithFoot;
	const foot = [
		...(hiddenCount > 0 ? [`… ${formatQuantity(hiddenCount, 'more zone')}`] : []),
		...(shownTotals === '' ? [] : [shownTotals]),
	].join('   ');
	return (
		<>
			<Box flexDirection="column" flexGrow={1}>
				<ListBody
					list={zones}
					visibleRows={visibleRows}
					columns={columns}
					rowsBelow={foot === '' ? 0 : 1}
					noMatchTitle={`No matches for "${zones.filter}".`}
					emptyMessage={emptyMessage}
				/>
			</Box>
			{foot !== '' && (
				<Text {...dim} wrap="truncate">
					{`   ${foot}`}
				</Text>
			)}
		</>
	);
}

/**
 * Formats the selected zone: its name and details, then what fits of the zone count, hidden columns, id and
 * account. The reading progress comes before these.
 */
export function formatZonesStatus({
	zones: {data: zones},
	navigation: {viewport},
}: StateWith<'zones'> & StateWith<'navigation', 'viewport'>): string {
	const zone = getSelectedZone(zones);
	if (!zone) return '';
	const {about, old: oldVersion, new: newVersion} = buildOverviewCells(zone.overview);
	const totalText = formatQuantity(zones.rows.length, 'zone');
	const readCount = zones.rows.length - zones.unreadIds.size;
	const countText = zones.filter === '' ? totalText : `${listVisibleZones(zones).length} of ${totalText}`;
	// A sentence that is cut in its middle may read as another one.
	const nameText = cutEnd(
		about.length === 0 ? zone.name : `${zone.name}: ${about.join(', ')}`,
		viewport.columns - 2,
	);
	const progressText = `   ${readCount} of ${totalText} loaded`;
	const hasProgress =
		zones.unreadIds.size > 0 && measureColumns(nameText + progressText) <= viewport.columns - 2;
	const progress = hasProgress ? progressText.trimStart() : '';
	let room = viewport.columns - 2 - measureColumns(`${nameText}   ${progress}`);
	const takeRoom = (text: string): boolean => {
		const width = measureColumns(text) + 3;
		if (text === '' || width > room) return false;
		room -= width;
		return true;
	};
	const countOrProgress = progress === '' && takeRoom(countText) ? countText : progress;
	const versions =
		viewport.columns < minVersionColumns && oldVersion !== '' ? `old ${oldVersion}, new ${newVersion}` : '';
	return [nameText, ...[versions, zone.id, formatOwner(zone)].filter(takeRoom), countOrProgress]
		.filter(Boolean)
		.join('   ');
}
