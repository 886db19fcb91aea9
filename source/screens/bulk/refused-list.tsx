import {Box} from 'ink';
import type {ReactElement} from 'react';
import {fitBesideList, getBodyRows} from '../../components/layout.ts';
import {Lines} from '../../components/lines.tsx';
import {wrapParagraphs} from '../../components/paragraphs.ts';
import {toDrawable} from '../../text/columns.ts';
import {cutMiddle} from '../../text/cut.ts';
import {formatQuantity} from '../../text/figures.ts';
import {type Column, Table} from '../list/table.tsx';
import {useLedge} from '../shell/use-ledge.ts';
import {type BulkStage, buildRefusedRows, countRefused, type RefusedRow} from './state.ts';

/** Rows below the list that describe the entry under the cursor and a blank row, if there is room. */
const maxDetailRows = 4;

const buildRefusedColumns = (hiddenCount: number): readonly Column<RefusedRow>[] => [
	{title: 'WHERE', getWidth: () => 15, getText: ({position}) => position},
	{
		title: 'KEY',
		isEssential: true,
		getWidth: totalColumns => Math.floor((totalColumns - 18) * 0.35),
		cut: 'middle',
		getText: ({key}, {marks}) => key ?? marks.none,
	},
	{
		title:
			hiddenCount > 0
				? `REASON (and ${formatQuantity(hiddenCount, 'more entry', 'more entries')})`
				: 'REASON',
		gap: 2,
		getText: ({refusedBy, what, why}) => (refusedBy === 'service' ? why : what),
	},
];

/** Entries refused by the check or the service, with the reason for the one under the cursor. */
export function RefusedList({
	stage,
	cursor,
	columns,
}: {
	readonly stage: BulkStage;
	readonly cursor: number;
	readonly columns: number;
}): ReactElement {
	const refused = buildRefusedRows(stage);
	const selectedEntry = refused[cursor];
	const {rows} = useLedge(state => state.navigation.viewport);
	const detailRows = fitBesideList(maxDetailRows, getBodyRows(rows));
	const width = columns - 5;
	const keyLines = selectedEntry?.key === undefined ? [] : [cutMiddle(toDrawable(selectedEntry.key), width)];
	const reasonLines = selectedEntry
		? wrapParagraphs([`${selectedEntry.what} ${selectedEntry.why}`], width)
		: [];
	return (
		<>
			<Table
				columns={buildRefusedColumns(countRefused(stage) - refused.length)}
				rows={refused}
				cursor={cursor}
				rowsBelow={detailRows}
			/>
			{detailRows > 0 && (
				<Box paddingLeft={3} paddingTop={1}>
					<Lines dim lines={[...keyLines, ...reasonLines]} rows={detailRows - 1} />
				</Box>
			)}
		</>
	);
}
