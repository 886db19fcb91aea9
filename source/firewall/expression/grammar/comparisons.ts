import {fieldNamed} from '../vocabulary/fields.ts';
import {typeName, type ValueType} from '../vocabulary/value-type.ts';
import {callWithoutParentheses} from './call-without-parentheses.ts';
import {cutName, cutOperator} from './glued-keywords.ts';
import {looksLikeLiteral} from './literals.ts';
import {comparedWithNothing} from './missing-names.ts';
import {type Meant, wrongOperator} from './mistaken-operators.ts';
import {constant, lonelyWord, noField, noLeftSide} from './no-left-side.ts';
import {readOperand} from './operands.ts';
import {comparisonOperators, foreignOperators, operatorsOf} from './operators.ts';
import type {Span} from './problem.ts';
import {type Conditions, isLogical, nothing, type Reading, shown, spanOf, type Typed} from './reading.ts';
import {readRightSide} from './right-side.ts';
import type {Lexeme} from './token.ts';
import type {Expression} from './tree.ts';

/** Maximum number of regular expressions in one rule, on every plan. */
const mostRegexes = 64;

/**
 * Reads one condition: a comparison, or a Boolean. `closes` if its left side is in parentheses, which were
 * reported before.
 */
export function readComparison(reading: Reading, parenthesis: 'none' | 'closes' = 'none'): Conditions {
	const {current, next} = reading;
	if (!current) return nothing;
	const isField = fieldNamed(current.text) !== undefined;
	if (current.kind !== 'word' || (!isField && looksLikeLiteral(current.text)))
		return noField(reading, current);
	const lower = isField ? current.text : current.text.toLowerCase();
	if (lower === 'true' || lower === 'false') return constant(reading, current);
	if (!isField && comparisonOperators.has(lower)) return noLeftSide(reading, current);
	if (!isField && next?.text !== '(' && isLonely(next)) return lonelyWord(reading, current);
	if (callWithoutParentheses(reading, current)) return nothing;
	if (next?.text !== '(') cutName(reading, current);
	const before = reading.found.length;
	const left = readOperand(reading);
	if (parenthesis === 'closes' && reading.isAt(')')) reading.index++;
	if (!left || reading.gaveUp) {
		reading.stepOver();
		return nothing;
	}
	const read = reading.atBoundary ? bare(reading, left, before) : readOperator(reading, left, before);
	return forEach(reading, left, read);
}

const isLonely = (next: Lexeme | undefined): boolean =>
	next === undefined || isLogical(next) || (next.kind === 'sign' && next.text === ')');

/** Accepts a value without a comparison if it is a Boolean; otherwise reports it. */
function bare(reading: Reading, left: Typed, before: number): Conditions {
	const {operand, type} = left;
	const span: Span = {start: operand.start, end: operand.end};
	const expression: Expression = {kind: 'bare', ...span, operand};
	if (!type) return {expression, returns: 'unknown'};
	if (type.kind === 'Boolean') return {expression, returns: left.each ? 'each' : 'one'};
	if (type.kind === 'Array' && type.of.kind === 'Boolean' && !left.each) return {expression, returns: 'each'};
	if (reading.found.slice(before).some(({engine}) => engine === 'expected literal ")"'))
		return {expression, returns: 'unknown'};
	const operators = operatorsOf(type);
	reading.unreadable(
		span,
		operators.length > 0
			? `${shown(reading.slice(span))} is of type ${typeName(type)}: it must be compared with something (${operators.join(', ')}).`
			: `${shown(reading.slice(span))} holds several values (${typeName(type)}): take one by its index, or each with [*] within any or all.`,
		{engine: 'expected ComparisonOp'},
	);
	return {expression, returns: 'unknown'};
}

function readOperator(reading: Reading, left: Typed, before: number): Conditions {
	const {current} = reading;
	if (!current) return nothing;
	if (left.type?.kind === 'Boolean') return afterBoolean(reading, left, current, before);
	if (isLogical(current) && !isBitwise(reading, current, left.type)) return bare(reading, left, before);
	if (comparedWithNothing(reading, left)) return nothing;
	const operator = comparisonOperators.get(current.text);
	if (operator) {
		reading.index++;
		return compare(reading, left, {operator, written: current});
	}
	if (cutOperator(reading, current, left.type)) return readOperator(reading, left, before);
	const meant = wrongOperator(reading, left, current);
	return meant ? compare(reading, left, meant) : nothing;
}

/** `&` is an operator for integers. For other types it counts as `and`, unless a value follows. */
const isBitwise = (reading: Reading, {text}: Lexeme, type: ValueType | undefined): boolean =>
	text === '&' &&
	(type?.kind === 'Integer' ||
		reading.next?.kind === 'string' ||
		(reading.next?.kind === 'word' && looksLikeLiteral(reading.next.text)) ||
		reading.next?.text === '{');

