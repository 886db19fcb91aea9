import {Text} from 'ink';
import type {ReactElement} from 'react';
import {window} from '../text/cut.ts';
import {borderAfter} from '../text/graphemes.ts';

/** Draws a line with the cursor on a column, or after its end. */
export function CursorLine({text, column}: {readonly text: string; readonly column: number}): ReactElement {
	const head = window(text, 0, column);
	const rest = text.slice(head.length);
	const under = rest.slice(0, borderAfter(rest, 0));
	return (
		<Text wrap="truncate">
			{head}
			<Text inverse>{under === '' ? ' ' : under}</Text>
			{rest.slice(under.length)}
		</Text>
	);
}
