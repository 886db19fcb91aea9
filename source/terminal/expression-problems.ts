import type {ExpressionProblem} from '../firewall/expression/expressions.ts';
import {measureColumns, toDrawable} from '../text/columns.ts';
import {cutMark, sliceColumns} from '../text/cut.ts';

/** Maximum columns of a line; a longer one is cut around the problem. */
const maxColumns = 100;
/** Columns shown before a problem far to the right. */
const columnsBefore = 30;

/**
 * Formats a problem of an expression: its position and description, its line with carets under the
 * characters, and the fix. A long line is cut around the problem. Made safe for a terminal.
 */
export function formatExpressionProblem(text: string, problem: ExpressionProblem): string[] {
	const {line, column, sentence, correction, span} = problem;
	return [
		`line ${line}, column ${column}: ${toDrawable(sentence)}`,
		...markStretch(text, span.start, span.end).map(one => `  ${one}`),
		...(correction
			? [`  ${describeCorrection(text, correction.span.start, correction.span.end, correction.text)}`]
			: []),
	];
}

/** Returns the first line of a span, and a line of carets under its characters there. */
export function markStretch(text: string, start: number, end: number): string[] {
	const lineStart = start === 0 ? 0 : text.lastIndexOf('\n', start - 1) + 1;
	const nextLineFeed = text.indexOf('\n', Math.max(start, lineStart));
	const lineEnd = nextLineFeed === -1 ? text.length : nextLineFeed;
	const head = toDrawable(text.slice(lineStart, start));
	const stretch = toDrawable(text.slice(start, Math.max(start, Math.min(end, lineEnd))));
	const line = head + stretch + toDrawable(text.slice(Math.max(start, Math.min(end, lineEnd)), lineEnd));
	const startColumn = measureColumns(head);
	const stretchColumns = Math.max(1, measureColumns(stretch));
	if (measureColumns(line) <= maxColumns) return [line, ' '.repeat(startColumn) + '^'.repeat(stretchColumns)];
	const firstColumn = Math.max(0, startColumn - columnsBefore);
	const startMark = firstColumn > 0 ? cutMark : '';
	const visibleText = sliceColumns(line, firstColumn, maxColumns - 2);
	const endMark = measureColumns(line) > firstColumn + maxColumns - 2 ? cutMark : '';
	const caretCount = Math.min(stretchColumns, firstColumn + maxColumns - 2 - startColumn);
	return [
		startMark + visibleText + endMark,
		' '.repeat(startColumn - firstColumn + measureColumns(startMark)) + '^'.repeat(Math.max(1, caretCount)),
	];
}

function describeCorrection(text: string, start: number, end: number, replacement: string): string {
	const replacedText = text.slice(start, end);
	if (replacement === '') return `remove ${formatStretch(replacedText)}`;
	return replacedText === ''
		? `insert ${formatStretch(replacement)} here`
		: `replace ${formatStretch(replacedText)} with ${formatStretch(replacement)}`;
}

/** Formats a stretch for a sentence, trimmed; "a space" if it is only space. */
function formatStretch(stretch: string): string {
	const word = toDrawable(stretch.replace(/^ +| +$/g, ''));
	return word === '' ? 'a space' : word;
}
