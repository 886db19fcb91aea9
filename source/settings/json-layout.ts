import {findLineEnd, findQuotedEnd, type Grammar, isBlank, type Layout, parseContainer} from './layout.ts';

/**
 * Finds the position of each value of a JSON document; comments and trailing commas are allowed. The text
 * must have been parsed before: this only finds positions.
 */
export function parseJsonLayout(text: string): Layout {
	return parseValue(text, skipJsonTrivia(text, 0));
}

/** Skips white space and comments. */
function skipJsonTrivia(text: string, start: number): number {
	let offset = start;
	while (offset < text.length) {
		const code = text.charCodeAt(offset);
		if (isBlank(code)) offset++;
		else if (code === slash && text.startsWith('//', offset)) offset = findLineEnd(text, offset);
		else if (code === slash && text.startsWith('/*', offset)) offset = findBlockCommentEnd(text, offset);
		else break;
	}
	return offset;
}

const slash = 0x2f;

export function findBlockCommentEnd(text: string, start: number): number {
	const end = text.indexOf('*/', start + 2);
	return end === -1 ? text.length : end + 2;
}

const grammar: Grammar = {skipTrivia: skipJsonTrivia, parseValue, parseKey};

function parseValue(text: string, start: number): Layout {
	const firstCharacter = text.charAt(start);
	if (firstCharacter === '[' || firstCharacter === '{') return parseContainer(text, start, grammar);
	if (firstCharacter === '"') return {kind: 'scalar', start, end: findQuotedEnd(text, start)};
	scalarPattern.lastIndex = start;
	return {kind: 'scalar', start, end: start + Math.max(1, scalarPattern.exec(text)?.[0].length ?? 0)};
}

const scalarPattern = /[^\s,\]}/]*/y;

function parseKey(text: string, start: number): {readonly words: readonly string[]; readonly end: number} {
	const end = findQuotedEnd(text, start);
	const key = text.slice(start + 1, end - 1);
	const decodedKey = key.includes('\\') ? String(JSON.parse(text.slice(start, end))) : key;
	return {words: [decodedKey], end: skipJsonTrivia(text, end)};
}
