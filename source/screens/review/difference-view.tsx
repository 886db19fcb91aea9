import {Box, Text} from 'ink';
import {Fragment, memo, type ReactElement} from 'react';
import {useTheme} from '../../components/theme.ts';
import {toDrawable} from '../../text/columns.ts';
import {cutEnd} from '../../text/cut.ts';
import {formatQuantity} from '../../text/figures.ts';
import {
	buildCellParts,
	type Cell,
	type ChangeAuthor,
	type DifferenceLayout,
	type LayoutRow,
} from './difference-rows.ts';

/** The visible rows of a difference: `-` and `+` marks, changed parts underlined. */
export function DifferenceRows({
	layout,
	top,
	visibleRows,
	columns,
	sideBySide,
	titles = ['before', 'after'],
}: {
	readonly layout: DifferenceLayout;
	readonly top: number;
	readonly visibleRows: number;
	readonly columns: number;
	readonly sideBySide: boolean;
	/** Titles of the sides. Not escaped for the terminal. */
	readonly titles?: readonly [string, string];
}): ReactElement {
	const {dim} = useTheme();
	const halfColumns = Math.floor((columns - 4) / 2);
	const indent = ' '.repeat(layout.digits + 3);
	const rows: ReactElement[] = [];
	for (let slot = 0; slot < visibleRows && top + slot < layout.rowCount; slot++) {
		const row = layout.at(top + slot);
		if (row) rows.push(<Fragment key={slot}>{renderRow(row, layout.digits, columns, halfColumns)}</Fragment>);
	}
	return (
		<>
			{sideBySide && (
				<Box paddingLeft={3} flexShrink={0} height={1}>
					<Box width={halfColumns} flexShrink={0}>
						<Text {...dim}>{cutEnd(`${indent}${toDrawable(titles[0])}`, halfColumns - 1)}</Text>
					</Box>
					<Text {...dim}>{cutEnd(`${indent}${toDrawable(titles[1])}`, halfColumns - 1)}</Text>
				</Box>
			)}
			<Box height={visibleRows} flexShrink={0} flexDirection="column" overflow="hidden">
				{rows}
			</Box>
		</>
	);
}

function renderRow(row: LayoutRow, digits: number, columns: number, halfColumns: number): ReactElement {
	switch (row.kind) {
		case 'skipped':
			return <SkippedLines rows={row.rowCount} digits={digits} />;
		case 'line':
			return (
				<Box>
					<AuthorMark author={row.author} />
					<Side cell={row.cell} digits={digits} columns={columns - 4} />
				</Box>
			);
		case 'pair':
			return (
				<Box>
					<AuthorMark author={row.author} />
					<Box width={halfColumns} flexShrink={0}>
						<Side cell={row.left} digits={digits} columns={halfColumns - 1} />
					</Box>
					<Side cell={row.right} digits={digits} columns={halfColumns - 1} />
				</Box>
			);
	}
}

/** Marks rows that others changed, or both sides did. */
function AuthorMark({author}: {readonly author: ChangeAuthor}): ReactElement {
	const {warning, danger, marks} = useTheme();
	const isChangedByOthers = author === 'stored' || author === 'both';
	return (
		<Box width={3} flexShrink={0}>
			<Text {...(author === 'both' ? danger : warning)}>
				{isChangedByOthers ? ` ${author === 'both' ? marks.failed : marks.warning}` : ' '}
			</Text>
		</Box>
	);
}

const Side = memo(
	({
		cell,
		digits,
		columns,
	}: {
		readonly cell: Cell | undefined;
		readonly digits: number;
		readonly columns: number;
	}): ReactElement => {
		const {dim, danger, good, isSpoken} = useTheme();
		if (!cell) return <Text> </Text>;
		const {lineNumber, mark} = cell;
		const look = mark === '-' ? danger : mark === '+' ? good : dim;
		const parts: ReactElement[] = [];
		for (const {text, differs} of buildCellParts(cell, columns - digits - 3))
			parts.push(
				<Text key={parts.length} {...(mark === ' ' ? dim : {})} bold={differs} underline={differs}>
					{text}
				</Text>,
			);
		return (
			<Text wrap="truncate">
				<Text {...dim}>{`${String(lineNumber ?? '').padStart(digits)} `}</Text>
				<Text {...look}>{`${isSpoken ? spokenMarks[mark] : mark} `}</Text>
				{parts}
			</Text>
		);
	},
);

const spokenMarks = {' ': '', '-': 'removed', '+': 'added'} as const;

function SkippedLines({rows, digits}: {readonly rows: number; readonly digits: number}): ReactElement {
	const {dim, marks} = useTheme();
	return (
		<Text {...dim} wrap="truncate">
			{`   ${' '.repeat(digits)} ${marks.line.repeat(2)} ${formatQuantity(rows, 'unchanged line')} ${marks.line.repeat(2)}`}
		</Text>
	);
}
