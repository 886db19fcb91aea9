import {Box, Text} from 'ink';
import {memo, type ReactElement, type ReactNode, useRef} from 'react';
import {useTheme} from '../../components/theme.ts';
import {maxExpressionLength, measureExpression} from '../../firewall/expression/expressions.ts';
import {getCursorOffset} from '../../text/buffer/buffer.ts';
import {formatInteger, formatPlainQuantity} from '../../text/figures.ts';
import {RowLine} from '../rows/lines.tsx';
import {getThemeLooks} from '../rows/looks.ts';
import type {Look} from '../rows/rows.ts';
import {type ExpressionEditing, isUnfinished, listProblems} from './editing.ts';
import {getExpressionColumns} from './lines.ts';
import {Menu} from './menu.tsx';
import {type EditingProps, type MessageProps, ProblemMessage} from './messages.tsx';
import {type Report, ReportLines, wrapReport} from './report.tsx';
import {type DrawnRow, drawExpression, type Mark, runKinds, type Underline} from './rows.ts';

/** Minimum rows for completions below a long text. */
const minMenuRows = 3;

/**
 * An expression editor: the text with problems underlined, the message with what tab accepts, a report, and
 * the completions. Never exceeds `rows`.
 */
export function ExpressionView({
	editing,
	columns,
	rows,
	interpretation,
	emptyPrompt,
	report,
}: EditingProps & MessageProps & {readonly report?: Report | undefined}): ReactElement {
	const {analysis, buffer, completionMenu} = editing;
	const isEmpty = analysis.text.trim() === '';
	const problems = isEmpty || interpretation ? [] : listProblems(editing);
	const marks = problems.map(
		(problem): Mark => ({
			span: problem.span,
			kind: isUnfinished(editing, problem) ? 'unfinished' : problem.severity,
		}),
	);
	const {rows: drawnRows, cursorRow} = drawExpression(
		analysis.text,
		analysis.tokens,
		marks,
		getCursorOffset(buffer),
		getExpressionColumns(columns),
	);
	const isReportOnly = report !== undefined && problems.length === 0;
	const messageRows = isReportOnly ? (rows < 6 ? 0 : 1) : rows >= 9 ? 3 : rows >= 6 ? 2 : 1;
	const minTextRows = isReportOnly ? 1 : 2;
	const gap = rows >= 10 ? 1 : 0;
	const reportLines = report ? wrapReport(report, columns, rows - minTextRows - messageRows - gap) : [];
	// Reserves room for completions and underlines, so that the text does not jump.
	const neededRows = drawnRows.reduce((sum, _, index) => sum + countRowLines(drawnRows, index, cursorRow), 0);
	const rowsBelow = messageRows + reportLines.length + gap;
	const textHeight = Math.max(
		minTextRows,
		Math.min(neededRows, rows - rowsBelow - (report ? 0 : minMenuRows)),
	);
	return (
		<Box flexDirection="column" height={rows} overflow="hidden">
			<TextRows drawnRows={drawnRows} cursorRow={cursorRow} height={textHeight} />
			{messageRows > 0 && (
				<ProblemMessage
					editing={editing}
					columns={columns}
					rows={messageRows}
					interpretation={interpretation}
					emptyPrompt={emptyPrompt}
				/>
			)}
			{report && <ReportLines look={report.look} lines={reportLines} />}
			<Box height={gap} flexShrink={0} />
			<Menu
				completionMenu={interpretation ? undefined : completionMenu}
				columns={columns}
				rows={rows - textHeight - rowsBelow}
			/>
		</Box>
	);
}

/** A read-only expression. */
export function ExpressionText({
	analysis,
	columns,
	rows,
}: {
	readonly analysis: ExpressionEditing['analysis'];
	readonly columns: number;
	readonly rows: number;
}): ReactElement {
	const {rows: drawnRows} = drawExpression(
		analysis.text,
		analysis.tokens,
		[],
		undefined,
		getExpressionColumns(columns),
	);
	const {dim} = useTheme();
	const [firstRow] = drawnRows;
	// The run ` 1` is the `…`, without a highlight.
	if (firstRow && rows === 1 && drawnRows.length > 1)
		return <ExpressionLine text={`${firstRow.text}…`} runs={`${firstRow.runs} 1`} cursor={undefined} />;
	const visibleRows = drawnRows.length > rows ? drawnRows.slice(0, Math.max(0, rows - 1)) : drawnRows;
	const lines: ReactElement[] = [];
	for (const row of visibleRows) lines.push(<ExpressionLine key={lines.length} {...row} />);
	return (
		<Box flexDirection="column" flexShrink={0}>
			{lines}
			{drawnRows.length > visibleRows.length && (
				<Text
					{...dim}
				>{`   … ${formatPlainQuantity(drawnRows.length - visibleRows.length, 'more line')}`}</Text>
			)}
		</Box>
	);
}

