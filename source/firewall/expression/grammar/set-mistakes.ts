import {findField} from '../vocabulary/fields.ts';
import {findNameEnd, isSign} from './name-extent.ts';
import {abbreviate, joinSpans, type Parser} from './parser.ts';
import type {Correction, FoundProblem} from './problem.ts';
import type {Lexeme} from './token.ts';
import type {LeftSide, RightSide} from './tree.ts';

/** Reports a range with spaces in it and moves past it. Returns false if there is none. */
export function reportSpacedRange(
	parser: Parser,
	side: LeftSide,
	firstLexeme: Lexeme,
	limit: number,
): boolean {
	if (side.type?.kind !== 'Integer' && side.type?.kind !== 'IP') return false;
	const range = findSpacedRange(parser, limit);
	if (!range) return false;
	const span = joinSpans(firstLexeme, range.last);
	parser.syntaxError(span, 'Write a range with two dots and no spaces.', {correction: range.text});
	parser.index += range.length;
	return true;
}

/** Finds a range with spaces in it: `1 .. 5`, `1 - 5`. */
function findSpacedRange({lexemes, index}: Parser, limit: number) {
	const [first, second, third] = [0, 1, 2].map(offset =>
		index + offset < limit ? lexemes[index + offset] : undefined,
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
	// `1.. 5` or `1 ..5`: one of the two words contains the dots.
	const hasDotsOnce = /^[^.].*\.\.$/.test(first.text) !== /^\.\.[^.]/.test(second.text);
	const text = first.text + second.text;
	const [low = '', high = '', ...more] = text.split('..');
	return hasDotsOnce && more.length === 0 && isBound(low) && isBound(high)
		? {last: second, length: 2, text}
		: undefined;
}

/**
 * Merges repetitions of the same mistake in a set into one problem with one correction. `problemCount` is the
 * number of problems before the set.
 */
export function mergeRepeatedMistakes(parser: Parser, problemCount: number): void {
	const mistakes = new Map<string, FoundProblem[]>();
	for (const problem of parser.problems.slice(problemCount)) {
		if (problem.severity !== 'error' || !problem.correction || problem.mistake === 'open quote') continue;
		const key = `${problem.engineMessage} ${problem.mistake ?? problem.sentence}`;
		const repeatedProblems = mistakes.get(key);
		if (repeatedProblems) repeatedProblems.push(problem);
		else mistakes.set(key, [problem]);
	}
	for (const repeatedProblems of mistakes.values()) {
		const mergedProblem = repeatedProblems.length > 1 ? mergeProblems(parser, repeatedProblems) : undefined;
		if (!mergedProblem) continue;
		const duplicates = new Set(repeatedProblems.slice(1));
		const remainingProblems = parser.problems
			.splice(problemCount)
			.map(one => (one === repeatedProblems[0] ? mergedProblem : one));
		parser.problems.push(...remainingProblems.filter(one => !duplicates.has(one)));
		parser.errorCount -= duplicates.size;
	}
}

function mergeProblems(parser: Parser, repeatedProblems: readonly FoundProblem[]): FoundProblem | undefined {
	const [firstProblem] = repeatedProblems;
	const start = firstProblem?.correction?.span.start;
	if (!firstProblem || start === undefined) return undefined;
	let text = '';
	let end = start;
	for (const {correction} of repeatedProblems) {
		if (!correction || correction.span.start < end) return undefined;
		text += parser.text.slice(end, correction.span.start) + correction.text;
		end = correction.span.end;
	}
	return {...firstProblem, correction: {span: {start, end}, text}};
}

/**
 * Reports a field in a set, which allows only literals (`http.host in {http.referer}`, `http.host in
 * http.request.headers.names`), and moves past it. Returns false if there is none.
 */
export function reportFieldInSet(parser: Parser, side: LeftSide, firstLexeme: Lexeme): boolean {
	const field =
		firstLexeme.kind === 'word' && firstLexeme.text.includes('.') ? findField(firstLexeme.text) : undefined;
	const {lexemes, index} = parser;
	const endIndex = field && findNameEnd(lexemes, index);
	const lastLexeme = endIndex === undefined ? undefined : lexemes[endIndex - 1];
	if (!field || !lastLexeme || endIndex === undefined) return false;
	const name = parser.slice(joinSpans(firstLexeme, lastLexeme));
	const open = lexemes[index - 1];
	const close = lexemes[endIndex];
	const inBraces = isSign(open, '{') && isSign(close, '}');
	const isOnlyValue = inBraces || open?.start === side.operatorSpan.start;
	const end = inBraces && close ? close.end : lastLexeme.end;
	parser.syntaxError(
		joinSpans(firstLexeme, lastLexeme),
		`A set can only contain literal values: ${abbreviate(name)} is a field; compare it with eq.`,
		{
			engineMessage: 'expected " or r',
			correction:
				isOnlyValue && endIndex === index + 1 ? buildFieldComparison(parser, side, name, end) : undefined,
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
	let innerBrace = open;
	for (; parser.isAt('{'); parser.index++) innerBrace = parser.current ?? innerBrace;
	parser.index--;
	const problemCount = parser.problems.length;
	const set = readBraces(parser, side, innerBrace);
	const close = parser.previous;
	while (parser.isAt('}')) parser.index++;
	const lastLexeme = parser.previous;
	const isClosed = isSign(close, '}') && lastLexeme !== undefined && close !== undefined;
	parser.syntaxError(open, 'Use only one pair of braces for a set.', {
		correction: isClosed
			? {span: joinSpans(open, lastLexeme), text: parser.slice(joinSpans(innerBrace, close))}
			: undefined,
	});
	const problem = parser.problems.pop();
	if (problem) parser.problems.splice(problemCount, 0, problem);
	return set;
}
