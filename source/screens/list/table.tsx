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

/** A column of a table. */
export type Column<Row> = {
	readonly title: string;
	/** How wide it is on a terminal of so many columns; 0 leaves it out. The one without takes what is left. */
	width?(columns: number): number;
	readonly align?: 'right';
	/** Blanks before it; 1 unless it says otherwise. */
	readonly gap?: number;
	/** Where a cell that is too long is cut; at its end unless it says otherwise. */
	readonly cut?: 'middle';
	/** Data as it is. */
	text(row: Row, theme: Theme): string;
	/** How it looks; a dim cell is not dim on the row of the cursor. */
	look?(row: Row, theme: Theme): TextProps | 'dim';
};

type Placed<Row> = {readonly column: Column<Row>; readonly gap: number; readonly width: number};

/** The mark of the cursor before each row, and the free column behind it. */
const margins = 4;

function placed<Row>(table: readonly Column<Row>[], columns: number): readonly Placed<Row>[] {
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

/** A list in columns below their titles. */
export function Table<Row>({
	columns: table,
	rows,
	cursor,
	below = 0,
}: {
	readonly columns: readonly Column<Row>[];
	readonly rows: {readonly length: number; at(index: number): Row | undefined};
	readonly cursor: number;
	/** Rows of the screen that are left free below it. */
	readonly below?: number;
}): ReactElement {
	const {columns, rows: height} = useLedge(state => state.navigation.viewport);
	const theme = useTheme();
	const places = placed(table, columns);
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
			<Text {...theme.dim} wrap="truncate">
				{`   ${places.map((place, at) => cell(place, place.column.title, at === last)).join('')}`}
			</Text>
			<List
				count={rows.length}
				cursor={cursor}
				height={bodyRows(height) - 1 - below}
				row={(index, isHere) => {
					const row = rows.at(index);
					return row === undefined ? <Text> </Text> : <Line pieces={piecesOf(row, isHere)} isHere={isHere} />;
				}}
			/>
		</>
	);
}

/** A list that is narrowed by a filter, or why it has no row. */
export function ListBody<Row>({
	list: {reading, failure, filter, cursor},
	visible,
	columns,
	narrowed,
	none,
}: {
	readonly list: ListState<Row>;
	readonly visible: readonly Row[];
	readonly columns: readonly Column<Row>[];
	/** What no row has, where a filter left none. */
	readonly narrowed: string;
	readonly none: {readonly title: string; readonly next: string};
}): ReactElement {
	if (visible.length > 0) return <Table columns={columns} rows={visible} cursor={cursor} />;
	if (reading === 'reading' || reading === 'unread') return <Empty isUnread />;
	if (failure) return <Empty failure={failure} />;
	return filter === '' ? <Empty {...none} /> : <Empty title={narrowed} next="esc shows all of them" />;
}

type LineProps = {readonly pieces: readonly Piece[]; readonly isHere: boolean};

/** A row that shows the same is not drawn again. */
const Line = memo(
	({pieces, isHere}: LineProps): ReactElement => {
		const {here, marks} = useTheme();
		const drawn: ReactElement[] = [];
		for (const {text, look} of pieces)
			drawn.push(
				<Text key={drawn.length} {...look}>
					{text}
				</Text>,
			);
		return (
			<Text wrap="truncate" {...(isHere ? here : {})}>
				{` ${isHere ? marks.here : ' '} `}
				{drawn}
			</Text>
		);
	},
	(before, after) =>
		before.isHere === after.isHere &&
		before.pieces.length === after.pieces.length &&
		before.pieces.every(({text, look}, at) => {
			const other = after.pieces[at];
			return other?.text === text && sameLook(look, other.look);
		}),
);

const sameLook = (one: TextProps, other: TextProps): boolean =>
	one.color === other.color && one.bold === other.bold && one.dimColor === other.dimColor;
