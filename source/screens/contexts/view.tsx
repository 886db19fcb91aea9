import type {ReactElement} from 'react';
import {nameKey} from '../../keyboard/named-keys.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {measureColumns, toDrawable} from '../../text/columns.ts';
import {type Column, ListBody} from '../list/table.tsx';
import {useLedge} from '../shell/use-ledge.ts';
import {getSelectedPlace, listVisiblePlaces, type PlaceRow} from './rows.ts';

const productionLabel = 'PRODUCTION';

/** Columns beside name and account: the cursor mark, the active mark, the kind. */
const fixedColumns = 18;

/** Minimum useful columns of an account. */
const minDetailsColumns = 16;

/** Returns the width that the names leave to the account column; 0 if that is too narrow. */
function computeDetailsWidth(rows: readonly PlaceRow[], columns: number): number {
	const nameColumns = Math.max(...rows.map(({name}) => measureColumns(toDrawable(name))));
	const columnsLeft =
		columns - fixedColumns - nameColumns - 1 - (hasProduction(rows) ? productionLabel.length + 1 : 0);
	return columnsLeft < minDetailsColumns ? 0 : Math.min(70, columnsLeft);
}

const hasProduction = (rows: readonly PlaceRow[]): boolean => rows.some(({isProduction}) => isProduction);

const buildContextColumns = (rows: readonly PlaceRow[]): readonly Column<PlaceRow>[] => [
	{
		title: '',
		isEssential: true,
		getWidth: () => 1,
		getText: ({isActive}, {marks}) => (isActive ? marks.now : ''),
	},
	{
		title: '',
		isEssential: true,
		getWidth: () => 11,
		getText: ({kind}) => (kind === 'start' ? '' : kind),
		getLook: () => 'dim',
	},
	{title: 'NAME', cut: 'middle', getText: ({name}) => name},
	{
		title: '',
		isEssential: true,
		getWidth: () => (hasProduction(rows) ? productionLabel.length : 0),
		getText: ({isProduction}) => (isProduction ? productionLabel : ''),
		getLook: (_row, {danger}) => danger,
	},
	{
		title: 'ACCOUNT OR DETAILS',
		getWidth: columns => computeDetailsWidth(rows, columns),
		getText: formatPlaceDetails,
		getLook: () => 'dim',
	},
];

/** Formats the account and how it signs in. */
function formatPlaceDetails({id, details}: PlaceRow): string {
	return id === undefined ? details : `${id} ${details}`;
}

const emptyMessage = {title: 'Nothing to choose from.', next: ''};

/** Lists contexts, accounts, environments and targets to choose from. */
export function Contexts(): ReactElement {
	const contexts = useLedge(state => state.contexts.data);
	return (
		<ListBody
			list={contexts}
			visibleRows={listVisiblePlaces(contexts)}
			columns={buildContextColumns(contexts.rows)}
			noMatchTitle={`No matches for "${contexts.filter}".`}
			emptyMessage={emptyMessage}
		/>
	);
}

/** Formats whether accounts are missing, the current row, and the filter count. */
export function formatContextsStatus({
	contexts: {data: contexts},
	connection: {data: connection},
}: StateWith<'contexts' | 'connection'>): string {
	const row = getSelectedPlace(contexts);
	if (!row) return '';
	const rowCount = contexts.rows.length;
	const filterCount = contexts.filter === '' ? [] : [`${listVisiblePlaces(contexts).length} of ${rowCount}`];
	const isCancelled = contexts.reading === 'unread' && connection?.credential && !connection.simulated;
	const isUnread = contexts.reading === 'failed' || isCancelled;
	const unreadNote = isUnread ? [`accounts not loaded (${nameKey('reload', 'ctrl-r')})`] : [];
	return [...unreadNote, formatPlaceDetails(row), ...(row.isActive ? ['active'] : []), ...filterCount]
		.filter(Boolean)
		.join('   ');
}
