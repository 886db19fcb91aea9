import {Box, Text} from 'ink';
import {type ReactElement, useMemo} from 'react';
import {bodyRows} from '../../components/layout.ts';
import {useTheme} from '../../components/theme.ts';
import type {Has} from '../../store/ledge-store.ts';
import {counted} from '../../text/figures.ts';
import {detailColumns} from '../firewall/detail-rows.ts';
import {ScrolledRows} from '../rows/lines.tsx';
import {Empty} from '../shell/empty.tsx';
import {type Column, ListBody, Table} from '../shell/table.tsx';
import {useLedge} from '../shell/use-ledge.ts';
import {itemRows, stateWords} from './rows.ts';
import {inForceReading, itemHere, type LeftItem, stepOf, visibleItems} from './slice.ts';

/** What a migration left behind, with what it takes to make each again; all of the one under the cursor below. */
export function LeftBehind(): ReactElement {
	const state = useLedge(state => state.leftBehind.data);
	const managed = useLedge(state => state.managed.data);
	const {columns, rows} = useLedge(state => state.navigation.viewport);
	const {dim, marks} = useTheme();
	const table = useMemo(
		(): readonly Column<LeftItem>[] => [
			{title: '#', width: () => 4, align: 'right', text: ({item}) => String(item)},
			{title: 'STATE', width: () => 14, gap: 2, text: row => stateWords(row, {managed: {data: managed}})},
			{title: 'WHAT', width: room => Math.floor(room * 0.45), gap: 2, text: ({left}) => left.what},
			{title: 'SETTING', gap: 2, text: ({left}) => left.setting},
		],
		[managed],
	);
	if (!state) return <Empty title="No zone is open." next="esc leads back" />;
	const height = bodyRows(rows);
	const visible = visibleItems(state);
	if (visible.length === 0)
		return (
			<ListBody
				list={state}
				visible={visible}
				columns={table}
				narrowed={`Nothing that was left behind has "${state.filter}" in it.`}
				none={{
					title: 'Nothing was left behind that ledge could see.',
					next: [...state.warnings, 'esc leads back'].join('\n'),
				}}
			/>
		);
	const below = Math.max(4, Math.floor(height * 0.4));
	const found = itemHere({leftBehind: {data: state}});
	const detail = found
		? itemRows(found, {managed: {data: managed}, leftBehind: {data: state}}, detailColumns(columns), marks)
		: [];
	return (
		<>
			<Box flexDirection="column" height={height - below - 1} flexShrink={0}>
				<Table columns={table} rows={visible} cursor={state.cursor} below={below + 1} />
			</Box>
			<Text {...dim} wrap="truncate">
				{`   ${marks.rule.repeat(Math.max(0, columns - 6))}`}
			</Text>
			<ScrolledRows rows={detail} top={0} height={below} />
		</>
	);
}

/** How many are not recreated yet, and how much of it is not sent. */
export function leftBehindStatus(state: Has<'leftBehind' | 'managed'>): string {
	const leftBehind = state.leftBehind.data;
	const managed = state.managed.data;
	if (leftBehind?.reading !== 'read') return '';
	const {rows, filter} = leftBehind;
	const open = rows.filter(row => stepOf(row, state)?.kind !== 'recreated').length;
	const edits = managed?.edits.length ?? 0;
	return [
		filter === '' ? counted(rows.length, 'item') : `${visibleItems(leftBehind).length} of ${rows.length}`,
		{
			read: `${open} to recreate`,
			reading: 'reading the rules in force',
			'not loaded': 'rules in force not loaded (ctrl-r)',
		}[inForceReading(state)],
		...(edits > 0 ? [`${counted(edits, 'change')}, not sent`] : []),
	].join('   ');
}
