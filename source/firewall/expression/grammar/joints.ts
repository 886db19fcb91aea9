import {isName, keywordApart} from '../checks/suggestions.ts';
import {fieldNamed} from '../vocabulary/fields.ts';
import {cutJoint} from './glued-keywords.ts';
import {plusBehindValue} from './joined-texts.ts';
import {comparisonOperators, foreignLogical, logicalOperators, operatorsOf} from './operators.ts';
import type {Correction} from './problem.ts';
import {isLogical, isNotLexeme, type Joint, type Reading, spanOf} from './reading.ts';
import {isValue, severalAs, severalSentence} from './several-values.ts';
import type {Lexeme} from './token.ts';

/**
 * Reads what joins the last condition with the next one; undefined if nothing does. Reports anything else,
 * and skips it if the parser cannot continue there.
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
	if (negatedOnceMore(reading, current)) return undefined;
	if (atTheEnd(reading, current)) {
		unrecognised(reading, current);
		reading.index++;
		return undefined;
	}
	if (plusBehindValue(reading, current) || extraValues(reading)) return undefined;
	if (current.kind === 'sign' && (current.text === ',' || current.text === ';'))
		return comma(reading, current);
	if (cutJoint(reading, current))
		return {operator: logicalOperators.get(reading.current?.text ?? '') ?? 'and', length: 1};
	if (opensNothing(reading, current)) return undefined;
	if (beginsCondition(reading, current)) {
		const at = {start: current.start, end: current.start};
		reading.unreadable(current, 'Two conditions are joined by and, or or xor: one of them is missing here.', {
			correction: {span: at, text: 'and '},
		});
		return {operator: 'and', length: 0};
	}
	unrecognised(reading, current);
	reading.pass();
	return undefined;
}

/** Corrects `AND`, `&` and `|`. */
function wrongJoint(reading: Reading, current: Lexeme): Omit<Joint, 'index'> {
	const meant = foreignLogical.get(current.text) ?? current.text.toLowerCase();
	reading.unreadable(
		current,
		foreignLogical.has(current.text)
			? `Conditions are joined by ${logicalOperators.get(meant)} or ${meant}.`
			: 'Operators are written in lower case.',
		{correction: meant},
	);
	return {operator: logicalOperators.get(meant) ?? 'and', length: 1};
}

function comma(reading: Reading, current: Lexeme): Omit<Joint, 'index'> | undefined {
	const {next, previous} = reading;
	const goesOn = next !== undefined && next.text !== ')' && !isLogical(next);
	const span = {start: previous?.end ?? current.start, end: goesOn ? next.start : current.end};
	reading.unreadable(current, 'Conditions are joined by and, or or xor, not by a comma.', {
		correction: {span, text: goesOn ? ' and ' : ''},
	});
	if (goesOn) return {operator: 'and', length: 1};
	reading.index++;
	return undefined;
}

/**
 * Reports further values after that of a comparison, with or without commas. Returns false if there are none.
 */
function extraValues(reading: Reading): boolean {
	const {lastComparison: last, previous: before, lexemes, index} = reading;
	const values: Lexeme[] = [];
	let place = index;
	for (; ; place++) {
		const one = lexemes[place];
		const separated = one?.text === ',' || one?.text === ';';
		const value = separated ? lexemes[place + 1] : one;
		if (!isValue(value)) break;
		if (separated) {
			const behind = lexemes[place + 2];
			if (behind && comparisonOperators.has(behind.text)) break;
			place++;
		}
		values.push(value);
	}
	const [first, end] = [lexemes[index], values.at(-1)];
	if (!first || !end) return false;
	const repeats =
		last && before?.end === last.end && (before.kind === 'word' || before.kind === 'string')
			? last
			: undefined;
	const all = before ? [before, ...values] : values;
	const thousands = repeats && /^[0-9]{1,3}(?:,[0-9]{3})+$/.test(reading.text.slice(before?.start, end.end));
	reading.index = place;
	const isWhole = all.every(({quoted}) => quoted?.closed !== false) && !repeats?.negated;
	reading.unreadable(
		first.kind === 'sign' ? first : spanOf(first, end),
		thousands
			? 'A comma has no meaning here: a number is written without, and several numbers are written as a set: in {…}.'
			: repeats
				? severalSentence(repeats.operatorText)
				: 'A value has no meaning here: what is it compared with?',
		{
			correction:
				repeats && isWhole && !thousands
					? severalAs(
							reading,
							repeats,
							all.map(({text}) => text),
							end.end,
						)
					: undefined,
		},
	);
	return true;
}

