import {Text, type TextProps} from 'ink';
import {memo, type ReactElement} from 'react';
import {getBodyRows} from '../../components/layout.ts';
import {List} from '../../components/list.tsx';
import {type Theme, useTheme} from '../../components/theme.ts';
import {getNoMatchAdvice} from '../../kv/key-index/key-filter.ts';
import {toDrawable} from '../../text/columns.ts';
import {cutEnd, cutMiddle, fitText} from '../../text/cut.ts';
import {Empty} from '../shell/empty.tsx';
import {useLedge} from '../shell/use-ledge.ts';
import type {DetailBuilder} from './detail.ts';
import type {ListOperations, ListState} from './list.ts';
import {hasLoaded} from './reading.ts';
import type {ListWithDetailState} from './slice.ts';

export type Column<Row> = {
	readonly title: string;
	/** Width on a terminal of `columns` columns; 0 hides it. The column without a width takes the rest. */
	getWidth?(columns: number): number;
	/** True if it stays where the column without a width would have too little room. */
	readonly isEssential?: boolean;
	readonly align?: 'right';
	/** Blanks before it; 1 by default. */
	readonly gap?: number;
	/** Where a long cell is cut; at its end by default. */
	readonly cut?: 'middle';
	/** Unescaped data. */
	getText(row: Row, theme: Theme): string;
	/** Style of a cell; `dim` is ignored on the current row. */
	getLook?(row: Row, theme: Theme): TextProps | 'dim';
};

type PlacedColumn<Row> = {readonly column: Column<Row>; readonly gap: number; readonly width: number};

type TableLook<Row> = {
	/** True for rows with a mark after the cursor's. */
	isMarked?(row: Row): boolean;
	/** True for rows that are dim unless they are current. */
	isDim?(row: Row): boolean;
	/** For two tables side by side: true if this one has the cursor. */
	readonly hasCursor?: boolean;
};

/** How a list with a detail is drawn. */
export type ListView<Row, State extends ListWithDetailState<Row>> = Omit<TableLook<Row>, 'isMarked'> & {
	/** True for rows with a mark after the cursor's. */
	isMarked?(row: Row, data: State): boolean;
	readonly list: Pick<ListOperations<Row>, 'listVisible'>;
	getColumns?(data: State): readonly Column<Row>[];
	/** Renders something other than one table, leaving `rowsBelow` screen rows free. */
	renderTable?(data: State, rowsBelow: number): ReactElement;
	readonly buildDetail: DetailBuilder<State>;
	/** Share of the height that the detail takes below the list; half by default. */
	readonly detailShare?: number;
	/** Text after the count of rows that the detail below the list hides, such as how to see them. */
	getDetailHint?(data: State): string | undefined;
	/** Title while nothing is open; by default that no zone is open. */
	readonly closedTitle?: string;
	/** Title if the filter matches no row, by default with the filter. */
	describeNoMatch?(filter: string, data: State): string;
	/** Title if there are no rows. */
	describeEmpty(data: State): string;
	/** Next step if there are no rows; "esc goes back" by default. */
	describeNextStep?(data: State): string;
};

/** Columns of the cursor mark, the other mark, and the free end of a row. */
const [cursorColumns, markColumns, endColumns] = [3, 1, 1];

/** Columns that names, the column without a width, get before the other columns. */
const minNameColumns = 14;

/** Columns that an essential text column keeps. */
const minEssentialColumns = 10;

/**
 * Computes the widths. If names have too little room, other columns are hidden, the last ones first; then the
 * essential ones are cut, except for figures.
 */
function placeColumns<Row>(
	columnDefinitions: readonly Column<Row>[],
	columns: number,
	margins: number,
): readonly PlacedColumn<Row>[] {
	let visibleColumns = columnDefinitions
		.map(column => ({column, width: column.getWidth?.(columns)}))
		.filter(({width}) => width !== 0);
	const getGap = ({gap = 1}: Column<Row>, index: number) => (index === 0 ? 0 : gap);
	const measureRest = () =>
		visibleColumns.reduce(
			(rest, {column, width = 0}, index) => rest - getGap(column, index) - width,
			columns - margins,
		);
	while (measureRest() < minNameColumns) {
		const lastIndex = visibleColumns.findLastIndex(
			({column: {isEssential}, width}) => width !== undefined && !isEssential,
		);
		if (lastIndex === -1) break;
		visibleColumns = visibleColumns.toSpliced(lastIndex, 1);
	}
	let missingColumns = minNameColumns - measureRest();
	visibleColumns = visibleColumns.map(one => {
		const {width, column} = one;
		if (width === undefined || column.align === 'right' || missingColumns <= 0) return one;
		const cutColumns = Math.min(missingColumns, Math.max(0, width - minEssentialColumns));
		missingColumns -= cutColumns;
		return {column, width: width - cutColumns};
	});
	const restColumns = Math.max(1, measureRest());
	return visibleColumns.map(({column, width = restColumns}, index) => ({
		column,
		gap: getGap(column, index),
		width,
	}));
}

function formatCell(
	{column: {align, cut}, gap, width}: PlacedColumn<never>,
	text: string,
	isLast: boolean,
): string {
	const safeText = toDrawable(text);
	const clippedText = cut === 'middle' ? cutMiddle(safeText, width) : cutEnd(safeText, width);
	return ' '.repeat(gap) + (isLast && align === undefined ? clippedText : fitText(clippedText, width, align));
}

