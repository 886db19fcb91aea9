import {Box, Text} from 'ink';
import {memo, type ReactElement} from 'react';
import {Lines} from '../../components/lines.tsx';
import {List} from '../../components/list.tsx';
import {linesOf} from '../../components/paragraphs.ts';
import {useTheme} from '../../components/theme.ts';
import {drawable} from '../../text/columns.ts';
import {cutEnd, cutMiddle, fitted} from '../../text/cut.ts';
import {counted} from '../../text/figures.ts';
import {type BulkStage, type RefusedRow, refusedCount, refusedRows} from './state.ts';

/** Lines below the list for the entry under the cursor. */
const detailRows = 4;

function columnsFor(columns: number) {
	const where = 15;
	const key = Math.floor((columns - where) * 0.35);
	return {where, key, rule: columns - 3 - where - key - 3};
}

/** Entries that were refused, by the check or by the service: which ones, and the rule each breaks. */
export function RefusedList({
	stage,
	cursor,
	columns,
	rows,
}: {
	readonly stage: BulkStage;
	readonly cursor: number;
	readonly columns: number;
	/** Of the whole body. */
	readonly rows: number;
}): ReactElement {
	const {dim} = useTheme();
	const refused = refusedRows(stage);
	const left = refusedCount(stage) - refused.length;
	const selected = refused[cursor];
	const widths = columnsFor(columns);
	const width = columns - 5;
	const key = selected?.key === undefined ? [] : [cutMiddle(drawable(selected.key), width)];
	const rule = selected ? linesOf([`${selected.what} ${selected.why}`], width) : [];
	return (
		<>
			<Text {...dim} wrap="truncate">
				{`   ${fitted('WHERE', widths.where)} ${fitted('KEY', widths.key)}  ${left > 0 ? `RULE (and ${counted(left, 'more entry', 'more entries')})` : 'RULE'}`}
			</Text>
			<List
				count={refused.length}
				cursor={cursor}
				height={rows - 1 - detailRows}
				row={(index, isHere) => {
					const row = refused[index];
					return row ? <RefusedLine row={row} isHere={isHere} columns={columns} /> : <Text> </Text>;
				}}
			/>
			<Box paddingLeft={3} paddingTop={1}>
				<Lines dim lines={[...key, ...rule]} rows={detailRows - 1} />
			</Box>
		</>
	);
}

const RefusedLine = memo(
	({
		row,
		isHere,
		columns,
	}: {
		readonly row: RefusedRow;
		readonly isHere: boolean;
		readonly columns: number;
	}): ReactElement => {
		const {here, marks} = useTheme();
		const widths = columnsFor(columns);
		const key = row.key === undefined ? marks.none : cutMiddle(drawable(row.key), widths.key);
		const rule = row.by === 'service' ? row.why : row.what;
		return (
			<Text wrap="truncate" {...(isHere ? here : {})}>
				{` ${isHere ? marks.here : ' '} ${fitted(row.where, widths.where)} ${fitted(key, widths.key)}  ${cutEnd(drawable(rule), widths.rule)}`}
			</Text>
		);
	},
	({row: one, ...before}, {row: other, ...after}) =>
		one.where === other.where &&
		one.key === other.key &&
		one.what === other.what &&
		one.why === other.why &&
		before.isHere === after.isHere &&
		before.columns === after.columns,
);
