import {isName} from '../checks/suggestions.ts';
import type {ArgumentRead} from './argument-checks.ts';
import {behindName} from './name-extent.ts';
import {comparisonOperators} from './operators.ts';
import type {Correction, Span} from './problem.ts';
import {type Reading, spanOf, type Typed} from './reading.ts';
import type {Lexeme} from './token.ts';

const sentence = 'Texts are joined with concat(…): the language has no +.';

/** Reports `http.host + "/" eq "a/"` and skips the condition. The parser is after the left side. */
export function plusBehindLeftSide(reading: Reading, left: Typed, plus: Lexeme): boolean {
	if (plus.text !== '+') return false;
	const further = addends(reading);
	const isText = left.type === undefined || left.type.kind === 'String' || left.type.kind === 'Bytes';
	report(reading, plus, isText && further ? inConcat(reading, left.operand, further) : undefined);
	reading.pass();
	return true;
}

/** Reports `http.host eq "a" + "b"`. The parser is after the value of the last comparison. */
export function plusBehindValue(reading: Reading, plus: Lexeme): boolean {
	const {lastComparison: last, previous, lexemes} = reading;
	if (plus.text !== '+') return false;
	const further = addends(reading);
	let place = reading.index - 1;
	while (place > 0 && (lexemes[place - 1]?.start ?? 0) >= (last?.operator.end ?? 0)) place--;
	const value = lexemes[place];
	const isWhole = last !== undefined && value !== undefined && previous?.end === last.end && further;
	report(
		reading,
		plus,
		isWhole ? joined(reading, last, {start: value.start, end: last.end}, further) : undefined,
	);
	if (further) reading.index = further.end;
	reading.stepOver();
	return true;
}

/** Reports `lower(http.host + "a")`. The parser is after an argument. */
export function plusBehindArgument(
	reading: Reading,
	plus: Lexeme,
	argument: ArgumentRead | undefined,
	isConcat: boolean,
): boolean {
	if (plus.text !== '+') return false;
	const further = addends(reading);
	const correction = isConcat
		? {span: plus, text: ','}
		: argument && further && inConcat(reading, argument.argument, further);
	report(reading, plus, further && correction);
	if (further) reading.index = further.end;
	return true;
}

type Addends = {readonly texts: readonly string[]; readonly last: Lexeme; readonly end: number};

const report = (reading: Reading, plus: Lexeme, correction: Correction | undefined): void =>
	reading.unreadable(plus, sentence, {correction});

/** Reads the operands after one or more plus signs. */
function addends({lexemes, index, text}: Reading): Addends | undefined {
	const texts: string[] = [];
	let place = index;
	while (lexemes[place]?.text === '+') {
		const first = lexemes[place + 1];
		const isText = first?.kind === 'string' && first.quoted?.closed && first.quoted.form !== 'foreign';
		const isNamed = first?.kind === 'word' && isName(first.text);
		const end = isText ? place + 2 : isNamed ? behindName(lexemes, place + 1) : undefined;
		const last = end === undefined ? undefined : lexemes[end - 1];
		if (!first || !last || end === undefined) return undefined;
		texts.push(text.slice(first.start, last.end));
		place = end;
	}
	const last = lexemes[place - 1];
	return last && texts.length > 0 && texts.length < 32 ? {texts, last, end: place} : undefined;
}

const inConcat = (reading: Reading, first: Span, {texts, last}: Addends): Correction => ({
	span: spanOf(first, last),
	text: `concat(${[reading.slice(first), ...texts].join(', ')})`,
});

/** Joins literals into one text; with a field or a function among them, builds a call of concat. */
function joined(
	reading: Reading,
	{operatorText}: {readonly operatorText: string},
	value: Span,
	further: Addends,
): Correction | undefined {
	const all = [reading.slice(value), ...further.texts];
	if (all.every(one => one.startsWith('"') && one.endsWith('"')))
		return {span: spanOf(value, further.last), text: `"${all.map(one => one.slice(1, -1)).join('')}"`};
	const operator = comparisonOperators.get(operatorText) ?? '';
	return ['eq', 'ne', 'lt', 'le', 'gt', 'ge'].includes(operator) && !all[0]?.startsWith('{')
		? inConcat(reading, value, further)
		: undefined;
}
