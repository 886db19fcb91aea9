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
	const digits = String(buffer.lines.length).length;
	const view = buildBufferView(buffer, height, Math.max(1, columns - digits - 3), scroll.current);
	scroll.current = view.scroll;
	const lines: ReactElement[] = [];
	for (const [slot, text] of view.rows.entries()) {
		const number = String(view.scroll.row + slot + 1).padStart(digits);
		const column = view.cursor.row === slot ? view.cursor.column : undefined;
		lines.push(<EditorLine key={slot} number={number} text={text} column={column} />);
	}
	return (
		<Box flexDirection="column" height={height} overflow="hidden">
			{lines}
		</Box>
	);
}

const EditorLine = memo(
	({
		number,
		text,
		column,
	}: {
		readonly number: string;
		readonly text: string;
		/** Column of the cursor, if it is on this line. */
		readonly column: number | undefined;
	}): ReactElement => {
		const {dim, here} = useTheme();
		return (
			<Text wrap="truncate">
				<Text {...(column === undefined ? dim : here)}>{` ${number} `}</Text>
				{column === undefined ? text : <CursorLine text={text} column={column} />}
			</Text>
		);
	},
);
