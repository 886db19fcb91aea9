import {findByteOffset} from './grammar/positions.ts';
import type {ExpressionProblem, Span} from './grammar/problem.ts';

/** Maximum length of a message to parse; no real answer is longer. */
const maxMessageLength = 65_536;

/**
 * Formats a problem as the service reports it: the expression in backquotes, and carets under the span. For
 * several lines, shows only the line and gives line and column first, as the newer engine does. Columns and
 * carets count bytes.
 */
export function formatEngineMessage(text: string, problem: ExpressionProblem): string {
	const {start} = problem.span;
	const lineStart = start === 0 ? 0 : text.lastIndexOf('\n', start - 1) + 1;
	const newline = text.indexOf('\n', lineStart);
	const lineEnd = newline < 0 ? text.length : newline;
	const bytesBefore = Buffer.byteLength(text.slice(lineStart, start));
	const length = Buffer.byteLength(text.slice(start, Math.min(problem.span.end, lineEnd)));
	const carets = '^'.repeat(Math.max(1, length));
	const message = problem.engineMessage ?? problem.sentence;
	const line = text.slice(lineStart, lineEnd);
	return text.includes('\n')
		? `Filter parsing error (${problem.line}:${bytesBefore + 1}):\n${line}\n${' '.repeat(bytesBefore)}${carets} ${message}\n`
		: `Filter parsing error:\n\`${line}\`\n${' '.repeat(bytesBefore + 1)}${carets} ${message}\n`;
}

/**
 * Parses an engine error about the expression `text`, in either form: with `(L:C)`, or in backquotes.
 * Undefined for any other message.
 */
export function readEngineMessage(message: string, text: string): {span: Span; sentence: string} | undefined {
	if (message.length > maxMessageLength) return undefined;
	const lines = message.split('\n');
	const firstIndex = lines.findIndex(line => /[Ff]ilter parsing error/.test(line));
	if (firstIndex < 0) return undefined;
	const lineAndColumn = /\(([0-9]{1,9}):([0-9]{1,9})\)/.exec(lines[firstIndex] ?? '');
	const caretIndex = lines.findIndex((line, index) => index > firstIndex + 1 && /^ *\^/.test(line));
	const caretLine = lines[caretIndex];
	if (caretLine === undefined) return undefined;
	const spaceCount = caretLine.length - caretLine.trimStart().length;
	const caretCount = /^\^+/.exec(caretLine.slice(spaceCount))?.[0].length ?? 1;
	const sentence = [caretLine.slice(spaceCount + caretCount), ...lines.slice(caretIndex + 1)]
		.join('\n')
		.trim();
	const lineSpan = lineAndColumn
		? findNumberedLine(text, Number(lineAndColumn[1]))
		: findQuotedLine(text, lines.slice(firstIndex + 1, caretIndex).at(-1) ?? '');
	if (!lineSpan) return undefined;
	// Without a line and column, the line of the expression starts after a backquote.
	const column = lineAndColumn ? Number(lineAndColumn[2]) - 1 : spaceCount - 1;
	if (column < 0) return undefined;
	return {
		span: {
			start: findByteOffset(text, column, 'down', lineSpan),
			end: findByteOffset(text, column + caretCount, 'up', lineSpan),
		},
		sentence,
	};
}

function findNumberedLine(text: string, lineNumber: number): Span | undefined {
	let start = 0;
	for (let line = 1; line < lineNumber; line++) {
		const end = text.indexOf('\n', start);
		if (end < 0) return undefined;
		start = end + 1;
	}
	if (lineNumber < 1) return undefined;
	const end = text.indexOf('\n', start);
	return {start, end: end < 0 ? text.length : end};
}

/** Finds the quoted line; in a text of one line, that line. */
function findQuotedLine(text: string, quotedText: string): Span | undefined {
	if (!text.includes('\n')) return {start: 0, end: text.length};
	const quotedLine = quotedText.replace(/^`|`$/g, '');
	let start = 0;
	for (const line of text.split('\n')) {
		if (line === quotedLine) return {start, end: start + line.length};
		start += line.length + 1;
	}
	return undefined;
}
