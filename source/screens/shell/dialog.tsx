import {Box, Text} from 'ink';
import TextInput from 'ink-text-input';
import {type ReactElement, type ReactNode, useLayoutEffect} from 'react';
import {ConfirmLine} from '../../components/confirm-line.tsx';
import {InputField} from '../../components/field.tsx';
import {Lines} from '../../components/lines.tsx';
import {addPosition, Select} from '../../components/menu.tsx';
import {wrapParagraphs} from '../../components/paragraphs.ts';
import {listMatches, SuggestionList} from '../../components/suggestions.tsx';
import {useTheme} from '../../components/theme.ts';
import {getBufferText} from '../../text/buffer/buffer.ts';
import {measureColumns, toDrawable} from '../../text/columns.ts';
import {cutEnd, cutIntoPieces, cutMiddle} from '../../text/cut.ts';
import {clipLines} from '../../text/wrap.ts';
import {leadsBackToInput} from './confirmation.ts';
import type {Dialog} from './dialog-slice.ts';
import {
	countTextRows,
	hasUnreadText,
	layOutDialog,
	noticeDialogText,
	sliceDialogLines,
} from './dialog-text.ts';
import {Help} from './help.tsx';
import {Palette} from './palette.tsx';
import {useApp, useLedge} from './use-ledge.ts';

/** Draws the content of a dialog, in a popup or in place of the screen's body. */
export function DialogView({
	dialog,
	hiddenTarget,
	columns,
	rows,
	isFramed = false,
}: {
	readonly dialog: Dialog;
	/** Target of the write, if the header cuts it. Drawable. */
	readonly hiddenTarget?: string | undefined;
	/** Columns and rows of the content. */
	readonly columns: number;
	readonly rows: number;
	/** True in a popup. */
	readonly isFramed?: boolean;
}): ReactElement {
	const app = useApp();
	const {dim, isSpoken} = useTheme();
	const listTargetLines = (question: {readonly lines: readonly string[]}) =>
		hiddenTarget === undefined ? question.lines : [hiddenTarget, ...question.lines];
	const size = {columns, rows, isFramed};
	const isSmall = rows < minRoomyRows;
	const refusalLabel = useLedge(state => (leadsBackToInput(state) ? 'back' : 'no'));
	switch (dialog.kind) {
		case 'confirm': {
			const {title, actionLabel} = dialog;
			return (
				<Panel
					title={title}
					lines={listTargetLines(dialog)}
					tone="danger"
					{...size}
					inputRows={Math.ceil(measureColumns(`y ${actionLabel}   esc, n ${refusalLabel}`) / columns)}
					renderInput={isRead =>
						isRead ? (
							<ConfirmLine actionLabel={actionLabel} escKeys={['esc', 'n']} escLabel={refusalLabel} />
						) : (
							<Text>
								<Text bold>y</Text> read on{'   '}
								<Text bold>esc</Text>, <Text bold>n</Text> {refusalLabel}
							</Text>
						)
					}
				/>
			);
		}
		case 'field': {
			const problemLines = wrapProblem(dialog.problem, columns, isSmall);
			const requiredLines =
				dialog.requiredInput === undefined
					? []
					: buildRequiredLines(toDrawable(dialog.requiredInput), columns);
			const isTight = requiredLines.length > 1;
			// A long name is shown once, in the text to type.
			const namesTarget = isTight && hiddenTarget?.includes(dialog.requiredInput ?? '');
			const lines = namesTarget ? dialog.lines : listTargetLines(dialog);
			const {suggestions} = dialog;
			const lineRows =
				1 +
				problemLines.length +
				(dialog.modes ? 1 : 0) +
				(dialog.describe ? 1 : 0) +
				(suggestions?.note === undefined ? 0 : 1);
			const matchCount = suggestions ? listMatches(suggestions, getBufferText(dialog.buffer)).length : 0;
			const suggestionRows = suggestions
				? Math.min(
						Math.max(matchCount, listMatches(suggestions, '').length),
						Math.max(minChoiceRows, rows - lineRows - countTextRows(dialog.title, lines, size)),
					)
				: 0;
			const inputRows = lineRows + suggestionRows;
			// In a small window a long name scrolls with the text.
			const isNameScrolled = isTight && requiredLines.length + inputRows + 3 > rows;
			return (
				<Panel
					title={dialog.title}
					note={suggestionRows < matchCount ? `(${matchCount} choices)` : undefined}
					lines={isNameScrolled ? [...lines, ...requiredLines] : lines}
					tone={dialog.requiredInput === undefined ? 'plain' : 'danger'}
					{...size}
					inputRows={inputRows + (isNameScrolled ? 0 : requiredLines.length)}
					isTight={isTight}
					renderInput={() => (
						<>
							{requiredLines.length > 0 && !isNameScrolled && <Text>{requiredLines.join('\n')}</Text>}
							<InputField buffer={dialog.buffer} columns={columns} />
							{dialog.describe && (
								<Text {...dim}>
									{cutMiddle(toDrawable(dialog.describe(getBufferText(dialog.buffer))), columns)}
								</Text>
							)}
							{dialog.modes && (
								<Text {...dim}>
									{cutEnd(`tab  ${dialog.modes.labels[dialog.modes.selectedIndex]}`, columns)}
								</Text>
							)}
							{suggestions && (
								<SuggestionList
									suggestions={suggestions}
									typed={getBufferText(dialog.buffer)}
									isRefused={
										dialog.check?.(getBufferText(dialog.buffer), dialog.modes?.selectedIndex) !== undefined
									}
									columns={columns}
									rows={suggestionRows}
								/>
							)}
							<Problem lines={problemLines} />
						</>
					)}
				/>
			);
		}
		case 'entry': {
			const problemLines = wrapProblem(dialog.problem, columns, isSmall);
			return (
				<Panel
					title={dialog.title}
					lines={dialog.lines}
					tone="plain"
					{...size}
					inputRows={1 + problemLines.length}
					renderInput={() => (
						<>
							<Box height={1} overflow="hidden" flexDirection="column" justifyContent="flex-end">
								<TextInput
									key={dialog.completionCount ?? 0}
									value={dialog.value}
									onChange={app.state().dialog.setText}
								/>
							</Box>
							<Problem lines={problemLines} />
						</>
					)}
				/>
			);
		}
		case 'choice': {
			const {title, choices} = dialog;
			// As many as fit; the others appear as the cursor moves.
			const limit = Math.min(choices.length, Math.max(minChoiceRows, rows - 5));
			const initialIndex = choices.findIndex(({value}) => value === dialog.initialValue);
			return (
				<Panel
					title={title}
					note={limit < choices.length ? `(${choices.length} choices)` : undefined}
					lines={listTargetLines(dialog)}
					tone="plain"
					{...size}
					inputRows={limit}
					renderInput={() => (
						<Select
							key={title}
							limit={limit}
							initialIndex={Math.max(0, initialIndex)}
							items={choices.map(({value, label}, index) => ({
								value,
								label: isSpoken ? addPosition(label, index, choices.length) : label,
							}))}
							onSelect={({value}) => {
								if (app.state().dialog.readOn()) return;
								app.state().dialog.choose(value);
							}}
						/>
					)}
				/>
			);
		}
		case 'failure': {
			const {message, next, details} = dialog.failure;
			const {why, left, http, ray} = details;
			const httpLine = http === undefined ? undefined : `HTTP ${http}${ray ? `, ray ${ray}` : ''}`;
			const reportLines = [why, left, next, httpLine].filter(line => line !== undefined);
			return <Panel title={message} lines={reportLines} tone="danger" {...size} inputRows={0} />;
		}
		case 'palette':
			return <Palette query={dialog.query} cursor={dialog.cursor} columns={columns} rows={rows} />;
		case 'help':
			return <Help query={dialog.query} isSearching={dialog.isSearching} columns={columns} rows={rows} />;
	}
}

