import {Text} from 'ink';
import {memo, type ReactElement} from 'react';
import {List} from '../../components/list.tsx';
import {useTheme} from '../../components/theme.ts';
import type {TextLines} from '../../text/byte-lines.ts';
import type {JsonTree} from '../../text/json/tree.ts';
import {RowLine} from '../rows/lines.tsx';
import {cutRow, type Row} from '../rows/rows.ts';
import {buildHexLine, buildJsonLine, buildTextLine, countLineDigits, type ValueLine} from './lines.ts';
import {computeBytesPerRow, countViewRows, getCursorRow, type KeyView} from './value-view.ts';

/** The visible rows of a value in its current form. */
export function ValueRows({
	view,
	query,
	columns,
	height,
	cursor,
}: {
	readonly view: KeyView;
	/** Text to highlight. */
	readonly query: string;
	readonly columns: number;
	readonly height: number;
	/** If false, the value is shown from its top. */
	readonly cursor: boolean;
}): ReactElement {
	const {tree, lines, bytes, form, left, known} = view;
	const cursorRow = cursor ? getCursorRow(view, columns) : 0;
	const digits = form === 'text' ? countLineDigits(lines, known) : 0;
	const perRow = computeBytesPerRow(columns);
	const renderRow = (index: number, isCurrent: boolean): ReactElement => {
		const rowProps = {row: index, isHere: isCurrent && cursor, columns};
		switch (form) {
			case 'json':
				return tree ? <JsonLine tree={tree} query={query} {...rowProps} /> : <Text> </Text>;
			case 'text':
				return <TextLine lines={lines} query={query} left={left} digits={digits} {...rowProps} />;
			case 'hex':
				return <HexLine bytes={bytes} perRow={perRow} {...rowProps} />;
		}
	};
	return (
		<List count={countViewRows(view, columns)} cursor={cursorRow} height={height} renderRow={renderRow} />
	);
}

type RowProps = {readonly row: number; readonly isHere: boolean; readonly columns: number};

/** A row of the tree of a JSON value. */
export const JsonLine = memo(
	({
		tree,
		row,
		query,
		...rowProps
	}: RowProps & {readonly tree: JsonTree; readonly query: string}): ReactElement => {
		const {marks} = useTheme();
		return <CutLine line={buildJsonLine(tree, row, query, marks)} left={0} {...rowProps} />;
	},
);

const TextLine = memo(
	({
		lines,
		row,
		query,
		digits,
		left,
		...rowProps
	}: RowProps & {
		readonly lines: TextLines;
		readonly query: string;
		readonly digits: number;
		readonly left: number;
	}): ReactElement => <CutLine line={buildTextLine(lines, row, query, digits)} left={left} {...rowProps} />,
);

const HexLine = memo(
	({
		bytes,
		row,
		perRow,
		...rowProps
	}: RowProps & {readonly bytes: Uint8Array; readonly perRow: number}): ReactElement => (
		<CutLine line={buildHexLine(bytes, row, perRow)} left={0} {...rowProps} />
	),
);

/** A line cut to the columns: cursor mark, margin, visible part. */
function CutLine({
	line: {margin, pieces},
	left,
	isHere,
	columns,
}: Omit<RowProps, 'row'> & {readonly line: ValueLine; readonly left: number}): ReactElement {
	const {marks} = useTheme();
	const row: Row = [
		{text: ` ${isHere ? marks.here : ' '} `, look: isHere ? 'here' : 'plain'},
		{text: `${margin} `, look: isHere ? 'here' : 'dim'},
		...cutRow(pieces, left, columns - margin.length - 5),
	];
	return <RowLine row={row} bold={isHere} />;
}