/** Reports a comparison of a Boolean, which needs none. */
function afterBoolean(reading: Reading, left: Typed, current: Lexeme, before: number): Conditions {
	const operator =
		comparisonOperators.get(current.text.toLowerCase()) ??
		comparisonOperators.get(foreignOperators.get(current.text) ?? '');
	if (!operator || (isLogical(current) && !isBitwise(reading, current, left.type)))
		return bare(reading, left, before);
	const value = reading.next;
	const word = value?.text.replaceAll('"', '').toLowerCase();
	const holds = /^(?:true|1|on|yes)$/.test(word ?? '')
		? true
		: /^(?:false|0|off|no)$/.test(word ?? '')
			? false
			: undefined;
	const name = reading.slice(left.operand);
	const isEqual = operator === 'eq' || operator === 'ne';
	const wanted = holds === (operator === 'eq') ? name : `not ${name}`;
	const mended = isEqual && holds !== undefined && value !== undefined;
	reading.unreadable(
		mended ? spanOf(current, value) : current,
		`${shown(name)} is a Boolean and needs no comparison: ${shown(mended ? wanted : `${name}, or not ${name}`)}.`,
		{correction: mended ? {span: spanOf(left.operand, value), text: wanted} : undefined},
	);
	reading.index++;
	if (mended) reading.index++;
	else reading.stepOver();
	return bare(reading, left, before);
}

function compare(reading: Reading, left: Typed, {operator, written, negated = false}: Meant): Conditions {
	const operatorSpan: Span = {start: written.start, end: written.end};
	const allowed = !left.type || operatorsOf(left.type).includes(operator);
	if (operator === 'matches' && allowed) {
		reading.needs(operatorSpan, 'matches (a regular expression)', {plan: 'business'});
		if (++reading.regexes === mostRegexes + 1)
			reading.error(operatorSpan, `A rule has at most ${mostRegexes} regular expressions: this exceeds it.`);
	}
	const {operand} = left;
	const type = allowed ? left.type : left.type?.kind === 'Array' ? left.type.of : undefined;
	const found = reading.found.length;
	const right = readRightSide(reading, {left: operand, type, isEach: left.each, operator, operatorSpan});
	const end = reading.previous?.end ?? written.end;
	reading.lastComparison = {
		left: {start: operand.start, end: operand.end},
		operator: operatorSpan,
		operatorText: comparisonOperators.has(written.text) ? written.text : operator,
		end,
		overSeveral: reading.overSeveral,
		negated,
	};
	if (negated) reading.keepCorrectionsBehind(operatorSpan.end, found);
	if (!allowed && left.type) {
		reading.forgetSince(found);
		cannotCompare(reading, left, left.type, operatorSpan, end);
	}
	if (!right) {
		reading.broken = true;
		return {expression: undefined, returns: left.type && allowed ? (left.each ? 'each' : 'one') : 'unknown'};
	}
	const expression: Expression = {
		kind: 'comparison',
		...spanOf(operand, right),
		left: operand,
		operator,
		operatorSpan,
		right,
	};
	return {expression, returns: left.type && allowed ? (left.each ? 'each' : 'one') : 'unknown'};
}

function cannotCompare(reading: Reading, {operand}: Typed, type: ValueType, span: Span, end: number): void {
	const name = shown(reading.slice(operand));
	const operators = operatorsOf(type);
	const array = type.kind === 'Array' && operatorsOf(type.of).length > 0;
	const at = {start: operand.end, end: operand.end};
	const whole = {start: operand.start, end};
	const each = `${reading.slice(operand)}[*]${reading.text.slice(operand.end, end)}`;
	const several = severalFunction(reading, operand);
	const mended = reading.overSeveral ? {span: at, text: '[*]'} : {span: whole, text: `${several}(${each})`};
	reading.error(
		span,
		operators.length > 0
			? `${name} is of type ${typeName(type)} and cannot be compared with ${shown(reading.slice(span))}, but with ${operators.join(', ')}.`
			: `${name} holds several values (${typeName(type)}): ${array ? `compare each with ${several}(${name}[*] …), or one with ${name}[0]` : 'take one by its index first'}.`,
		{
			engine: `cannot perform this operation on type ${typeName(type)}`,
			correction: array ? mended : undefined,
		},
	);
}

/**
 * Something is unlike a value only if all its elements are: that one of them is unlike it is nearly always
 * true.
 */
const severalFunction = ({lastComparison: last}: Reading, {start}: Span): 'any' | 'all' =>
	last?.left.start === start && (last.negated || comparisonOperators.get(last.operatorText) === 'ne')
		? 'all'
		: 'any';

/** Outside of `any` and `all`, a condition must not have a result per element. */
function forEach(reading: Reading, left: Typed, read: Conditions): Conditions {
	if (read.returns !== 'each' || reading.overSeveral) return read;
	const indexes = 'indexes' in left.operand ? left.operand.indexes : [];
	const each = indexes.findLast(({kind}) => kind === 'each');
	const span = {
		start: left.operand.start,
		end: read.expression?.end ?? reading.previous?.end ?? left.operand.end,
	};
	reading.error(
		each ?? span,
		`This looks at several values: any(…) wants one of them, all(…) each of them to be so.`,
		{
			engine: 'expected value of type Boolean, but got Array<Boolean>',
			correction: {span, text: `${severalFunction(reading, span)}(${reading.slice(span)})`},
		},
	);
	return {...read, returns: 'one'};
}
