import {comparisonOperators} from './operators.ts';

/** A string in the text, valid or not. */
export type Quoted = {
	/**
	 * `regex`: the right side of `matches`, with the escapes of the pattern. `foreign`: quotes that the
	 * language does not have.
	 */
	readonly form: 'quoted' | 'regex' | 'raw' | 'foreign';
	/** The number of `#` of a raw string. */
	readonly hashes: number;
	/** The offsets of the content between the quotes. */
	readonly contentStart: number;
	readonly contentEnd: number;
	readonly end: number;
	readonly closed: boolean;
	/**
	 * True for a quote after a word in a set that may not belong to a string: `{1" 2}`. It has no content.
	 */
	readonly isStray?: boolean;
};

/** What was found so far: quotes that are never closed, and open brackets. */
type QuoteMemory = {
	readonly unclosedQuotes: Set<string>;
	readonly bracketDepths: {readonly parentheses: number; readonly braces: number};
};

/** Opening quotes that the language does not have, and the quotes that may close them. */
const foreignQuotes: ReadonlyMap<string, RegExp> = new Map([
	["'", /['\u2018\u2019]/g],
	['`', /[`']/g],
	['\u2018', /['\u2018\u2019]/g],
	['\u2019', /['\u2018\u2019]/g],
	['\u201a', /['\u2018\u2019]/g],
	['\u201c', /["\u201c\u201d]/g],
	['\u201d', /["\u201c\u201d]/g],
	['\u201e', /["\u201c\u201d]/g],
	['\u00ab', /[\u00ab\u00bb]/g],
	['\u00bb', /[\u00ab\u00bb]/g],
]);

/**
 * Reads the string at an offset; undefined if none starts there. A string without a closing quote ends where
 * it was most likely meant to end, so that the rest is still checked.
 */
export function readQuoted(
	text: string,
	offset: number,
	inRegex: boolean,
	memory: QuoteMemory,
): Quoted | undefined {
	const firstCharacter = text.charAt(offset);
	if (firstCharacter === '"') return readDoubleQuoted(text, offset, inRegex, memory);
	if (firstCharacter === 'r') return readRawString(text, offset, memory);
	return foreignQuotes.has(firstCharacter)
		? readForeignQuoted(text, offset, firstCharacter, memory)
		: undefined;
}

function readDoubleQuoted(text: string, start: number, inRegex: boolean, memory: QuoteMemory): Quoted {
	const form = inRegex ? 'regex' : 'quoted';
	const contentStart = start + 1;
	const inBraces = memory.bracketDepths.braces > 0;
	if (inBraces && isWordEnd(text, start))
		return {
			form,
			hashes: 0,
			contentStart,
			contentEnd: contentStart,
			end: contentStart,
			closed: false,
			isStray: true,
		};
	let contentEnd = -1;
	if (inRegex && !memory.unclosedQuotes.has('[')) {
		contentEnd = findRegexEnd(text, contentStart);
		if (contentEnd < 0) memory.unclosedQuotes.add('[');
	}
	if (contentEnd < 0) contentEnd = findClosingQuote(text, contentStart);
	if (contentEnd >= 0 && inBraces && isNextValueStart(text, contentEnd))
		contentEnd = findValueEnd(text, contentStart, contentEnd);
	else if (contentEnd >= 0 && !swallowsCondition(text, contentStart, contentEnd))
		return {
			form,
			hashes: 0,
			contentStart,
			contentEnd,
			end: contentEnd + 1,
			closed: true,
		};
	else contentEnd = findLikelyEnd(text, contentStart, contentEnd < 0 ? text.length : contentEnd, memory);
	if (contentEnd - 1 > contentStart && /[\u201c\u201d]/.test(text.charAt(contentEnd - 1)))
		return {
			form: 'foreign',
			hashes: 0,
			contentStart,
			contentEnd: contentEnd - 1,
			end: contentEnd,
			closed: true,
		};
	return {
		form,
		hashes: 0,
		contentStart,
		contentEnd,
		end: contentEnd,
		closed: false,
	};
}

/** True for a quote, in a set, that ends a word without an opening quote: `{a" "b"}`. */
function isWordEnd(text: string, start: number): boolean {
	const [word] = /[A-Za-z0-9_./-]{1,20}$/.exec(text.slice(Math.max(0, start - 20), start)) ?? [];
	return word !== undefined && !comparisonOperators.has(word);
}

/** True if the quote that would end a string in a set starts the next one: `{"a "b"}`. */
const isNextValueStart = (text: string, to: number): boolean =>
	/\s/.test(text.charAt(to - 1)) &&
	/[A-Za-z0-9_/.*-]/.test(text.charAt(to + 1)) &&
	!/^r#*"/.test(text.slice(to + 1, to + 260));

function readRawString(text: string, start: number, memory: QuoteMemory): Quoted | undefined {
	let quoteIndex = start + 1;
	while (text.charAt(quoteIndex) === '#') quoteIndex++;
	if (text.charAt(quoteIndex) !== '"') return undefined;
	const hashes = quoteIndex - start - 1;
	const closing = `"${'#'.repeat(hashes)}`;
	const key = `r${hashes}`;
	const contentStart = quoteIndex + 1;
	const closingIndex = memory.unclosedQuotes.has(key) ? -1 : text.indexOf(closing, contentStart);
	if (closingIndex >= 0)
		return {
			form: 'raw',
			hashes,
			contentStart,
			contentEnd: closingIndex,
			end: closingIndex + closing.length,
			closed: true,
		};
	memory.unclosedQuotes.add(key);
	const contentEnd = findLikelyEnd(text, contentStart, text.length, memory);
	return {
		form: 'raw',
		hashes,
		contentStart,
		contentEnd,
		end: contentEnd,
		closed: false,
	};
}

function readForeignQuoted(text: string, start: number, quote: string, memory: QuoteMemory): Quoted {
	const contentStart = start + 1;
	const closing = foreignQuotes.get(quote);
	if (closing && !memory.unclosedQuotes.has(quote)) {
		closing.lastIndex = contentStart;
		const match = closing.exec(text);
		if (match)
			return {
				form: 'foreign',
				hashes: 0,
				contentStart,
				contentEnd: match.index,
				end: match.index + 1,
				closed: true,
			};
		memory.unclosedQuotes.add(quote);
	}
	const contentEnd = findLikelyEnd(text, contentStart, text.length, memory);
	return {
		form: 'foreign',
		hashes: 0,
		contentStart,
		contentEnd,
		end: contentEnd,
		closed: false,
	};
}

function findClosingQuote(text: string, from: number): number {
	for (let position = from; position < text.length; position++) {
		const unit = text.charCodeAt(position);
		if (unit === 0x5c) position++;
		else if (unit === 0x22) return position;
	}
	return -1;
}

/** Finds the closing quote of a pattern, or -1. Inside `[…]`, a quote is an ordinary character. */
function findRegexEnd(text: string, from: number): number {
	const {end, inClass} = scanRegex(text, from, text.length);
	return inClass || end === text.length ? -1 : end;
}

/** True if a pattern is inside `[…]` at its end, where a quote would not close it. */
export const isInClassAtEnd = (text: string, from: number, to: number): boolean =>
	scanRegex(text, from, to).inClass;

/** Scans a pattern up to its closing quote, or to the limit. */
function scanRegex(text: string, from: number, limit: number): {end: number; inClass: boolean} {
	let inClass = false;
	let position = from;
	for (; position < limit; position++) {
		const unit = text.charCodeAt(position);
		if (unit === 0x5c) position++;
		else if (unit === 0x22 && !inClass) return {end: position, inClass};
		else if (unit === 0x5b) inClass = true;
		else if (unit === 0x5d) inClass = false;
	}
	return {end: limit, inClass};
}

/** True if the quote that would end a string starts the next one: `"a and http.referer eq "b"`. */
const swallowsCondition = (text: string, from: number, to: number): boolean =>
	/[A-Za-z0-9_/.]/.test(text.charAt(to + 1)) &&
	/\s(?:eq|ne|lt|le|gt|ge|contains|matches|wildcard|[=!<>]=|[<>~=]|in\s*\{)\s*$/.test(
		text.slice(Math.max(from, to - 24), to),
	) &&
	/\s(?:and|or|xor|&&|\|\||\^\^)\s/.test(text.slice(from, to));

/** Finds the end of a value without the separators after it. */
function findValueEnd(text: string, from: number, to: number): number {
	let end = to;
	while (end > from && /[\s,;]/.test(text.charAt(end - 1))) end--;
	return end;
}

const nextCondition = /\s(?:and|or|xor|&&|\|\||\^\^)\s/g;

/**
 * Finds where a string without a closing quote was probably meant to end: before the next connective, else
 * before the closing brackets and spaces that end at `limit`.
 */
function findLikelyEnd(text: string, from: number, limit: number, memory: QuoteMemory): number {
	nextCondition.lastIndex = from;
	const match = nextCondition.exec(text);
	if (match && match.index < limit) {
		let end = match.index;
		while (end > from && /\s/.test(text.charAt(end - 1))) end--;
		return end;
	}
	let {parentheses, braces} = memory.bracketDepths;
	let end = limit;
	for (; end > from; end--) {
		const lastCharacter = text.charAt(end - 1);
		if (lastCharacter === ')' && parentheses > 0) parentheses--;
		else if (lastCharacter === '}' && braces > 0) braces--;
		else if (!/\s/.test(lastCharacter)) break;
	}
	return end;
}
