import {Box, Text} from 'ink';
import type {ReactElement} from 'react';
import {drawable} from '../text/columns.ts';
import {clip, wrap} from '../text/wrap.ts';

/** Paragraphs of data or sentences as lines that fit: made safe, broken between words. Line feeds begin new ones. */
export const linesOf = (texts: readonly (string | undefined)[], columns: number, hang = 0): string[] =>
	texts.flatMap(text => (text ? text.split('\n').flatMap(line => wrap(drawable(line), columns, hang)) : []));

/** Lines that fit already, as many as there is room for; what is left out is said in the last one. */
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
			<Text dimColor={dim}>{clip(lines, rows).join('\n')}</Text>
		</Box>
	);
}
