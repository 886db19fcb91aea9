import {Text} from 'ink';
import {memo, type ReactElement} from 'react';
import {List} from '../../components/list.tsx';
import {useTheme} from '../../components/theme.ts';
import type {TextLines} from '../../text/byte-lines.ts';
import type {JsonTree} from '../../text/json/tree.ts';
import {RowLine} from '../rows/lines.tsx';
import {cutRow, type Row} from '../rows/rows.ts';
import {buildHexLine, buildJsonLine, buildTextLine, countLineDigits, type ValueLine} from './lines.ts';
import {PictureRows} from './picture-rows.tsx';
import {computeBytesPerRow, countViewRows, getCursorRow, type KeyView} from './value-view.ts';

/** The visible rows of a value in its current form. */
export function ValueRows({
	view,
	query,
	columns,
	height,
	showsCursor,
}: {
	readonly view: KeyView;
	/** Text to highlight. */
	readonly query: string;
	readonly columns: number;
	readonly height: number;
	/** If false, the value is shown from its top. */
	readonly showsCursor: boolean;
}): ReactElement {
	const {tree, lines, bytes, form, scrolledColumns, knownRows, derivation} = view;
	const cursorRow = showsCursor ? getCursorRow(view, columns) : 0;
	const digits = form === 'text' ? countLineDigits(lines, knownRows) : 0;
	const bytesPerRow = computeBytesPerRow(columns);
	if (derivation?.picture)
		return <PictureRows picture={derivation.picture} columns={columns} height={height} />;
	const renderRow = (index: number, isCurrent: boolean): ReactElement => {
		const rowProps = {row: index, isCurrent: isCurrent && showsCursor, columns};
		switch (form) {
			case 'json':
				return tree ? <JsonLine tree={tree} query={query} {...rowProps} /> : <Text> </Text>;
			case 'text':
				return (
					<TextLine
						lines={lines}
						query={query}
						scrolledColumns={scrolledColumns}
						digits={digits}
						{...rowProps}
					/>
				);
			case 'hex':
				return <HexLine bytes={bytes} bytesPerRow={bytesPerRow} {...rowProps} />;
			case 'image':
				return <Text> </Text>;
		}
	};
	return (
		<List
			count={countViewRows(view, columns)}
			cursor={cursorRow}
			hasCursor={showsCursor}
			height={height}
			renderRow={renderRow}
		/>
	);
}

type RowProps = {readonly row: number; readonly isCurrent: boolean; readonly columns: number};

/** A row of the tree of a JSON value. */
export const JsonLine = memo(
	({
		tree,
		row,
		query,
		...rowProps
	}: RowProps & {readonly tree: JsonTree; readonly query: string}): ReactElement => {
		const {marks} = useTheme();
		return <CutLine line={buildJsonLine(tree, row, query, marks)} scrolledColumns={0} {...rowProps} />;
	},
);

const TextLine = memo(
	({
		lines,
		row,
		query,
		digits,
		scrolledColumns,
		...rowProps
	}: RowProps & {
		readonly lines: TextLines;
		readonly query: string;
		readonly digits: number;
		readonly scrolledColumns: number;
	}): ReactElement => (
		<CutLine
			line={buildTextLine(lines, row, query, digits)}
			scrolledColumns={scrolledColumns}
			{...rowProps}
		/>
	),
);

const HexLine = memo(
	({
		bytes,
		row,
		bytesPerRow,
		...rowProps
	}: RowProps & {readonly bytes: Uint8Array; readonly bytesPerRow: number}): ReactElement => (
		<CutLine line={buildHexLine(bytes, row, bytesPerRow)} scrolledColumns={0} {...rowProps} />
	),
);

/** A line cut to the columns: cursor mark, margin, visible part. */
function CutLine({
	line: {margin, pieces},
	scrolledColumns,
	isCurrent,
	columns,
}: Omit<RowProps, 'row'> & {readonly line: ValueLine; readonly scrolledColumns: number}): ReactElement {
	const {marks} = useTheme();
	const row: Row = [
		{text: ` ${isCurrent ? marks.current : ' '} `, look: isCurrent ? 'here' : 'plain'},
		{text: `${margin} `, look: isCurrent ? 'here' : 'dim'},
		...cutRow(pieces, scrolledColumns, columns - margin.length - 5),
	];
	return <RowLine row={row} isCurrent={isCurrent} />;
}
