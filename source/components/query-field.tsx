import {Box, Text} from 'ink';
import type {ReactElement} from 'react';
import type {TextBuffer} from '../text/buffer/buffer.ts';
import {Field} from './field.tsx';

/** What a list that is narrowed by a query is drawn from. */
export type QueriedProps = {readonly query: string; readonly columns: number; readonly rows: number};

/** A line that is looked for while it is typed, with words in place of an empty one. */
export function QueryField({
	line,
	columns,
	placeholder,
}: {
	readonly line: TextBuffer;
	readonly columns: number;
	readonly placeholder: string;
}): ReactElement {
	const isEmpty = line.lines.join('') === '';
	return (
		<Box height={1}>
			<Field buffer={line} columns={isEmpty ? 1 : columns} />
			{isEmpty && <Text dimColor>{placeholder}</Text>}
		</Box>
	);
}
