import type {Span} from './problem.ts';
import {type Reading, shown} from './reading.ts';
import {requoted} from './strings.ts';
import type {Lexeme} from './token.ts';

export const isAfterMatches = (reading: Reading, lexeme: Lexeme): boolean =>
	reading.lexemes[reading.index] === lexeme && /^(?:matches|=?~)$/i.test(reading.previous?.text ?? '');

/** A word where a text is needed: up to the next space or bracket, it is meant as one. */
export function wordForString(reading: Reading, lexeme: Lexeme): undefined {
	const inRegex = isAfterMatches(reading, lexeme);
	if (inRegex && patternInSlashes(reading, lexeme)) return undefined;
	const end = Math.max(endOfRun(reading.text, lexeme.start), lexeme.end);
	const content = reading.text.slice(lexeme.start, end);
	const quotes = stringAt(reading, end)?.quoted;
	const isClosed = quotes?.closed === false && quotes.to === quotes.from;
	const span = {start: lexeme.start, end: quotes?.end ?? end};
	const isGlued = reading.previous?.end === lexeme.start && reading.previous.kind === 'string';
	reading.unreadable(span, `A text is written in double quotes: ${shown(requoted(content, false))}.`, {
		engine: 'expected " or r',
		mistake: 'unquoted text',
		correction: quotes && !isClosed ? undefined : `${isGlued ? ' ' : ''}${requoted(content, inRegex)}`,
	});
	passUpTo(reading, span);
	return undefined;
}

const runs = /[^\s"(){}[\],;]+/y;

function endOfRun(text: string, start: number): number {
	runs.lastIndex = start;
	return runs.test(text) ? runs.lastIndex : start;
}

/** The quoted text right behind a word: nothing, where only the quote before the word is missing. */
function stringAt({text, lexemes, index}: Reading, start: number): Lexeme | undefined {
	if (text.charAt(start) !== '"') return undefined;
	for (let place = index; place < lexemes.length; place++) {
		const one = lexemes[place];
		if (!one || one.start >= start) return one?.start === start && one.kind === 'string' ? one : undefined;
	}
	return undefined;
}

/** Leaves the place at the last lexeme of a stretch. */
function passUpTo(reading: Reading, span: Span): void {
	while (reading.next && reading.next.start < span.end) reading.index++;
}

const inSlashes = /\/((?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([a-z]*)(?![\w/])/y;

/** `/…/i`, as other languages write a pattern: without its slashes where it can only be one, and no path. */
function patternInSlashes(reading: Reading, {start}: Lexeme): boolean {
	inSlashes.lastIndex = start;
	const found = inSlashes.exec(reading.text);
	if (!found) return false;
	const [whole, pattern = '', flags = ''] = found;
	const span = {start, end: start + whole.length};
	const last = reading.lastIn(span);
	if (last === undefined) return false;
	const taken = flags.replaceAll('g', '');
	const isPattern = flags !== '' || /[\\^$*+?()[\]{}|]/.test(pattern);
	const written = requoted(`${taken ? `(?${taken})` : ''}${pattern.replaceAll('\\/', '/')}`, true);
	reading.unreadable(
		span,
		`A pattern is written in double quotes, not between slashes${taken ? `, and begins with (?${taken})` : ''}.`,
		{engine: 'expected " or r', correction: isPattern && /^[imsx]*$/.test(taken) ? written : undefined},
	);
	reading.index = last;
	return true;
}
