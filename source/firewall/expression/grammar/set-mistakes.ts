import {findField} from '../vocabulary/fields.ts';
import {findNameEnd, isSign} from './name-extent.ts';
import type {Correction} from './problem.ts';
import {abbreviate, type FoundProblem, joinSpans, type Parser} from './reading.ts';
import type {Lexeme} from './token.ts';
import type {LeftSide, RightSide} from './tree.ts';

/** Reports a range with spaces in it and moves past it. Returns false if there is none. */
export function reportSpacedRange(parser: Parser, side: LeftSide, first: Lexeme, limit: number): boolean {
	if (side.type?.kind !== 'Integer' && side.type?.kind !== 'IP') return false;
	const range = findSpacedRange(parser, limit);
	if (!range) return false;
	const span = joinSpans(first, range.last);
	parser.syntaxError(span, 'A range is written with two dots, and without spaces.', {correction: range.text});
	parser.index += range.length;
	return true;
}

/** `1 .. 5`, `1 - 5`. */
function findSpacedRange({lexemes, index}: Parser, limit: number) {
	const [first, second, third] = [0, 1, 2].map(place =>
		index + place < limit ? lexemes[index + place] : undefined,
	);
	const isBound = (text: string) => /^-?[0-9a-fA-F.:]*[0-9a-fA-F:]$/.test(text) && !text.includes('..');
	if (first?.kind !== 'word' || second?.kind !== 'word') return undefined;
	if (
		third?.kind === 'word' &&
		/^(?:\.\.\.?|-)$/.test(second.text) &&
		isBound(first.text) &&
		isBound(third.text)
	)
		return {last: third, length: 3, text: `${first.text}..${third.text}`};
	const isHalf = /^[^.].*\.\.$/.test(first.text) !== /^\.\.[^.]/.test(second.text);
	const text = first.text + second.text;
	const [low = '', high = '', ...more] = text.split('..');
	return isHalf && more.length === 0 && isBound(low) && isBound(high)
		? {last: second, length: 2, text}
		: undefined;
}

/**
 * Merges repetitions of the same mistake in a set into one problem with one correction. `since` is the number
 * of problems before the set.
 */
export function mergeRepeatedMistakes(parser: Parser, since: number): void {
	const mistakes = new Map<string, FoundProblem[]>();
	for (const one of parser.problems.slice(since)) {
		if (one.severity !== 'error' || !one.correction || one.mistake === 'open quote') continue;
		const key = `${one.engine} ${one.mistake ?? one.sentence}`;
		const same = mistakes.get(key);
		if (same) same.push(one);
		else mistakes.set(key, [one]);
	}
	for (const same of mistakes.values()) {
		const merged = same.length > 1 ? mergeProblems(parser, same) : undefined;
		if (!merged) continue;
		const rest = new Set(same.slice(1));
		const kept = parser.problems.splice(since).map(one => (one === same[0] ? merged : one));
		parser.problems.push(...kept.filter(one => !rest.has(one)));
		parser.errorCount -= rest.size;
	}
}

function mergeProblems(parser: Parser, same: readonly FoundProblem[]): FoundProblem | undefined {
	const [first] = same;
	const start = first?.correction?.span.start;
	if (!first || start === undefined) return undefined;
	let text = '';
	let end = start;
	for (const {correction} of same) {
		if (!correction || correction.span.start < end) return undefined;
		text += parser.text.slice(end, correction.span.start) + correction.text;
		end = correction.span.end;
	}
	return {...first, correction: {span: {start, end}, text}};
}

/**
 * Reports a field in a set, which allows only literals (`http.host in {http.referer}`, `http.host in
 * http.request.headers.names`), and moves past it. Returns false if there is none.
 */
export function reportFieldInSet(parser: Parser, side: LeftSide, first: Lexeme): boolean {
	const field = first.kind === 'word' && first.text.includes('.') ? findField(first.text) : undefined;
	const {lexemes, index} = parser;
	const endIndex = field && findNameEnd(lexemes, index);
	const last = endIndex === undefined ? undefined : lexemes[endIndex - 1];
	if (!field || !last || endIndex === undefined) return false;
	const name = parser.slice(joinSpans(first, last));
	const open = lexemes[index - 1];
	const close = lexemes[endIndex];
	const inBraces = isSign(open, '{') && isSign(close, '}');
	const isAlone = inBraces || open?.start === side.operatorSpan.start;
	const end = inBraces && close ? close.end : last.end;
	parser.syntaxError(
		joinSpans(first, last),
		`A set holds only values that are written out: ${abbreviate(name)} is a field, and eq compares with it.`,
		{
			engine: 'expected " or r',
			correction:
				isAlone && endIndex === index + 1 ? buildFieldComparison(parser, side, name, end) : undefined,
		},
	);
	parser.index = endIndex;
	return true;
}

/** Builds the comparison with a field, or with the elements of a list. */
function buildFieldComparison(
	parser: Parser,
	side: LeftSide,
	name: string,
	end: number,
): Correction | undefined {
	const type = findField(name)?.type;
	if (!type || !side.type || side.isEach) return undefined;
	if (type.kind === side.type.kind) return {span: {start: side.operatorSpan.start, end}, text: `eq ${name}`};
	return type.kind === 'Array' && type.of.kind === side.type.kind
		? {span: {start: side.left.start, end}, text: `has_value(${name}, ${parser.slice(side.left)})`}
		: undefined;
}

/** Reports `{{1.1.1.1}}` and reads the set inside. */
export function readDoubledBraces(
	parser: Parser,
	side: LeftSide,
	open: Lexeme,
	readBraces: (parser: Parser, side: LeftSide, open: Lexeme) => RightSide | undefined,
): RightSide | undefined {
	let inner = open;
	for (; parser.isAt('{'); parser.index++) inner = parser.current ?? inner;
	parser.index--;
	const found = parser.problems.length;
	const set = readBraces(parser, side, inner);
	const close = parser.previous;
	while (parser.isAt('}')) parser.index++;
	const last = parser.previous;
	const isClosed = isSign(close, '}') && last !== undefined && close !== undefined;
	parser.syntaxError(open, 'A set has one pair of braces.', {
		correction: isClosed
			? {span: joinSpans(open, last), text: parser.slice(joinSpans(inner, close))}
			: undefined,
	});
	const problem = parser.problems.pop();
	if (problem) parser.problems.splice(found, 0, problem);
	return set;
}
