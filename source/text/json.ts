export type JsonValue =
	| string
	| number
	| boolean
	| null
	| readonly JsonValue[]
	| {readonly [key: string]: JsonValue};

export type JsonObject = {readonly [key: string]: JsonValue};

/** The objects of a list; what is none of both is left out. */
export const objects = (value: JsonValue | undefined): readonly JsonObject[] =>
	Array.isArray(value) ? value.filter(isJsonObject) : [];

export const isJsonObject = (value: unknown): value is JsonObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value with the keys of its objects sorted, at every level. */
export function sortKeys(value: JsonValue): JsonValue {
	if (Array.isArray(value)) return value.map(sortKeys);
	if (!isJsonObject(value)) return value;
	const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
	return Object.fromEntries(entries.map(([name, part]) => [name, sortKeys(part)]));
}

/** Levels of lists and objects that ledge reads as JSON: what handles a parsed value needs stack for each of them. */
export const maxJsonDepth = 1_000;

/** JSON that is nested deeper than `maxJsonDepth`. */
export class JsonTooDeep extends SyntaxError {
	constructor() {
		super(`It is nested deeper than ${maxJsonDepth.toLocaleString('en-US')} levels.`);
	}
}

/**
 * Parses JSON that comes from outside. Throws a `SyntaxError` if it is none, and `JsonTooDeep` if it is nested too deeply
 * to be handled. Bytes that nobody looks into, such as values of keys, need no parsing.
 */
export function parseJsonText(text: string): JsonValue {
	const value: JsonValue = JSON.parse(text);
	if (isTooDeep(text)) throw new JsonTooDeep();
	return value;
}

/** True if valid JSON is nested deeper than `maxJsonDepth`. */
function isTooDeep(text: string): boolean {
	if (text.length <= 2 * maxJsonDepth) return false;
	let depth = 0;
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		if (code === quote) at = findStringEnd(text, at);
		else if (code === openBracket || code === openBrace) {
			if (++depth > maxJsonDepth) return true;
		} else if (code === closeBracket || code === closeBrace) depth--;
	}
	return false;
}

const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** The closing quote of the string that begins at `start`: one behind an even number of backslashes. */
export function findStringEnd(text: string, start: number): number {
	for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
		let before = end;
		while (text.charCodeAt(before - 1) === backslash) before--;
		if ((end - before) % 2 === 0) return end;
	}
	return text.length;
}
