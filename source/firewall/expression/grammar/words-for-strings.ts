import type {Span} from './problem.ts';
import {type Reading, shown} from './reading.ts';
import {requoted} from './strings.ts';
import type {Lexeme} from './token.ts';

export const isAfterMatches = (reading: Reading, lexeme: Lexeme): boolean =>
	reading.lexemes[reading.index] === lexeme && /^(?:matches|=?~)$/i.test(reading.previous?.text ?? '');

/** Reports an unquoted word in place of a string; the string ends at the next space or bracket. */
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

/** Finds the string directly after a word; empty if only the quote before the word is missing. */
function stringAt({text, lexemes, index}: Reading, start: number): Lexeme | undefined {
	if (text.charAt(start) !== '"') return undefined;
	for (let place = index; place < lexemes.length; place++) {
		const one = lexemes[place];
		if (!one || one.start >= start) return one?.start === start && one.kind === 'string' ? one : undefined;
	}
	return undefined;
}

/** Moves to the last lexeme of a span. */
function passUpTo(reading: Reading, span: Span): void {
	while (reading.next && reading.next.start < span.end) reading.index++;
}

const inSlashes = /\/((?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([a-z]*)(?![\w/])/y;

/** Reports `/…/i`, as other languages write a pattern. Corrects it if it cannot be a path. */
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
