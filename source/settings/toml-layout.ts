import {
	type DocumentPath,
	findLineEnd,
	findQuotedEnd,
	type Grammar,
	isBlank,
	type Layout,
	parseContainer,
	type Statement,
} from './layout.ts';

/**
 * Lists the statements of a TOML document in order. The TOML parser reports no positions, so this finds them.
 * The text must have been parsed before.
 */
export function listTomlStatements(text: string): readonly Statement[] {
	return listTomlHeaders(text).flatMap(header =>
		header.path.length === 0 ? listAssignments(text, header) : [header, ...listAssignments(text, header)],
	);
}

/** Lists the headers of a TOML document in order. The first is an empty one for the root. */
export function listTomlHeaders(text: string): readonly Statement[] {
	const headers: Statement[] = [{kind: 'header', path: [], start: 0, end: 0}];
	/** Number of elements of each `[[…]]` list so far, by its path as JSON. */
	const listLengths = new Map<string, number>();
	let offset = skipTomlTrivia(text, 0);
	while (offset < text.length) {
		let end = 0;
		if (text.charAt(offset) === '[') {
			const header = parseHeader(text, offset, listLengths);
			headers.push(header);
			({end} = header);
		} else {
			end = parseValue(text, skipTomlTrivia(text, findKeyEnd(text, offset) + 1)).end;
		}
		offset = skipTomlTrivia(text, Math.max(end, offset + 1));
	}
	return headers;
}

/** Lists the assignments between a header and the next. */
export function listAssignments(text: string, {path, end}: Statement): readonly Statement[] {
	const assignments: Statement[] = [];
	let offset = skipTomlTrivia(text, end);
	while (offset < text.length && text.charAt(offset) !== '[') {
		const assignment = parseAssignment(text, offset, path);
		assignments.push(assignment);
		offset = skipTomlTrivia(text, Math.max(assignment.end, offset + 1));
	}
	return assignments;
}

/** Skips white space and comments. */
function skipTomlTrivia(text: string, startOffset: number): number {
	let offset = startOffset;
	while (offset < text.length) {
		const code = text.charCodeAt(offset);
		if (isBlank(code)) offset++;
		else if (code === hash) offset = findLineEnd(text, offset);
		else break;
	}
	return offset;
}

const hash = 0x23;

function parseHeader(text: string, start: number, listLengths: Map<string, number>): Statement {
	const isList = text.charAt(start + 1) === '[';
	const {words, end: keyEnd} = parseKey(text, start + (isList ? 2 : 1));
	const path: (string | number)[] = [];
	for (const [index, word] of words.entries()) {
		path.push(word);
		const name = JSON.stringify(path);
		const length = listLengths.get(name);
		if (isList && index === words.length - 1) {
			listLengths.set(name, (length ?? 0) + 1);
			path.push(length ?? 0);
		} else if (length !== undefined) {
			path.push(length - 1);
		}
	}
	return {kind: 'header', path, start, end: keyEnd + (isList ? 2 : 1)};
}

function parseAssignment(text: string, start: number, table: DocumentPath): Statement {
	const {words, end: keyEnd} = parseKey(text, start);
	const value = parseValue(text, skipTomlTrivia(text, keyEnd + 1));
	return {kind: 'assignment', path: [...table, ...words], start, end: value.end, value};
}

const bareKey = /[^\s.=\]"']*/y;

/** Parses a dotted key; `end` is the offset of what follows (`=` or `]`). */
function parseKey(
	text: string,
	startOffset: number,
): {readonly words: readonly string[]; readonly end: number} {
	const words: string[] = [];
	let offset = skipTomlTrivia(text, startOffset);
	while (offset < text.length && text.charAt(offset) !== '=' && text.charAt(offset) !== ']') {
		const firstCharacter = text.charAt(offset);
		const start = offset;
		if (firstCharacter === '"' || firstCharacter === "'") {
			offset = findTomlStringEnd(text, offset);
			const content = text.slice(start + 1, offset - 1);
			words.push(firstCharacter === '"' ? unescapeString(content) : content);
		} else if (firstCharacter === '.') {
			offset++;
		} else {
			bareKey.lastIndex = offset;
			bareKey.test(text);
			offset = bareKey.lastIndex;
			words.push(text.slice(start, offset));
		}
		offset = skipTomlTrivia(text, offset);
	}
	return {words, end: offset};
}

/** Finds the end of a dotted key without its words. */
function findKeyEnd(text: string, startOffset: number): number {
	let offset = startOffset;
	while (offset < text.length) {
		const character = text.charAt(offset);
		if (character === '=' || character === ']') break;
		offset = character === '"' || character === "'" ? findTomlStringEnd(text, offset) : offset + 1;
	}
	return offset;
}

const shortEscapes: Readonly<Record<string, string>> = {
	b: '\b',
	t: '\t',
	n: '\n',
	f: '\f',
	r: '\r',
	e: '\u001b',
};

function unescapeString(content: string): string {
	return content.replace(
		/\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|(.))/g,
		(_, byte?: string, shortEscape?: string, longEscape?: string, letter?: string) => {
			const code = byte ?? shortEscape ?? longEscape;
			if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16));
			return shortEscapes[letter ?? ''] ?? letter ?? '';
		},
	);
}

const grammar: Grammar = {skipTrivia: skipTomlTrivia, parseValue, parseKey};

function parseValue(text: string, start: number): Layout {
	const firstCharacter = text.charAt(start);
	if (firstCharacter === '[' || firstCharacter === '{') return parseContainer(text, start, grammar);
	if (firstCharacter === '"' || firstCharacter === "'")
		return {kind: 'scalar', start, end: findTomlStringEnd(text, start)};
	scalarPattern.lastIndex = start;
	const length = scalarPattern.exec(text)?.[0].trimEnd().length ?? 0;
	return {kind: 'scalar', start, end: start + Math.max(1, length)};
}

const scalarPattern = /[^\n\r,\]}#]*/y;

/** Returns the offset after the closing quotes of a string of any of the four kinds. */
function findTomlStringEnd(text: string, start: number): number {
	const quote = text.charAt(start);
	const isMultiline = text.startsWith(quote.repeat(3), start);
	if (!isMultiline) return quote === '"' ? findQuotedEnd(text, start) : findEndOfNext(text, quote, start + 1);
	for (let offset = start + 3; offset < text.length; offset++) {
		const character = text.charAt(offset);
		if (character === '\\' && quote === '"') offset++;
		else if (text.startsWith(quote.repeat(3), offset)) {
			// Up to two quotes may directly precede the closing ones.
			let end = offset + 3;
			while (end < offset + 5 && text.charAt(end) === quote) end++;
			return end;
		}
	}
	return text.length;
}

/** Returns the offset after the next such character, or the end of the text. */
function findEndOfNext(text: string, character: string, startOffset: number): number {
	const offset = text.indexOf(character, startOffset);
	return offset === -1 ? text.length : offset + 1;
}
