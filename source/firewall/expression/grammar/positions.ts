import type {ExpressionProblem, FoundProblem, Span} from './problem.ts';

/**
 * Sorts problems by position and adds lines and columns, both from 1. Columns count characters (code points).
 * A correction that leaves the text as it is gets dropped.
 */
export function addPositions(
	text: string,
	problems: readonly FoundProblem[],
): {errors: readonly ExpressionProblem[]; warnings: readonly ExpressionProblem[]} {
	const errors: ExpressionProblem[] = [];
	const warnings: ExpressionProblem[] = [];
	const sortedProblems = problems.toSorted(
		(one, other) => one.span.start - other.span.start || one.span.end - other.span.end,
	);
	let offset = 0;
	let line = 1;
	let column = 1;
	for (const {severity, span, sentence, code, engineMessage, correction} of sortedProblems) {
		for (; offset < span.start; offset++) {
			const unit = text.charCodeAt(offset);
			if (unit === 0x0a) {
				line++;
				column = 1;
			} else if (!isLowSurrogate(text, offset, unit)) column++;
		}
		(severity === 'error' ? errors : warnings).push({
			severity,
			span,
			sentence,
			...(code !== undefined && {code}),
			...(engineMessage !== undefined && {engineMessage}),
			...(correction &&
				correction.text !== text.slice(correction.span.start, correction.span.end) && {correction}),
			line,
			column,
		});
	}
	return {errors, warnings};
}

/** True for the second UTF-16 unit of a character. */
const isLowSurrogate = (text: string, offset: number, unit: number): boolean =>
	unit >= 0xdc00 && unit <= 0xdfff && offset > 0 && (text.charCodeAt(offset - 1) & 0xfc00) === 0xd800;

/** Finds the offset of a byte in a span. Inside a character, returns its start or its end. */
export function findByteOffset(
	text: string,
	bytes: number,
	rounding: 'down' | 'up',
	{start, end}: Span = {start: 0, end: text.length},
): number {
	let byteCount = 0;
	let offset = start;
	while (offset < end && byteCount < bytes) {
		const codePoint = text.codePointAt(offset) ?? 0;
		byteCount += codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
		if (byteCount > bytes && rounding === 'down') return offset;
		offset += codePoint > 0xffff ? 2 : 1;
	}
	return offset;
}
