import {isName} from '../checks/suggestions.ts';
import {functionNamed} from '../vocabulary/functions.ts';
import {readAddress, readNetwork} from './addresses.ts';
import {looksLikeLiteral} from './literals.ts';
import {behindName} from './name-extent.ts';
import {readOperand} from './operands.ts';
import {comparisonOperators, logicalOperators} from './operators.ts';
import type {Correction, Span} from './problem.ts';
import {type Conditions, isLogical, isNotLexeme, nothing, type Reading, shown, spanOf} from './reading.ts';
import {isValue, severalAs} from './several-values.ts';
import type {Lexeme} from './token.ts';
import type {ComparisonOperator, LogicalOperator} from './tree.ts';
import {valueFirst} from './value-first.ts';

/** Reads a word without a comparison: an unquoted value, or an unknown name. */
export function lonelyWord(reading: Reading, word: Lexeme): Conditions {
	const {previous} = reading;
	const repeats = previous && isLogical(previous) && mayRepeat(reading) && !/[._]/.test(word.text);
	if (!repeats || functionNamed(word.text)) {
		readOperand(reading);
		return nothing;
	}
	return repeatedValue(reading, word, `"${word.text}"`);
}

/** True if the last comparison may be intended again with another value. */
const mayRepeat = ({lastComparison, overSeveral}: Reading): boolean =>
	lastComparison !== undefined &&
	lastComparison.operatorText !== 'in' &&
	lastComparison.overSeveral === overSeveral;

/** Reports `http.host eq "a" or "b" or "c"`: each value needs its own comparison. */
function repeatedValue(reading: Reading, first: Lexeme, written: string): Conditions {
	const {lastComparison: last} = reading;
	const repetition = repetitionHere(reading);
	reading.index++;
	if (!last) return nothing;
	const values = [written];
	let end: Span = first;
	for (
		let value = furtherValue(reading, repetition?.joint);
		value;
		value = furtherValue(reading, repetition?.joint)
	) {
		reading.index += 2;
		values.push(value.kind === 'word' && !looksLikeLiteral(value.text) ? `"${value.text}"` : value.text);
		end = value;
	}
	const left = `${reading.slice(last.left)} ${last.operatorText}`;
	const isEither = repetition?.operator === 'ne' && repetition.joint === 'or';
	const isBoth = repetition?.operator === 'eq' && repetition.joint === 'and';
	const {current} = reading;
	const isFollowed =
		current && isLogical(current) && logicalOperators.get(current.text) !== repetition?.joint;
	reading.unreadable(
		first,
		isEither
			? `Values that it must not be are written as a set: not ${shown(reading.slice(last.left))} in {…}.`
			: isBoth
				? 'Each condition is complete in itself, and no value is equal to two others.'
				: `Each condition is complete in itself: ${shown(left)} ${shown(written)}.`,
		{
			engine: 'unknown identifier',
			correction:
				repetition && !isFollowed ? again(reading, repetition, {first, end, values, left}) : undefined,
		},
	);
	return nothing;
}

/** Finds a further value after the same connective, without a comparison. */
function furtherValue(reading: Reading, joint: LogicalOperator | undefined): Lexeme | undefined {
	const {current, next, lexemes, index} = reading;
	if (!joint || !current || logicalOperators.get(current.text) !== joint || !next) return undefined;
	const isWord = next.kind === 'word' && !isName(next.text) && !isNotLexeme(next) && !isLogical(next);
	if (!(isValue(next) && next.quoted?.closed !== false) && !(isWord && !/[._]/.test(next.text)))
		return undefined;
	const behind = lexemes[index + 2];
	return !behind || isLogical(behind) || behind.text === ')' ? next : undefined;
}

type Repetition = {readonly operator: ComparisonOperator; readonly joint: LogicalOperator};

/**
 * Finds the connective between an incomplete condition and the last comparison, if repeating that is
 * intended.
 */
function repetitionHere(reading: Reading): Repetition | undefined {
	const {lastComparison: last, lexemes, index} = reading;
	const not = lexemes[index - 1];
	const behind = not && isNotLexeme(not) ? index - 1 : index;
	const joint = logicalOperators.get(lexemes[behind - 1]?.text ?? '');
	const operator = last && comparisonOperators.get(last.operatorText);
	if (!joint || !operator || !last || last.negated || lexemes[behind - 2]?.end !== last.end) return undefined;
	let place = behind - 2;
	while (place > 0 && (lexemes[place]?.start ?? 0) > last.left.start) place--;
	const before = lexemes[place - 1];
	if (before && isNotLexeme(before)) return undefined;
	const earlier = before && logicalOperators.get(before.text);
	if (earlier && earlier !== joint && joint !== 'and') return undefined;
	return {operator, joint};
}

