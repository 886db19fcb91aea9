import {type ReactElement, useMemo} from 'react';
import type {Has} from '../../store/ledge-store.ts';
import {counted} from '../../text/figures.ts';
import type {Column} from '../list/table.tsx';
import {ListWithDetail} from '../list/with-detail.tsx';
import {useLedge} from '../shell/use-ledge.ts';
import {itemRows, stateWords} from './rows.ts';
import {inForceReading, items, type LeftItem, stepOf} from './slice.ts';

/** What a migration left behind, how to recreate each item, and the details of the one under the cursor. */
export function LeftBehind(): ReactElement {
	const data = useLedge(state => state.leftBehind.data);
	const managed = useLedge(state => state.managed.data);
	const columns = useMemo(
		(): readonly Column<LeftItem>[] => [
			{title: '#', width: () => 4, align: 'right', text: ({item}) => String(item)},
			{title: 'STATE', width: () => 14, gap: 2, text: row => stateWords(row, {managed: {data: managed}})},
			{title: 'WHAT', width: room => Math.floor(room * 0.45), gap: 2, text: ({left}) => left.what},
			{title: 'SETTING', gap: 2, text: ({left}) => left.setting},
		],
		[managed],
	);
	return (
		<ListWithDetail
			list={items}
			data={data}
			columns={() => columns}
			detail={(leftBehind, room, marks) =>
				itemRows({leftBehind: {data: leftBehind}, managed: {data: managed}}, room, marks)
			}
			below={0.4}
			notOpen="No zone is open."
			narrowed={filter => `Nothing that was left behind has "${filter}" in it.`}
			none={({warnings}) => ['Nothing was left behind that ledge could see.', ...warnings].join('\n')}
		/>
	);
}

/** Formats how many items are not recreated, and the number of unsent changes. */
export function leftBehindStatus(state: Has<'leftBehind' | 'managed'>): string {
	const leftBehind = state.leftBehind.data;
	const managed = state.managed.data;
	if (leftBehind?.reading !== 'read') return '';
	const {rows, filter} = leftBehind;
	const open = rows.filter(row => stepOf(row, state)?.kind !== 'recreated').length;
	const edits = managed?.edits.length ?? 0;
	return [
		filter === '' ? counted(rows.length, 'item') : `${items.visible(leftBehind).length} of ${rows.length}`,
		{
			read: `${open} to recreate`,
			reading: 'reading the rules in force',
			'not loaded': 'rules in force not loaded (ctrl-r)',
		}[inForceReading(state)],
		...(edits > 0 ? [`${counted(edits, 'change')}, not sent`] : []),
	].join('   ');
}
