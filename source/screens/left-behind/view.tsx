import {type ReactElement, useMemo} from 'react';
import {nameKey} from '../../keyboard/named-keys.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {formatInteger, formatQuantity} from '../../text/figures.ts';
import type {Column} from '../list/table.tsx';
import {ListWithDetail} from '../list/with-detail.tsx';
import {useLedge} from '../shell/use-ledge.ts';
import {buildItemRows, formatItemState} from './rows.ts';
import {getActiveRulesLoadState, getRecreationStep, type LeftItem, leftBehindList} from './slice.ts';

/** What a migration left behind, how to recreate each item, and the details of the one under the cursor. */
export function LeftBehind(): ReactElement {
	const data = useLedge(state => state.leftBehind.data);
	const managed = useLedge(state => state.managed.data);
	const columns = useMemo(
		(): readonly Column<LeftItem>[] => [
			{
				title: '#',
				isEssential: true,
				getWidth: () => 4,
				align: 'right',
				getText: ({itemNumber}) => formatInteger(itemNumber),
			},
			{
				title: 'STATE',
				getWidth: () => 14,
				gap: 2,
				getText: row => formatItemState(row, {managed: {data: managed}, leftBehind: {data}}),
			},
			{
				title: 'WHAT',
				isEssential: true,
				getWidth: room => Math.floor(room * 0.45),
				gap: 2,
				getText: ({leftover}) => leftover.what,
			},
			{title: 'SETTING', gap: 2, getText: ({leftover}) => leftover.setting},
		],
		[managed, data],
	);
	return (
		<ListWithDetail
			list={leftBehindList}
			data={data}
			getColumns={() => columns}
			buildDetail={(leftBehind, room, marks) =>
				buildItemRows({leftBehind: {data: leftBehind}, managed: {data: managed}}, room, marks)
			}
			detailShare={0.4}
			getDetailHint={() => ': right'}
			describeEmpty={({warnings}) => ['ledge found nothing left behind.', ...warnings].join('\n')}
		/>
	);
}

/** Formats how many items are not recreated, and the number of unsent changes. */
export function formatLeftBehindStatus(state: StateWith<'leftBehind' | 'managed'>): string {
	const leftBehind = state.leftBehind.data;
	const managed = state.managed.data;
	if (leftBehind?.reading !== 'read') return '';
	const {rows, filter} = leftBehind;
	const openCount = rows.filter(row => getRecreationStep(row, state)?.kind !== 'recreated').length;
	const editCount = managed?.edits.length ?? 0;
	return [
		filter === ''
			? formatQuantity(rows.length, 'item')
			: `${leftBehindList.listVisible(leftBehind).length} of ${rows.length}`,
		{
			read: `${openCount} to recreate`,
			reading: 'loading the active rules',
			'not loaded': `active rules not loaded (${nameKey('reload', 'ctrl-r')})`,
		}[getActiveRulesLoadState(state)],
		...(editCount > 0 ? [`${formatQuantity(editCount, 'unsent change')}`] : []),
	].join('   ');
}
