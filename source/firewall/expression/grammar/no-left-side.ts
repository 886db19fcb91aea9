import {isKnownName} from '../checks/suggestions.ts';
import {findFunction} from '../vocabulary/functions.ts';
import {parseIpAddress, parseNetwork} from './addresses.ts';
import {looksLikeLiteral} from './literals.ts';
import {findNameEnd} from './name-extent.ts';
import {readOperand} from './operands.ts';
import {comparisonOperators, logicalOperators} from './operators.ts';
import {
	abbreviate,
	type Conditions,
	isConnective,
	isNegation,
	joinSpans,
	noConditions,
	type Parser,
} from './parser.ts';
import type {Correction, Span} from './problem.ts';
import {correctSeveralValues, isValueLexeme} from './several-values.ts';
import type {Lexeme} from './token.ts';
import type {ComparisonOperator, LogicalOperator} from './tree.ts';
import {reportValueFirst} from './value-first.ts';

/** Reads a word without a comparison: an unquoted value, or an unknown name. */
export function readLonelyWord(parser: Parser, word: Lexeme): Conditions {
	const {previous} = parser;
	const isRepetition = previous && isConnective(previous) && canRepeat(parser) && !/[._]/.test(word.text);
	if (!isRepetition || findFunction(word.text)) {
		readOperand(parser);
		return noConditions;
	}
	return reportRepeatedValue(parser, word, `"${word.text}"`);
}

/** True if the last comparison may be intended again with another value. */
const canRepeat = ({lastComparison, inAnyOrAll}: Parser): boolean =>
	lastComparison !== undefined &&
	lastComparison.operatorText !== 'in' &&
	lastComparison.inAnyOrAll === inAnyOrAll;

/** Reports `http.host eq "a" or "b" or "c"`: each value needs its own comparison. */
function reportRepeatedValue(parser: Parser, firstLexeme: Lexeme, valueText: string): Conditions {
	const {lastComparison} = parser;
	const repetition = findRepetition(parser);
	parser.index++;
	if (!lastComparison) return noConditions;
	const values = [valueText];
	let lastSpan: Span = firstLexeme;
	for (
		let value = findFurtherValue(parser, repetition?.connective);
		value;
		value = findFurtherValue(parser, repetition?.connective)
	) {
		parser.index += 2;
		values.push(value.kind === 'word' && !looksLikeLiteral(value.text) ? `"${value.text}"` : value.text);
		lastSpan = value;
	}
	const leftText = `${parser.slice(lastComparison.left)} ${lastComparison.operatorText}`;
	const isAlwaysTrue = repetition?.operator === 'ne' && repetition.connective === 'or';
	const isNeverTrue = repetition?.operator === 'eq' && repetition.connective === 'and';
	const {current} = parser;
	const mixesConnectives =
		current && isConnective(current) && logicalOperators.get(current.text) !== repetition?.connective;
	parser.syntaxError(
		firstLexeme,
		isAlwaysTrue
			? `To exclude multiple values, use a set: not ${abbreviate(parser.slice(lastComparison.left))} in {…}.`
			: isNeverTrue
				? 'Each condition must be complete, and no value can equal two different values.'
				: `Each condition must be complete: ${abbreviate(leftText)} ${abbreviate(valueText)}.`,
		{
			engineMessage: 'unknown identifier',
			correction:
				repetition && !mixesConnectives
					? buildRepetition(parser, repetition, {
							firstSpan: firstLexeme,
							lastSpan,
							values,
							leftText,
						})
					: undefined,
		},
	);
	return noConditions;
}

/** Finds a further value after the same connective, without a comparison. */
function findFurtherValue(parser: Parser, connective: LogicalOperator | undefined): Lexeme | undefined {
	const {current, next, lexemes, index} = parser;
	if (!connective || !current || logicalOperators.get(current.text) !== connective || !next) return undefined;
	const isWord = next.kind === 'word' && !isKnownName(next.text) && !isNegation(next) && !isConnective(next);
	if (!(isValueLexeme(next) && next.quoted?.closed !== false) && !(isWord && !/[._]/.test(next.text)))
		return undefined;
	const nextLexeme = lexemes[index + 2];
	return !nextLexeme || isConnective(nextLexeme) || nextLexeme.text === ')' ? next : undefined;
}

type Repetition = {readonly operator: ComparisonOperator; readonly connective: LogicalOperator};

/**
 * Finds the connective between an incomplete condition and the last comparison, if repeating that is
 * intended.
 */
function findRepetition(parser: Parser): Repetition | undefined {
	const {lastComparison, lexemes, index} = parser;
	const notLexeme = lexemes[index - 1];
	const startIndex = notLexeme && isNegation(notLexeme) ? index - 1 : index;
	const connective = logicalOperators.get(lexemes[startIndex - 1]?.text ?? '');
	const operator = lastComparison && comparisonOperators.get(lastComparison.operatorText);
	if (
		!connective ||
		!operator ||
		!lastComparison ||
		lastComparison.negated ||
		lexemes[startIndex - 2]?.end !== lastComparison.end
	)
		return undefined;
	let lexemeIndex = startIndex - 2;
	while (lexemeIndex > 0 && (lexemes[lexemeIndex]?.start ?? 0) > lastComparison.left.start) lexemeIndex--;
	const lexemeBefore = lexemes[lexemeIndex - 1];
	if (lexemeBefore && isNegation(lexemeBefore)) return undefined;
	const earlierOperator = lexemeBefore && logicalOperators.get(lexemeBefore.text);
	if (earlierOperator && earlierOperator !== connective && connective !== 'and') return undefined;
	return {operator, connective};
}

