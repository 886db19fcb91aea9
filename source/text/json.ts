import {attempt} from './attempt.ts';

export type JsonValue =
	| string
	| number
	| boolean
	| null
	| readonly JsonValue[]
	| {readonly [key: string]: JsonValue};

export type JsonObject = {readonly [key: string]: JsonValue};

/** Returns the objects in a list, without its other items; empty if the value is not a list. */
export const filterObjects = (value: JsonValue | undefined): readonly JsonObject[] =>
	Array.isArray(value) ? value.filter(isJsonObject) : [];

export const isJsonObject = (value: unknown): value is JsonObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Sorts the keys of objects at every level. */
export function sortKeys(value: JsonValue): JsonValue {
	if (Array.isArray(value)) return value.map(sortKeys);
	if (!isJsonObject(value)) return value;
	const entries = Object.entries(value).toSorted(([leftName], [rightName]) =>
		leftName < rightName ? -1 : 1,
	);
	return Object.fromEntries(entries.map(([name, child]) => [name, sortKeys(child)]));
}

/** Maximum nesting of JSON that ledge parses: code that handles a parsed value needs stack for each level. */
export const maxJsonDepth = 1_000;

/** JSON nested deeper than `maxJsonDepth`. */
export class JsonTooDeep extends SyntaxError {
	constructor() {
		super(`It is nested deeper than ${maxJsonDepth.toLocaleString('en-US')} levels.`);
	}
}

/**
 * Parses JSON from outside. Throws `SyntaxError` if it is invalid, `JsonTooDeep` if it is nested deeper than
 * `maxJsonDepth`. Bytes that ledge only passes on, such as values of keys, need no parsing.
 */
export function parseJsonText(text: string): JsonValue {
	const value: JsonValue = JSON.parse(text);
	if (isTooDeep(text)) throw new JsonTooDeep();
	return value;
}

/** Parses JSON; undefined if it is invalid or nested too deeply. */
export const parseJson = (text: string): JsonValue | undefined => attempt(() => parseJsonText(text));

/** True if valid JSON is nested deeper than `maxJsonDepth`. */
function isTooDeep(text: string): boolean {
	if (text.length <= 2 * maxJsonDepth) return false;
	let depth = 0;
	for (let index = 0; index < text.length; index++) {
		const code = text.charCodeAt(index);
		if (code === quote) index = findStringEnd(text, index);
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

/**
 * Returns the closing quote of the string that starts at `start`: the first quote after an even number of
 * backslashes.
 */
export function findStringEnd(text: string, start: number): number {
	for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
		let backslashStart = end;
		while (text.charCodeAt(backslashStart - 1) === backslash) backslashStart--;
		if ((end - backslashStart) % 2 === 0) return end;
	}
	return text.length;
}
