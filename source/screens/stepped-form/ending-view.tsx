import {Box, Text} from 'ink';
import type {ReactElement} from 'react';
import {Lines} from '../../components/lines.tsx';
import {Choices} from '../../components/menu.tsx';
import {wrapParagraphs} from '../../components/paragraphs.ts';
import {useTheme} from '../../components/theme.ts';
import {clipLines} from '../../text/wrap.ts';
import type {FormResultText} from './state.ts';

/** The outcome of a form, and the next choices. */
export function EndingView<Choice extends {readonly label: string}>({
	outcome: {tone, heading, facts},
	columns,
	rows,
	maxTitleRows,
	blankRows,
	...menu
}: Parameters<typeof Choices<Choice>>[0] & {
	readonly outcome: FormResultText;
	readonly columns: number;
	readonly rows: number;
	/** Maximum rows of the heading. */
	readonly maxTitleRows: number;
	/** Blank rows before the facts and before the choices. */
	readonly blankRows: {readonly facts: number; readonly choices: number};
}): ReactElement {
	const theme = useTheme();
	const looks = {good: theme.good, warning: theme.warning, failed: theme.danger};
	const mark = {good: theme.marks.done, warning: theme.marks.warning, failed: theme.marks.failed}[tone];
	const title = clipLines(wrapParagraphs([`${mark} ${heading}`], columns - 6, 2), maxTitleRows);
	// In a low terminal not all choices are visible at once, so that some facts are.
	const limit = Math.min(menu.choices.length, Math.max(2, rows - title.length - 2));
	const factRows = rows - title.length - limit - blankRows.facts - blankRows.choices;
	return (
		<Box flexDirection="column">
			<Text {...looks[tone]}>{title.map(line => `   ${line}`).join('\n')}</Text>
			<Box paddingLeft={3} paddingTop={blankRows.facts} flexDirection="column">
				<Lines lines={wrapParagraphs(facts, columns - 6)} rows={factRows} />
			</Box>
			<Box paddingLeft={2} paddingTop={blankRows.choices} flexDirection="column" flexShrink={0}>
				<Choices {...menu} limit={limit} />
			</Box>
		</Box>
	);
}