/** In a body with fewer rows, no row is reserved for a problem. */
const minRoomyRows = 10;

/** Rows of choices that are visible at least, if there are as many. */
const minChoiceRows = 2;

/** Shows a heading, a text that scrolls if it is long, and the input. */
function Panel({
	title,
	note,
	lines: paragraphs,
	tone,
	columns,
	rows,
	inputRows,
	isTight = false,
	isFramed,
	renderInput,
}: {
	readonly title: string;
	/** Remark after the title. */
	readonly note?: string | undefined;
	readonly lines: readonly string[];
	readonly tone: 'plain' | 'danger';
	readonly columns: number;
	/** All rows, and those of the input among them. */
	readonly rows: number;
	readonly inputRows: number;
	/** True to leave out blank rows and cut the title to one row, so that a long text to type has room. */
	readonly isTight?: boolean;
	readonly isFramed: boolean;
	/** Renders the input. `isRead`: all of the text has been visible. */
	renderInput?(isRead: boolean): ReactNode;
}): ReactElement {
	const app = useApp();
	const {danger, current} = useTheme();
	const {heading, lines, visibleCount, topGap, gap} = layOutDialog(
		{title, note, lines: paragraphs},
		{columns, rows: rows - inputRows, isFramed, isTight},
	);
	const lineCount = lines.length;
	const text = noticeDialogText(
		useLedge(state => state.dialog.text),
		{lineCount, visibleCount},
	);
	useLayoutEffect(
		() => app.state().dialog.noticeText({lineCount, visibleCount}),
		[app, lineCount, visibleCount],
	);
	return (
		<Box flexDirection="column" paddingTop={topGap}>
			<Text {...(tone === 'danger' ? danger : current)}>{heading.join('\n')}</Text>
			<Lines lines={sliceDialogLines(lines, text)} rows={visibleCount} />
			<Box flexDirection="column" flexShrink={0} paddingTop={gap}>
				{renderInput?.(!hasUnreadText(text))}
			</Box>
		</Box>
	);
}

/** Builds the lines with the exact text to type; a long one is split, never cut. */
function buildRequiredLines(requiredText: string, columns: number): readonly string[] {
	const intro = 'To continue, type';
	const line = `${intro}  ${requiredText}`;
	if (measureColumns(line) <= columns) return [line];
	return [intro, ...cutIntoPieces(requiredText, columns)];
}

/** Maximum rows of a problem. */
const maxProblemRows = 3;

/** Wraps a problem. If there is none, one blank line, but nothing in a small window. */
const wrapProblem = (problem: string | undefined, columns: number, isSmall: boolean): readonly string[] =>
	problem === undefined
		? isSmall
			? []
			: [' ']
		: isSmall
			? [cutEnd(toDrawable(problem), columns - 2)]
			: clipLines(wrapParagraphs([problem], columns - 2), maxProblemRows);

function Problem({lines}: {readonly lines: readonly string[]}): ReactElement {
	const {warning, marks} = useTheme();
	const [firstLine, ...otherLines] = lines;
	if (firstLine === undefined) return <Text />;
	const isProblem = firstLine !== ' ';
	return (
		<Text {...warning}>
			{[isProblem ? `${marks.failed} ${firstLine}` : firstLine, ...otherLines.map(line => `  ${line}`)].join(
				'\n',
			)}
		</Text>
	);
}