/** The visible rows, scrolled just enough to show the cursor and its underline. */
function TextRows({
	drawnRows,
	cursorRow,
	height,
}: {
	readonly drawnRows: readonly DrawnRow[];
	readonly cursorRow: number;
	readonly height: number;
}): ReactElement {
	const top = useRef(0);
	top.current = computeTopRow(drawnRows, cursorRow, height, top.current);
	const lines: ReactNode[] = [];
	for (let index = top.current; index < drawnRows.length && lines.length < height; index++) {
		const row = drawnRows[index];
		if (!row) break;
		lines.push(<ExpressionLine key={lines.length} text={row.text} runs={row.runs} cursor={row.cursor} />);
		if (row.underline && lines.length < height)
			lines.push(<UnderlineRow key={lines.length} {...row.underline} />);
	}
	return (
		<Box flexDirection="column" height={height} flexShrink={0} overflow="hidden">
			{lines}
		</Box>
	);
}

/** Counts the lines of a row including its underline; the cursor's row reserves one. */
const countRowLines = (drawnRows: readonly DrawnRow[], index: number, cursorRow: number): number =>
	drawnRows[index]?.underline || index === cursorRow ? 2 : 1;

/** Computes the first visible row. */
function computeTopRow(
	drawnRows: readonly DrawnRow[],
	cursorRow: number,
	height: number,
	previousTop: number,
): number {
	const countLines = (index: number) => countRowLines(drawnRows, index, cursorRow);
	let minTop = cursorRow;
	for (let usedLines = countLines(cursorRow); minTop > 0; minTop--) {
		usedLines += countLines(minTop - 1);
		if (usedLines > height) break;
	}
	let maxTop = drawnRows.length;
	for (let usedLines = 0; maxTop > 0; maxTop--) {
		usedLines += countLines(maxTop - 1);
		if (usedLines > height) break;
	}
	return Math.min(cursorRow, Math.max(minTop, Math.min(previousTop, maxTop)));
}

const runPattern = /([^0-9])(\d+)/g;

/** A highlighted row, with the cursor if it is in this row. */
const ExpressionLine = memo(
	({text, runs, cursor}: Pick<DrawnRow, 'text' | 'runs' | 'cursor'>): ReactElement => {
		const looks = getThemeLooks(useTheme());
		const [cursorStart, cursorEnd] =
			cursor === undefined ? [-1, -1] : (cursor.split(':').map(Number) as [number, number]);
		const pieces: ReactNode[] = [];
		let position = 0;
		const addPiece = (kind: keyof typeof runKinds, end: number, inverse: boolean) => {
			if (end <= position) return;
			const look = looks[runKinds[kind]];
			const part = text.slice(position, end);
			const isPlain = !inverse && Object.keys(look).length === 0;
			pieces.push(
				isPlain ? (
					part
				) : (
					<Text key={position} {...look} inverse={inverse}>
						{part}
					</Text>
				),
			);
			position = end;
		};
		for (const [, letter, length] of runs.matchAll(runPattern)) {
			const kind = letter as keyof typeof runKinds;
			const end = position + Number(length);
			if (cursorStart > position) addPiece(kind, Math.min(end, cursorStart), false);
			if (position >= cursorStart && position < cursorEnd) addPiece(kind, Math.min(end, cursorEnd), true);
			addPiece(kind, end, false);
		}
		return (
			<Text wrap="truncate">
				{'   '}
				{pieces}
				{cursorStart >= text.length && <Text inverse> </Text>}
			</Text>
		);
	},
);

const underlineLooks: Readonly<Record<string, Look>> = {e: 'danger', w: 'warning', u: 'dim'};

const UnderlineRow = memo(({text, kinds}: Underline): ReactElement => {
	const pieces = Array.from(kinds.matchAll(/(.)\1*/g), ({0: run, index}) => ({
		text: text.slice(index, index + run.length),
		look: underlineLooks[run.charAt(0)] ?? 'plain',
	}));
	return <RowLine row={[{text: '   ', look: 'plain'}, ...pieces]} />;
});

/** Formats the length of an expression and the limit. */
export function formatExpressionLength({analysis}: ExpressionEditing): string {
	const {characters, bytes, verdict} = measureExpression(analysis.text);
	const [length, unit] = verdict === 'unclear' ? [bytes, 'bytes'] : [characters, 'characters'];
	return `${formatInteger(length)} of ${formatInteger(maxExpressionLength)} ${unit}`;
}
