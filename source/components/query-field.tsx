import {Box, Text} from 'ink';
import type {ReactElement} from 'react';
import type {TextBuffer} from '../text/buffer/buffer.ts';
import {InputField} from './field.tsx';

/** Properties of a dialog with a search field; `columns` and `rows` are those of its content. */
export type SearchDialogProps = {readonly query: string; readonly columns: number; readonly rows: number};

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
