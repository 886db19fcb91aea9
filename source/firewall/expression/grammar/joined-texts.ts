import {isKnownName} from '../checks/suggestions.ts';
import type {ParsedArgument} from './argument-checks.ts';
import {findNameEnd} from './name-extent.ts';
import {comparisonOperators} from './operators.ts';
import type {Correction, Span} from './problem.ts';
import {joinSpans, type Parser, type TypedOperand} from './reading.ts';
import type {Lexeme} from './token.ts';

const sentence = 'There is no + operator: join strings with concat(…).';

/** Reports `http.host + "/" eq "a/"` and skips the condition. The parser is after the left side. */
export function reportPlusAfterLeftSide(parser: Parser, left: TypedOperand, plus: Lexeme): boolean {
	if (plus.text !== '+') return false;
	const operands = readAddends(parser);
	const isText = left.type === undefined || left.type.kind === 'String' || left.type.kind === 'Bytes';
	reportPlus(parser, plus, isText && operands ? buildConcat(parser, left.operand, operands) : undefined);
	parser.skipUnreadable();
	return true;
}

/** Reports `http.host eq "a" + "b"`. The parser is after the value of the last comparison. */
export function reportPlusAfterValue(parser: Parser, plus: Lexeme): boolean {
	const {lastComparison, previous, lexemes} = parser;
	if (plus.text !== '+') return false;
	const operands = readAddends(parser);
	let position = parser.index - 1;
	while (position > 0 && (lexemes[position - 1]?.start ?? 0) >= (lastComparison?.operator.end ?? 0))
		position--;
	const value = lexemes[position];
	const isWhole =
		lastComparison !== undefined && value !== undefined && previous?.end === lastComparison.end && operands;
	reportPlus(
		parser,
		plus,
		isWhole
			? buildJoined(parser, lastComparison, {start: value.start, end: lastComparison.end}, operands)
			: undefined,
	);
	if (operands) parser.index = operands.end;
	parser.skipToBoundary();
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
	const operands = readAddends(parser);
	const correction = isConcat
		? {span: plus, text: ','}
		: argument && operands && buildConcat(parser, argument.argument, operands);
	reportPlus(parser, plus, operands && correction);
	if (operands) parser.index = operands.end;
	return true;
}

type Addends = {readonly texts: readonly string[]; readonly last: Lexeme; readonly end: number};

const reportPlus = (parser: Parser, plus: Lexeme, correction: Correction | undefined): void =>
	parser.syntaxError(plus, sentence, {correction});

/** Reads the operands after one or more plus signs. */
function readAddends({lexemes, index, text}: Parser): Addends | undefined {
	const texts: string[] = [];
	let position = index;
	while (lexemes[position]?.text === '+') {
		const firstLexeme = lexemes[position + 1];
		const isText =
			firstLexeme?.kind === 'string' && firstLexeme.quoted?.closed && firstLexeme.quoted.form !== 'foreign';
		const isNamed = firstLexeme?.kind === 'word' && isKnownName(firstLexeme.text);
		const end = isText ? position + 2 : isNamed ? findNameEnd(lexemes, position + 1) : undefined;
		const lastLexeme = end === undefined ? undefined : lexemes[end - 1];
		if (!firstLexeme || !lastLexeme || end === undefined) return undefined;
		texts.push(text.slice(firstLexeme.start, lastLexeme.end));
		position = end;
	}
	const lastLexeme = lexemes[position - 1];
	return lastLexeme && texts.length > 0 && texts.length < 32
		? {texts, last: lastLexeme, end: position}
		: undefined;
}

const buildConcat = (parser: Parser, firstSpan: Span, {texts, last}: Addends): Correction => ({
	span: joinSpans(firstSpan, last),
	text: `concat(${[parser.slice(firstSpan), ...texts].join(', ')})`,
});

/** Joins literals into one text; with a field or a function among them, builds a call of concat. */
function buildJoined(
	parser: Parser,
	{operatorText}: {readonly operatorText: string},
	value: Span,
	operands: Addends,
): Correction | undefined {
	const allTexts = [parser.slice(value), ...operands.texts];
	if (allTexts.every(one => one.startsWith('"') && one.endsWith('"')))
		return {
			span: joinSpans(value, operands.last),
			text: `"${allTexts.map(one => one.slice(1, -1)).join('')}"`,
		};
	const operator = comparisonOperators.get(operatorText) ?? '';
	return ['eq', 'ne', 'lt', 'le', 'gt', 'ge'].includes(operator) && !allTexts[0]?.startsWith('{')
		? buildConcat(parser, value, operands)
		: undefined;
}
