import {fieldNamed} from '../vocabulary/fields.ts';
import {behindName, isSign} from './name-extent.ts';
import type {Correction} from './problem.ts';
import {type Found, type Reading, shown, spanOf} from './reading.ts';
import type {Lexeme} from './token.ts';
import type {LeftSide, RightSide} from './tree.ts';

/** Reports a range with spaces in it and moves past it. Returns false if there is none. */
export function rangeApart(reading: Reading, side: LeftSide, first: Lexeme, limit: number): boolean {
	if (side.type?.kind !== 'Integer' && side.type?.kind !== 'IP') return false;
	const range = spacedRange(reading, limit);
	if (!range) return false;
	const span = spanOf(first, range.last);
	reading.unreadable(span, 'A range is written with two dots, and without spaces.', {correction: range.text});
	reading.index += range.length;
	return true;
}

/** `1 .. 5`, `1 - 5`. */
function spacedRange({lexemes, index}: Reading, limit: number) {
	const [first, second, third] = [0, 1, 2].map(place =>
		index + place < limit ? lexemes[index + place] : undefined,
	);
	const isBound = (text: string) => /^-?[0-9a-fA-F.:]*[0-9a-fA-F:]$/.test(text) && !text.includes('..');
	if (first?.kind !== 'word' || second?.kind !== 'word') return undefined;
	if (
		third?.kind === 'word' &&
		/^(?:\.\.\.?|-)$/.test(second.text) &&
		isBound(first.text) &&
		isBound(third.text)
	)
		return {last: third, length: 3, text: `${first.text}..${third.text}`};
	const isHalf = /^[^.].*\.\.$/.test(first.text) !== /^\.\.[^.]/.test(second.text);
	const text = first.text + second.text;
	const [low = '', high = '', ...more] = text.split('..');
	return isHalf && more.length === 0 && isBound(low) && isBound(high)
		? {last: second, length: 2, text}
		: undefined;
}

/**
 * Merges repetitions of the same mistake in a set into one problem with one correction. `since` is the number
 * of problems before the set.
 */
export function oneHabit(reading: Reading, since: number): void {
	const habits = new Map<string, Found[]>();
	for (const one of reading.found.slice(since)) {
		if (one.severity !== 'error' || !one.correction || one.mistake === 'open quote') continue;
		const key = `${one.engine} ${one.mistake ?? one.sentence}`;
		const same = habits.get(key);
		if (same) same.push(one);
		else habits.set(key, [one]);
	}
	for (const same of habits.values()) {
		const merged = same.length > 1 ? together(reading, same) : undefined;
		if (!merged) continue;
		const rest = new Set(same.slice(1));
		const kept = reading.found.splice(since).map(one => (one === same[0] ? merged : one));
		reading.found.push(...kept.filter(one => !rest.has(one)));
		reading.errorCount -= rest.size;
	}
}

function together(reading: Reading, same: readonly Found[]): Found | undefined {
	const [first] = same;
	const start = first?.correction?.span.start;
	if (!first || start === undefined) return undefined;
	let text = '';
	let end = start;
	for (const {correction} of same) {
		if (!correction || correction.span.start < end) return undefined;
		text += reading.text.slice(end, correction.span.start) + correction.text;
		end = correction.span.end;
	}
	return {...first, correction: {span: {start, end}, text}};
}

/**
 * Reports a field in a set, which allows only literals (`http.host in {http.referer}`, `http.host in
 * http.request.headers.names`), and moves past it. Returns false if there is none.
 */
export function fieldInSet(reading: Reading, side: LeftSide, first: Lexeme): boolean {
	const field = first.kind === 'word' && first.text.includes('.') ? fieldNamed(first.text) : undefined;
	const {lexemes, index} = reading;
	const behind = field && behindName(lexemes, index);
	const last = behind === undefined ? undefined : lexemes[behind - 1];
	if (!field || !last || behind === undefined) return false;
	const name = reading.slice(spanOf(first, last));
	const open = lexemes[index - 1];
	const close = lexemes[behind];
	const inBraces = isSign(open, '{') && isSign(close, '}');
	const isAlone = inBraces || open?.start === side.operatorSpan.start;
	const end = inBraces && close ? close.end : last.end;
	reading.unreadable(
		spanOf(first, last),
		`A set holds only values that are written out: ${shown(name)} is a field, and eq compares with it.`,
		{
			engine: 'expected " or r',
			correction: isAlone && behind === index + 1 ? comparedWith(reading, side, name, end) : undefined,
		},
	);
	reading.index = behind;
	return true;
}

/** Builds the comparison with a field, or with the elements of a list. */
function comparedWith(reading: Reading, side: LeftSide, name: string, end: number): Correction | undefined {
	const type = fieldNamed(name)?.type;
	if (!type || !side.type || side.isEach) return undefined;
	if (type.kind === side.type.kind) return {span: {start: side.operatorSpan.start, end}, text: `eq ${name}`};
	return type.kind === 'Array' && type.of.kind === side.type.kind
		? {span: {start: side.left.start, end}, text: `has_value(${name}, ${reading.slice(side.left)})`}
		: undefined;
}

/** Reports `{{1.1.1.1}}` and reads the set inside. */
export function doubledBraces(
	reading: Reading,
	side: LeftSide,
	open: Lexeme,
	readBraces: (reading: Reading, side: LeftSide, open: Lexeme) => RightSide | undefined,
): RightSide | undefined {
	let inner = open;
	for (; reading.isAt('{'); reading.index++) inner = reading.current ?? inner;
	reading.index--;
	const found = reading.found.length;
	const set = readBraces(reading, side, inner);
	const close = reading.previous;
	while (reading.isAt('}')) reading.index++;
	const last = reading.previous;
	const isClosed = isSign(close, '}') && last !== undefined && close !== undefined;
	reading.unreadable(open, 'A set has one pair of braces.', {
		correction: isClosed ? {span: spanOf(open, last), text: reading.slice(spanOf(inner, close))} : undefined,
	});
	const told = reading.found.pop();
	if (told) reading.found.splice(found, 0, told);
	return set;
}
