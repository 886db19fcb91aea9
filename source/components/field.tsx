import {Box} from 'ink';
import {type ReactElement, useRef} from 'react';
import type {TextBuffer} from '../text/buffer/buffer.ts';
import {notScrolled, visible} from '../text/buffer/view.ts';
import {CursorLine} from './cursor-line.tsx';

/** One line that is being typed, in any script, with its cursor; scrolled so far that the cursor is in view. */
export function Field({
	buffer,
	columns,
}: {
	readonly buffer: TextBuffer;
	readonly columns: number;
}): ReactElement {
	const scroll = useRef(notScrolled);
	const view = visible(buffer, 1, columns, scroll.current);
	scroll.current = view.scroll;
	return (
		<Box height={1}>
			<CursorLine text={view.rows[0] ?? ''} column={view.cursor.column} />
		</Box>
	);
}
