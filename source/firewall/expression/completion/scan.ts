import type {Span} from '../grammar/problem.ts';

/** A part of the text before the cursor, as detailed as completion needs. */
export type Part = Span & {
	/** `open string`: one that does not end before the cursor. */
	readonly kind: 'word' | 'string' | 'open string' | 'sign' | 'space' | 'other';
	readonly text: string;
};

/** Names, numbers, addresses, networks and list names. */
const wordPattern = /[$\w.:/-]+/y;
const spacePattern = /[ \t\r\n]+/y;
const signPattern = /&&|\|\||\^\^|==|!=|>=|<=|[()[\]{},*<>~&!=|^]/y;

/** Splits the text before an offset into parts without gaps. Linear. */
export function scanParts(text: string, offset: number): readonly Part[] {
	const textBefore = text.slice(0, offset);
	const parts: Part[] = [];
	let start = 0;
	while (start < textBefore.length) {
		const part = scanPart(textBefore, start);
		parts.push(part);
		start = part.end;
	}
	return parts;
}

function scanPart(text: string, start: number): Part {
	const quote = findOpeningQuote(text, start);
	if (quote) return scanString(text, start, quote);
	for (const [kind, pattern] of [
		['space', spacePattern],
		['word', wordPattern],
		['sign', signPattern],
	] as const) {
		pattern.lastIndex = start;
		if (pattern.test(text))
			return {kind, start, end: pattern.lastIndex, text: text.slice(start, pattern.lastIndex)};
	}
	return {kind: 'other', start, end: start + 1, text: text.charAt(start)};
}

/** Returns the opening quote of a string at an offset: `"`, `r"`, `r##"`. */
function findOpeningQuote(text: string, start: number): string | undefined {
	if (text.charAt(start) === '"') return '"';
	if (text.charAt(start) !== 'r') return;
	let end = start + 1;
	while (text.charAt(end) === '#') end++;
	return text.charAt(end) === '"' ? text.slice(start, end + 1) : undefined;
}

function scanString(text: string, start: number, quote: string): Part {
	const end = quote === '"' ? findQuotedEnd(text, start + 1) : findRawEnd(text, start, quote);
	const kind = end === undefined ? 'open string' : 'string';
	return {kind, start, end: end ?? text.length, text: text.slice(start, end)};
}

function findQuotedEnd(text: string, start: number): number | undefined {
	for (let position = start; position < text.length; position++) {
		const character = text.charAt(position);
		if (character === '"') return position + 1;
		if (character === '\\') position++;
	}
	return;
}

function findRawEnd(text: string, start: number, quote: string): number | undefined {
	const closing = `"${quote.slice(1, -1)}`;
	const endIndex = text.indexOf(closing, start + quote.length);
	return endIndex < 0 ? undefined : endIndex + closing.length;
}
