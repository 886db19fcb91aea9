import {containerAt, endOfLine, endOfQuoted, type Grammar, isBlank, type Layout} from './layout.ts';

/**
 * Finds the position of each value of a JSON document; comments and trailing commas are allowed. The text
 * must have been parsed before: this only finds positions.
 */
export function jsonLayout(text: string): Layout {
	return valueAt(text, skipJsonTrivia(text, 0));
}

/** Skips white space and comments. */
function skipJsonTrivia(text: string, from: number): number {
	let at = from;
	while (at < text.length) {
		const code = text.charCodeAt(at);
		if (isBlank(code)) at++;
		else if (code === slash && text.startsWith('//', at)) at = endOfLine(text, at);
		else if (code === slash && text.startsWith('/*', at)) at = endOfBlockComment(text, at);
		else break;
	}
	return at;
}

const slash = 0x2f;

export function endOfBlockComment(text: string, from: number): number {
	const end = text.indexOf('*/', from + 2);
	return end === -1 ? text.length : end + 2;
}

const grammar: Grammar = {skipTrivia: skipJsonTrivia, valueAt, keyAt};

function valueAt(text: string, start: number): Layout {
	const first = text.charAt(start);
	if (first === '[' || first === '{') return containerAt(text, start, grammar);
	if (first === '"') return {kind: 'scalar', start, end: endOfQuoted(text, start)};
	scalar.lastIndex = start;
	return {kind: 'scalar', start, end: start + Math.max(1, scalar.exec(text)?.[0].length ?? 0)};
}

const scalar = /[^\s,\]}/]*/y;

function keyAt(text: string, start: number): {readonly words: readonly string[]; readonly end: number} {
	const end = endOfQuoted(text, start);
	const key = text.slice(start + 1, end - 1);
	const word = key.includes('\\') ? String(JSON.parse(text.slice(start, end))) : key;
	return {words: [word], end: skipJsonTrivia(text, end)};
}
