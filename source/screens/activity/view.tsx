import {Box} from 'ink';
import {type ReactElement, useMemo} from 'react';
import {fitBesideList, getBodyRows} from '../../components/layout.ts';
import {Lines} from '../../components/lines.tsx';
import {wrapParagraphs} from '../../components/paragraphs.ts';
import type {CallRecord} from '../../service/call.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {formatInteger, formatQuantity} from '../../text/figures.ts';
import {type Column, Table} from '../list/table.tsx';
import {Empty} from '../shell/empty.tsx';
import {useLedge} from '../shell/use-ledge.ts';
import {formatCallPath, hasFailed, listVisibleCalls} from './slice.ts';

/** Rows below the list for the selected call's curl line and a blank row, if there is room. */
const maxDetailRows = 4;

const columns: readonly Column<CallRecord>[] = [
	{title: 'TIME UTC', getWidth: () => 10, getText: ({at}) => new Date(at).toISOString().slice(11, 19)},
	{title: 'METHOD', isEssential: true, gap: 0, getWidth: () => 8, getText: ({method}) => method},
	{
		title: 'STATUS',
		isEssential: true,
		gap: 0,
		getWidth: () => 18,
		getText(call, {marks}) {
			const status = call.status ?? call.failed ?? 'failed';
			const attempt = call.attempt > 1 ? ` (attempt ${call.attempt})` : '';
			return `${hasFailed(call) ? `${marks.failed} ` : ''}${status}${attempt}`;
		},
		getLook: (call, {danger}) => (hasFailed(call) ? danger : {}),
	},
	{
		title: 'MS',
		gap: 0,
		getWidth: () => 7,
		align: 'right',
		getText: ({milliseconds}) => formatInteger(Math.round(milliseconds)),
	},
	{title: 'PATH', gap: 2, cut: 'middle', getText: formatCallPath},
];

/** Every call of this session, the latest first. */
export function Activity(): ReactElement {
	const calls = useLedge(state => state.activity.calls);
	const filter = useLedge(state => state.activity.filterText);
	const visibleCalls = useMemo(
		() => listVisibleCalls({activity: {calls, filterText: filter}}),
		[calls, filter],
	);
	const cursor = useLedge(state => state.activity.cursor);
	const {columns: width, rows} = useLedge(state => state.navigation.viewport);
	const detailRows = fitBesideList(maxDetailRows, getBodyRows(rows));
	if (calls.length === 0) return <Empty title="No API calls in this session yet." />;
	if (visibleCalls.length === 0)
		return (
			<Empty title={`No matches for "${filter}" in method, path or status.`} next="esc clears the filter" />
		);
	return (
		<>
			<Table columns={columns} rows={visibleCalls} cursor={cursor} rowsBelow={detailRows} />
			{detailRows > 0 && (
				<Box paddingLeft={3} paddingTop={1}>
					<Lines dim lines={wrapParagraphs([visibleCalls[cursor]?.curl], width - 5)} rows={detailRows - 1} />
				</Box>
			)}
		</>
	);
}

export const formatActivityStatus = ({
	activity: {count: callCount},
}: StateWith<'activity', 'count'>): string =>
	`${formatQuantity(callCount.all, 'call')}, ${callCount.failed} failed`;
