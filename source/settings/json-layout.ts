import {containerAt, endOfLine, type Grammar, type Layout} from './layout.ts';

/**
 * Where each value of a JSON document lies, comments and trailing commas allowed. The text must have been
 * parsed before: this finds places, it does not judge.
 */
export function jsonLayout(text: string): Layout {
	return valueAt(text, skipJsonTrivia(text, 0));
}

/** The offset of the next thing that is neither white space nor comment. */
function skipJsonTrivia(text: string, from: number): number {
	let at = from;
	while (at < text.length) {
		if (/\s/.test(text.charAt(at))) at++;
		else if (text.startsWith('//', at)) at = endOfLine(text, at);
		else if (text.startsWith('/*', at)) at = endOfBlockComment(text, at);
		else break;
	}
	return at;
}

export function endOfBlockComment(text: string, from: number): number {
	const end = text.indexOf('*/', from + 2);
	return end === -1 ? text.length : end + 2;
}

const grammar: Grammar = {skipTrivia: skipJsonTrivia, valueAt, keyAt};

function valueAt(text: string, start: number): Layout {
	const first = text.charAt(start);
	if (first === '[' || first === '{') return containerAt(text, start, grammar);
	if (first === '"') return {kind: 'scalar', start, end: endOfString(text, start)};
	const rest = /[^\s,\]}/]*/y;
	rest.lastIndex = start;
	return {kind: 'scalar', start, end: start + Math.max(1, rest.exec(text)?.[0].length ?? 0)};
}

function keyAt(text: string, start: number): {readonly words: readonly string[]; readonly end: number} {
	const end = endOfString(text, start);
	const key: unknown = JSON.parse(text.slice(start, end));
	return {words: [String(key)], end: skipJsonTrivia(text, end)};
}

function endOfString(text: string, start: number): number {
	for (let at = start + 1; at < text.length; at++) {
		const character = text.charAt(at);
		if (character === '\\') at++;
		else if (character === '"') return at + 1;
	}
	return text.length;
}
