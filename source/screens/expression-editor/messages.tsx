import {Box, Text} from 'ink';
import type {ReactElement} from 'react';
import {wrapParagraphs} from '../../components/paragraphs.ts';
import {useTheme} from '../../components/theme.ts';
import type {ExpressionProblem} from '../../firewall/expression/expressions.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import {formatQuantity} from '../../text/figures.ts';
import {getCurrentScreen} from '../shell/screen-name.ts';
import {useLedge} from '../shell/use-ledge.ts';
import {
	type ExpressionEditing,
	findShownProblem,
	findTabOffer,
	isUnfinished,
	listProblems,
} from './editing.ts';
import {getExpressionColumns, shortenLines} from './lines.ts';

export type EditingProps = {
	readonly editing: ExpressionEditing;
	/** Columns of the screen. */
	readonly columns: number;
	/** Maximum rows of the component. */
	readonly rows: number;
};

/** What enter makes of text that is not an expression. */
export type Interpretation = {readonly text: string; readonly isValid: boolean};

export type MessageProps = {
	readonly interpretation?: Interpretation | undefined;
	/** Prompt for an empty text. */
	readonly emptyPrompt?: string | undefined;
};

/** The problem that tab corrects, or the nearest one, and the number of others. */
export function ProblemMessage({
	editing,
	columns,
	rows,
	interpretation,
	emptyPrompt = 'Which requests to match: an address, a path, or fields, operators and values. Tab accepts the completion below.',
}: EditingProps & MessageProps): ReactElement {
	const theme = useTheme();
	const problemKey = useLedge(state => nameKey(`${getCurrentScreen(state)}.problem`, 'ctrl-t'));
	if (interpretation) {
		const {isValid} = interpretation;
		const mark = isValid ? theme.marks.done : theme.marks.failed;
		return (
			<Box flexDirection="column" height={rows} flexShrink={0} paddingLeft={3}>
				<Text {...(isValid ? theme.good : theme.danger)} bold={false} wrap="truncate">
					{shortenLines(
						wrapParagraphs([`${mark} ${interpretation.text}`], getExpressionColumns(columns), 2),
						rows,
						columns,
					).join('\n')}
				</Text>
			</Box>
		);
	}
	const problem = findShownProblem(editing);
	const problemCount = listProblems(editing).length;
	const isEmpty = editing.analysis.text.trim() === '';
	const text = isEmpty
		? emptyPrompt
		: problem
			? describeProblem(editing, problem, theme.marks)
			: `${theme.marks.done} can be sent as is`;
	const moreText =
		problemCount > 1 && !isEmpty
			? `${formatQuantity(problemCount - 1, 'more problem')}: ${problemKey} goes to the next one`
			: '';
	const isTextUnfinished = isEmpty || (problem && isUnfinished(editing, problem));
	const look = isTextUnfinished
		? theme.dim
		: !problem
			? theme.good
			: problem.severity === 'error'
				? theme.danger
				: theme.warning;
	const lines = wrapParagraphs([text], getExpressionColumns(columns), 2);
	const textRows = rows - (moreText === '' ? 0 : 1);
	return (
		<Box flexDirection="column" height={rows} flexShrink={0} paddingLeft={3}>
			<Text {...look} bold={false} wrap="truncate">
				{shortenLines(lines, textRows, columns).join('\n')}
			</Text>
			{moreText !== '' && <Text {...theme.dim}>{`  ${moreText}`}</Text>}
		</Box>
	);
}

function describeProblem(
	editing: ExpressionEditing,
	problem: ExpressionProblem,
	marks: {readonly failed: string; readonly warning: string; readonly pending: string},
): string {
	const offer = findTabOffer(editing);
	const hint =
		offer?.kind === 'correction' && offer.problem === problem && problem.correction
			? describeCorrection(editing, problem.correction)
			: '';
	if (isUnfinished(editing, problem)) return `${marks.pending} ${problem.sentence}${hint}`;
	const mark = problem.severity === 'error' ? marks.failed : `${marks.warning} warning:`;
	return `${mark} ${problem.sentence}${hint}`;
}

/** Describes what tab inserts, if it is short enough. */
function describeCorrection(
	{analysis}: ExpressionEditing,
	{span, text}: NonNullable<ExpressionProblem['correction']>,
): string {
	const verb = span.start === span.end ? 'inserts' : 'writes';
	if (text === '') return ' (tab deletes it)';
	if (text.trim() === '') return ` (tab ${verb} a space)`;
	const isLong = text.length > 40 || text.length > analysis.text.length;
	return isLong ? ' (tab applies the fix)' : ` (tab ${verb} \`${text.trim()}\`)`;
}
