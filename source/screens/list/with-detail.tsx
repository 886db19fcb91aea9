import {Box, Text} from 'ink';
import {type ReactElement, useMemo} from 'react';
import {bodyRows} from '../../components/layout.ts';
import {useTheme} from '../../components/theme.ts';
import {ScrolledRows} from '../rows/lines.tsx';
import {Empty} from '../shell/empty.tsx';
import {useLedge} from '../shell/use-ledge.ts';
import type {RowsOf} from './list.ts';
import {type Detail, detailColumns} from './screen.ts';
import type {Listed} from './slice.ts';
import {type Column, Table, type TableLook, WhyEmpty} from './table.tsx';

export type ListView<Row, State extends Listed<Row>> = TableLook<Row> & {
	readonly list: Pick<RowsOf<Row>, 'visible'>;
	columns?(data: State): readonly Column<Row>[];
	/** Renders something other than one table, leaving `below` screen rows free below it. */
	table?(data: State, below: number): ReactElement;
	readonly detail: Detail<State>;
	/** Share of the height that the detail takes below the list; half by default. */
	readonly below?: number;
	/** Title while nothing is open. */
	readonly notOpen: string;
	/** Title if the filter matches no row. */
	narrowed(filter: string, data: State): string;
	/** Title if there are no rows. */
	none(data: State): string;
	/** Next step if there are no rows; "esc leads back" by default. */
	next?(data: State): string;
};

/** Shows a list with the detail of the current row below it or in its place; without rows, why. */
export function ListWithDetail<Row, State extends Listed<Row>>({
	data,
	list,
	columns: columnsOf = () => [],
	table,
	detail,
	below: share = 0.5,
	notOpen,
	narrowed,
	none,
	next = () => 'esc leads back',
	...look
}: ListView<Row, State> & {readonly data: State | undefined}): ReactElement {
	const {columns, rows} = useLedge(state => state.navigation.viewport);
	const {dim, marks} = useTheme();
	const shown = useMemo(
		() => (data ? detail(data, detailColumns(columns), marks) : []),
		[data, detail, columns, marks],
	);
	if (!data) return <Empty title={notOpen} next="esc leads back" />;
	const visible = list.visible(data);
	if (visible.length === 0)
		return (
			<WhyEmpty
				list={data}
				narrowed={narrowed(data.filter, data)}
				none={{title: none(data), next: next(data)}}
			/>
		);
	const height = bodyRows(rows);
	if (data.detail !== undefined) return <ScrolledRows rows={shown} top={data.detail} height={height} />;
	const below = Math.max(3, Math.floor(height * share));
	return (
		<>
			<Box flexDirection="column" height={height - below - 1} flexShrink={0}>
				{table?.(data, below + 1) ?? (
					<Table columns={columnsOf(data)} rows={visible} cursor={data.cursor} below={below + 1} {...look} />
				)}
			</Box>
			<Text {...dim} wrap="truncate">
				{`   ${marks.rule.repeat(Math.max(0, columns - 6))}`}
			</Text>
			<ScrolledRows rows={shown} top={0} height={below} />
		</>
	);
}