type RepeatedValues = {
	readonly firstSpan: Span;
	readonly lastSpan: Span;
	readonly values: readonly string[];
	readonly leftText: string;
};

function buildRepetition(
	parser: Parser,
	{operator, connective}: Repetition,
	{firstSpan, lastSpan, values, leftText}: RepeatedValues,
): Correction | undefined {
	const {lastComparison} = parser;
	if (!lastComparison || connective === 'xor' || (operator === 'eq' && connective === 'and'))
		return undefined;
	if (operator === 'ne' && connective === 'or') {
		const value = parser.text.slice(lastComparison.operator.end, lastComparison.end).trim();
		return correctSeveralValues(parser, lastComparison, [value, ...values], lastSpan.end);
	}
	if (!['eq', 'ne', 'contains', 'matches', 'wildcard', 'strict wildcard'].includes(operator))
		return undefined;
	if (values.length * leftText.length > 4096) return undefined;
	return {
		span: joinSpans(firstSpan, lastSpan),
		text: values.map(value => `${leftText} ${value}`).join(` ${connective} `),
	};
}

/** Reports a condition that does not start with a name, and skips it. */
export function reportMissingField(parser: Parser, current: Lexeme): Conditions {
	const {next, previous} = parser;
	const startsWithValue = current.kind === 'string' || current.kind === 'word';
	if (startsWithValue && reportValueFirst(parser, current)) return noConditions;
	if (
		startsWithValue &&
		!(next && comparisonOperators.has(next.text)) &&
		previous &&
		isConnective(previous) &&
		canRepeat(parser) &&
		current.quoted?.closed !== false
	)
		return reportRepeatedValue(parser, current, current.text);
	const suggestion = suggestAddressCondition(current);
	parser.syntaxError(
		current,
		suggestion !== undefined
			? `A condition must start with a field: ${suggestion}.`
			: startsWithValue
				? 'A condition must start with a field or a function, not with a value.'
				: 'Expected a field or a function.',
		{engineMessage: 'unknown identifier', correction: suggestion},
	);
	parser.skipUnreadable();
	return noConditions;
}

/** Suggests a condition for an address or a network on its own: requests from it. */
function suggestAddressCondition({kind, text}: Lexeme): string | undefined {
	if (kind !== 'word') return undefined;
	if (parseIpAddress(text).ok) return `ip.src eq ${text}`;
	return text.includes('/') && parseNetwork(text).ok ? `ip.src in {${text}}` : undefined;
}

/** Reads `true` or `false`, which are valid only as the whole expression. */
export function readConstant(parser: Parser, word: Lexeme): Conditions {
	const text = word.text.toLowerCase();
	const span: Span = {start: word.start, end: word.end};
	parser.index++;
	if (parser.lexemes.length > 1)
		parser.syntaxError(span, `${text} must be the whole expression: it can't be combined or compared.`, {
			engineMessage: 'unknown identifier',
		});
	else if (text !== word.text)
		parser.syntaxError(span, `${text} must be lower case.`, {
			engineMessage: 'unknown identifier',
			correction: text,
		});
	if (!parser.isAtBoundary) parser.skipToNextCondition();
	const operand = {kind: 'boolean', ...span, value: text === 'true'} as const;
	return {expression: {kind: 'bare', ...span, operand}, resultKind: 'one'};
}

/** Reports a condition that starts with an operator. */
export function reportMissingLeftSide(parser: Parser, current: Lexeme): Conditions {
	const {lastComparison} = parser;
	const operator = current.text.toLowerCase();
	const call = parseFunctionForm(parser);
	const repetition = call ? undefined : findRepetition(parser);
	const intendedOperator = comparisonOperators.get(operator);
	const isNeverTrue =
		repetition?.connective === 'and' && repetition.operator === 'eq' && intendedOperator === 'eq';
	const isAlwaysTrue =
		repetition?.connective === 'or' && repetition.operator === 'ne' && intendedOperator === 'ne';
	const canRepeatComparison =
		repetition && lastComparison && repetition.connective !== 'xor' && !isNeverTrue && !isAlwaysTrue;
	parser.syntaxError(
		current,
		call
			? `${operator} is an operator: put it between the field and the value.`
			: `A field or a function is missing before ${operator}.`,
		{
			engineMessage: 'unknown identifier',
			correction: call
				? {span: call.span, text: `${call.left} ${operator} ${call.right}`}
				: canRepeatComparison
					? {span: {start: current.start, end: current.start}, text: `${parser.slice(lastComparison.left)} `}
					: undefined,
		},
	);
	parser.skipUnreadable();
	return noConditions;
}

/** Parses `contains(http.host, "a")`; undefined for any other form. */
function parseFunctionForm(parser: Parser) {
	const {lexemes, index} = parser;
	const [name, open, left] = lexemes.slice(index, index + 3);
	const endIndex = left?.kind === 'word' ? findNameEnd(lexemes, index + 2) : undefined;
	if (!name || open?.text !== '(' || !left || endIndex === undefined) return undefined;
	const [last, comma, right, close] = lexemes.slice(endIndex - 1, endIndex + 3);
	if (!last || comma?.text !== ',' || !right || close?.text !== ')') return undefined;
	return {span: joinSpans(name, close), left: parser.slice(joinSpans(left, last)), right: right.text};
}
