import {isKnownName} from '../checks/suggestions.ts';
import type {ParsedArgument} from './argument-checks.ts';
import {findNameEnd} from './name-extent.ts';
import {comparisonOperators} from './operators.ts';
import {joinSpans, type Parser, type TypedOperand} from './parser.ts';
import type {Correction, Span} from './problem.ts';
import type {Lexeme} from './token.ts';

const plusSentence = 'There is no + operator: join strings with concat(…).';

/** Reports `http.host + "/" eq "a/"` and skips the condition. The parser is after the left side. */
export function reportPlusAfterLeftSide(parser: Parser, left: TypedOperand, plus: Lexeme): boolean {
	if (plus.text !== '+') return false;
	const addends = readAddends(parser);
	const isText = left.type === undefined || left.type.kind === 'String' || left.type.kind === 'Bytes';
	reportPlus(parser, plus, isText && addends ? buildConcat(parser, left.operand, addends) : undefined);
	parser.skipUnreadable();
	return true;
}

/** Reports `http.host eq "a" + "b"`. The parser is after the value of the last comparison. */
export function reportPlusAfterValue(parser: Parser, plus: Lexeme): boolean {
	const {lastComparison, previous, lexemes} = parser;
	if (plus.text !== '+') return false;
	const addends = readAddends(parser);
	let valueIndex = parser.index - 1;
	while (valueIndex > 0 && (lexemes[valueIndex - 1]?.start ?? 0) >= (lastComparison?.operator.end ?? 0))
		valueIndex--;
	const value = lexemes[valueIndex];
	const endsComparison =
		lastComparison !== undefined && value !== undefined && previous?.end === lastComparison.end && addends;
	reportPlus(
		parser,
		plus,
		endsComparison
			? buildJoined(parser, lastComparison, {start: value.start, end: lastComparison.end}, addends)
			: undefined,
	);
	if (addends) parser.index = addends.endIndex;
	parser.skipToNextCondition();
	return true;
}

/** Reports `lower(http.host + "a")`. The parser is after an argument. */
export function reportPlusAfterArgument(
	parser: Parser,
	plus: Lexeme,
	argument: ParsedArgument | undefined,
	isConcat: boolean,
): boolean {
	if (plus.text !== '+') return false;
	const addends = readAddends(parser);
	const correction = isConcat
		? {span: plus, text: ','}
		: argument && addends && buildConcat(parser, argument.argument, addends);
	reportPlus(parser, plus, addends && correction);
	if (addends) parser.index = addends.endIndex;
	return true;
}

type Addends = {readonly texts: readonly string[]; readonly lastLexeme: Lexeme; readonly endIndex: number};

const reportPlus = (parser: Parser, plus: Lexeme, correction: Correction | undefined): void =>
	parser.syntaxError(plus, plusSentence, {correction});

/** Reads the operands after one or more plus signs. */
function readAddends({lexemes, index, text}: Parser): Addends | undefined {
	const texts: string[] = [];
	let lexemeIndex = index;
	while (lexemes[lexemeIndex]?.text === '+') {
		const firstLexeme = lexemes[lexemeIndex + 1];
		const isText =
			firstLexeme?.kind === 'string' && firstLexeme.quoted?.closed && firstLexeme.quoted.form !== 'foreign';
		const isNamed = firstLexeme?.kind === 'word' && isKnownName(firstLexeme.text);
		const end = isText ? lexemeIndex + 2 : isNamed ? findNameEnd(lexemes, lexemeIndex + 1) : undefined;
		const lastLexeme = end === undefined ? undefined : lexemes[end - 1];
		if (!firstLexeme || !lastLexeme || end === undefined) return undefined;
		texts.push(text.slice(firstLexeme.start, lastLexeme.end));
		lexemeIndex = end;
	}
	const lastLexeme = lexemes[lexemeIndex - 1];
	return lastLexeme && texts.length > 0 && texts.length < 32
		? {texts, lastLexeme, endIndex: lexemeIndex}
		: undefined;
}

const buildConcat = (parser: Parser, firstSpan: Span, {texts, lastLexeme}: Addends): Correction => ({
	span: joinSpans(firstSpan, lastLexeme),
	text: `concat(${[parser.slice(firstSpan), ...texts].join(', ')})`,
});

/** Joins literals into one text; with a field or a function among them, builds a call of concat. */
function buildJoined(
	parser: Parser,
	{operatorText}: {readonly operatorText: string},
	value: Span,
	addends: Addends,
): Correction | undefined {
	const allTexts = [parser.slice(value), ...addends.texts];
	if (allTexts.every(one => one.startsWith('"') && one.endsWith('"')))
		return {
			span: joinSpans(value, addends.lastLexeme),
			text: `"${allTexts.map(one => one.slice(1, -1)).join('')}"`,
		};
	const operator = comparisonOperators.get(operatorText) ?? '';
	return ['eq', 'ne', 'lt', 'le', 'gt', 'ge'].includes(operator) && !allTexts[0]?.startsWith('{')
		? buildConcat(parser, value, addends)
		: undefined;
}
