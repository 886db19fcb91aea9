import {Box, Text} from 'ink';
import {type ReactElement, useMemo} from 'react';
import {getBodyRows} from '../../components/layout.ts';
import {useTheme} from '../../components/theme.ts';
import {ScrolledRows} from '../rows/lines.tsx';
import {Empty} from '../shell/empty.tsx';
import {useLedge} from '../shell/use-ledge.ts';
import type {ListOperations} from './list.ts';
import {type DetailBuilder, getDetailColumns} from './screen.ts';
import type {ListWithDetailState} from './slice.ts';
import {type Column, EmptyListMessage, Table, type TableLook} from './table.tsx';

export type ListView<Row, State extends ListWithDetailState<Row>> = TableLook<Row> & {
	readonly list: Pick<ListOperations<Row>, 'listVisible'>;
	getColumns?(data: State): readonly Column<Row>[];
	/** Renders something other than one table, leaving `rowsBelow` screen rows free. */
	renderTable?(data: State, rowsBelow: number): ReactElement;
	readonly buildDetail: DetailBuilder<State>;
	/** Share of the height that the detail takes below the list; half by default. */
	readonly detailShare?: number;
	/** Title while nothing is open. */
	readonly closedTitle: string;
	/** Title if the filter matches no row. */
	describeNoMatch(filter: string, data: State): string;
	/** Title if there are no rows. */
	describeEmpty(data: State): string;
	/** Next step if there are no rows; "esc goes back" by default. */
	describeNextStep?(data: State): string;
};

/** Shows a list with the detail of the current row below it or in its place; without rows, why. */
export function ListWithDetail<Row, State extends ListWithDetailState<Row>>({
	data,
	list,
	getColumns = () => [],
	renderTable,
	buildDetail,
	detailShare = 0.5,
	closedTitle,
	describeNoMatch,
	describeEmpty,
	describeNextStep = () => 'esc goes back',
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
	if (data.detail !== undefined) return <ScrolledRows rows={detailRows} top={data.detail} height={height} />;
	const detailHeight = Math.max(3, Math.floor(height * detailShare));
	return (
		<>
			<Box flexDirection="column" height={height - detailHeight - 1} flexShrink={0}>
				{renderTable?.(data, detailHeight + 1) ?? (
					<Table
						columns={getColumns(data)}
						rows={visibleRows}
						cursor={data.cursor}
						rowsBelow={detailHeight + 1}
						{...look}
					/>
				)}
			</Box>
			<Text {...dim} wrap="truncate">
				{`   ${marks.line.repeat(Math.max(0, columns - 6))}`}
			</Text>
			<ScrolledRows rows={detailRows} top={0} height={detailHeight} />
		</>
	);
}
