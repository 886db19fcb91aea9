import {checkWildcard, isGlobLike, isRegexLike} from '../checks/wildcard.ts';
import {checkRegex} from '../regex/check.ts';
import type {PatternFinding} from '../regex/finding.ts';
import {formatType, type ValueType} from '../vocabulary/value-type.ts';
import {parseNetwork, parseRange} from './addresses.ts';
import {isComputedStart, readComputed} from './computed.ts';
import {splitGluedValue} from './glued-keywords.ts';
import {readLiteral} from './literals.ts';
import {findBracketEnd} from './name-extent.ts';
import {comparisonOperators} from './operators.ts';
import {abbreviate, isConnective, isNegation, joinSpans, type Parser} from './parser.ts';
import type {Span} from './problem.ts';
import {readSet} from './sets.ts';
import {correctSeveralValues, describeSeveralValues} from './several-values.ts';
import {reportStarInText} from './stars.ts';
import type {StringValue} from './strings.ts';
import type {Lexeme} from './token.ts';
import type {ComparisonOperator, LeftSide, Literal, RightSide} from './tree.ts';
import {readBracketedValues} from './values-in-brackets.ts';

/** Reads what follows an operator, and reports its first mistake. */
export function readRightSide(parser: Parser, side: LeftSide): RightSide | undefined {
	const {current} = parser;
	if (!current || endsCondition(parser, current)) {
		parser.syntaxError(parser.missingSpan, `A value is missing after ${parser.slice(side.operatorSpan)}.`, {
			engineMessage: side.operator === 'in' ? 'expected literal "{"' : 'unrecognised input',
		});
		return undefined;
	}
	if (side.operator === 'in') return readSet(parser, side);
	if (current.kind === 'list') return reportListOperator(parser, side, current);
	if (current.kind === 'sign' && current.text === '{') {
		const {start} = current;
		const previousErrorCount = parser.errorCount;
		const set = readSet(parser, {...side, operator: 'in'});
		if (parser.errorCount === previousErrorCount || set)
			reportUnexpectedSet(parser, side, {start, end: parser.previous?.end ?? start + 1}, set);
		return undefined;
	}
	if (current.kind === 'sign' && current.text === '(') return reportParentheses(parser, side, current);
	splitGluedValue(parser, current, side.type);
	return readSingle(parser, side, parser.current ?? current);
}

const endsCondition = (parser: Parser, current: Lexeme): boolean =>
	parser.isAtBoundary ||
	(isConnective(current) && !'&|^'.includes(current.text)) ||
	(isNegation(current) && current.kind === 'word') ||
	(current.kind === 'sign' && '}],'.includes(current.text));

function readSingle(parser: Parser, side: LeftSide, current: Lexeme): RightSide | undefined {
	if (isComputedStart(parser, current)) return readComputed(parser, side, current);
	const severalValues = current.kind === 'word' ? parseSeveralValues(current.text, side.type) : undefined;
	if (severalValues) {
		reportSeveralValues(parser, side, current, severalValues);
		parser.index++;
		return undefined;
	}
	const parsedLiteral = readLiteral(parser, side.type);
	if (!parsedLiteral) return reportMissingValue(parser, side, current);
	const {literal, string} = parsedLiteral;
	if (!literal) return undefined;
	if (string && literal.kind === 'string') checkText(parser, side, literal, string);
	else if (needsPattern(side.operator) && literal.kind === 'bytes')
		parser.error(literal, 'Patterns need double quotes.', {engineMessage: 'expected " or r'});
	return literal;
}

/** Operators that compare `*` literally, although people use it as a wildcard. */
const starOperators: ReadonlySet<ComparisonOperator> = new Set(['eq', 'ne', 'contains']);

const needsPattern = (operator: ComparisonOperator): boolean =>
	operator === 'matches' || operator === 'wildcard' || operator === 'strict wildcard';