/** True if a condition starts here, so that only the connective is missing. */
function beginsCondition(reading: Reading, {kind, text}: Lexeme): boolean {
	const {current, next} = reading;
	if (current && isNotLexeme(current)) return true;
	if (kind === 'sign') return text === '(';
	if (kind !== 'word' || comparisonOperators.has(text)) return false;
	if (fieldNamed(text) || (text.startsWith('not') && isName(text.slice(3)))) return true;
	if (keywordApart(text)) return false;
	return (
		next !== undefined && ((next.kind === 'sign' && next.text === '(') || comparisonOperators.has(next.text))
	);
}

/** Corrects a second operator: `ip.src in {…} ~ "a"`. Undefined if the intention is unclear. */
function comparedOnceMore(reading: Reading, operator: Lexeme): Correction | undefined {
	const {lastComparison: last, previous, next, lexemes} = reading;
	if (!last || last.negated || previous?.end !== last.end || !next || isLogical(next)) return undefined;
	const before = lexemes.findLast(({end}) => end <= last.left.start);
	const type = fieldNamed(reading.slice(last.left))?.type;
	const meant = comparisonOperators.get(operator.text);
	if ((before && isNotLexeme(before)) || (type && meant && !operatorsOf(type).includes(meant)))
		return undefined;
	const [first, second] = [last.operatorText, operator.text].map(text => comparisonOperators.get(text));
	if (first === 'eq' && second === 'eq') return undefined;
	const at = {start: operator.start, end: operator.start};
	return {span: at, text: `and ${reading.slice(last.left)} `};
}

/** Reports `http.host contains "a" not contains "b"`. Returns false if there is no such negation. */
function negatedOnceMore(reading: Reading, not: Lexeme): boolean {
	const {next, index} = reading;
	if (!isNotLexeme(not) || !next || !comparisonOperators.has(next.text) || isLogical(next)) return false;
	const {lastComparison: last, previous} = reading;
	const isSure = last !== undefined && !last.negated && previous?.end === last.end;
	const span = {start: not.start, end: next.start};
	reading.unreadable(next, 'This condition is complete: it cannot be compared once more.', {
		correction: isSure ? {span, text: `and not ${reading.slice(last.left)} `} : undefined,
	});
	reading.index = index + 2;
	reading.stepOver();
	return true;
}

/** Reports opening parentheses at the end. Returns false if there are none. */
function opensNothing(reading: Reading, first: Lexeme): boolean {
	const rest = reading.lexemes.slice(reading.index);
	const last = rest.at(-1);
	if (!last || !rest.every(({text}) => text === '(')) return false;
	reading.unreadable(spanOf(first, last), 'Nothing follows what is opened here.', {correction: ''});
	reading.index += rest.length;
	return true;
}

/** Builds the removal of a stray quote or sign at the very end. */
function atTheEnd(
	{lexemes, index, previous}: Reading,
	{start, end, kind, quoted}: Lexeme,
): Correction | undefined {
	const isLast = index === lexemes.length - 1 && previous !== undefined;
	const isEmpty = quoted !== undefined && !quoted.closed && quoted.from === quoted.to;
	return isLast && (isEmpty || kind === 'unknown') ? {span: {start, end}, text: ''} : undefined;
}

function unrecognised(reading: Reading, current: Lexeme): void {
	const apart = current.kind === 'word' ? keywordApart(current.text) : undefined;
	const isOperator = comparisonOperators.has(current.text);
	reading.unreadable(
		current,
		apart
			? `A space is missing: ${apart}.`
			: isOperator
				? 'This condition is complete: it cannot be compared once more.'
				: 'This cannot be understood here: and, or, xor or the end is expected.',
		{correction: apart ?? (isOperator ? comparedOnceMore(reading, current) : atTheEnd(reading, current))},
	);
}