type Values = {
	readonly first: Span;
	readonly end: Span;
	readonly values: readonly string[];
	readonly left: string;
};

function again(
	reading: Reading,
	{operator, joint}: Repetition,
	{first, end, values, left}: Values,
): Correction | undefined {
	const {lastComparison: last} = reading;
	if (!last || joint === 'xor' || (operator === 'eq' && joint === 'and')) return undefined;
	if (operator === 'ne' && joint === 'or') {
		const value = reading.text.slice(last.operator.end, last.end).trim();
		return severalAs(reading, last, [value, ...values], end.end);
	}
	if (!['eq', 'ne', 'contains', 'matches', 'wildcard', 'strict wildcard'].includes(operator))
		return undefined;
	if (values.length * left.length > 4096) return undefined;
	return {span: spanOf(first, end), text: values.map(value => `${left} ${value}`).join(` ${joint} `)};
}

/** Reports a condition that does not start with a name, and skips it. */
export function noField(reading: Reading, current: Lexeme): Conditions {
	const {next, previous} = reading;
	const isValueHere = current.kind === 'string' || current.kind === 'word';
	if (isValueHere && valueFirst(reading, current)) return nothing;
	if (
		isValueHere &&
		!(next && comparisonOperators.has(next.text)) &&
		previous &&
		isLogical(previous) &&
		mayRepeat(reading) &&
		current.quoted?.closed !== false
	)
		return repeatedValue(reading, current, current.text);
	const meant = addressCondition(current);
	reading.unreadable(
		current,
		meant !== undefined
			? `A condition begins with a field: ${meant}.`
			: isValueHere
				? 'A condition begins with a field or a function, not with a value.'
				: 'This cannot be understood here: a field or a function is expected.',
		{engine: 'unknown identifier', correction: meant},
	);
	reading.pass();
	return nothing;
}

/** Suggests a condition for an address or a network on its own: requests from it. */
function addressCondition({kind, text}: Lexeme): string | undefined {
	if (kind !== 'word') return undefined;
	if (readAddress(text).ok) return `ip.src eq ${text}`;
	return text.includes('/') && readNetwork(text).ok ? `ip.src in {${text}}` : undefined;
}

/** Reads `true` or `false`, which are valid only as the whole expression. */
export function constant(reading: Reading, word: Lexeme): Conditions {
	const text = word.text.toLowerCase();
	const span: Span = {start: word.start, end: word.end};
	reading.index++;
	if (reading.lexemes.length > 1)
		reading.unreadable(span, `${text} can only be the whole expression: it cannot be joined or compared.`, {
			engine: 'unknown identifier',
		});
	else if (text !== word.text)
		reading.unreadable(span, `${text} is written in lower case.`, {
			engine: 'unknown identifier',
			correction: text,
		});
	if (!reading.atBoundary) reading.stepOver();
	const operand = {kind: 'boolean', ...span, value: text === 'true'} as const;
	return {expression: {kind: 'bare', ...span, operand}, returns: 'one'};
}

/** Reports a condition that starts with an operator. */
export function noLeftSide(reading: Reading, current: Lexeme): Conditions {
	const {lastComparison} = reading;
	const operator = current.text.toLowerCase();
	const call = functionForm(reading);
	const repetition = call ? undefined : repetitionHere(reading);
	const meant = comparisonOperators.get(operator);
	const never = repetition?.joint === 'and' && repetition.operator === 'eq' && meant === 'eq';
	const always = repetition?.joint === 'or' && repetition.operator === 'ne' && meant === 'ne';
	const repeats = repetition && lastComparison && repetition.joint !== 'xor' && !never && !always;
	reading.unreadable(
		current,
		call
			? `${operator} is an operator: put it between the field and the value.`
			: `What is compared is missing before ${operator}.`,
		{
			engine: 'unknown identifier',
			correction: call
				? {span: call.span, text: `${call.left} ${operator} ${call.right}`}
				: repeats
					? {span: {start: current.start, end: current.start}, text: `${reading.slice(lastComparison.left)} `}
					: undefined,
		},
	);
	reading.pass();
	return nothing;
}

/** Parses `contains(http.host, "a")`. */
function functionForm(reading: Reading) {
	const {lexemes, index} = reading;
	const [name, open, left] = lexemes.slice(index, index + 3);
	const behind = left?.kind === 'word' ? behindName(lexemes, index + 2) : undefined;
	if (!name || open?.text !== '(' || !left || behind === undefined) return undefined;
	const [last, comma, right, close] = lexemes.slice(behind - 1, behind + 3);
	if (!last || comma?.text !== ',' || !right || close?.text !== ')') return undefined;
	return {span: spanOf(name, close), left: reading.slice(spanOf(left, last)), right: right.text};
}