/** Reports a missing literal after the operator. */
function reportMissingValue(parser: Parser, side: LeftSide, current: Lexeme): undefined {
	if (!side.type) {
		parser.broken = true;
		const isOperator = comparisonOperators.has(current.text);
		if (!isOperator) parser.index++;
		if (isOperator || current.kind !== 'word') parser.skipToNextCondition();
		return undefined;
	}
	parser.syntaxError(current, `Expected a value of type ${formatType(side.type)}.`, {
		engineMessage: side.type.kind === 'Integer' ? 'expected digit' : 'unrecognised input',
	});
	parser.skipUnreadable();
	return undefined;
}

function checkText(
	parser: Parser,
	side: LeftSide,
	literal: Literal & {kind: 'string'},
	string: StringValue,
): void {
	if (side.operator === 'matches') checkPattern(parser, side, literal, string);
	else if (needsPattern(side.operator))
		reportPatternFindings(parser, literal, string, checkWildcard(string.value));
	else if (
		side.type &&
		starOperators.has(side.operator) &&
		string.value.includes('*') &&
		!isRegexLike(string.value)
	)
		reportStarInText(parser, side, literal);
}

/** Checks a regular expression, or a wildcard pattern in its place: `*.php`, `/a/*`. */
function checkPattern(
	parser: Parser,
	side: LeftSide,
	literal: Literal & {kind: 'string'},
	string: StringValue,
): void {
	const findings = checkRegex(string.value);
	const wildcardCorrection = {
		span: {start: side.operatorSpan.start, end: literal.end},
		text: `wildcard ${parser.slice(literal)}`,
	};
	const [firstFinding] = findings;
	const error = findings.find(({severity}) => severity === 'error');
	if (!isGlobLike(string.value)) reportPatternFindings(parser, literal, string, findings);
	else if (error)
		parser.error(
			toTextSpan(string, error.span),
			'Invalid regular expression: to use * for any text, use wildcard.',
			{
				code: 'E007',
				engineMessage: error.engine,
				correction: wildcardCorrection,
			},
		);
	else if (firstFinding) parser.warning(literal, starInRegex, {code: 'L007', correction: wildcardCorrection});
	else parser.hint(literal, starInRegex, {code: 'L008', correction: wildcardCorrection});
}

const starInRegex =
	'In a regular expression, * repeats the character before it. With wildcard, * matches any text.';

/** Reports the findings of a pattern at their positions in the text. */
function reportPatternFindings(
	parser: Parser,
	literal: Literal & {kind: 'string'},
	string: StringValue,
	findings: readonly PatternFinding[],
): void {
	for (const {severity, span, sentence, engine: engineMessage, correction} of findings) {
		const textSpan = toTextSpan(string, span);
		const details = {
			engineMessage,
			correction: correction && {
				span: toTextSpan(string, correction.span),
				text: escapePattern(correction.text, literal, parser),
			},
		};
		if (severity === 'error') parser.error(textSpan, sentence, {code: 'E007', ...details});
		else parser.warning(textSpan, sentence, {code: 'L009', ...details});
	}
}

const toTextSpan = (string: StringValue, {start, end}: Span): Span => ({
	start: string.toOffset(start),
	end: string.toOffset(end),
});

/** Escapes a part of a pattern for a string of the same form. */
function escapePattern(text: string, {form}: Literal & {kind: 'string'}, parser: Parser): string {
	if (form !== 'quoted') return text;
	const inRegex = parser.previous?.quoted?.form === 'regex';
	return inRegex ? text.replaceAll('"', '\\"') : text.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
}

type SeveralValues = {readonly kind: 'range' | 'network'; readonly itemText: string};

/** Parses a network or a range, with the correction if it is invalid. */
function parseSeveralValues(text: string, type: ValueType | undefined): SeveralValues | undefined {
	if (type?.kind === 'IP') {
		const isRange = text.includes('..');
		if (!isRange && !text.includes('/')) return undefined;
		const parsedValues = isRange ? parseRange(text) : parseNetwork(text);
		const correctText = parsedValues.ok ? text : parsedValues.correction;
		return correctText === undefined
			? undefined
			: {kind: isRange ? 'range' : 'network', itemText: correctText};
	}
	const bounds = type?.kind === 'Integer' ? /^(-?[0-9]+)\.\.(-?[0-9]+)$/.exec(text) : null;
	if (!bounds?.[1] || !bounds[2] || text.length > 40) return undefined;
	const isInOrder = BigInt(bounds[1]) <= BigInt(bounds[2]);
	return {kind: 'range', itemText: isInOrder ? text : `${bounds[2]}..${bounds[1]}`};
}

