import type {Problem} from '../firewall/expression/expressions.ts';
import {columnsOf, drawable} from '../text/columns.ts';
import {cutMark, window} from '../text/cut.ts';

/** Columns of a line before it is cut around the problem. */
const usualColumns = 100;
/** Columns shown before a problem far to the right. */
const before = 30;

/**
 * Formats a problem of an expression: its position and description, its line with carets under the
 * characters, and the fix. A long line is cut around the problem. Made safe for a terminal.
 */
export function problemLines(text: string, problem: Problem, columns: number = usualColumns): string[] {
	const {line, column, sentence, correction, span} = problem;
	return [
		`line ${line}, column ${column}: ${drawable(sentence)}`,
		...marked(text, span.start, span.end, columns).map(one => `  ${one}`),
		...(correction
			? [`  ${correctionOf(text, correction.span.start, correction.span.end, correction.text)}`]
			: []),
	];
}

/** Returns the line in which a stretch begins, and a line of carets under its characters in that line. */
export function marked(text: string, start: number, end: number, columns: number = usualColumns): string[] {
	const lineStart = start === 0 ? 0 : text.lastIndexOf('\n', start - 1) + 1;
	const next = text.indexOf('\n', Math.max(start, lineStart));
	const lineEnd = next === -1 ? text.length : next;
	const head = drawable(text.slice(lineStart, start));
	const stretch = drawable(text.slice(start, Math.max(start, Math.min(end, lineEnd))));
	const line = head + stretch + drawable(text.slice(Math.max(start, Math.min(end, lineEnd)), lineEnd));
	const at = columnsOf(head);
	const carets = Math.max(1, columnsOf(stretch));
	if (columnsOf(line) <= columns) return [line, ' '.repeat(at) + '^'.repeat(carets)];
	const from = Math.max(0, at - before);
	const mark = from > 0 ? cutMark : '';
	const seen = window(line, from, columns - 2);
	const more = columnsOf(line) > from + columns - 2 ? cutMark : '';
	const shown = Math.min(carets, from + columns - 2 - at);
	return [mark + seen + more, ' '.repeat(at - from + columnsOf(mark)) + '^'.repeat(Math.max(1, shown))];
}

function correctionOf(text: string, start: number, end: number, instead: string): string {
	const there = text.slice(start, end);
	if (instead === '') return `leave out ${shown(there)}`;
	return there === '' ? `write ${shown(instead)} here` : `write ${shown(instead)} instead of ${shown(there)}`;
}

/** Formats a stretch for a sentence, trimmed; "a space" if it is only space. */
function shown(stretch: string): string {
	const word = drawable(stretch.replace(/^ +| +$/g, ''));
	return word === '' ? 'a space' : word;
}
