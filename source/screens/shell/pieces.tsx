import {Text, type TextProps} from 'ink';
import type {ReactElement} from 'react';

/** A row of pieces that each have their own look. */
export function Pieces({
	pieces,
}: {
	readonly pieces: readonly {readonly text: string; readonly look: TextProps}[];
}): ReactElement {
	const drawn: ReactElement[] = [];
	for (const {text, look} of pieces)
		drawn.push(
			<Text key={drawn.length} {...look}>
				{text}
			</Text>,
		);
	return (
		<Text wrap="truncate">
			{'   '}
			{drawn}
		</Text>
	);
}
