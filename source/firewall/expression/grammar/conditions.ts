import {readComparison} from './comparisons.ts';
import {warnOfContradiction} from './contradictions.ts';
import {reportParenthesesAroundName} from './field-in-parentheses.ts';
import {cutNot} from './glued-keywords.ts';
import {readConnective} from './joints.ts';
import {isNegationOperator, logicalOperators} from './operators.ts';
import type {Correction} from './problem.ts';
import {type Conditions, isLogical, isNegation, joinSpans, noConditions, type Parser} from './reading.ts';
import type {Lexeme} from './token.ts';
import type {Expression, LogicalOperator} from './tree.ts';

/** From the lowest precedence to the highest. */
const precedence: readonly LogicalOperator[] = ['or', 'xor', 'and'];

/** Reads conditions joined by `or`, `xor` and `and`, up to a bracket, a comma or the end. */
export const readConditions = (parser: Parser): Conditions => readJoined(parser, 0);

function readJoined(parser: Parser, level: number): Conditions {
	const operator = precedence[level];
	if (!operator) return readUnary(parser);
	const firstConditions = readJoined(parser, level + 1);
	let {returns} = firstConditions;
	const operands: (Expression | undefined)[] = [firstConditions.expression];
	for (
		let connective = readConnective(parser);
		connective?.operator === operator;
		connective = readConnective(parser)
	) {
		parser.index += connective.length;
		const nextConditions = readJoined(parser, level + 1);
		returns = mergeReturns(parser, returns, nextConditions);
		operands.push(nextConditions.expression);
	}
	if (operands.length === 1) return firstConditions;
	const parsedOperands = operands.filter(operand => operand !== undefined);
	if (parsedOperands.length < operands.length) parser.broken = true;
	const [start, end] = [parsedOperands[0], parsedOperands.at(-1)];
	if (!start || !end) return noConditions;
	if (parsedOperands.length < 2) return {expression: start, returns};
	const expression = {kind: 'logical', operator, operands: parsedOperands, ...joinSpans(start, end)} as const;
	warnOfContradiction(parser, expression);
	return {expression, returns};
}

/** Checks that conditions in `any` and `all` all have one result, or all have one per element. */
function mergeReturns(
	parser: Parser,
	returns: Conditions['returns'],
	nextConditions: Conditions,
): Conditions['returns'] {
	if (returns === 'unknown' || nextConditions.returns === 'unknown')
		return returns === 'unknown' ? nextConditions.returns : returns;
	if (returns === nextConditions.returns || !nextConditions.expression) return returns;
	const [expected, got] = returns === 'each' ? ['Array<Boolean>', 'Boolean'] : ['Boolean', 'Array<Boolean>'];
	parser.error(
		nextConditions.expression,
		"A condition on each value ([*]) can't be combined with a condition on a single value: move one of them out of these parentheses.",
		{engine: `expected value of type ${expected}, but got ${got}`},
	);
	return 'unknown';
}

function readUnary(parser: Parser): Conditions {
	cutNot(parser);
	const {current} = parser;
	if (!current || parser.isAtBoundary || isLogical(current)) return reportMissingCondition(parser);
	if (isNegation(current)) return readNot(parser, current);
	if (current.kind === 'sign' && current.text === '(')
		return reportParenthesesAroundName(parser, current)
			? readComparison(parser, 'closes')
			: readGroup(parser, current);
	return readComparison(parser);
}

function readNot(parser: Parser, notLexeme: Lexeme): Conditions {
	if (!isNegationOperator(notLexeme.text))
		parser.syntaxError(notLexeme, 'Operators must be lower case.', {
			engine: 'unknown identifier',
			correction: notLexeme.text.toLowerCase(),
		});
	const innerConditions = parser.readNested(notLexeme, () => {
		parser.index++;
		return readUnary(parser);
	});
	if (!innerConditions?.expression) {
		parser.broken = true;
		return noConditions;
	}
	const {expression, returns} = innerConditions;
	return {expression: {kind: 'not', operand: expression, ...joinSpans(notLexeme, expression)}, returns};
}

