import {readComparison} from './comparisons.ts';
import {warnContradiction} from './contradictions.ts';
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
	const first = readJoined(parser, level + 1);
	let {returns} = first;
	const operands: (Expression | undefined)[] = [first.expression];
	for (
		let connective = readConnective(parser);
		connective?.operator === operator;
		connective = readConnective(parser)
	) {
		parser.index += connective.length;
		const next = readJoined(parser, level + 1);
		returns = mergeReturns(parser, returns, next);
		operands.push(next.expression);
	}
	if (operands.length === 1) return first;
	const known = operands.filter(operand => operand !== undefined);
	if (known.length < operands.length) parser.broken = true;
	const [start, end] = [known[0], known.at(-1)];
	if (!start || !end) return noConditions;
	if (known.length < 2) return {expression: start, returns};
	const expression = {kind: 'logical', operator, operands: known, ...joinSpans(start, end)} as const;
	warnContradiction(parser, expression);
	return {expression, returns};
}

/** Checks that conditions in `any` and `all` all have one result, or all have one per element. */
function mergeReturns(
	parser: Parser,
	returns: Conditions['returns'],
	next: Conditions,
): Conditions['returns'] {
	if (returns === 'unknown' || next.returns === 'unknown')
		return returns === 'unknown' ? next.returns : returns;
	if (returns === next.returns || !next.expression) return returns;
	const [expected, got] = returns === 'each' ? ['Array<Boolean>', 'Boolean'] : ['Boolean', 'Array<Boolean>'];
	parser.error(
		next.expression,
		'A condition for each of several values cannot be joined with a condition that holds once: take one of them out of these parentheses.',
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

function readNot(parser: Parser, not: Lexeme): Conditions {
	if (!isNegationOperator(not.text))
		parser.syntaxError(not, 'Operators are written in lower case.', {
			engine: 'unknown identifier',
			correction: not.text.toLowerCase(),
		});
	const inner = parser.readNested(not, () => {
		parser.index++;
		return readUnary(parser);
	});
	if (!inner?.expression) {
		parser.broken = true;
		return noConditions;
	}
	const {expression, returns} = inner;
	return {expression: {kind: 'not', operand: expression, ...joinSpans(not, expression)}, returns};
}

function readGroup(parser: Parser, open: Lexeme): Conditions {
	return (
		parser.readNested(open, (): Conditions => {
			parser.index++;
			if (!parser.current) return reportOpenEnd(parser, open);
			if (parser.isAt(')')) {
				const close = parser.take() ?? open;
				parser.syntaxError(close, 'A condition is missing between these parentheses.', {
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
	parser.syntaxError(open, 'A condition, and what closes this parenthesis, are missing behind it.', {
		engine: 'expected identifier character',
	});
	parser.gaveUp = true;
	parser.unclosedBrackets.length = 0;
	return noConditions;
}

/** Reports a missing condition once, however many operators need it. */
function reportMissingCondition(parser: Parser): Conditions {
	parser.broken = true;
	if (parser.gaveUp) return noConditions;
	const {lexemes, index} = parser;
	let from = index;
	for (let one = lexemes[from - 1]; one && isConnectiveOrNot(one); one = lexemes[from - 1]) from--;
	let to = index;
	for (let one = lexemes[to]; one && isLogical(one); one = lexemes[to]) to++;
	const before = lexemes[from - 1];
	const after = lexemes[to];
	const run = lexemes[from];
	if (run) parser.discardFrom(run.start);
	const span = parser.missingSpan;
	const hasBefore = before !== undefined && !(before.kind === 'sign' && '(,'.includes(before.text));
	const hasBehind = after !== undefined && !(after.kind === 'sign' && '),'.includes(after.text));
	parser.error(span, to > index ? 'A condition is missing before this.' : 'A condition is missing here.', {
		engine: to > index ? 'unknown identifier' : 'unrecognised input',
		correction: buildConnectiveRemoval(
			lexemes.slice(from, to),
			hasBefore ? before : undefined,
			hasBehind ? after : undefined,
		),
	});
	parser.index = to;
	return to > index && hasBehind ? readUnary(parser) : noConditions;
}

const isConnectiveOrNot = (lexeme: Lexeme): boolean => isLogical(lexeme) || isNegation(lexeme);

/** Builds the removal of surplus connectives, if all are the same: otherwise the intention is unclear. */
function buildConnectiveRemoval(
	connectives: readonly Lexeme[],
	before: Lexeme | undefined,
	after: Lexeme | undefined,
): Correction | undefined {
	const [first, last] = [connectives[0], connectives.at(-1)];
	if (!first || !last || (!before && !after)) return undefined;
	const intended = logicalOperators.get(first.text);
	if (!intended || connectives.some(({text}) => logicalOperators.get(text) !== intended)) return undefined;
	if (before && after) return {span: {start: first.end, end: last.end}, text: ''};
	if (before) return {span: {start: before.end, end: last.end}, text: ''};
	return {span: {start: first.start, end: after?.start ?? last.end}, text: ''};
}
