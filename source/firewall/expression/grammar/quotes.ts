import {comparisonOperators} from './operators.ts';

/** A string as it is in the text, well written or not. */
export type Quoted = {
	/** `regex` is the right side of `matches`, where the escapes are those of the pattern. */
	readonly form: 'quoted' | 'regex' | 'raw' | 'foreign';
	/** How many `#` a raw one has. */
	readonly hashes: number;
	/** What stands between the quotes. */
	readonly from: number;
	readonly to: number;
	readonly end: number;
	readonly closed: boolean;
	/** In a set, a quote behind a word, of which it is not known that the word is a text: `{1" 2}`. It has no content. */
	readonly isStray?: boolean;
};

/** What was learned on the way: quotes that nothing closes, and brackets still open. */
type QuoteMemory = {
	readonly unclosed: Set<string>;
	readonly open: {readonly parentheses: number; readonly braces: number};
};

const foreign: ReadonlyMap<string, RegExp> = new Map([
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
 * The string that begins at an offset, `undefined` if none does. A string that nothing closes ends where its writer most
 * likely meant it to: so that what follows it is still looked at.
 */
export function quotedAt(
	text: string,
	offset: number,
	inRegex: boolean,
	memory: QuoteMemory,
): Quoted | undefined {
	const first = text.charAt(offset);
	if (first === '"') return quoted(text, offset, inRegex, memory);
	if (first === 'r') return raw(text, offset, memory);
	return foreign.has(first) ? foreignQuoted(text, offset, first, memory) : undefined;
}

function quoted(text: string, start: number, inRegex: boolean, memory: QuoteMemory): Quoted {
	const form = inRegex ? 'regex' : 'quoted';
	const from = start + 1;
	const inBraces = memory.open.braces > 0;
	if (inBraces && closesWord(text, start))
		return {form, hashes: 0, from, to: from, end: from, closed: false, isStray: true};
	let to = -1;
	if (inRegex && !memory.unclosed.has('[')) {
		to = endOfRegex(text, from);
		if (to < 0) memory.unclosed.add('[');
	}
	if (to < 0) to = endOfString(text, from);
	if (to >= 0 && inBraces && beginsNextValue(text, to)) to = valueEnd(text, from, to);
	else if (to >= 0 && !swallowsAnother(text, from, to))
		return {form, hashes: 0, from, to, end: to + 1, closed: true};
	else to = likelyEnd(text, from, to < 0 ? text.length : to, memory);
	if (to - 1 > from && /[\u201c\u201d]/.test(text.charAt(to - 1)))
		return {form: 'foreign', hashes: 0, from, to: to - 1, end: to, closed: true};
	return {form, hashes: 0, from, to, end: to, closed: false};
}

/** In a set, whether a quote ends a word that has none before it: `{a" "b"}`. */
function closesWord(text: string, start: number): boolean {
	const [word] = /[A-Za-z0-9_./-]{1,20}$/.exec(text.slice(Math.max(0, start - 20), start)) ?? [];
	return word !== undefined && !comparisonOperators.has(word);
}

/** In a set, whether the quote that seems to end a string begins the next one: `{"a "b"}`. */
const beginsNextValue = (text: string, to: number): boolean =>
	/\s/.test(text.charAt(to - 1)) &&
	/[A-Za-z0-9_/.*-]/.test(text.charAt(to + 1)) &&
	!/^r#*"/.test(text.slice(to + 1, to + 260));

function raw(text: string, start: number, memory: QuoteMemory): Quoted | undefined {
	let open = start + 1;
	while (text.charAt(open) === '#') open++;
	if (text.charAt(open) !== '"') return undefined;
	const hashes = open - start - 1;
	const closing = `"${'#'.repeat(hashes)}`;
	const key = `r${hashes}`;
	const from = open + 1;
	const found = memory.unclosed.has(key) ? -1 : text.indexOf(closing, from);
	if (found >= 0) return {form: 'raw', hashes, from, to: found, end: found + closing.length, closed: true};
	memory.unclosed.add(key);
	const to = likelyEnd(text, from, text.length, memory);
	return {form: 'raw', hashes, from, to, end: to, closed: false};
}

function foreignQuoted(text: string, start: number, quote: string, memory: QuoteMemory): Quoted {
	const from = start + 1;
	const closing = foreign.get(quote);
	if (closing && !memory.unclosed.has(quote)) {
		closing.lastIndex = from;
		const found = closing.exec(text);
		if (found) return {form: 'foreign', hashes: 0, from, to: found.index, end: found.index + 1, closed: true};
		memory.unclosed.add(quote);
	}
	const to = likelyEnd(text, from, text.length, memory);
	return {form: 'foreign', hashes: 0, from, to, end: to, closed: false};
}

function endOfString(text: string, from: number): number {
	for (let place = from; place < text.length; place++) {
		const unit = text.charCodeAt(place);
		if (unit === 0x5c) place++;
		else if (unit === 0x22) return place;
	}
	return -1;
}

/** In a pattern, a quote within `[…]` is a character like any other. */
function endOfRegex(text: string, from: number): number {
	const {end, inClass} = scanRegex(text, from, text.length);
	return inClass || end === text.length ? -1 : end;
}

/** Whether a pattern is within `[…]` at its end: a quote there would not close it. */
export const endsInClass = (text: string, from: number, to: number): boolean =>
	scanRegex(text, from, to).inClass;

/** Up to the quote that closes a pattern, or to the limit. */
function scanRegex(text: string, from: number, limit: number): {end: number; inClass: boolean} {
	let inClass = false;
	let place = from;
	for (; place < limit; place++) {
		const unit = text.charCodeAt(place);
		if (unit === 0x5c) place++;
		else if (unit === 0x22 && !inClass) return {end: place, inClass};
		else if (unit === 0x5b) inClass = true;
		else if (unit === 0x5d) inClass = false;
	}
	return {end: limit, inClass};
}

/** Whether the quote that seems to end a string begins the next one: `"a and http.referer eq "b"`. */
const swallowsAnother = (text: string, from: number, to: number): boolean =>
	/[A-Za-z0-9_/.]/.test(text.charAt(to + 1)) &&
	/\s(?:eq|ne|lt|le|gt|ge|contains|matches|wildcard|[=!<>]=|[<>~=]|in\s*\{)\s*$/.test(
		text.slice(Math.max(from, to - 24), to),
	) &&
	/\s(?:and|or|xor|&&|\|\||\^\^)\s/.test(text.slice(from, to));

/** Where a value ends that is followed by what separates it from the next. */
function valueEnd(text: string, from: number, to: number): number {
	let end = to;
	while (end > from && /[\s,;]/.test(text.charAt(end - 1))) end--;
	return end;
}

const nextCondition = /\s(?:and|or|xor|&&|\|\||\^\^)\s/g;

function likelyEnd(text: string, from: number, limit: number, memory: QuoteMemory): number {
	nextCondition.lastIndex = from;
	const next = nextCondition.exec(text);
	if (next && next.index < limit) {
		let end = next.index;
		while (end > from && /\s/.test(text.charAt(end - 1))) end--;
		return end;
	}
	let {parentheses, braces} = memory.open;
	let end = limit;
	for (; end > from; end--) {
		const last = text.charAt(end - 1);
		if (last === ')' && parentheses > 0) parentheses--;
		else if (last === '}' && braces > 0) braces--;
		else if (!/\s/.test(last)) break;
	}
	return end;
}
