import {Box} from 'ink';
import {type ReactElement, useRef} from 'react';
import {getFirstVisible} from '../../components/list.tsx';
import {usePointerRegion} from '../../components/pointer.ts';
import type {Body} from './body.ts';
import {Rows} from './lines.tsx';
import {type Row, sliceVisibleRows} from './rows.ts';

/** The rows that fit. If more follow, the last row counts them. */
export function Scrolled({
	body: {rows, cursorRows},
	top,
	height,
	hint = ': pagedown',
}: {
	readonly body: Body;
	readonly top: number;
	readonly height: number;
	/** Text after the count of what follows, which says how to see it. */
	readonly hint?: string | undefined;
}): ReactElement {
	const previousTop = useRef(0);
	const isLong = rows.length > height;
	// The count takes one row.
	const first = cursorRows
		? computeVisibleTop(previousTop.current, cursorRows, isLong ? height - 1 : height, rows.length)
		: top;
	previousTop.current = first;
	const remainingRows = rows.length - first;
	const visibleCount = remainingRows > height ? height - 1 : remainingRows;
	const box = usePointerRegion(cursorRows && {kind: 'body', first, visibleCount, cursorRows});
	return (
		<Box ref={box} flexDirection="column" height={height} flexShrink={0} overflow="hidden">
			<Rows rows={sliceVisibleRows(rows, height, first, hint)} />
		</Box>
	);
}

/** Returns the top row that keeps the rows under the cursor visible. The first of them takes precedence. */
function computeVisibleTop(
	previousTop: number,
	{from, to}: {readonly from: number; readonly to: number},
	height: number,
	count: number,
): number {
	const last = Math.max(from, Math.min(to - 1, from + height - 1));
	return Math.min(from, getFirstVisible(previousTop, last, height, count));
}

/** The side pane, scrolled with the text. */
export function Side({
	rows,
	top,
	columns,
	height,
	hint,
}: {
	readonly rows: readonly Row[];
	readonly top: number;
	readonly columns: number;
	readonly height: number;
	/** Text after the count of what follows, which says how to see it. */
	readonly hint: string;
}): ReactElement {
	return (
		<Box
			flexDirection="column"
			width={columns + 2}
			height={height}
			paddingLeft={2}
			flexShrink={0}
			overflow="hidden"
		>
			<Rows rows={sliceVisibleRows(rows, height, top, hint)} />
		</Box>
	);
}
