import {findField} from '../vocabulary/fields.ts';
import {formatType, type ValueType} from '../vocabulary/value-type.ts';
import {reportMissingParentheses} from './call-without-parentheses.ts';
import {splitGluedName, splitGluedOperator, warnGluedRawString} from './glued-keywords.ts';
import {looksLikeLiteral} from './literals.ts';
import {reportNullComparison} from './missing-names.ts';
import {type IntendedOperator, readMistakenOperator} from './mistaken-operators.ts';
import {readConstant, readLonelyWord, reportMissingField, reportMissingLeftSide} from './no-left-side.ts';
import {readOperand} from './operands.ts';
import {comparisonOperators, foreignOperators, listComparisonOperators} from './operators.ts';
import {
	abbreviate,
	type Conditions,
	isConnective,
	joinSpans,
	noConditions,
	type Parser,
	type TypedOperand,
} from './parser.ts';
import type {Span} from './problem.ts';
import {readRightSide} from './right-side.ts';
import type {Lexeme} from './token.ts';
import type {Expression} from './tree.ts';

/** Maximum number of regular expressions in one rule, on every plan. */
const maxRegexes = 64;

/**
 * Reads one condition: a comparison, or a Boolean. `closes` means that its left side is in parentheses, which
 * were already reported.
 */
export function readComparison(parser: Parser, parenthesis: 'none' | 'closes' = 'none'): Conditions {
	const {current, next} = parser;
	if (!current) return noConditions;
	const isField = findField(current.text) !== undefined;
	if (current.kind !== 'word' || (!isField && looksLikeLiteral(current.text)))
		return reportMissingField(parser, current);
	const keyword = isField ? current.text : current.text.toLowerCase();
	if (keyword === 'true' || keyword === 'false') return readConstant(parser, current);
	if (!isField && comparisonOperators.has(keyword)) return reportMissingLeftSide(parser, current);
	if (!isField && next?.text !== '(' && isConditionEnd(next)) return readLonelyWord(parser, current);
	if (reportMissingParentheses(parser, current)) return noConditions;
	if (next?.text !== '(') splitGluedName(parser, current);
	const problemCount = parser.problems.length;
	const left = readOperand(parser);
	if (parenthesis === 'closes' && parser.isAt(')')) parser.index++;
	if (!left || parser.gaveUp) {
		parser.skipToNextCondition();
		return noConditions;
	}
	const conditions = parser.isAtBoundary
		? finishBare(parser, left, problemCount)
		: readOperator(parser, left, problemCount);
	return checkSeveralValues(parser, left, conditions);
}

const isConditionEnd = (next: Lexeme | undefined): boolean =>
	next === undefined || isConnective(next) || (next.kind === 'sign' && next.text === ')');

/** Accepts a value without a comparison if it is a Boolean; otherwise reports it. */
function finishBare(parser: Parser, left: TypedOperand, problemCount: number): Conditions {
	const {operand, type} = left;
	const span: Span = {start: operand.start, end: operand.end};
	const expression: Expression = {kind: 'bare', ...span, operand};
	if (!type) return {expression, resultKind: 'unknown'};
	if (type.kind === 'Boolean') return {expression, resultKind: left.isEach ? 'each' : 'one'};
	if (type.kind === 'Array' && type.of.kind === 'Boolean' && !left.isEach)
		return {expression, resultKind: 'each'};
	if (parser.problems.slice(problemCount).some(({engineMessage}) => engineMessage === 'expected literal ")"'))
		return {expression, resultKind: 'unknown'};
	const operators = listComparisonOperators(type);
	parser.syntaxError(
		span,
		operators.length > 0
			? `${abbreviate(parser.slice(span))} is of type ${formatType(type)}: compare it with a value (${operators.join(', ')}).`
			: `${abbreviate(parser.slice(span))} contains multiple values (${formatType(type)}): select one by its index, or each with [*] inside any or all.`,
		{engineMessage: 'expected ComparisonOp'},
	);
	return {expression, resultKind: 'unknown'};
}

function readOperator(parser: Parser, left: TypedOperand, problemCount: number): Conditions {
	const {current} = parser;
	if (!current) return noConditions;
	if (left.type?.kind === 'Boolean') return readAfterBoolean(parser, left, current, problemCount);
	if (isConnective(current) && !isBitwise(parser, current, left.type))
		return finishBare(parser, left, problemCount);
	if (reportNullComparison(parser, left)) return noConditions;
	const operator = comparisonOperators.get(current.text);
	if (operator) {
		warnGluedRawString(parser, current);
		parser.index++;
		return finishComparison(parser, left, {operator, operatorLexeme: current});
	}
	if (splitGluedOperator(parser, current, left.type)) return readOperator(parser, left, problemCount);
	const intendedOperator = readMistakenOperator(parser, left, current);
	return intendedOperator ? finishComparison(parser, left, intendedOperator) : noConditions;
}

/** `&` is an operator for integers. For other types it counts as `and`, unless a value follows. */
const isBitwise = (parser: Parser, {text}: Lexeme, type: ValueType | undefined): boolean =>
	text === '&' &&
	(type?.kind === 'Integer' ||
		parser.next?.kind === 'string' ||
		(parser.next?.kind === 'word' && looksLikeLiteral(parser.next.text)) ||
		parser.next?.text === '{');

