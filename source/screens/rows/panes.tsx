import {Box} from 'ink';
import {type ReactElement, useRef} from 'react';
import {firstVisible} from '../../components/list.tsx';
import {useInSight} from '../../components/pointer.ts';
import type {Body} from './body.ts';
import {Rows} from './lines.tsx';
import {type Row, windowOf} from './rows.ts';

/** As many rows as there is room for; the last one counts the others. */
export function Scrolled({
	body: {rows, at},
	top,
	height,
}: {
	readonly body: Body;
	readonly top: number;
	readonly height: number;
}): ReactElement {
	const before = useRef(0);
	const isLong = rows.length > height;
	// The count of the others takes one.
	const first = at ? inSight(before.current, at, isLong ? height - 1 : height, rows.length) : top;
	before.current = first;
	const rest = rows.length - first;
	const shown = rest > height ? height - 1 : rest;
	const box = useInSight(at && {kind: 'body', first, shown, at});
	return (
		<Box ref={box} flexDirection="column" height={height} flexShrink={0} overflow="hidden">
			<Rows rows={windowOf(rows, height, first)} />
		</Box>
	);
}

/** Scrolled so that what the cursor is on is in sight, its beginning above all. */
function inSight(
	before: number,
	{from, to}: {readonly from: number; readonly to: number},
	height: number,
	count: number,
): number {
	const last = Math.max(from, Math.min(to - 1, from + height - 1));
	return Math.min(from, firstVisible(before, last, height, count));
}

/** The pane beside the text, which is scrolled with it. */
export function Side({
	rows,
	top,
	columns,
	height,
}: {
	readonly rows: readonly Row[];
	readonly top: number;
	readonly columns: number;
	readonly height: number;
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
			<Rows rows={windowOf(rows, height, top)} />
		</Box>
	);
}
