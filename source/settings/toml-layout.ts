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

/** Lists the headers of a TOML document in order. The first is the empty one of the root. */
export function listTomlHeaders(text: string): readonly Statement[] {
	const headers: Statement[] = [{kind: 'header', path: [], start: 0, end: 0}];
	/** Elements of each `[[…]]` list so far. */
	const lists = new Map<string, number>();
	let at = skipTomlTrivia(text, 0);
	while (at < text.length) {
		let end = 0;
		if (text.charAt(at) === '[') {
			const header = parseHeader(text, at, lists);
			headers.push(header);
			({end} = header);
		} else {
			end = parseValue(text, skipTomlTrivia(text, findKeyEnd(text, at) + 1)).end;
		}
		at = skipTomlTrivia(text, Math.max(end, at + 1));
	}
	return headers;
}

/** Lists the assignments between a header and the next. */
export function listAssignments(text: string, {path, end}: Statement): readonly Statement[] {
	const assignments: Statement[] = [];
	let at = skipTomlTrivia(text, end);
	while (at < text.length && text.charAt(at) !== '[') {
		const assignment = parseAssignment(text, at, path);
		assignments.push(assignment);
		at = skipTomlTrivia(text, Math.max(assignment.end, at + 1));
	}
	return assignments;
}

/** Skips white space and comments. */
function skipTomlTrivia(text: string, from: number): number {
	let at = from;
	while (at < text.length) {
		const code = text.charCodeAt(at);
		if (isBlank(code)) at++;
		else if (code === hash) at = findLineEnd(text, at);
		else break;
	}
	return at;
}

const hash = 0x23;

function parseHeader(text: string, start: number, lists: Map<string, number>): Statement {
	const isList = text.charAt(start + 1) === '[';
	const {words, end: keyEnd} = parseKey(text, start + (isList ? 2 : 1));
	const path: (string | number)[] = [];
	for (const [index, word] of words.entries()) {
		path.push(word);
		const name = JSON.stringify(path);
		const length = lists.get(name);
		if (isList && index === words.length - 1) {
			lists.set(name, (length ?? 0) + 1);
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
function parseKey(text: string, from: number): {readonly words: readonly string[]; readonly end: number} {
	const words: string[] = [];
	let at = skipTomlTrivia(text, from);
	while (at < text.length && text.charAt(at) !== '=' && text.charAt(at) !== ']') {
		const first = text.charAt(at);
		const start = at;
		if (first === '"' || first === "'") {
			at = findTomlStringEnd(text, at);
			const content = text.slice(start + 1, at - 1);
			words.push(first === '"' ? unescapeString(content) : content);
		} else if (first === '.') {
			at++;
		} else {
			bareKey.lastIndex = at;
			bareKey.test(text);
			at = bareKey.lastIndex;
			words.push(text.slice(start, at));
		}
		at = skipTomlTrivia(text, at);
	}
	return {words, end: at};
}

/** Finds the end of a dotted key without its words. */
function findKeyEnd(text: string, from: number): number {
	let at = from;
	while (at < text.length) {
		const character = text.charAt(at);
		if (character === '=' || character === ']') break;
		at = character === '"' || character === "'" ? findTomlStringEnd(text, at) : at + 1;
	}
	return at;
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
		(_, byte?: string, short?: string, long?: string, letter?: string) => {
			const code = byte ?? short ?? long;
			if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16));
			return shortEscapes[letter ?? ''] ?? letter ?? '';
		},
	);
}

const grammar: Grammar = {skipTrivia: skipTomlTrivia, parseValue, parseKey};

function parseValue(text: string, start: number): Layout {
	const first = text.charAt(start);
	if (first === '[' || first === '{') return parseContainer(text, start, grammar);
	if (first === '"' || first === "'") return {kind: 'scalar', start, end: findTomlStringEnd(text, start)};
	scalar.lastIndex = start;
	const length = scalar.exec(text)?.[0].trimEnd().length ?? 0;
	return {kind: 'scalar', start, end: start + Math.max(1, length)};
}

const scalar = /[^\n\r,\]}#]*/y;

/** Returns the offset after the closing quotes of a string of any of the four kinds. */
function findTomlStringEnd(text: string, start: number): number {
	const quote = text.charAt(start);
	const long = text.startsWith(quote.repeat(3), start);
	if (!long) return quote === '"' ? findQuotedEnd(text, start) : findEndOfNext(text, quote, start + 1);
	for (let at = start + 3; at < text.length; at++) {
		const character = text.charAt(at);
		if (character === '\\' && quote === '"') at++;
		else if (text.startsWith(quote.repeat(3), at)) {
			// Up to two quotes may directly precede the closing ones.
			let end = at + 3;
			while (end < at + 5 && text.charAt(end) === quote) end++;
			return end;
		}
	}
	return text.length;
}

/** Returns the offset after the next such character, or the end of the text. */
function findEndOfNext(text: string, character: string, from: number): number {
	const at = text.indexOf(character, from);
	return at === -1 ? text.length : at + 1;
}
