import {Box, Text} from 'ink';
import {memo, type ReactElement, type ReactNode, useRef} from 'react';
import {useTheme} from '../../components/theme.ts';
import {expressionLength, sizeOf} from '../../firewall/expression/expressions.ts';
import {cursorOf} from '../../text/buffer/buffer.ts';
import {grouped, quantity} from '../../text/figures.ts';
import {RowLine} from '../rows/lines.tsx';
import {looksOf} from '../rows/looks.ts';
import type {Look} from '../rows/rows.ts';
import {type ExpressionEditing, isUnfinished, problemsOf} from './editing.ts';
import {expressionColumns} from './lines.ts';
import {Menu} from './menu.tsx';
import {type EditingProps, Said} from './messages.tsx';
import {type DrawnRow, drawnExpression, type Mark, runKinds, type Under} from './rows.ts';

/** Rows for completions below a text that needs every row. */
const offered = 3;

/**
 * An expression that is being typed: its text, what is wrong under the very characters, the sentence about it with
 * what tab takes, and what could stand where the cursor is. Never more rows than it is given.
 */
export function ExpressionView({
	editing,
	columns,
	rows,
	meant,
	asks,
}: EditingProps & {
	/** What is asked for while nothing is typed, where it is not an expression alone. */
	readonly asks?: string | undefined;
	/** What enter does with what is typed, which is no expression. */
	readonly meant?: string | undefined;
}): ReactElement {
	const {analysis, buffer, completion} = editing;
	const isEmpty = analysis.text.trim() === '';
	const marks = (isEmpty || meant !== undefined ? [] : problemsOf(editing)).map(
		(problem): Mark => ({
			span: problem.span,
			kind: isUnfinished(editing, problem) ? 'unfinished' : problem.severity,
		}),
	);
	const {rows: drawn, cursorRow} = drawnExpression(
		analysis.text,
		analysis.tokens,
		marks,
		cursorOf(buffer),
		expressionColumns(columns),
	);
	const said = rows >= 9 ? 3 : 2;
	const gap = rows >= 10 ? 1 : 0;
	// Room for completions, and for what is wrong at the cursor, is kept free, or the text would jump when they come.
	const needed = drawn.reduce((sum, _, index) => sum + tallness(drawn, index, cursorRow), 0);
	const room = Math.max(2, Math.min(needed, rows - said - gap - offered));
	return (
		<Box flexDirection="column" height={rows} overflow="hidden">
			<TextRows drawn={drawn} cursorRow={cursorRow} height={room} />
			<Said editing={editing} columns={columns} rows={said} meant={meant} asks={asks} />
			<Box height={gap} flexShrink={0} />
			<Menu
				completion={meant === undefined ? completion : undefined}
				columns={columns}
				rows={rows - room - said - gap}
			/>
		</Box>
	);
}

/** An expression that only is looked at. */
export function ExpressionText({
	analysis,
	columns,
	rows,
}: {
	readonly analysis: ExpressionEditing['analysis'];
	readonly columns: number;
	readonly rows: number;
}): ReactElement {
	const {rows: drawn} = drawnExpression(
		analysis.text,
		analysis.tokens,
		[],
		undefined,
		expressionColumns(columns),
	);
	const {dim} = useTheme();
	const [first] = drawn;
	if (first && rows === 1 && drawn.length > 1)
		return <ExpressionLine text={`${first.text}…`} runs={`${first.runs} 1`} cursor={undefined} />;
	const shown = drawn.length > rows ? drawn.slice(0, Math.max(0, rows - 1)) : drawn;
	const lines: ReactElement[] = [];
	for (const row of shown) lines.push(<ExpressionLine key={lines.length} {...row} />);
	return (
		<Box flexDirection="column" flexShrink={0}>
			{lines}
			{drawn.length > shown.length && (
				<Text {...dim}>{`   … ${quantity(drawn.length - shown.length, 'more line')}`}</Text>
			)}
		</Box>
	);
}