type Piece = {readonly text: string; readonly look: TextProps};

/** Shows rows in columns below their titles. */
export function Table<Row>({
	columns: columnDefinitions,
	rows,
	cursor,
	rowsBelow = 0,
	width,
	isMarked,
	isDim,
	hasCursor,
}: TableLook<Row> & {
	readonly columns: readonly Column<Row>[];
	readonly rows: {readonly length: number; at(index: number): Row | undefined};
	readonly cursor: number;
	/** Screen rows left free below the table. */
	readonly rowsBelow?: number;
	/** Width in columns; the screen's by default. */
	readonly width?: number;
}): ReactElement {
	const {columns, rows: height} = useLedge(state => state.navigation.viewport);
	const theme = useTheme();
	const leftColumns = isMarked ? cursorColumns + markColumns : cursorColumns;
	const placedColumns = placeColumns(columnDefinitions, width ?? columns, leftColumns + endColumns);
	const lastIndex = placedColumns.length - 1;
	const buildPieces = (row: Row, isCurrent: boolean): readonly Piece[] =>
		placedColumns.map((placedColumn, index) => {
			const look = isCurrent ? {} : (placedColumn.column.getLook?.(row, theme) ?? {});
			return {
				text: formatCell(placedColumn, placedColumn.column.getText(row, theme), index === lastIndex),
				look: look === 'dim' ? theme.dim : look,
			};
		});
	return (
		<>
			<Text {...(hasCursor ? {bold: true} : theme.dim)} wrap="truncate">
				{`${' '.repeat(leftColumns)}${placedColumns.map((placedColumn, index) => formatCell(placedColumn, placedColumn.column.title, index === lastIndex)).join('')}`}
			</Text>
			<List
				count={rows.length}
				cursor={cursor}
				hasCursor={hasCursor !== false}
				isSelected={index => {
					const row = rows.at(index);
					return row !== undefined && isMarked?.(row) === true;
				}}
				height={getBodyRows(height) - 1 - rowsBelow}
				renderRow={(index, isCursor) => {
					const row = rows.at(index);
					if (row === undefined) return <Text> </Text>;
					const isCurrent = isCursor && hasCursor !== false;
					return (
						<Line
							pieces={buildPieces(row, isCurrent)}
							isCurrent={isCurrent}
							mark={isMarked && (isMarked(row) ? theme.marks.selected : ' ')}
							isDim={isDim?.(row) === true}
						/>
					);
				}}
			/>
		</>
	);
}

type EmptyListProps<Row> = {
	readonly list: ListState<Row>;
	/** Title if the filter matches no row. */
	readonly noMatchTitle: string;
	readonly emptyMessage: {readonly title: string; readonly next: string};
};

/** Explains why a list shows no row: the filter, a failure, not loaded, or empty. */
export function EmptyListMessage<Row>({list, noMatchTitle, emptyMessage}: EmptyListProps<Row>): ReactElement {
	const {rows, filter, reading, failure} = list;
	if (rows.length > 0) return <Empty title={noMatchTitle} next={getNoMatchAdvice(filter)} />;
	if (failure && reading !== 'reading' && reading !== 'reading again') return <Empty failure={failure} />;
	return hasLoaded(list) ? <Empty {...emptyMessage} /> : <Empty isUnread />;
}

/** Shows the visible rows, or why there are none. */
export function ListBody<Row>({
	visibleRows,
	columns,
	rowsBelow,
	...emptyProps
}: EmptyListProps<Row> & {
	readonly visibleRows: readonly Row[];
	readonly columns: readonly Column<Row>[];
	/** Screen rows left free below the list; 0 by default. */
	readonly rowsBelow?: number;
}): ReactElement {
	return visibleRows.length > 0 ? (
		<Table
			columns={columns}
			rows={visibleRows}
			cursor={emptyProps.list.cursor}
			{...(rowsBelow !== undefined && {rowsBelow})}
		/>
	) : (
		<EmptyListMessage {...emptyProps} />
	);
}

type LineProps = {
	readonly pieces: readonly Piece[];
	readonly isCurrent: boolean;
	readonly mark: string | undefined;
	readonly isDim: boolean;
};

/** Redraws only if its content changes. */
const Line = memo(
	({pieces, isCurrent, mark = '', isDim}: LineProps): ReactElement => {
		const {cursorBar, selectionBar, dim, marks} = useTheme();
		const cells: ReactElement[] = [];
		for (const {text, look} of pieces)
			cells.push(
				<Text key={cells.length} {...look}>
					{text}
				</Text>,
			);
		return (
			<Text
				wrap="truncate"
				{...(isCurrent ? cursorBar : mark.trim() !== '' ? selectionBar : isDim ? dim : {})}
			>
				{` ${isCurrent ? marks.current : ' '}${mark} `}
				{cells}
			</Text>
		);
	},
	(previous, next) =>
		previous.isCurrent === next.isCurrent &&
		previous.mark === next.mark &&
		previous.isDim === next.isDim &&
		previous.pieces.length === next.pieces.length &&
		previous.pieces.every(({text, look}, index) => {
			const other = next.pieces[index];
			return other?.text === text && isSameLook(look, other.look);
		}),
);

const isSameLook = (one: TextProps, other: TextProps): boolean =>
	one.color === other.color && one.bold === other.bold && one.dimColor === other.dimColor;
