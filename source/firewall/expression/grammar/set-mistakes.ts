import type {Lexeme} from './lexer.ts';
import {type Found, type Reading, spanOf} from './reading.ts';
import type {LeftSide} from './right-side.ts';

/** A range with spaces in it: said as one, and passed. */
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
 * The same mistake in several values of a set is one habit, and mended in one go: all that was said since so many
 * things were found, and says the same, becomes one.
 */
export function oneHabit(reading: Reading, since: number): void {
	const habits = new Map<string, Found[]>();
	for (const one of reading.found.slice(since)) {
		if (one.severity !== 'error' || !one.correction || one.sentence.startsWith('Nothing closes')) continue;
		const key = `${one.engine} ${one.sentence.split(':')[0]}`;
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
