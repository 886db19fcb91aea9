import {Text} from 'ink';
import type {ReactElement} from 'react';
import {wrapParagraphs} from '../../components/paragraphs.ts';
import {useTheme} from '../../components/theme.ts';
import {cutEnd} from '../../text/cut.ts';
import {getThemeLooks} from '../rows/looks.ts';
import {getExpressionColumns, shortenLines} from './lines.ts';

/** What is known about an expression, as sentences. */
export type Report = {
	readonly look: 'plain' | 'dim' | 'warning';
	readonly paragraphs: readonly string[];
	/** What to say if the paragraphs do not fit: one line each, the most important first. */
	readonly shortLines?: readonly string[];
};

/** Wraps a report to at most `rows` lines. */
export function wrapReport(
	{paragraphs, shortLines}: Report,
	columns: number,
	rows: number,
): readonly string[] {
	const width = getExpressionColumns(columns);
	const lines = wrapParagraphs(paragraphs, width, 2);
	return shortLines && lines.length > rows
		? shortLines.slice(0, rows).map(line => cutEnd(line, width))
		: shortenLines(lines, rows, columns);
}

/** The lines of a report below an expression. */
export function ReportLines({
	look,
	lines,
}: Pick<Report, 'look'> & {readonly lines: readonly string[]}): ReactElement {
	const looks = getThemeLooks(useTheme());
	return (
		<Text {...looks[look]} wrap="truncate">
			{lines.map(line => `   ${line}`).join('\n')}
		</Text>
	);
}
