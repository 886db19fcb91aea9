import {readComparison} from './comparisons.ts';
import {contradiction} from './contradictions.ts';
import {parenthesesAroundName} from './field-in-parentheses.ts';
import {cutNot} from './glued-keywords.ts';
import {logicalBetween} from './joints.ts';
import {isNot, logicalOperators} from './operators.ts';
import type {Correction} from './problem.ts';
import {type Conditions, isLogical, isNotLexeme, nothing, type Reading, spanOf} from './reading.ts';
import type {Lexeme} from './token.ts';
import type {Expression, LogicalOperator} from './tree.ts';

/** From the lowest precedence to the highest. */
const precedence: readonly LogicalOperator[] = ['or', 'xor', 'and'];

/** Reads conditions joined by `or`, `xor` and `and`, up to a bracket, a comma or the end. */
export const readConditions = (reading: Reading): Conditions => readJoined(reading, 0);

function readJoined(reading: Reading, level: number): Conditions {
	const operator = precedence[level];
	if (!operator) return readUnary(reading);
	const first = readJoined(reading, level + 1);
	let {returns} = first;
	const operands: (Expression | undefined)[] = [first.expression];
	for (let joint = logicalBetween(reading); joint?.operator === operator; joint = logicalBetween(reading)) {
		reading.index += joint.length;
		const next = readJoined(reading, level + 1);
		returns = sameReturns(reading, returns, next);
		operands.push(next.expression);
	}
	if (operands.length === 1) return first;
	const known = operands.filter(operand => operand !== undefined);
	if (known.length < operands.length) reading.broken = true;
	const [start, end] = [known[0], known.at(-1)];
	if (!start || !end) return nothing;
	if (known.length < 2) return {expression: start, returns};
	const expression = {kind: 'logical', operator, operands: known, ...spanOf(start, end)} as const;
	contradiction(reading, expression);
	return {expression, returns};
}

/** Checks that conditions in `any` and `all` all have one result, or all have one per element. */
function sameReturns(
	reading: Reading,
	returns: Conditions['returns'],
	next: Conditions,
): Conditions['returns'] {
	if (returns === 'unknown' || next.returns === 'unknown')
		return returns === 'unknown' ? next.returns : returns;
	if (returns === next.returns || !next.expression) return returns;
	const [expected, got] = returns === 'each' ? ['Array<Boolean>', 'Boolean'] : ['Boolean', 'Array<Boolean>'];
	reading.error(
		next.expression,
		'A condition for each of several values cannot be joined with a condition that holds once: take one of them out of these parentheses.',
		{engine: `expected value of type ${expected}, but got ${got}`},
	);
	return 'unknown';
}

function readUnary(reading: Reading): Conditions {
	cutNot(reading);
	const {current} = reading;
	if (!current || reading.atBoundary || isLogical(current)) return missing(reading);
	if (isNotLexeme(current)) return readNot(reading, current);
	if (current.kind === 'sign' && current.text === '(')
		return parenthesesAroundName(reading, current)
			? readComparison(reading, 'closes')
			: readGroup(reading, current);
	return readComparison(reading);
}

function readNot(reading: Reading, not: Lexeme): Conditions {
	if (!isNot(not.text))
		reading.unreadable(not, 'Operators are written in lower case.', {
			engine: 'unknown identifier',
			correction: not.text.toLowerCase(),
		});
	const inner = reading.deeper(not, () => {
		reading.index++;
		return readUnary(reading);
	});
	if (!inner?.expression) {
		reading.broken = true;
		return nothing;
	}
	const {expression, returns} = inner;
	return {expression: {kind: 'not', operand: expression, ...spanOf(not, expression)}, returns};
}

function readGroup(reading: Reading, open: Lexeme): Conditions {
	return (
		reading.deeper(open, (): Conditions => {
			reading.index++;
			if (!reading.current) return opensNothing(reading, open);
			if (reading.isAt(')')) {
				const close = reading.take() ?? open;
				reading.unreadable(close, 'A condition is missing between these parentheses.', {
					engine: 'expected identifier character',
				});
				return nothing;
			}
			const {expression, returns} = readConditions(reading);
			if (!reading.isAt(')')) {
				reading.broken = true;
				if (!reading.gaveUp) reading.unclosed.push(open);
				return {expression, returns};
			}
			const close = reading.take() ?? open;
			if (!expression) reading.broken = true;
			if (!expression) return nothing;
			return {expression: {kind: 'group', inner: expression, ...spanOf(open, close)}, returns};
		}) ?? nothing
	);
}

/** Reports a parenthesis at the very end. It replaces the errors about others that are not closed. */
function opensNothing(reading: Reading, open: Lexeme): Conditions {
	reading.unreadable(open, 'A condition, and what closes this parenthesis, are missing behind it.', {
		engine: 'expected identifier character',
	});
	reading.gaveUp = true;
	reading.unclosed.length = 0;
	return nothing;
}

/** Reports a missing condition once, however many operators need it. */
function missing(reading: Reading): Conditions {
	reading.broken = true;
	if (reading.gaveUp) return nothing;
	const {lexemes, index} = reading;
	let from = index;
	for (let one = lexemes[from - 1]; one && joins(one); one = lexemes[from - 1]) from--;
	let to = index;
	for (let one = lexemes[to]; one && isLogical(one); one = lexemes[to]) to++;
	const before = lexemes[from - 1];
	const behind = lexemes[to];
	const run = lexemes[from];
	if (run) reading.forget(run.start);
	const span = reading.here;
	const hasBefore = before !== undefined && !(before.kind === 'sign' && '(,'.includes(before.text));
	const hasBehind = behind !== undefined && !(behind.kind === 'sign' && '),'.includes(behind.text));
	reading.error(span, to > index ? 'A condition is missing before this.' : 'A condition is missing here.', {
		engine: to > index ? 'unknown identifier' : 'unrecognised input',
		correction: withoutJoints(
			lexemes.slice(from, to),
			hasBefore ? before : undefined,
			hasBehind ? behind : undefined,
		),
	});
	reading.index = to;
	return to > index && hasBehind ? readUnary(reading) : nothing;
}

const joins = (lexeme: Lexeme): boolean => isLogical(lexeme) || isNotLexeme(lexeme);

/** Builds the removal of surplus connectives, if all are the same: otherwise the intention is unclear. */
function withoutJoints(
	joints: readonly Lexeme[],
	before: Lexeme | undefined,
	behind: Lexeme | undefined,
): Correction | undefined {
	const [first, last] = [joints[0], joints.at(-1)];
	if (!first || !last || (!before && !behind)) return undefined;
	const meant = logicalOperators.get(first.text);
	if (!meant || joints.some(({text}) => logicalOperators.get(text) !== meant)) return undefined;
	if (before && behind) return {span: {start: first.end, end: last.end}, text: ''};
	if (before) return {span: {start: before.end, end: last.end}, text: ''};
	return {span: {start: first.start, end: behind?.start ?? last.end}, text: ''};
}
