import {Text, type TextProps} from 'ink';
import {memo, type ReactElement} from 'react';
import {bodyRows} from '../../components/layout.ts';
import {List} from '../../components/list.tsx';
import {type Theme, useTheme} from '../../components/theme.ts';
import {drawable} from '../../text/columns.ts';
import {cutEnd, cutMiddle, fitted} from '../../text/cut.ts';
import {Empty} from '../shell/empty.tsx';
import {useLedge} from '../shell/use-ledge.ts';
import type {ListState} from './list.ts';
import {hasLoaded} from './reading.ts';

export type Column<Row> = {
	readonly title: string;
	/** Width on a terminal of `columns` columns; 0 hides it. The column without a width takes the rest. */
	width?(columns: number): number;
	readonly align?: 'right';
	/** Blanks before it; 1 by default. */
	readonly gap?: number;
	/** Where a long cell is cut; at its end by default. */
	readonly cut?: 'middle';
	/** Unescaped data. */
	text(row: Row, theme: Theme): string;
	/** Style of a cell; `dim` is ignored on the current row. */
	look?(row: Row, theme: Theme): TextProps | 'dim';
};

type Placed<Row> = {readonly column: Column<Row>; readonly gap: number; readonly width: number};

export type TableLook<Row> = {
	/** True for rows with a mark after the cursor's. */
	isMarked?(row: Row): boolean;
	/** True for rows that are dim unless they are current. */
	isDim?(row: Row): boolean;
	/** For alternating tables: whether this one has the cursor. */
	readonly isFront?: boolean;
};

/** Columns of the cursor mark, the other mark, and the free end of a row. */
const [here, mark, end] = [3, 1, 1];

function placed<Row>(
	table: readonly Column<Row>[],
	columns: number,
	margins: number,
): readonly Placed<Row>[] {
	const shown = table
		.map((column, at) => ({column, gap: at === 0 ? 0 : (column.gap ?? 1), width: column.width?.(columns)}))
		.filter(({width}) => width !== 0);
	const taken = shown.reduce((sum, {gap, width = 0}) => sum + gap + width, margins);
	return shown.map(({width = columns - taken, ...rest}) => ({...rest, width}));
}

function cell({column: {align, cut}, gap, width}: Placed<never>, text: string, isLast: boolean): string {
	const safe = drawable(text);
	const short = cut === 'middle' ? cutMiddle(safe, width) : cutEnd(safe, width);
	return ' '.repeat(gap) + (isLast && align === undefined ? short : fitted(short, width, align));
}

type Piece = {readonly text: string; readonly look: TextProps};

/** Shows rows in columns below their titles. */
export function Table<Row>({
	columns: table,
	rows,
	cursor,
	below = 0,
	width,
	isMarked,
	isDim,
	isFront,
}: TableLook<Row> & {
	readonly columns: readonly Column<Row>[];
	readonly rows: {readonly length: number; at(index: number): Row | undefined};
	readonly cursor: number;
	/** Screen rows left free below it. */
	readonly below?: number;
	/** Width in columns; the screen's by default. */
	readonly width?: number;
}): ReactElement {
	const {columns, rows: height} = useLedge(state => state.navigation.viewport);
	const theme = useTheme();
	const before = isMarked ? here + mark : here;
	const places = placed(table, width ?? columns, before + end);
	const last = places.length - 1;
	const piecesOf = (row: Row, isHere: boolean): readonly Piece[] =>
		places.map((place, at) => {
			const look = place.column.look?.(row, theme) ?? {};
			return {
				text: cell(place, place.column.text(row, theme), at === last),
				look: look === 'dim' ? (isHere ? {} : theme.dim) : look,
			};
		});
	return (
		<>
			<Text {...(isFront ? {bold: true} : theme.dim)} wrap="truncate">
				{`${' '.repeat(before)}${places.map((place, at) => cell(place, place.column.title, at === last)).join('')}`}
			</Text>
			<List
				count={rows.length}
				cursor={cursor}
				height={bodyRows(height) - 1 - below}
				row={(index, isCursor) => {
					const row = rows.at(index);
					if (row === undefined) return <Text> </Text>;
					const isHere = isCursor && isFront !== false;
					return (
						<Line
							pieces={piecesOf(row, isHere)}
							isHere={isHere}
							mark={isMarked && (isMarked(row) ? theme.marks.selected : ' ')}
							isDim={isDim?.(row) === true}
						/>
					);
				}}
			/>
		</>
	);
}

type Instead<Row> = {
	readonly list: ListState<Row>;
	/** Title if the filter matches no row. */
	readonly narrowed: string;
	readonly none: {readonly title: string; readonly next: string};
};

/** Explains why a list shows no row: the filter, a failure, not loaded, or empty. */
export function WhyEmpty<Row>({list, narrowed, none}: Instead<Row>): ReactElement {
	const {rows, reading, failure} = list;
	if (rows.length > 0) return <Empty title={narrowed} next="esc shows all of them" />;
	if (failure && reading !== 'reading' && reading !== 'reading again') return <Empty failure={failure} />;
	return hasLoaded(list) ? <Empty {...none} /> : <Empty isUnread />;
}

/** Shows the visible rows, or why there are none. */
export function ListBody<Row>({
	visible,
	columns,
	...instead
}: Instead<Row> & {
	readonly visible: readonly Row[];
	readonly columns: readonly Column<Row>[];
}): ReactElement {
	return visible.length > 0 ? (
		<Table columns={columns} rows={visible} cursor={instead.list.cursor} />
	) : (
		<WhyEmpty {...instead} />
	);
}

type LineProps = {
	readonly pieces: readonly Piece[];
	readonly isHere: boolean;
	readonly mark: string | undefined;
	readonly isDim: boolean;
};

/** Redraws only if its content changes. */
const Line = memo(
	({pieces, isHere, mark = '', isDim}: LineProps): ReactElement => {
		const {here, dim, marks} = useTheme();
		const drawn: ReactElement[] = [];
		for (const {text, look} of pieces)
			drawn.push(
				<Text key={drawn.length} {...look}>
					{text}
				</Text>,
			);
		return (
			<Text wrap="truncate" {...(isHere ? here : isDim ? dim : {})}>
				{` ${isHere ? marks.here : ' '}${mark} `}
				{drawn}
			</Text>
		);
	},
	(before, after) =>
		before.isHere === after.isHere &&
		before.mark === after.mark &&
		before.isDim === after.isDim &&
		before.pieces.length === after.pieces.length &&
		before.pieces.every(({text, look}, at) => {
			const other = after.pieces[at];
			return other?.text === text && sameLook(look, other.look);
		}),
);

const sameLook = (one: TextProps, other: TextProps): boolean =>
	one.color === other.color && one.bold === other.bold && one.dimColor === other.dimColor;
