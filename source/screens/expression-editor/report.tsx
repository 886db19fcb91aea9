import {Text} from 'ink';
import type {ReactElement} from 'react';
import {wrapParagraphs} from '../../components/paragraphs.ts';
import {useTheme} from '../../components/theme.ts';
import {getThemeLooks} from '../rows/looks.ts';
import {getExpressionColumns, shortenLines} from './lines.ts';

/** What is known about an expression, as sentences. */
export type Report = {
	readonly look: 'plain' | 'dim' | 'warning';
	readonly paragraphs: readonly string[];
};

/** Wraps a report to at most `rows` lines. */
export const wrapReport = ({paragraphs}: Report, columns: number, rows: number): readonly string[] =>
	shortenLines(wrapParagraphs(paragraphs, getExpressionColumns(columns), 2), rows, columns);

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
