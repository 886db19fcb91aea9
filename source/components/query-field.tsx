import {Box, Text} from 'ink';
import type {ReactElement} from 'react';
import type {TextBuffer} from '../text/buffer/buffer.ts';
import {InputField} from './field.tsx';

/** Properties of an overlay with a search field. */
export type SearchOverlayProps = {readonly query: string; readonly columns: number; readonly rows: number};

/** Draws a query being typed, or a placeholder. */
export function QueryField({
	buffer,
	columns,
	placeholder,
}: {
	readonly buffer: TextBuffer;
	readonly columns: number;
	readonly placeholder: string;
}): ReactElement {
	const isEmpty = buffer.lines.join('') === '';
	return (
		<Box height={1}>
			<InputField buffer={buffer} columns={isEmpty ? 1 : columns} />
			{isEmpty && <Text dimColor>{placeholder}</Text>}
		</Box>
	);
}
