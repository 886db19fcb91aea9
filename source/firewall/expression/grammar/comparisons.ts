import {findField} from '../vocabulary/fields.ts';
import {formatType, type ValueType} from '../vocabulary/value-type.ts';
import {reportMissingParentheses} from './call-without-parentheses.ts';
import {cutName, cutOperator} from './glued-keywords.ts';
import {looksLikeLiteral} from './literals.ts';
import {reportNullComparison} from './missing-names.ts';
import {type IntendedOperator, readMistakenOperator} from './mistaken-operators.ts';
import {readConstant, readLonelyWord, reportMissingField, reportMissingLeftSide} from './no-left-side.ts';
import {readOperand} from './operands.ts';
import {comparisonOperators, foreignOperators, listComparisonOperators} from './operators.ts';
import type {Span} from './problem.ts';
import {
	abbreviate,
	type Conditions,
	isLogical,
	joinSpans,
	noConditions,
	type Parser,
	type TypedOperand,
} from './reading.ts';
import {readRightSide} from './right-side.ts';
import type {Lexeme} from './token.ts';
import type {Expression} from './tree.ts';

/** Maximum number of regular expressions in one rule, on every plan. */
const maxRegexes = 64;

/**
 * Reads one condition: a comparison, or a Boolean. `closes` if its left side is in parentheses, which were
 * reported before.
 */
export function readComparison(parser: Parser, parenthesis: 'none' | 'closes' = 'none'): Conditions {
	const {current, next} = parser;
	if (!current) return noConditions;
	const isField = findField(current.text) !== undefined;
	if (current.kind !== 'word' || (!isField && looksLikeLiteral(current.text)))
		return reportMissingField(parser, current);
	const lower = isField ? current.text : current.text.toLowerCase();
	if (lower === 'true' || lower === 'false') return readConstant(parser, current);
	if (!isField && comparisonOperators.has(lower)) return reportMissingLeftSide(parser, current);
	if (!isField && next?.text !== '(' && isConditionEnd(next)) return readLonelyWord(parser, current);
	if (reportMissingParentheses(parser, current)) return noConditions;
	if (next?.text !== '(') cutName(parser, current);
	const before = parser.problems.length;
	const left = readOperand(parser);
	if (parenthesis === 'closes' && parser.isAt(')')) parser.index++;
	if (!left || parser.gaveUp) {
		parser.skipToBoundary();
		return noConditions;
	}
	const read = parser.isAtBoundary ? finishBare(parser, left, before) : readOperator(parser, left, before);
	return checkSeveralValues(parser, left, read);
}

const isConditionEnd = (next: Lexeme | undefined): boolean =>
	next === undefined || isLogical(next) || (next.kind === 'sign' && next.text === ')');

/** Accepts a value without a comparison if it is a Boolean; otherwise reports it. */
function finishBare(parser: Parser, left: TypedOperand, before: number): Conditions {
	const {operand, type} = left;
	const span: Span = {start: operand.start, end: operand.end};
	const expression: Expression = {kind: 'bare', ...span, operand};
	if (!type) return {expression, returns: 'unknown'};
	if (type.kind === 'Boolean') return {expression, returns: left.isEach ? 'each' : 'one'};
	if (type.kind === 'Array' && type.of.kind === 'Boolean' && !left.isEach)
		return {expression, returns: 'each'};
	if (parser.problems.slice(before).some(({engine}) => engine === 'expected literal ")"'))
		return {expression, returns: 'unknown'};
	const operators = listComparisonOperators(type);
	parser.syntaxError(
		span,
		operators.length > 0
			? `${abbreviate(parser.slice(span))} is of type ${formatType(type)}: it must be compared with something (${operators.join(', ')}).`
			: `${abbreviate(parser.slice(span))} holds several values (${formatType(type)}): take one by its index, or each with [*] within any or all.`,
		{engine: 'expected ComparisonOp'},
	);
	return {expression, returns: 'unknown'};
}

function readOperator(parser: Parser, left: TypedOperand, before: number): Conditions {
	const {current} = parser;
	if (!current) return noConditions;
	if (left.type?.kind === 'Boolean') return readAfterBoolean(parser, left, current, before);
	if (isLogical(current) && !isBitwise(parser, current, left.type)) return finishBare(parser, left, before);
	if (reportNullComparison(parser, left)) return noConditions;
	const operator = comparisonOperators.get(current.text);
	if (operator) {
		parser.index++;
		return finishComparison(parser, left, {operator, written: current});
	}
	if (cutOperator(parser, current, left.type)) return readOperator(parser, left, before);
	const intended = readMistakenOperator(parser, left, current);
	return intended ? finishComparison(parser, left, intended) : noConditions;
}

/** `&` is an operator for integers. For other types it counts as `and`, unless a value follows. */
const isBitwise = (parser: Parser, {text}: Lexeme, type: ValueType | undefined): boolean =>
	text === '&' &&
	(type?.kind === 'Integer' ||
		parser.next?.kind === 'string' ||
		(parser.next?.kind === 'word' && looksLikeLiteral(parser.next.text)) ||
		parser.next?.text === '{');

