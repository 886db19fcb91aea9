import {fieldNamed} from './fields.ts';
import {functionNamed} from './functions.ts';
import type {Lexeme} from './lexer.ts';
import {readOperand} from './operands.ts';
import {comparisonOperators} from './operators.ts';
import type {Span} from './problem.ts';
import {type Conditions, isLogical, type Reading, shown, spanOf} from './reading.ts';
import type {ComparisonOperator} from './tree.ts';

const nothing: Conditions = {expression: undefined, gives: 'unknown'};

/** A word that no comparison follows: a value without quotes, or a name that is not known. */
export function lonelyWord(reading: Reading, word: Lexeme): Conditions {
	const {previous} = reading;
	const repeats = previous && isLogical(previous) && mayRepeat(reading) && !/[._]/.test(word.text);
	if (!repeats || functionNamed(word.text)) {
		readOperand(reading);
		return nothing;
	}
	return repeatedValue(reading, word, `"${word.text}"`);
}

/** Whether the comparison before can be meant once more, with another value. */
const mayRepeat = ({lastComparison, overSeveral}: Reading): boolean =>
	lastComparison !== undefined &&
	lastComparison.operatorText !== 'in' &&
	lastComparison.overSeveral === overSeveral;

/** `http.host eq "a" or "b"`: each side needs its own comparison. */
function repeatedValue(reading: Reading, value: Lexeme, written: string): Conditions {
	const {lastComparison} = reading;
	reading.index++;
	if (!lastComparison) return nothing;
	const left = `${reading.slice(lastComparison.left)} ${lastComparison.operatorText}`;
	reading.unreadable({
		span: value,
		sentence: `Each condition is complete in itself: ${shown(left)} ${shown(written)}.`,
		engine: 'unknown identifier',
		correction: {span: value, text: `${left} ${written}`},
	});
	return nothing;
}

/** No name begins this condition: what stands there is told, and passed. */
export function noField(reading: Reading, current: Lexeme): Conditions {
	const {next, previous, lexemes, index} = reading;
	const isValue = current.kind === 'string' || current.kind === 'word';
	const operator = next && comparisonOperators.get(next.text);
	const field = lexemes[index + 2];
	if (isValue && operator && field && fieldNamed(field.text)) {
		const turned: Partial<Record<ComparisonOperator, string>> = {
			eq: 'eq',
			ne: 'ne',
			lt: 'gt',
			le: 'ge',
			gt: 'lt',
			ge: 'le',
		};
		const text = turned[operator];
		reading.unreadable({
			span: current,
			sentence: 'The field comes first, and the value behind the operator.',
			engine: 'unknown identifier',
			correction: text
				? {span: spanOf(current, field), text: `${field.text} ${text} ${current.text}`}
				: undefined,
		});
		reading.index += 3;
		return nothing;
	}
	if (
		isValue &&
		!operator &&
		previous &&
		isLogical(previous) &&
		mayRepeat(reading) &&
		current.quoted?.closed !== false
	)
		return repeatedValue(reading, current, current.text);
	reading.unreadable({
		span: current,
		sentence: isValue
			? 'A condition begins with a field or a function, not with a value.'
			: 'This cannot be understood here: a field or a function is expected.',
		engine: 'unknown identifier',
	});
	reading.index++;
	reading.skip();
	return nothing;
}

/** `true` and `false` stand for all and no traffic, but only by themselves. */
export function constant(reading: Reading, word: Lexeme): Conditions {
	const text = word.text.toLowerCase();
	const span: Span = {start: word.start, end: word.end};
	reading.index++;
	if (reading.lexemes.length > 1)
		reading.unreadable({
			span,
			sentence: `${text} can only be the whole expression: it cannot be joined or compared.`,
			engine: 'unknown identifier',
		});
	else if (text !== word.text)
		reading.unreadable({
			span,
			sentence: `${text} is written in lower case.`,
			engine: 'unknown identifier',
			correction: {span, text},
		});
	if (!reading.atBoundary) reading.skip();
	const operand = {kind: 'boolean', ...span, value: text === 'true'} as const;
	return {expression: {kind: 'bare', ...span, operand}, gives: 'one'};
}

/** An operator begins this condition. */
export function noLeftSide(reading: Reading, current: Lexeme): Conditions {
	const {previous, lastComparison, lexemes, index} = reading;
	const operator = current.text.toLowerCase();
	const call = functionForm(lexemes, index);
	const repeated = !call && lastComparison && previous && isLogical(previous);
	reading.unreadable({
		span: current,
		sentence: call
			? `${operator} is an operator: it stands between the field and the value.`
			: `What is compared is missing before ${operator}.`,
		engine: 'unknown identifier',
		correction: call
			? {span: call.span, text: `${call.left} ${operator} ${call.right}`}
			: repeated
				? {span: {start: current.start, end: current.start}, text: `${reading.slice(lastComparison.left)} `}
				: undefined,
	});
	reading.index++;
	reading.skip();
	return nothing;
}

/** `contains(http.host, "a")`, taken apart. */
function functionForm(lexemes: readonly Lexeme[], index: number) {
	const [name, open, left, comma, right, close] = lexemes.slice(index, index + 6);
	if (!name || open?.text !== '(' || !left || comma?.text !== ',' || !right || close?.text !== ')')
		return undefined;
	return {span: spanOf(name, close), left: left.text, right: right.text};
}
