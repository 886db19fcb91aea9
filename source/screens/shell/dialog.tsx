import {Box, Text} from 'ink';
import TextInput from 'ink-text-input';
import type {ReactElement, ReactNode} from 'react';
import {ConfirmLine} from '../../components/confirm-line.tsx';
import {InputField} from '../../components/field.tsx';
import {Lines} from '../../components/lines.tsx';
import {addPosition, Select} from '../../components/menu.tsx';
import {wrapParagraphs} from '../../components/paragraphs.ts';
import {useTheme} from '../../components/theme.ts';
import {measureColumns, toDrawable} from '../../text/columns.ts';
import {cutEnd, cutIntoPieces, cutMiddle} from '../../text/cut.ts';
import {clipLines} from '../../text/wrap.ts';
import type {Dialog} from './dialog-slice.ts';
import {Help} from './help.tsx';
import {Palette} from './palette.tsx';
import {useApp} from './use-ledge.ts';

/** Draws the content of a dialog, in a popup or in place of the screen's body. */
export function DialogView({
	dialog,
	hiddenTarget,
	columns,
	rows,
	listRows = rows,
	isFramed = false,
}: {
	readonly dialog: Dialog;
	/** Target of the write, if the header cuts it. Drawable. */
	readonly hiddenTarget?: string | undefined;
	/** Columns and rows of the content. */
	readonly columns: number;
	readonly rows: number;
	/** Rows for lists, which need not show everything at once. */
	readonly listRows?: number;
	/** True in a popup. */
	readonly isFramed?: boolean;
}): ReactElement {
	const app = useApp();
	const {dim, isSpoken} = useTheme();
	const listTargetLines = (question: {readonly lines: readonly string[]}) =>
		hiddenTarget === undefined ? question.lines : [hiddenTarget, ...question.lines];
	switch (dialog.kind) {
		case 'confirm':
			return (
				<Panel
					title={dialog.title}
					lines={listTargetLines(dialog)}
					tone="danger"
					columns={columns}
					rows={rows - 2}
					isFramed={isFramed}
				>
					<ConfirmLine actionLabel={dialog.actionLabel} escKeys={['esc', 'n']} escLabel="no" />
				</Panel>
			);
		case 'field': {
			const problemLines = wrapProblem(dialog.problem, columns);
			const requiredLines =
				dialog.requiredInput === undefined
					? []
					: buildRequiredLines(toDrawable(dialog.requiredInput), columns);
			const isTight = requiredLines.length > 1;
			// A long name is shown once, in the text to type.
			const namesTarget = isTight && hiddenTarget?.includes(dialog.requiredInput ?? '');
			return (
				<Panel
					title={dialog.title}
					lines={namesTarget ? dialog.lines : listTargetLines(dialog)}
					tone={dialog.requiredInput === undefined ? 'plain' : 'danger'}
					columns={columns}
					rows={rows - 1 - requiredLines.length - problemLines.length - (dialog.modes ? 1 : 0)}
					isTight={isTight}
					isFramed={isFramed}
				>
					{requiredLines.length > 0 && <Text>{requiredLines.join('\n')}</Text>}
					<InputField buffer={dialog.buffer} columns={columns} />
					{dialog.modes && (
						<Text {...dim}>{cutEnd(`tab  ${dialog.modes.labels[dialog.modes.selectedIndex]}`, columns)}</Text>
					)}
					<Problem lines={problemLines} />
				</Panel>
			);
		}
		case 'entry': {
			const problemLines = wrapProblem(dialog.problem, columns);
			return (
				<Panel
					title={dialog.title}
					lines={dialog.lines}
					tone="plain"
					columns={columns}
					rows={rows - 3 - problemLines.length}
					isFramed={isFramed}
				>
					<Box height={1} overflow="hidden" flexDirection="column" justifyContent="flex-end">
						<TextInput
							key={dialog.completionCount ?? 0}
							value={dialog.value}
							onChange={app.state().dialog.setText}
						/>
					</Box>
					<Problem lines={problemLines} />
				</Panel>
			);
		}
		case 'choice': {
			// As many as fit; the others appear as the cursor moves.
			const limit = Math.max(1, Math.min(dialog.choices.length, listRows - 5));
			const initialIndex = dialog.choices.findIndex(({value}) => value === dialog.initialValue);
			return (
				<Panel
					title={dialog.title}
					lines={listTargetLines(dialog)}
					tone="plain"
					columns={columns}
					rows={rows - 1 - limit}
					isFramed={isFramed}
				>
					<Select
						key={dialog.title}
						limit={limit}
						initialIndex={Math.max(0, initialIndex)}
						items={dialog.choices.map(({value, label}, index) => ({
							value,
							label: isSpoken ? addPosition(label, index, dialog.choices.length) : label,
						}))}
						onSelect={({value}) => {
							app.state().dialog.close();
							dialog.choose(value);
						}}
					/>
				</Panel>
			);
		}
		case 'failure': {
			const {message, next, details} = dialog.failure;
			const {why, left, http, ray} = details;
			const httpLine = http === undefined ? undefined : `HTTP ${http}${ray ? `, ray ${ray}` : ''}`;
			const reportLines = [why, left, next, httpLine].filter(line => line !== undefined);
			return (
				<Panel
					title={message}
					lines={reportLines}
					tone="danger"
					columns={columns}
					rows={rows}
					isFramed={isFramed}
				/>
			);
		}
		case 'palette':
			return <Palette query={dialog.query} cursor={dialog.cursor} columns={columns} rows={listRows} />;
		case 'help':
			return <Help query={dialog.query} top={dialog.top} columns={columns} rows={rows} />;
	}
}

/** Shows a heading, paragraphs cut to the rows left, and the input. */
function Panel({
	title,
	lines,
	tone,
	columns,
	rows,
	isTight = false,
	isFramed,
	children,
}: {
	readonly title: string;
	readonly lines: readonly string[];
	readonly tone: 'plain' | 'danger';
	readonly columns: number;
	/** Rows available without those of the input. */
	readonly rows: number;
	/** True to leave out blank rows and cut the title to one row, so that a long text to type has room. */
	readonly isTight?: boolean;
	readonly isFramed: boolean;
	readonly children?: ReactNode;
}): ReactElement {
	const {danger, current} = useTheme();
	const padding = isTight ? 0 : 1;
	const heading = isTight
		? [cutMiddle(toDrawable(title), columns)]
		: clipLines(wrapParagraphs([title], columns), Math.max(2, Math.floor(rows / 2)));
	const topPadding = isFramed ? 0 : padding;
	return (
		<Box flexDirection="column" paddingTop={topPadding}>
			<Text {...(tone === 'danger' ? danger : current)}>{heading.join('\n')}</Text>
			<Lines lines={wrapParagraphs(lines, columns)} rows={rows - padding - topPadding - heading.length} />
			<Box flexDirection="column" flexShrink={0} paddingTop={padding}>
				{children}
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

/** Wraps a problem; one blank line if there is none. */
const wrapProblem = (problemLines: string | undefined, columns: number): readonly string[] =>
	problemLines === undefined ? [' '] : clipLines(wrapParagraphs([problemLines], columns - 2), maxProblemRows);

function Problem({lines}: {readonly lines: readonly string[]}): ReactElement {
	const {warning, marks} = useTheme();
	const [firstLine = ' ', ...otherLines] = lines;
	const isProblem = firstLine !== ' ';
	return (
		<Text {...warning}>
			{[isProblem ? `${marks.failed} ${firstLine}` : firstLine, ...otherLines.map(line => `  ${line}`)].join(
				'\n',
			)}
		</Text>
	);
}
