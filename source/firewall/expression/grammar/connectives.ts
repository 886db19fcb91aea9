import {isKnownName, separateKeyword} from '../checks/suggestions.ts';
import {findField} from '../vocabulary/fields.ts';
import {splitGluedConnective} from './glued-keywords.ts';
import {reportPlusAfterValue} from './joined-texts.ts';
import {
	comparisonOperators,
	foreignConnectives,
	listComparisonOperators,
	logicalOperators,
} from './operators.ts';
import {type Connective, isConnective, isNegation, joinSpans, type Parser} from './parser.ts';
import type {Correction} from './problem.ts';
import {correctSeveralValues, describeSeveralValues, isValueLexeme} from './several-values.ts';
import type {Lexeme} from './token.ts';

/**
 * Returns what joins the last condition with the next one; undefined if nothing does. Stays before it: the
 * caller advances by `length`. Reports anything else, and skips it if the parser cannot continue there.
 */
export function peekConnective(parser: Parser): Connective | undefined {
	const lastConnective = parser.lastConnective;
	if (lastConnective?.index === parser.index) return lastConnective;
	while (parser.current && !parser.isAtBoundary) {
		const {index} = parser;
		const connective = readConnectiveLexeme(parser, parser.current);
		if (connective) {
			const indexedConnective = {index: parser.index, ...connective};
			parser.lastConnective = indexedConnective;
			return indexedConnective;
		}
		if (parser.index === index) parser.index++;
	}
	return undefined;
}

function readConnectiveLexeme(parser: Parser, current: Lexeme): Omit<Connective, 'index'> | undefined {
	const operator = logicalOperators.get(current.text);
	if (operator) return {operator, length: 1};
	if (isConnective(current)) return correctConnective(parser, current);
	if (reportRepeatedNegation(parser, current)) return undefined;
	if (buildTrailingRemoval(parser, current)) {
		reportUnrecognised(parser, current);
		parser.index++;
		return undefined;
	}
	if (reportPlusAfterValue(parser, current) || reportExtraValues(parser)) return undefined;
	if (current.kind === 'sign' && (current.text === ',' || current.text === ';'))
		return reportComma(parser, current);
	if (splitGluedConnective(parser, current))
		return {operator: logicalOperators.get(parser.current?.text ?? '') ?? 'and', length: 1};
	if (reportTrailingParentheses(parser, current)) return undefined;
	if (startsCondition(parser, current)) {
		const gap = {start: current.start, end: current.start};
		parser.syntaxError(current, 'An operator is missing between these conditions: and, or, or xor.', {
			correction: {span: gap, text: 'and '},
		});
		return {operator: 'and', length: 0};
	}
	reportUnrecognised(parser, current);
	parser.skipUnreadable();
	return undefined;
}

/** Corrects `AND`, `&` and `|`. */
function correctConnective(parser: Parser, current: Lexeme): Omit<Connective, 'index'> {
	const intendedText = foreignConnectives.get(current.text) ?? current.text.toLowerCase();
	parser.syntaxError(
		current,
		foreignConnectives.has(current.text)
			? `Join conditions with ${logicalOperators.get(intendedText)} or ${intendedText}.`
			: 'Operators must be lower case.',
		{correction: intendedText},
	);
	return {operator: logicalOperators.get(intendedText) ?? 'and', length: 1};
}

function reportComma(parser: Parser, current: Lexeme): Omit<Connective, 'index'> | undefined {
	const {next, previous} = parser;
	const isContinued = next !== undefined && next.text !== ')' && !isConnective(next);
	const span = {start: previous?.end ?? current.start, end: isContinued ? next.start : current.end};
	parser.syntaxError(current, 'Join conditions with and, or, or xor, not with a comma.', {
		correction: {span, text: isContinued ? ' and ' : ''},
	});
	if (isContinued) return {operator: 'and', length: 1};
	parser.index++;
	return undefined;
}

/**
 * Reports further values after that of a comparison, with or without commas. Returns false if there are none.
 */
function reportExtraValues(parser: Parser): boolean {
	const {lastComparison, previous: previousValue, lexemes, index} = parser;
	const values: Lexeme[] = [];
	let lexemeIndex = index;
	for (; ; lexemeIndex++) {
		const lexeme = lexemes[lexemeIndex];
		const hasSeparator = lexeme?.text === ',' || lexeme?.text === ';';
		const value = hasSeparator ? lexemes[lexemeIndex + 1] : lexeme;
		if (!isValueLexeme(value)) break;
		if (hasSeparator) {
			const nextLexeme = lexemes[lexemeIndex + 2];
			if (nextLexeme && comparisonOperators.has(nextLexeme.text)) break;
			lexemeIndex++;
		}
		values.push(value);
	}
	const [firstValue, lastValue] = [lexemes[index], values.at(-1)];
	if (!firstValue || !lastValue) return false;
	const precedingComparison =
		lastComparison &&
		previousValue?.end === lastComparison.end &&
		(previousValue.kind === 'word' || previousValue.kind === 'string')
			? lastComparison
			: undefined;
	const allValues = previousValue ? [previousValue, ...values] : values;
	const isGroupedNumber =
		precedingComparison &&
		/^[0-9]{1,3}(?:,[0-9]{3})+$/.test(parser.text.slice(previousValue?.start, lastValue.end));
	parser.index = lexemeIndex;
	const canCorrect = allValues.every(({quoted}) => quoted?.closed !== false) && !precedingComparison?.negated;
	parser.syntaxError(
		firstValue.kind === 'sign' ? firstValue : joinSpans(firstValue, lastValue),
		isGroupedNumber
			? "Numbers can't contain commas. For multiple numbers, use a set: in {…}."
			: precedingComparison
				? describeSeveralValues(precedingComparison.operatorText)
				: "Unexpected value: it isn't compared with anything.",
		{
			correction:
				precedingComparison && canCorrect && !isGroupedNumber
					? correctSeveralValues(
							parser,
							precedingComparison,
							allValues.map(({text}) => text),
							lastValue.end,
						)
					: undefined,
		},
	);
	return true;
}

