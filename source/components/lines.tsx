import {Box, Text} from 'ink';
import type {ReactElement} from 'react';
import {clipLines} from '../text/wrap.ts';

/** Shows lines that already fit, up to `rows`; the last one reports how many are left out. */
export function Lines({
	lines,
	rows,
	dim = false,
}: {
	readonly lines: readonly string[];
	readonly rows: number;
	readonly dim?: boolean;
}): ReactElement {
	return (
		<Box flexDirection="column" flexShrink={0}>
			<Text dimColor={dim}>{clipLines(lines, rows).join('\n')}</Text>
		</Box>
	);
}