/** Reports a comparison of a Boolean, which needs none. */
function readAfterBoolean(parser: Parser, left: TypedOperand, current: Lexeme, before: number): Conditions {
	const operator =
		comparisonOperators.get(current.text.toLowerCase()) ??
		comparisonOperators.get(foreignOperators.get(current.text) ?? '');
	if (!operator || (isLogical(current) && !isBitwise(parser, current, left.type)))
		return finishBare(parser, left, before);
	const value = parser.next;
	const word = value?.text.replaceAll('"', '').toLowerCase();
	const holds = /^(?:true|1|on|yes)$/.test(word ?? '')
		? true
		: /^(?:false|0|off|no)$/.test(word ?? '')
			? false
			: undefined;
	const name = parser.slice(left.operand);
	const isEqual = operator === 'eq' || operator === 'ne';
	const suggested = holds === (operator === 'eq') ? name : `not ${name}`;
	const isCorrectable = isEqual && holds !== undefined && value !== undefined;
	parser.syntaxError(
		isCorrectable ? joinSpans(current, value) : current,
		`${abbreviate(name)} is a Boolean and needs no comparison: ${abbreviate(isCorrectable ? suggested : `${name}, or not ${name}`)}.`,
		{correction: isCorrectable ? {span: joinSpans(left.operand, value), text: suggested} : undefined},
	);
	parser.index++;
	if (isCorrectable) parser.index++;
	else parser.skipToBoundary();
	return finishBare(parser, left, before);
}

function finishComparison(
	parser: Parser,
	left: TypedOperand,
	{operator, written, negated = false}: IntendedOperator,
): Conditions {
	const operatorSpan: Span = {start: written.start, end: written.end};
	const allowed = !left.type || listComparisonOperators(left.type).includes(operator);
	if (operator === 'matches' && allowed) {
		parser.requirePlan(operatorSpan, 'matches (a regular expression)', {plan: 'business'});
		if (++parser.regexCount === maxRegexes + 1)
			parser.error(operatorSpan, `A rule has at most ${maxRegexes} regular expressions: this exceeds it.`);
	}
	const {operand} = left;
	const type = allowed ? left.type : left.type?.kind === 'Array' ? left.type.of : undefined;
	const found = parser.problems.length;
	const right = readRightSide(parser, {left: operand, type, isEach: left.isEach, operator, operatorSpan});
	const end = parser.previous?.end ?? written.end;
	parser.lastComparison = {
		left: {start: operand.start, end: operand.end},
		operator: operatorSpan,
		operatorText: comparisonOperators.has(written.text) ? written.text : operator,
		end,
		inAnyOrAll: parser.inAnyOrAll,
		negated,
	};
	if (negated) parser.dropCorrectionsBefore(operatorSpan.end, found);
	if (!allowed && left.type) {
		parser.discardSince(found);
		reportIncomparable(parser, left, left.type, operatorSpan, end);
	}
	if (!right) {
		parser.broken = true;
		return {
			expression: undefined,
			returns: left.type && allowed ? (left.isEach ? 'each' : 'one') : 'unknown',
		};
	}
	const expression: Expression = {
		kind: 'comparison',
		...joinSpans(operand, right),
		left: operand,
		operator,
		operatorSpan,
		right,
	};
	return {expression, returns: left.type && allowed ? (left.isEach ? 'each' : 'one') : 'unknown'};
}

function reportIncomparable(
	parser: Parser,
	{operand}: TypedOperand,
	type: ValueType,
	span: Span,
	end: number,
): void {
	const name = abbreviate(parser.slice(operand));
	const operators = listComparisonOperators(type);
	const array = type.kind === 'Array' && listComparisonOperators(type.of).length > 0;
	const at = {start: operand.end, end: operand.end};
	const whole = {start: operand.start, end};
	const each = `${parser.slice(operand)}[*]${parser.text.slice(operand.end, end)}`;
	const several = chooseAnyOrAll(parser, operand);
	const correction = parser.inAnyOrAll ? {span: at, text: '[*]'} : {span: whole, text: `${several}(${each})`};
	parser.error(
		span,
		operators.length > 0
			? `${name} is of type ${formatType(type)} and cannot be compared with ${abbreviate(parser.slice(span))}, but with ${operators.join(', ')}.`
			: `${name} holds several values (${formatType(type)}): ${array ? `compare each with ${several}(${name}[*] …), or one with ${name}[0]` : 'take one by its index first'}.`,
		{
			engine: `cannot perform this operation on type ${formatType(type)}`,
			correction: array ? correction : undefined,
		},
	);
}

/**
 * Something is unlike a value only if all its elements are: that one of them is unlike it is nearly always
 * true.
 */
const chooseAnyOrAll = ({lastComparison: last}: Parser, {start}: Span): 'any' | 'all' =>
	last?.left.start === start && (last.negated || comparisonOperators.get(last.operatorText) === 'ne')
		? 'all'
		: 'any';

/** Outside of `any` and `all`, a condition must not have a result per element. */
function checkSeveralValues(parser: Parser, left: TypedOperand, read: Conditions): Conditions {
	if (read.returns !== 'each' || parser.inAnyOrAll) return read;
	const indexes = 'indexes' in left.operand ? left.operand.indexes : [];
	const each = indexes.findLast(({kind}) => kind === 'each');
	const span = {
		start: left.operand.start,
		end: read.expression?.end ?? parser.previous?.end ?? left.operand.end,
	};
	parser.error(
		each ?? span,
		`This looks at several values: any(…) wants one of them, all(…) each of them to be so.`,
		{
			engine: 'expected value of type Boolean, but got Array<Boolean>',
			correction: {span, text: `${chooseAnyOrAll(parser, span)}(${parser.slice(span)})`},
		},
	);
	return {...read, returns: 'one'};
}