/** True if a condition starts here, so that only the connective is missing. */
function startsCondition(parser: Parser, {kind, text}: Lexeme): boolean {
	const {current, next} = parser;
	if (current && isNegation(current)) return true;
	if (kind === 'sign') return text === '(';
	if (kind !== 'word' || comparisonOperators.has(text)) return false;
	if (findField(text) || (text.startsWith('not') && isKnownName(text.slice(3)))) return true;
	if (separateKeyword(text)) return false;
	return (
		next !== undefined && ((next.kind === 'sign' && next.text === '(') || comparisonOperators.has(next.text))
	);
}

/** Corrects a second operator: `ip.src in {…} ~ "a"`. Undefined if the intention is unclear. */
function buildRepeatedComparison(parser: Parser, operator: Lexeme): Correction | undefined {
	const {lastComparison, previous, next, lexemes} = parser;
	if (
		!lastComparison ||
		lastComparison.negated ||
		previous?.end !== lastComparison.end ||
		!next ||
		isConnective(next)
	)
		return undefined;
	const lexemeBefore = lexemes.findLast(({end}) => end <= lastComparison.left.start);
	const type = findField(parser.slice(lastComparison.left))?.type;
	const intendedOperator = comparisonOperators.get(operator.text);
	if (
		(lexemeBefore && isNegation(lexemeBefore)) ||
		(type && intendedOperator && !listComparisonOperators(type).includes(intendedOperator))
	)
		return undefined;
	const [firstOperator, secondOperator] = [lastComparison.operatorText, operator.text].map(text =>
		comparisonOperators.get(text),
	);
	if (firstOperator === 'eq' && secondOperator === 'eq') return undefined;
	const gap = {start: operator.start, end: operator.start};
	return {span: gap, text: `and ${parser.slice(lastComparison.left)} `};
}

/** Reports `http.host contains "a" not contains "b"`. Returns false if there is no such negation. */
function reportRepeatedNegation(parser: Parser, notLexeme: Lexeme): boolean {
	const {next, index} = parser;
	if (!isNegation(notLexeme) || !next || !comparisonOperators.has(next.text) || isConnective(next))
		return false;
	const {lastComparison, previous} = parser;
	const canCorrect =
		lastComparison !== undefined && !lastComparison.negated && previous?.end === lastComparison.end;
	const span = {start: notLexeme.start, end: next.start};
	parser.syntaxError(next, "This condition is already complete: it can't be compared again.", {
		correction: canCorrect ? {span, text: `and not ${parser.slice(lastComparison.left)} `} : undefined,
	});
	parser.index = index + 2;
	parser.skipToNextCondition();
	return true;
}

/** Reports opening parentheses at the end. Returns false if there are none. */
function reportTrailingParentheses(parser: Parser, firstLexeme: Lexeme): boolean {
	const trailingLexemes = parser.lexemes.slice(parser.index);
	const lastLexeme = trailingLexemes.at(-1);
	if (!lastLexeme || !trailingLexemes.every(({text}) => text === '(')) return false;
	parser.syntaxError(joinSpans(firstLexeme, lastLexeme), 'Nothing follows this opening parenthesis.', {
		correction: '',
	});
	parser.index += trailingLexemes.length;
	return true;
}

/** Builds the removal of a stray quote or sign at the very end. */
function buildTrailingRemoval(
	{lexemes, index, previous}: Parser,
	{start, end, kind, quoted}: Lexeme,
): Correction | undefined {
	const isLast = index === lexemes.length - 1 && previous !== undefined;
	const isLoneQuote = quoted !== undefined && !quoted.closed && quoted.contentStart === quoted.contentEnd;
	return isLast && (isLoneQuote || kind === 'unknown') ? {span: {start, end}, text: ''} : undefined;
}

function reportUnrecognised(parser: Parser, current: Lexeme): void {
	const separatedText = current.kind === 'word' ? separateKeyword(current.text) : undefined;
	const isOperator = comparisonOperators.has(current.text);
	parser.syntaxError(
		current,
		separatedText
			? `A space is missing: ${separatedText}.`
			: isOperator
				? "This condition is already complete: it can't be compared again."
				: 'Expected an operator (and, or, xor) or the end of the expression.',
		{
			correction:
				separatedText ??
				(isOperator ? buildRepeatedComparison(parser, current) : buildTrailingRemoval(parser, current)),
		},
	);
}