/** The rows in sight, scrolled just so far that the cursor and what is under it are among them. */
function TextRows({
	drawn,
	cursorRow,
	height,
}: {
	readonly drawn: readonly DrawnRow[];
	readonly cursorRow: number;
	readonly height: number;
}): ReactElement {
	const top = useRef(0);
	top.current = scrolled(drawn, cursorRow, height, top.current);
	const lines: ReactNode[] = [];
	for (let index = top.current; index < drawn.length && lines.length < height; index++) {
		const row = drawn[index];
		if (!row) break;
		lines.push(<ExpressionLine key={lines.length} text={row.text} runs={row.runs} cursor={row.cursor} />);
		if (row.under && lines.length < height) lines.push(<UnderLine key={lines.length} {...row.under} />);
	}
	return (
		<Box flexDirection="column" height={height} flexShrink={0} overflow="hidden">
			{lines}
		</Box>
	);
}

/** The rows that a row of the text takes with what is or may come to be under it. */
const tallness = (drawn: readonly DrawnRow[], index: number, cursorRow: number): number =>
	drawn[index]?.under || index === cursorRow ? 2 : 1;

/** The first row to be seen. */
function scrolled(drawn: readonly DrawnRow[], cursorRow: number, height: number, before: number): number {
	const tall = (index: number) => tallness(drawn, index, cursorRow);
	let least = cursorRow;
	for (let used = tall(cursorRow); least > 0; least--) {
		used += tall(least - 1);
		if (used > height) break;
	}
	let most = drawn.length;
	for (let used = 0; most > 0; most--) {
		used += tall(most - 1);
		if (used > height) break;
	}
	return Math.min(cursorRow, Math.max(least, Math.min(before, most)));
}

const runPattern = /([^0-9])(\d+)/g;

/** A row of an expression with its colours, and the cursor if it is here. */
const ExpressionLine = memo(
	({text, runs, cursor}: Pick<DrawnRow, 'text' | 'runs' | 'cursor'>): ReactElement => {
		const looks = looksOf(useTheme());
		const [from, to] = cursor === undefined ? [-1, -1] : (cursor.split(':').map(Number) as [number, number]);
		const pieces: ReactNode[] = [];
		let place = 0;
		const piece = (kind: keyof typeof runKinds, end: number, inverse: boolean) => {
			if (end <= place) return;
			const look = looks[runKinds[kind]];
			const part = text.slice(place, end);
			const isPlain = !inverse && Object.keys(look).length === 0;
			pieces.push(
				isPlain ? (
					part
				) : (
					<Text key={place} {...look} inverse={inverse}>
						{part}
					</Text>
				),
			);
			place = end;
		};
		for (const [, letter, length] of runs.matchAll(runPattern)) {
			const kind = letter as keyof typeof runKinds;
			const end = place + Number(length);
			if (from > place) piece(kind, Math.min(end, from), false);
			if (place >= from && place < to) piece(kind, Math.min(end, to), true);
			piece(kind, end, false);
		}
		return (
			<Text wrap="truncate">
				{'   '}
				{pieces}
				{from >= text.length && <Text inverse> </Text>}
			</Text>
		);
	},
);

const underLooks: Readonly<Record<string, Look>> = {e: 'danger', w: 'warning', u: 'dim'};

const UnderLine = memo(({text, kinds}: Under): ReactElement => {
	const pieces = Array.from(kinds.matchAll(/(.)\1*/g), ({0: run, index}) => ({
		text: text.slice(index, index + run.length),
		look: underLooks[run.charAt(0)] ?? 'plain',
	}));
	return <RowLine row={[{text: '   ', look: 'plain'}, ...pieces]} />;
});

/** How long an expression is, of how much it may be. */
export function lengthOf({analysis}: ExpressionEditing): string {
	const {characters, bytes, verdict} = sizeOf(analysis.text);
	const [length, unit] = verdict === 'unclear' ? [bytes, 'bytes'] : [characters, 'characters'];
	return `${grouped(length)} of ${grouped(expressionLength)} ${unit}`;
}
