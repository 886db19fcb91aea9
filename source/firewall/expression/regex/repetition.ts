import {type PatternFinding, patternError} from './finding.ts';
import type {Reader} from './reader.ts';

/** How often something is repeated at most, as far as it has to be written out: `a*` is no longer than `a`. */
export type Repetition =
	| {readonly ok: true; readonly times: number}
	| {readonly ok: false; readonly error: PatternFinding};

const mostCount = 2 ** 32 - 1;

/** Reads `*`, `+`, `?` or `{2,3}` with a `?` behind it; the reader is at its beginning. */
export function readRepetition(reader: Reader): Repetition {
	const counted = reader.pattern.charAt(reader.place) === '{';
	const repetition: Repetition = counted ? readCounts(reader) : {ok: true, times: 1};
	if (!counted) reader.place++;
	if (repetition.ok && reader.pattern.charAt(reader.place) === '?') reader.place++;
	return repetition;
}

function readCounts(reader: Reader): Repetition {
	const {pattern} = reader;
	const start = reader.place;
	const wrong = (engine: string, sentence: string, correction?: string): Repetition => ({
		ok: false,
		error: patternError(start, Math.max(reader.place, start + 1), engine, sentence, correction),
	});
	reader.place++;
	const least = readCount(reader);
	const comma = pattern.charAt(reader.place) === ',';
	if (comma) reader.place++;
	const most = comma ? readCount(reader) : least;
	if (pattern.charAt(reader.place) !== '}') {
		reader.place = start;
		return wrong(
			least === '' ? 'repetition quantifier expects a valid decimal' : 'unclosed counted repetition',
			'A brace begins a repetition, as {2} or {2,5}. Escape it if it is meant itself.',
			'\\{',
		);
	}
	reader.place++;
	if (least === '')
		return wrong(
			'repetition quantifier expects a valid decimal',
			'A repetition needs its least number, as {0,5}.',
			most === '' ? undefined : `{0,${most}}`,
		);
	const [from, to] = [Number(least), most === '' ? Number(least) : Number(most)];
	if (Math.max(from, to) > mostCount)
		return wrong('decimal literal invalid', 'This number is far too large for a repetition.');
	if (from > to)
		return wrong(
			'invalid repetition count range, the start must be <= the end',
			'The smaller number of a repetition comes first.',
			`{${most},${least}}`,
		);
	return {ok: true, times: to};
}

/** Digits with white space around them, which does not count. */
function readCount(reader: Reader): string {
	skip(reader, /\s/);
	const start = reader.place;
	skip(reader, /[0-9]/);
	const digits = reader.pattern.slice(start, reader.place);
	skip(reader, /\s/);
	return digits;
}

function skip(reader: Reader, what: RegExp): void {
	while (what.test(reader.pattern.charAt(reader.place))) reader.place++;
}
