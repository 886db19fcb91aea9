import {readComparison} from './comparisons.ts';
import {peekConnective} from './connectives.ts';
import {reportParenthesesAroundName} from './field-in-parentheses.ts';
import {splitGluedNot} from './glued-keywords.ts';
import {isNegationOperator, logicalOperators} from './operators.ts';
import {type Conditions, isConnective, isNegation, joinSpans, noConditions, type Parser} from './parser.ts';
import type {Correction} from './problem.ts';
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
	let {resultKind} = firstConditions;
	const operands: (Expression | undefined)[] = [firstConditions.expression];
	for (
		let connective = peekConnective(parser);
		connective?.operator === operator;
		connective = peekConnective(parser)
	) {
		parser.index += connective.length;
		const nextConditions = readJoined(parser, level + 1);
		resultKind = mergeResultKinds(parser, resultKind, nextConditions);
		operands.push(nextConditions.expression);
	}
	if (operands.length === 1) return firstConditions;
	const parsedOperands = operands.filter(operand => operand !== undefined);
	if (parsedOperands.length < operands.length) parser.broken = true;
	const [firstOperand, lastOperand] = [parsedOperands[0], parsedOperands.at(-1)];
	if (!firstOperand || !lastOperand) return noConditions;
	if (parsedOperands.length < 2) return {expression: firstOperand, resultKind};
	return {
		expression: {
			kind: 'logical',
			operator,
			operands: parsedOperands,
			...joinSpans(firstOperand, lastOperand),
		},
		resultKind,
	};
}

/** Checks that conditions in `any` and `all` all have one result, or all have one per element. */
function mergeResultKinds(
	parser: Parser,
	resultKind: Conditions['resultKind'],
	nextConditions: Conditions,
): Conditions['resultKind'] {
	if (resultKind === 'unknown' || nextConditions.resultKind === 'unknown')
		return resultKind === 'unknown' ? nextConditions.resultKind : resultKind;
	if (resultKind === nextConditions.resultKind || !nextConditions.expression) return resultKind;
	const [expected, got] =
		resultKind === 'each' ? ['Array<Boolean>', 'Boolean'] : ['Boolean', 'Array<Boolean>'];
	parser.error(
		nextConditions.expression,
		"A condition on each value ([*]) can't be combined with a condition on a single value: move one of them out of these parentheses.",
		{engineMessage: `expected value of type ${expected}, but got ${got}`},
	);
	return 'unknown';
}

function readUnary(parser: Parser): Conditions {
	splitGluedNot(parser);
	const {current} = parser;
	if (!current || parser.isAtBoundary || isConnective(current)) return reportMissingCondition(parser);
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
			engineMessage: 'unknown identifier',
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
	const {expression, resultKind} = innerConditions;
	return {expression: {kind: 'not', operand: expression, ...joinSpans(notLexeme, expression)}, resultKind};
}

function readGroup(parser: Parser, open: Lexeme): Conditions {
	return (
		parser.readNested(open, (): Conditions => {
			parser.index++;
			if (!parser.current) return reportOpenEnd(parser, open);
			if (parser.isAt(')')) {
				const close = parser.take() ?? open;
				parser.syntaxError(close, 'These parentheses contain no condition.', {
					engineMessage: 'expected identifier character',
				});
				return noConditions;
			}
			const {expression, resultKind} = readConditions(parser);
			if (!parser.isAt(')')) {
				parser.broken = true;
				if (!parser.gaveUp) parser.unclosedBrackets.push(open);
				return {expression, resultKind};
			}
			const close = parser.take() ?? open;
			if (!expression) parser.broken = true;
			if (!expression) return noConditions;
			return {expression: {kind: 'group', inner: expression, ...joinSpans(open, close)}, resultKind};
		}) ?? noConditions
	);
}

/** Reports a parenthesis at the very end. It replaces the errors about others that are not closed. */
function reportOpenEnd(parser: Parser, open: Lexeme): Conditions {
	parser.syntaxError(open, 'This parenthesis needs a condition and a closing parenthesis.', {
		engineMessage: 'expected identifier character',
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
	for (let following = lexemes[endIndex]; following && isConnective(following); following = lexemes[endIndex])
		endIndex++;
	const lexemeBefore = lexemes[startIndex - 1];
	const lexemeAfter = lexemes[endIndex];
	const firstConnective = lexemes[startIndex];
	if (firstConnective) parser.discardProblemsFrom(firstConnective.start);
	const span = parser.missingSpan;
	const hasConditionBefore =
		lexemeBefore !== undefined && !(lexemeBefore.kind === 'sign' && '(,'.includes(lexemeBefore.text));
	const hasConditionAfter =
		lexemeAfter !== undefined && !(lexemeAfter.kind === 'sign' && '),'.includes(lexemeAfter.text));
	parser.error(
		span,
		endIndex > index ? 'A condition is missing before this.' : 'A condition is missing here.',
		{
			engineMessage: endIndex > index ? 'unknown identifier' : 'unrecognised input',
			correction: buildConnectiveRemoval(
				lexemes.slice(startIndex, endIndex),
				hasConditionBefore ? lexemeBefore : undefined,
				hasConditionAfter ? lexemeAfter : undefined,
			),
		},
	);
	parser.index = endIndex;
	return endIndex > index && hasConditionAfter ? readUnary(parser) : noConditions;
}

const isConnectiveOrNot = (lexeme: Lexeme): boolean => isConnective(lexeme) || isNegation(lexeme);

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
