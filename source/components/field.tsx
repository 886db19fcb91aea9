import {Box, Text} from 'ink';
import {type ReactElement, useRef} from 'react';
import type {TextBuffer} from '../text/buffer/buffer.ts';
import {notScrolled, visible} from '../text/buffer/view.ts';
import {columnsOf} from '../text/columns.ts';
import {CursorLine} from './cursor-line.tsx';
import {useTheme} from './theme.ts';

/** Notes after a selected text; the longest that fits is used. */
const selectionNotes = ['selected: typing replaces it', 'selected'];

/**
 * One line that is being typed, in any script, with its cursor; scrolled so far that the cursor is in view. A selected
 * text is shown inverse, with a note behind it where that hides nothing of it.
 */
export function Field({
	buffer,
	columns,
}: {
	readonly buffer: TextBuffer;
	readonly columns: number;
}): ReactElement {
	const scroll = useRef(notScrolled);
	const {dim} = useTheme();
	const note = buffer.isSelected
		? selectionNotes.find(one => columnsOf(buffer.lines[0] ?? '') + 3 + columnsOf(one) <= columns)
		: undefined;
	const room = columns - (note === undefined ? 0 : columnsOf(note) + 3);
	// Of a selected text the beginning is shown.
	const view = visible(buffer.isSelected ? {...buffer, column: 0} : buffer, 1, room, scroll.current);
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
