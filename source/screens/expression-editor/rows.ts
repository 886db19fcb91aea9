import type {ExpressionProblem, Token, TokenKind} from '../../firewall/expression/expressions.ts';
import {measureColumns, toDrawable} from '../../text/columns.ts';
import {findBorderFrom, findNextBorder} from '../../text/graphemes.ts';
import {findRowIndex, wrapExpression} from './lines.ts';

/** Token kinds by their letter in `runs`. */
export const runKinds = {
	f: 'field',
	c: 'function',
	l: 'logical',
	o: 'operator',
	s: 'string',
	n: 'number',
	b: 'boolean',
	i: 'identifier',
	g: 'list',
	p: 'punctuation',
	u: 'unknown',
	' ': 'space',
} as const satisfies Record<string, TokenKind>;

const kindLetters = new Map<TokenKind, string>(
	Object.entries(runKinds).map(([letter, kind]) => [kind, letter]),
);

type MarkKind = 'error' | 'warning' | 'unfinished';

/** The line under a row: `~` in the columns of problems. `kinds`: a mark letter or a space per column. */
export type Underline = {readonly text: string; readonly kinds: string};

/**
 * A displayed row: sanitized text, and its runs, such as `f11o3` for ten characters of a field and two of an
 * operator, each with the following space (lengths in code units of `text`). Plain strings, so that unchanged
 * rows compare equal.
 */
export type DrawnRow = {
	readonly text: string;
	readonly runs: string;
	readonly underline: Underline | undefined;
	/** Range of `text` under the cursor, as `start:end`; empty at the end. */
	readonly cursor: string | undefined;
};

export type Mark = Pick<ExpressionProblem, 'span'> & {readonly kind: MarkKind};

type DrawnExpression = {readonly rows: readonly DrawnRow[]; readonly cursorRow: number};

/** Draws an expression as rows of at most `columns`. */
export function drawExpression(
	text: string,
	tokens: readonly Token[],
	marks: readonly Mark[],
	cursor: number | undefined,
	columns: number,
): DrawnExpression {
	const rows = wrapExpression(text, columns);
	const cursorRow = cursor === undefined ? 0 : findRowIndex(rows, cursor);
	const sortedMarks = marks.toSorted((one, other) => severityRank[one.kind] - severityRank[other.kind]);
	let tokenIndex = 0;
	const drawnRows = rows.map(({start, end}, index): DrawnRow => {
		let line = '';
		const runs: {letter: string; length: number}[] = [];
		let position = start;
		while (position < end) {
			while (tokenIndex < tokens.length - 1 && (tokens[tokenIndex]?.end ?? end) <= position) tokenIndex++;
			const currentToken = tokens[tokenIndex];
			const pieceEnd = Math.min(end, findBorderFrom(text, Math.max(position + 1, currentToken?.end ?? end)));
			const piece = toDrawable(text.slice(position, pieceEnd));
			const letter = kindLetters.get(currentToken?.kind ?? 'unknown') ?? 'u';
			const lastRun = runs.at(-1);
			// Spaces join the previous run, because fewer pieces render faster.
			if (lastRun && (letter === ' ' || lastRun.letter === letter)) lastRun.length += piece.length;
			else runs.push({letter, length: piece.length});
			line += piece;
			position = pieceEnd;
		}
		const isLast = index === rows.length - 1;
		return {
			text: line,
			runs: runs.map(({letter, length}) => `${letter}${length}`).join(''),
			underline: buildUnderline(text, start, end, isLast || (rows[index + 1]?.start ?? 0) > end, sortedMarks),
			cursor:
				index === cursorRow && cursor !== undefined ? locateCursor(text, start, end, cursor) : undefined,
		};
	});
	return {rows: drawnRows, cursorRow};
}

function locateCursor(text: string, start: number, end: number, cursor: number): string {
	const cursorStart = toDrawable(text.slice(start, cursor)).length;
	if (cursor >= end) return `${cursorStart}:${cursorStart}`;
	return `${cursorStart}:${toDrawable(text.slice(start, Math.min(end, findNextBorder(text, cursor)))).length}`;
}

const severityRank: Readonly<Record<MarkKind, number>> = {unfinished: 1, warning: 2, error: 3};
const markLetters: Readonly<Record<MarkKind, string>> = {unfinished: 'u', warning: 'w', error: 'e'};

/** Builds the line under a row; later marks cover earlier ones, and an empty problem gets one column. */
function buildUnderline(
	text: string,
	start: number,
	end: number,
	isLineEnd: boolean,
	marks: readonly Mark[],
): Underline | undefined {
	let kinds: string[] | undefined;
	for (const {span, kind} of marks) {
		const isEmpty = span.end <= span.start;
		const isInside =
			isEmpty || span.start >= end ? span.start < end || (isLineEnd && span.start === end) : true;
		if (span.start > end || (!isEmpty && span.end <= start) || (isEmpty && span.start < start) || !isInside)
			continue;
		const startColumn = measureColumns(toDrawable(text.slice(start, Math.max(start, span.start))));
		const endColumn = measureColumns(toDrawable(text.slice(start, Math.min(end, Math.max(span.end, start)))));
		kinds ??= [];
		for (let column = startColumn; column < Math.max(endColumn, startColumn + 1); column++)
			kinds[column] = markLetters[kind];
	}
	if (!kinds) return undefined;
	const kindText = Array.from(kinds, kind => kind ?? ' ').join('');
	return {text: kindText.replace(/[^ ]/g, '~'), kinds: kindText};
}
