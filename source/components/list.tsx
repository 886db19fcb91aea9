import {Box, Text} from 'ink';
import {type ReactElement, useRef} from 'react';
import {usePointerRegion} from './pointer.ts';
import {useTheme} from './theme.ts';

type ListProps = {
	readonly count: number;
	/** Index of the current row. */
	readonly cursor: number;
	/** Visible rows. */
	readonly height: number;
	/** False if another list has the cursor. */
	readonly hasCursor?: boolean;
	/** True for selected rows, which are drawn as bars. */
	isSelected?(index: number): boolean;
	/**
	 * Renders one row, one line high. Called for every visible row on every keystroke, so memoize its
	 * parts.
	 */
	renderRow(index: number, isCurrent: boolean): ReactElement;
};

const noBar = {backgroundColor: undefined};

/**
 * Draws only the visible rows of a list, with the cursor's as a bar. Rows are keyed by screen position, so that a page change writes new
 * text into existing rows (measured: half the time of keys by item).
 */
export function List({
	count,
	cursor,
	height,
	hasCursor = true,
	isSelected,
	renderRow,
}: ListProps): ReactElement {
	const {isSpoken, cursorBar, selectionBar} = useTheme();
	const top = useRef(0);
	if (!isSpoken) top.current = getFirstVisible(top.current, cursor, height, count);
	const visibleCount = Math.max(0, Math.min(height, count - top.current));
	const box = usePointerRegion({kind: 'rows', first: top.current, visibleCount, cursor, hasCursor});
	if (isSpoken) return <SpokenRow count={count} cursor={cursor} renderRow={renderRow} />;
	const rows: ReactElement[] = [];
	for (let slot = 0; slot < visibleCount; slot++) {
		const index = top.current + slot;
		const isCurrent = index === cursor;
		const {backgroundColor} = isCurrent && hasCursor ? cursorBar : isSelected?.(index) ? selectionBar : noBar;
		rows.push(
			<Box key={slot} height={1} flexShrink={0} {...(backgroundColor !== undefined && {backgroundColor})}>
				{renderRow(index, isCurrent)}
			</Box>,
		);
	}
	return (
		<Box ref={box} flexDirection="column" height={height} overflow="hidden">
			{rows}
		</Box>
	);
}

/** Draws the current row and its position, for screen readers. */
function SpokenRow({
	count,
	cursor,
	renderRow,
}: Pick<ListProps, 'count' | 'cursor' | 'renderRow'>): ReactElement {
	return (
		<Box height={1} overflow="hidden">
			{count > 0 && renderRow(cursor, true)}
			<Box flexShrink={0}>{count > 0 && <Text>{`   ${cursor + 1} of ${count}`}</Text>}</Box>
		</Box>
	);
}

/**
 * Returns the first visible row. A step over the edge scrolls by half the height: the next steps move only
 * the cursor, which redraws little on a slow connection. Larger moves scroll as little as possible. There are
 * no empty rows at the end.
 */
export function getFirstVisible(
	previousFirst: number,
	cursor: number,
	height: number,
	count: number,
): number {
	const room = Math.max(1, height);
	const half = Math.floor(room / 2);
	const maxFirst = Math.max(0, count - room);
	if (cursor === previousFirst + room) return Math.min(cursor - half, maxFirst);
	if (cursor === previousFirst - 1) return Math.max(0, Math.min(cursor - half, maxFirst));
	const minFirst = Math.max(0, cursor - room + 1);
	return Math.max(
		Math.min(Math.max(previousFirst, minFirst), cursor, maxFirst),
		Math.min(minFirst, maxFirst),
	);
}
