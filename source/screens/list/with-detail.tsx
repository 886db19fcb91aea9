import {Box, Text} from 'ink';
import {type ReactElement, useMemo} from 'react';
import {bodyRows} from '../../components/layout.ts';
import {useTheme} from '../../components/theme.ts';
import {ScrolledRows} from '../rows/lines.tsx';
import {Empty} from '../shell/empty.tsx';
import {useLedge} from '../shell/use-ledge.ts';
import type {RowsOf} from './list.ts';
import {type Detail, detailColumns, type Listed} from './screen.ts';
import {type Column, ListBody, Table} from './table.tsx';

/** How a list is drawn. */
export type ListView<Row, State extends Listed<Row>> = {
	readonly list: RowsOf<Row>;
	readonly columns: readonly Column<Row>[];
	readonly detail: Detail<State>;
	/** How much of the height the detail takes below the list; half of it unless it says otherwise. */
	readonly below?: number;
	/** What is shown while nothing is open. */
	readonly notOpen: string;
	/** What is shown where a filter left no row. */
	narrowed(filter: string): string;
	/** What is shown where there are no rows. */
	none(data: State): string;
};

/** A list with the detail of the row under the cursor below it, or in its place; without rows, why there are none. */
export function ListWithDetail<Row, State extends Listed<Row>>({
	data,
	list,
	columns: table,
	detail,
	below: share = 0.5,
	notOpen,
	narrowed,
	none,
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
			<ListBody
				list={data}
				visible={visible}
				columns={table}
				narrowed={narrowed(data.filter)}
				none={{title: none(data), next: 'esc leads back'}}
			/>
		);
	const height = bodyRows(rows);
	if (data.detail !== undefined) return <ScrolledRows rows={shown} top={data.detail} height={height} />;
	const below = Math.max(3, Math.floor(height * share));
	return (
		<>
			<Box flexDirection="column" height={height - below - 1} flexShrink={0}>
				<Table columns={table} rows={visible} cursor={data.cursor} below={below + 1} />
			</Box>
			<Text {...dim} wrap="truncate">
				{`   ${marks.rule.repeat(Math.max(0, columns - 6))}`}
			</Text>
			<ScrolledRows rows={shown} top={0} height={below} />
		</>
	);
}