function readGroup(parser: Parser, open: Lexeme): Conditions {
	return (
		parser.readNested(open, (): Conditions => {
			parser.index++;
			if (!parser.current) return reportOpenEnd(parser, open);
			if (parser.isAt(')')) {
				const close = parser.take() ?? open;
				parser.syntaxError(close, 'These parentheses contain no condition.', {
					engine: 'expected identifier character',
				});
				return noConditions;
			}
			const {expression, returns} = readConditions(parser);
			if (!parser.isAt(')')) {
				parser.broken = true;
				if (!parser.gaveUp) parser.unclosedBrackets.push(open);
				return {expression, returns};
			}
			const close = parser.take() ?? open;
			if (!expression) parser.broken = true;
			if (!expression) return noConditions;
			return {expression: {kind: 'group', inner: expression, ...joinSpans(open, close)}, returns};
		}) ?? noConditions
	);
}

/** Reports a parenthesis at the very end. It replaces the errors about others that are not closed. */
function reportOpenEnd(parser: Parser, open: Lexeme): Conditions {
	parser.syntaxError(open, 'This parenthesis needs a condition and a closing parenthesis.', {
		engine: 'expected identifier character',
	});
	parser.gaveUp = true;
	parser.unclosedBrackets.length = 0;
	return noConditions;
}

/** Reports a missing condition once, however many operators need it. Reads the one that follows, if any. */
function reportMissingCondition(parser: Parser): Conditions {
	parser.broken = true;
	if (parser.gaveUp) return noConditions;
	const {lexemes, index} = parser;
	let startIndex = index;
	for (
		let preceding = lexemes[startIndex - 1];
		preceding && isConnectiveOrNot(preceding);
		preceding = lexemes[startIndex - 1]
	)
		startIndex--;
	let endIndex = index;
	for (let following = lexemes[endIndex]; following && isLogical(following); following = lexemes[endIndex])
		endIndex++;
	const lexemeBefore = lexemes[startIndex - 1];
	const lexemeAfter = lexemes[endIndex];
	const run = lexemes[startIndex];
	if (run) parser.discardFrom(run.start);
	const span = parser.missingSpan;
	const hasBefore =
		lexemeBefore !== undefined && !(lexemeBefore.kind === 'sign' && '(,'.includes(lexemeBefore.text));
	const hasBehind =
		lexemeAfter !== undefined && !(lexemeAfter.kind === 'sign' && '),'.includes(lexemeAfter.text));
	parser.error(
		span,
		endIndex > index ? 'A condition is missing before this.' : 'A condition is missing here.',
		{
			engine: endIndex > index ? 'unknown identifier' : 'unrecognised input',
			correction: buildConnectiveRemoval(
				lexemes.slice(startIndex, endIndex),
				hasBefore ? lexemeBefore : undefined,
				hasBehind ? lexemeAfter : undefined,
			),
		},
	);
	parser.index = endIndex;
	return endIndex > index && hasBehind ? readUnary(parser) : noConditions;
}

const isConnectiveOrNot = (lexeme: Lexeme): boolean => isLogical(lexeme) || isNegation(lexeme);

/** Builds the removal of surplus connectives, if all are the same: otherwise the intention is unclear. */
function buildConnectiveRemoval(
	connectives: readonly Lexeme[],
	lexemeBefore: Lexeme | undefined,
	lexemeAfter: Lexeme | undefined,
): Correction | undefined {
	const [firstConnective, lastConnective] = [connectives[0], connectives.at(-1)];
	if (!firstConnective || !lastConnective || (!lexemeBefore && !lexemeAfter)) return undefined;
	const intendedOperator = logicalOperators.get(firstConnective.text);
	if (!intendedOperator || connectives.some(({text}) => logicalOperators.get(text) !== intendedOperator))
		return undefined;
	if (lexemeBefore && lexemeAfter)
		return {span: {start: firstConnective.end, end: lastConnective.end}, text: ''};
	if (lexemeBefore) return {span: {start: lexemeBefore.end, end: lastConnective.end}, text: ''};
	return {span: {start: firstConnective.start, end: lexemeAfter?.start ?? lastConnective.end}, text: ''};
}
