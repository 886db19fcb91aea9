import {Text} from 'ink';
import type {ReactElement} from 'react';
import {useTheme} from './theme.ts';

/** How much of something is done, as a bar of so many columns. `share` is between 0 and 1. */
export function ProgressBar({
	share,
	columns,
}: {
	readonly share: number;
	readonly columns: number;
}): ReactElement {
	const {marks, here, dim} = useTheme();
	const [full, empty] = marks.bar;
	const done = Math.round(Math.max(0, Math.min(1, share)) * columns);
	return (
		<Text>
			<Text {...here}>{full.repeat(done)}</Text>
			<Text {...dim}>{empty.repeat(columns - done)}</Text>
		</Text>
	);
}