/** Reports a network or a range after an operator such as `==`: these are sets, and need `in`. */
function reportSeveralValues(
	parser: Parser,
	side: LeftSide,
	word: Lexeme,
	{kind, itemText}: SeveralValues,
): void {
	const setText = `in {${itemText}}`;
	parser.syntaxError(word, `A ${kind} contains many values: use a set, as in: ${abbreviate(setText)}.`, {
		engineMessage:
			kind === 'network'
				? "couldn't parse address in network: invalid IP address syntax"
				: 'unrecognised input',
		correction: buildSetCorrection(parser, side, setText, word.end),
	});
}

/** Builds the comparison with `in`; undefined if the operator is neither `eq` nor `ne`. */
function buildSetCorrection(parser: Parser, side: LeftSide, setText: string, end: number) {
	switch (side.operator) {
		case 'eq':
			return {span: {start: side.operatorSpan.start, end}, text: setText};
		case 'ne':
			return {span: {start: side.left.start, end}, text: `not ${parser.slice(side.left)} ${setText}`};
		default:
			return undefined;
	}
}

function reportUnexpectedSet(parser: Parser, side: LeftSide, span: Span, set: RightSide | undefined): void {
	const text = parser.slice(side.operatorSpan);
	const operatorText = comparisonOperators.has(text) ? text : side.operator;
	const comparedValues = {left: side.left, operator: side.operatorSpan, operatorText: side.operator};
	const isEquality = side.operator === 'eq' || side.operator === 'ne';
	const items = set?.kind === 'set' ? set.items.map(item => parser.slice(item)) : [];
	parser.syntaxError(
		side.operatorSpan,
		isEquality
			? `Compare a set with in, not with ${operatorText}.`
			: `${operatorText} takes one value, not a set: use a separate comparison for each value.`,
		{
			engineMessage: side.type?.kind === 'Integer' ? 'expected digit' : 'unrecognised input',
			correction: isEquality
				? buildSetCorrection(parser, side, `in ${parser.slice(span)}`, span.end)
				: correctSeveralValues(parser, comparedValues, items, span.end),
		},
	);
}

/** Reports `http.host eq ("a" or "b")`: values cannot be joined like conditions. */
function reportParentheses(parser: Parser, side: LeftSide, open: Lexeme): undefined {
	const isText = side.type?.kind === 'String' || side.type?.kind === 'Bytes';
	const bracketedValues = readBracketedValues(parser, parser.index, isText);
	const comparedValues = {left: side.left, operator: side.operatorSpan, operatorText: side.operator};
	const engineMessage =
		side.type?.kind === 'Integer' ? 'expected digit' : isText ? 'expected " or r' : 'unrecognised input';
	if (!bracketedValues) {
		parser.syntaxError(open, 'Expected a value without parentheses.', {engineMessage});
		parser.index = findBracketEnd(parser.lexemes, parser.index) ?? parser.index + 1;
		if (!parser.isAtBoundary) parser.skipToNextCondition();
		return undefined;
	}
	const {values, connective, close, endIndex} = bracketedValues;
	const [onlyValue] = values;
	parser.syntaxError(
		open,
		values.length === 1
			? 'Write the value without parentheses.'
			: side.operator === 'eq' || side.operator === 'ne'
				? 'For multiple values, use a set: in {…}.'
				: describeSeveralValues(side.operator),
		{
			engineMessage,
			correction:
				values.length === 1 && onlyValue !== undefined
					? {span: joinSpans(open, close), text: onlyValue}
					: connective === 'mixed'
						? undefined
						: correctSeveralValues(parser, comparedValues, values, close.end, connective),
		},
	);
	parser.index = endIndex;
	return undefined;
}

function reportListOperator(parser: Parser, side: LeftSide, list: Lexeme): undefined {
	parser.syntaxError(list, `Compare a list with in: in ${list.text}.`, {
		correction: buildSetCorrection(parser, side, `in ${list.text}`, list.end),
	});
	parser.index++;
	return undefined;
}
