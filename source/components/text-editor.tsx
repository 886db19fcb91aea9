import {Box, Text} from 'ink';
import {memo, type ReactElement, useRef} from 'react';
import type {TextBuffer} from '../text/buffer/buffer.ts';
import {buildBufferView, initialScroll} from '../text/buffer/view.ts';
import {CursorLine} from './cursor-line.tsx';
import {useTheme} from './theme.ts';

/** Draws text being edited, with line numbers; scrolls to keep the cursor in view. */
export function TextEditor({
	buffer,
	columns,
	height,
}: {
	readonly buffer: TextBuffer;
	readonly columns: number;
	/** Visible rows. */
	readonly height: number;
}): ReactElement {
	const scroll = useRef(initialScroll);
	const digitCount = String(buffer.lines.length).length;
	const view = buildBufferView(buffer, height, Math.max(1, columns - digitCount - 3), scroll.current);
	scroll.current = view.scroll;
	const lines: ReactElement[] = [];
	for (const [slot, text] of view.rows.entries()) {
		const lineNumber = String(view.scroll.row + slot + 1).padStart(digitCount);
		const column = view.cursor.row === slot ? view.cursor.column : undefined;
		lines.push(<EditorLine key={slot} lineNumber={lineNumber} text={text} column={column} />);
	}
	return (
		<Box flexDirection="column" height={height} overflow="hidden">
			{lines}
		</Box>
	);
}

const EditorLine = memo(
	({
		lineNumber,
		text,
		column,
	}: {
		readonly lineNumber: string;
		readonly text: string;
		/** Column of the cursor, if it is on this line. */
		readonly column: number | undefined;
	}): ReactElement => {
		const {dim, current} = useTheme();
		return (
			<Text wrap="truncate">
				<Text {...(column === undefined ? dim : current)}>{` ${lineNumber} `}</Text>
				{column === undefined ? text : <CursorLine text={text} column={column} />}
			</Text>
		);
	},
);
