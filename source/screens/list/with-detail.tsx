import {Box, Text} from 'ink';
import {type ReactElement, useMemo} from 'react';
import {fitBesideList, getBodyRows} from '../../components/layout.ts';
import {useTheme} from '../../components/theme.ts';
import {ScrolledRows} from '../rows/lines.tsx';
import {Empty} from '../shell/empty.tsx';
import {useLedge} from '../shell/use-ledge.ts';
import {getDetailColumns} from './detail.ts';
import type {ListWithDetailState} from './slice.ts';
import type {ListView} from './table.tsx';
import {EmptyListMessage, Table} from './table.tsx';

/** Shows a list with the detail of the current row below it or in its place; without rows, why. */
export function ListWithDetail<Row, State extends ListWithDetailState<Row>>({
	data,
	list,
	getColumns = () => [],
	renderTable,
	buildDetail,
	detailShare = 0.5,
	getDetailHint,
	closedTitle = 'No zone is open.',
	describeNoMatch = filter => `No matches for "${filter}".`,
	describeEmpty,
	describeNextStep = () => 'esc goes back',
	isMarked,
	...look
}: ListView<Row, State> & {readonly data: State | undefined}): ReactElement {
	const {columns, rows} = useLedge(state => state.navigation.viewport);
	const {dim, marks} = useTheme();
	const detailRows = useMemo(
		() => (data ? buildDetail(data, getDetailColumns(columns), marks) : []),
		[data, buildDetail, columns, marks],
	);
	if (!data) return <Empty title={closedTitle} next="esc goes back" />;
	const visibleRows = list.listVisible(data);
	if (visibleRows.length === 0)
		return (
			<EmptyListMessage
				list={data}
				noMatchTitle={describeNoMatch(data.filter, data)}
				emptyMessage={{title: describeEmpty(data), next: describeNextStep(data)}}
			/>
		);
	const height = getBodyRows(rows);
	if (data.detail !== undefined)
		return <ScrolledRows rows={detailRows} top={data.detail} height={height} hint=": pagedown" />;
	// The details with the line above them.
	const rowsBelow = fitBesideList(Math.max(3, Math.floor(height * detailShare)) + 1, height, 4);
	return (
		<>
			<Box flexDirection="column" height={height - rowsBelow} flexShrink={0}>
				{renderTable?.(data, rowsBelow) ?? (
					<Table
						columns={getColumns(data)}
						rows={visibleRows}
						cursor={data.cursor}
						rowsBelow={rowsBelow}
						{...(isMarked && {isMarked: (row: Row) => isMarked(row, data)})}
						{...look}
					/>
				)}
			</Box>
			{rowsBelow > 0 && (
				<>
					<Text {...dim} wrap="truncate">
						{`   ${marks.line.repeat(Math.max(0, columns - 6))}`}
					</Text>
					<ScrolledRows rows={detailRows} top={0} height={rowsBelow - 1} hint={getDetailHint?.(data)} />
				</>
			)}
		</>
	);
}
