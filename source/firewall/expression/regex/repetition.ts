import type {PatternReader} from './reader.ts';

const maxCount = 2 ** 32 - 1;

/**
 * Reads `*`, `+`, `?` or `{2,3}` with an optional `?`; the reader is at its start. Returns how many copies
 * the engine compiles: one for `a*`, three for `a{2,3}`.
 */
export function readRepetition(reader: PatternReader): number {
	const isCounted = reader.unit === '{';
	const copyCount = isCounted ? readCountedCopies(reader) : 1;
	if (!isCounted) reader.position++;
	reader.consume('?');
	return copyCount;
}

function readCountedCopies(reader: PatternReader): number {
	const start = reader.position++;
	const minText = readCountDigits(reader);
	const maxText = reader.consume(',') ? readCountDigits(reader) : minText;
	if (!reader.consume('}')) {
		reader.position = start + 1;
		return reader.refuse(
			start,
			minText === '' ? 'repetition quantifier expects a valid decimal' : 'unclosed counted repetition',
			'A brace starts a repetition, such as {2} or {2,5}. Escape it to match it literally.',
			'\\{',
		);
	}
	if (minText === '')
		return reader.refuse(
			start,
			'repetition quantifier expects a valid decimal',
			'A repetition needs a minimum, such as {0,5}.',
			maxText === '' ? undefined : `{0,${maxText}}`,
		);
	const [minCopies, maxCopies] = [Number(minText), maxText === '' ? Number(minText) : Number(maxText)];
	if (Math.max(minCopies, maxCopies) > maxCount)
		reader.refuse(start, 'decimal literal invalid', 'This number is too large for a repetition.');
	if (minCopies > maxCopies)
		reader.refuse(
			start,
			'invalid repetition count range, the start must be <= the end',
			'The lower number of a repetition must come first.',
			`{${maxText},${minText}}`,
		);
	return maxCopies;
}

const countPattern = /\s*([0-9]*)\s*/y;

/** Reads digits and the white space around them, which is ignored. */
function readCountDigits(reader: PatternReader): string {
	countPattern.lastIndex = reader.position;
	const [, digits = ''] = countPattern.exec(reader.pattern) ?? [];
	reader.position = countPattern.lastIndex;
	return digits;
}
