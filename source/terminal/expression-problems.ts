import type {ExpressionProblem} from '../firewall/expression/expressions.ts';
import {measureColumns, toDrawable} from '../text/columns.ts';
import {cutMark, sliceColumns} from '../text/cut.ts';

/** Maximum columns of a line; a longer one is cut around the problem. */
const defaultColumns = 100;
/** Columns shown before a problem far to the right. */
const columnsBefore = 30;

/**
 * Formats a problem of an expression: its position and description, its line with carets under the
 * characters, and the fix. A long line is cut around the problem. Made safe for a terminal.
 */
export function formatExpressionProblem(
	text: string,
	problem: ExpressionProblem,
	columns: number = defaultColumns,
): string[] {
	const {line, column, sentence, correction, span} = problem;
	return [
		`line ${line}, column ${column}: ${toDrawable(sentence)}`,
		...markStretch(text, span.start, span.end, columns).map(one => `  ${one}`),
		...(correction
			? [`  ${describeCorrection(text, correction.span.start, correction.span.end, correction.text)}`]
			: []),
	];
}

/** Returns the line in which a stretch begins, and a line of carets under its characters in that line. */
export function markStretch(
	text: string,
	start: number,
	end: number,
	columns: number = defaultColumns,
): string[] {
	const lineStart = start === 0 ? 0 : text.lastIndexOf('\n', start - 1) + 1;
	const next = text.indexOf('\n', Math.max(start, lineStart));
	const lineEnd = next === -1 ? text.length : next;
	const head = toDrawable(text.slice(lineStart, start));
	const stretch = toDrawable(text.slice(start, Math.max(start, Math.min(end, lineEnd))));
	const line = head + stretch + toDrawable(text.slice(Math.max(start, Math.min(end, lineEnd)), lineEnd));
	const at = measureColumns(head);
	const carets = Math.max(1, measureColumns(stretch));
	if (measureColumns(line) <= columns) return [line, ' '.repeat(at) + '^'.repeat(carets)];
	const from = Math.max(0, at - columnsBefore);
	const mark = from > 0 ? cutMark : '';
	const visibleText = sliceColumns(line, from, columns - 2);
	const more = measureColumns(line) > from + columns - 2 ? cutMark : '';
	const caretCount = Math.min(carets, from + columns - 2 - at);
	return [
		mark + visibleText + more,
		' '.repeat(at - from + measureColumns(mark)) + '^'.repeat(Math.max(1, caretCount)),
	];
}

function describeCorrection(text: string, start: number, end: number, replacement: string): string {
	const replaced = text.slice(start, end);
	if (replacement === '') return `remove ${formatStretch(replaced)}`;
	return replaced === ''
		? `insert ${formatStretch(replacement)} here`
		: `replace ${formatStretch(replaced)} with ${formatStretch(replacement)}`;
}

/** Formats a stretch for a sentence, trimmed; "a space" if it is only space. */
function formatStretch(stretch: string): string {
	const word = toDrawable(stretch.replace(/^ +| +$/g, ''));
	return word === '' ? 'a space' : word;
}
