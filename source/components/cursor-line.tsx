import {Text} from 'ink';
import type {ReactElement} from 'react';
import {sliceColumns} from '../text/cut.ts';
import {findNextBorder} from '../text/graphemes.ts';

/** Draws a line with the cursor on a column, or after its end. */
export function CursorLine({text, column}: {readonly text: string; readonly column: number}): ReactElement {
	const head = sliceColumns(text, 0, column);
	const rest = text.slice(head.length);
	const cursorCharacter = rest.slice(0, findNextBorder(rest, 0));
	return (
		<Text wrap="truncate">
			{head}
			<Text inverse>{cursorCharacter === '' ? ' ' : cursorCharacter}</Text>
			{rest.slice(cursorCharacter.length)}
		</Text>
	);
}