/** Reports a comparison of a Boolean, which needs none. */
function readAfterBoolean(
	parser: Parser,
	left: TypedOperand,
	current: Lexeme,
	problemCount: number,
): Conditions {
	const operator =
		comparisonOperators.get(current.text.toLowerCase()) ??
		comparisonOperators.get(foreignOperators.get(current.text) ?? '');
	if (!operator || (isConnective(current) && !isBitwise(parser, current, left.type)))
		return finishBare(parser, left, problemCount);
	const value = parser.next;
	const valueText = value?.text.replaceAll('"', '').toLowerCase();
	const isTrue = /^(?:true|1|on|yes)$/.test(valueText ?? '')
		? true
		: /^(?:false|0|off|no)$/.test(valueText ?? '')
			? false
			: undefined;
	const name = parser.slice(left.operand);
	const isEqual = operator === 'eq' || operator === 'ne';
	const suggestion = isTrue === (operator === 'eq') ? name : `not ${name}`;
	const isCorrectable = isEqual && isTrue !== undefined && value !== undefined;
	parser.syntaxError(
		isCorrectable ? joinSpans(current, value) : current,
		`${abbreviate(name)} is a Boolean; use it without a comparison: ${abbreviate(isCorrectable ? suggestion : `${name}, or not ${name}`)}.`,
		{correction: isCorrectable ? {span: joinSpans(left.operand, value), text: suggestion} : undefined},
	);
	parser.index++;
	if (isCorrectable) parser.index++;
	else parser.skipToNextCondition();
	return finishBare(parser, left, problemCount);
}

function finishComparison(
	parser: Parser,
	left: TypedOperand,
	{operator, operatorLexeme, negated = false}: IntendedOperator,
): Conditions {
	const operatorSpan: Span = {start: operatorLexeme.start, end: operatorLexeme.end};
	const isAllowed = !left.type || listComparisonOperators(left.type).includes(operator);
	if (operator === 'matches' && isAllowed) {
		parser.requirePlan(operatorSpan, 'matches (a regular expression)', {plan: 'business'});
		if (++parser.regexCount === maxRegexes + 1)
			parser.error(operatorSpan, `Too many regular expressions: a rule can have at most ${maxRegexes}.`);
	}
	const {operand} = left;
	const type = isAllowed ? left.type : left.type?.kind === 'Array' ? left.type.of : undefined;
	const problemCount = parser.problems.length;
	const right = readRightSide(parser, {left: operand, type, isEach: left.isEach, operator, operatorSpan});
	const end = parser.previous?.end ?? operatorLexeme.end;
	parser.lastComparison = {
		left: {start: operand.start, end: operand.end},
		operator: operatorSpan,
		operatorText: comparisonOperators.has(operatorLexeme.text) ? operatorLexeme.text : operator,
		end,
		inAnyOrAll: parser.inAnyOrAll,
		negated,
	};
	if (negated) parser.dropCorrectionsBefore(operatorSpan.end, problemCount);
	if (!isAllowed && left.type) {
		parser.truncateProblems(problemCount);
		reportIncomparable(parser, left, left.type, operatorSpan, end);
	}
	if (!right) {
		parser.broken = true;
		return {
			expression: undefined,
			resultKind: left.type && isAllowed ? (left.isEach ? 'each' : 'one') : 'unknown',
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
	return {expression, resultKind: left.type && isAllowed ? (left.isEach ? 'each' : 'one') : 'unknown'};
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
	const hasComparableElements = type.kind === 'Array' && listComparisonOperators(type.of).length > 0;
	const insertionPoint = {start: operand.end, end: operand.end};
	const wholeSpan = {start: operand.start, end};
	const eachText = `${parser.slice(operand)}[*]${parser.text.slice(operand.end, end)}`;
	const quantifier = chooseAnyOrAll(parser, operand);
	const correction = parser.inAnyOrAll
		? {span: insertionPoint, text: '[*]'}
		: {span: wholeSpan, text: `${quantifier}(${eachText})`};
	parser.error(
		span,
		operators.length > 0
			? `${abbreviate(parser.slice(span))} can't be used with ${name} (${formatType(type)}); use ${operators.join(', ')}.`
			: `${name} contains multiple values (${formatType(type)}): ${hasComparableElements ? `compare each with ${quantifier}(${name}[*] …), or one with ${name}[0]` : 'select one by its index first'}.`,
		{
			engineMessage: `cannot perform this operation on type ${formatType(type)}`,
			correction: hasComparableElements ? correction : undefined,
		},
	);
}

/** Chooses `all` for negative operators: that any one element differs from a value is nearly always true. */
const chooseAnyOrAll = ({lastComparison}: Parser, {start}: Span): 'any' | 'all' =>
	lastComparison?.left.start === start &&
	(lastComparison.negated || comparisonOperators.get(lastComparison.operatorText) === 'ne')
		? 'all'
		: 'any';

/** Outside of `any` and `all`, a condition must not have a result per element. */
function checkSeveralValues(parser: Parser, left: TypedOperand, conditions: Conditions): Conditions {
	if (conditions.resultKind !== 'each' || parser.inAnyOrAll) return conditions;
	const indexes = 'indexes' in left.operand ? left.operand.indexes : [];
	const eachIndex = indexes.findLast(({kind}) => kind === 'each');
	const span = {
		start: left.operand.start,
		end: conditions.expression?.end ?? parser.previous?.end ?? left.operand.end,
	};
	parser.error(
		eachIndex ?? span,
		`This checks multiple values: use any(…) if one must match, all(…) if every one must.`,
		{
			engineMessage: 'expected value of type Boolean, but got Array<Boolean>',
			correction: {span, text: `${chooseAnyOrAll(parser, span)}(${parser.slice(span)})`},
		},
	);
	return {...conditions, resultKind: 'one'};
}
