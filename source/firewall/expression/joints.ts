import {fieldNamed} from './fields.ts';
import type {Lexeme} from './lexer.ts';
import {looksLikeLiteral} from './literals.ts';
import {comparisonOperators, foreignLogical, logicalOperators} from './operators.ts';
import {isLogical, isNotLexeme, type Joint, type Reading} from './reading.ts';
import {keywordApart} from './suggestions.ts';

/**
 * What joins the condition that was just read with the next one; `undefined` where there is none. What stands there
 * instead is reported, and passed where it is nothing that one could go on from.
 */
export function logicalBetween(reading: Reading): Joint | undefined {
	const last = reading.joint;
	if (last?.index === reading.index) return last;
	while (reading.current && !reading.atBoundary) {
		const {index} = reading;
		const joint = jointAt(reading, reading.current);
		if (joint) {
			const found = {index: reading.index, ...joint};
			reading.joint = found;
			return found;
		}
		if (reading.index === index) reading.index++;
	}
	return undefined;
}

function jointAt(reading: Reading, current: Lexeme): Omit<Joint, 'index'> | undefined {
	const operator = logicalOperators.get(current.text);
	if (operator) return {operator, length: 1};
	if (isLogical(current)) return wrongJoint(reading, current);
	if (current.kind === 'sign' && (current.text === ',' || current.text === ';'))
		return comma(reading, current);
	if (extraValues(reading, current)) return undefined;
	if (beginsCondition(reading, current)) {
		const at = {start: current.start, end: current.start};
		reading.unreadable({
			span: current,
			sentence: 'Two conditions are joined by and, or or xor: one of them is missing here.',
			engine: 'unrecognised input',
			correction: {span: at, text: 'and '},
		});
		return {operator: 'and', length: 0};
	}
	unrecognised(reading, current);
	reading.index++;
	reading.skip();
	return undefined;
}

/** `AND`, `&`, `|`: what was meant is plain. */
function wrongJoint(reading: Reading, current: Lexeme): Omit<Joint, 'index'> {
	const meant = foreignLogical.get(current.text) ?? current.text.toLowerCase();
	reading.unreadable({
		span: current,
		sentence: foreignLogical.has(current.text)
			? `Conditions are joined by ${logicalOperators.get(meant)} or ${meant}.`
			: 'Operators are written in lower case.',
		engine: 'unrecognised input',
		correction: {span: current, text: meant},
	});
	return {operator: logicalOperators.get(meant) ?? 'and', length: 1};
}

function comma(reading: Reading, current: Lexeme): Omit<Joint, 'index'> | undefined {
	const {next, previous} = reading;
	const goesOn = next !== undefined && next.text !== ')' && !isLogical(next);
	const span = {start: previous?.end ?? current.start, end: goesOn ? next.start : current.end};
	reading.unreadable({
		span: current,
		sentence: 'Conditions are joined by and, or or xor, not by a comma.',
		engine: 'unrecognised input',
		correction: {span, text: goesOn ? ' and ' : ''},
	});
	if (goesOn) return {operator: 'and', length: 1};
	reading.index++;
	return undefined;
}

/** More values behind the one of a comparison: several of them stand in a set. */
function extraValues(reading: Reading, current: Lexeme): boolean {
	if (!isValue(current)) return false;
	const {lastComparison, lexemes} = reading;
	const first = reading.index;
	let value: Lexeme | undefined = current;
	while (value && isValue(value)) value = lexemes[++reading.index];
	const last = lexemes[reading.index - 1] ?? current;
	const previous = lexemes[first - 1];
	const span = {start: current.start, end: last.end};
	const repeats =
		lastComparison &&
		previous?.end === lastComparison.end &&
		(previous.kind === 'word' || previous.kind === 'string');
	const operator = repeats ? comparisonOperators.get(lastComparison.operatorText) : undefined;
	const values = [previous, ...lexemes.slice(first, reading.index)].map(one => one?.text).join(' ');
	const set = `in {${values}}`;
	reading.unreadable({
		span,
		sentence: repeats
			? 'A comparison has one value; several of them stand in a set: in {…}.'
			: 'A value has no meaning here: what is it compared with?',
		engine: 'unrecognised input',
		correction:
			lastComparison && operator === 'eq'
				? {span: {start: lastComparison.operator.start, end: last.end}, text: set}
				: lastComparison && operator === 'ne'
					? {
							span: {start: lastComparison.left.start, end: last.end},
							text: `not ${reading.slice(lastComparison.left)} ${set}`,
						}
					: undefined,
	});
	return true;
}

const isValue = (lexeme: Lexeme): boolean =>
	(lexeme.kind === 'string' && lexeme.quoted?.form !== 'foreign') ||
	(lexeme.kind === 'word' && looksLikeLiteral(lexeme.text) && !fieldNamed(lexeme.text));

/** Whether a condition begins here, so that only what joins it is missing. */
function beginsCondition(reading: Reading, {kind, text}: Lexeme): boolean {
	const {current, next} = reading;
	if (current && isNotLexeme(current)) return true;
	if (kind === 'sign') return text === '(';
	if (kind !== 'word' || comparisonOperators.has(text)) return false;
	if (fieldNamed(text)) return true;
	if (keywordApart(text)) return false;
	return (
		next !== undefined && ((next.kind === 'sign' && next.text === '(') || comparisonOperators.has(next.text))
	);
}

function unrecognised(reading: Reading, current: Lexeme): void {
	const apart = current.kind === 'word' ? keywordApart(current.text) : undefined;
	const isOperator = comparisonOperators.has(current.text);
	reading.unreadable({
		span: current,
		sentence: apart
			? `A space is missing: ${apart}.`
			: isOperator
				? 'This condition is complete: it cannot be compared once more.'
				: 'This cannot be understood here: and, or, xor or the end is expected.',
		engine: 'unrecognised input',
		correction: apart ? {span: current, text: apart} : undefined,
	});
}
