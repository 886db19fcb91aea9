import {Box, Text} from 'ink';
import {type ReactElement, useRef} from 'react';
import type {TextBuffer} from '../text/buffer/buffer.ts';
import {buildBufferView, initialScroll} from '../text/buffer/view.ts';
import {measureColumns} from '../text/columns.ts';
import {CursorLine} from './cursor-line.tsx';
import {useTheme} from './theme.ts';

/** Notes after a selected text; the longest one that fits is shown. */
const selectionNotes = ['selected: typing replaces it', 'selected'];

/**
 * Draws a line being typed, in any script; scrolls to keep the cursor in view. A selected text is inverse,
 * followed by a note if both fit.
 */
export function InputField({
	buffer,
	columns,
}: {
	readonly buffer: TextBuffer;
	readonly columns: number;
}): ReactElement {
	const scroll = useRef(initialScroll);
	const {dim} = useTheme();
	const note = buffer.isSelected
		? selectionNotes.find(one => measureColumns(buffer.lines[0] ?? '') + 3 + measureColumns(one) <= columns)
		: undefined;
	const room = columns - (note === undefined ? 0 : measureColumns(note) + 3);
	// A selected text is shown from its beginning.
	const view = buildBufferView(buffer.isSelected ? {...buffer, column: 0} : buffer, 1, room, scroll.current);
	scroll.current = view.scroll;
	const text = view.rows[0] ?? '';
	return (
		<Box height={1}>
			{buffer.isSelected ? (
				<Text inverse wrap="truncate">
					{text}
				</Text>
			) : (
				<CursorLine text={text} column={view.cursor.column} />
			)}
			{note !== undefined && <Text {...dim}>{`   ${note}`}</Text>}
		</Box>
	);
}
