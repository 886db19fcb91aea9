import type {Steps} from '../steps.ts';
import {type JsonNodeKind, JsonNodes, maxJsonSize} from './tree-nodes.ts';

const quote = 0x22;
const comma = 0x2c;
const minus = 0x2d;
const plus = 0x2b;
const dot = 0x2e;
const zero = 0x30;
const colon = 0x3a;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const lowerE = 0x65;
const lowerU = 0x75;

const escapeCodes = new Set([...'"\\/bfnrt'].map(character => character.charCodeAt(0)));
const fourHexDigits = /[0-9a-fA-F]{4}/y;

/**
 * Reads the nodes of a JSON text; undefined if `JSON.parse` would reject it, or it is longer than
 * `maxJsonSize`. Nesting of any depth needs no stack.
 */
export function readJsonNodes(text: string): JsonNodes | undefined {
	if (text.length > maxJsonSize) return undefined;
	const nodes = new JsonReader(text).readMore(Number.POSITIVE_INFINITY);
	return nodes === 'more' ? undefined : nodes;
}

/** The first character that makes a text invalid, and what is wrong: "expected a comma or }". */
type JsonProblem = {readonly offset: number; readonly what: string};

/** Finds why a text is not JSON; undefined if it is. */
export function findJsonProblem(text: string): JsonProblem | undefined {
	const reader = new JsonReader(text);
	return reader.readMore(Number.POSITIVE_INFINITY) === undefined ? reader.problem : undefined;
}

/** Values to read per step. */
const valuesPerStep = 1000;
/** UTF-16 units of a long value that take as long as one value. */
const unitsPerValue = 100;

/** Reads like `readJsonNodes`, in steps. */
export function* readJsonNodesInSteps(text: string): Steps<JsonNodes | undefined> {
	if (text.length > maxJsonSize) return undefined;
	const reader = new JsonReader(text);
	for (;;) {
		const nodes = reader.readMore(valuesPerStep);
		if (nodes !== 'more') return nodes;
		yield;
	}
}

/**
 * Reads a JSON text in slices, so that keys are handled in between. The text has at most `maxJsonSize` units.
 */
export class JsonReader {
	readonly #text: string;
	readonly #nodes: JsonNodes;
	#position = 0;
	/** The innermost open container, and whether it is an object. */
	#container = -1;
	#isInObject = false;
	#isAfterValue = false;
	#nameStart = -1;
	#nameEnd = -1;
	/** What is missing at the position. */
	#expected = 'a value';
	/** Offset of a comma before the end of a container; -1 if reading failed elsewhere. */
	#trailingComma = -1;

	constructor(text: string) {
		this.#text = text;
		this.#nodes = new JsonNodes(text);
	}

	/** Why reading failed. */
	get problem(): JsonProblem {
		if (this.#trailingComma >= 0) return {offset: this.#trailingComma, what: 'remove the trailing comma'};
		const endNote = this.#position >= this.#text.trimEnd().length ? ', but the text ends' : '';
		return {offset: this.#position, what: `expected ${this.#expected}${endNote}`};
	}

	/**
	 * Reads about `valueCount` more values. Returns `more` until the end, then the same result as
	 * `readJsonNodes`.
	 */
	readMore(valueCount: number): JsonNodes | undefined | 'more' {
		if (this.#position === 0) this.#skipSpace();
		const end = this.#position + valueCount * unitsPerValue;
		for (let readCount = 0; readCount < valueCount && this.#position < end; readCount++) {
			if (!this.#isAfterValue && !this.#readValue()) return undefined;
			const state = this.#isAfterValue ? this.#continueAfterValue() : 'more';
			if (state === 'done') return this.#nodes;
			if (state === 'broken') return undefined;
		}
		return 'more';
	}

	/** Reads a scalar, an empty container or the start of a container; false if the text is invalid here. */
	#readValue(): boolean {
		const code = this.#text.charCodeAt(this.#position);
		if (code !== openBrace && code !== openBracket) return this.#readScalar(code);
		const node = this.#addNode(code === openBrace ? 'object' : 'array');
		this.#position++;
		this.#skipSpace();
		if (this.#text.charCodeAt(this.#position) !== (code === openBrace ? closeBrace : closeBracket)) {
			this.#enterContainer(node);
			this.#expected = code === openBrace ? `${nameText} or }` : 'a value or ]';
			return this.#readName();
		}
		this.#nodes.close(node, ++this.#position);
		this.#isAfterValue = true;
		return true;
	}

	/** Continues after a value: past a comma, or out of a container that ends here. */
	#continueAfterValue(): 'more' | 'done' | 'broken' {
		this.#skipSpace();
		const code = this.#text.charCodeAt(this.#position);
		if (this.#container < 0) {
			this.#expected = 'the end of the text';
			return this.#position === this.#text.length ? 'done' : 'broken';
		}
		const endCode = this.#isInObject ? closeBrace : closeBracket;
		if (code === comma) {
			const commaOffset = this.#position++;
			this.#skipSpace();
			if (this.#text.charCodeAt(this.#position) === endCode) {
				this.#trailingComma = commaOffset;
				return 'broken';
			}
			this.#isAfterValue = false;
			this.#expected = this.#isInObject ? nameText : 'a value';
			return this.#readName() ? 'more' : 'broken';
		}
		this.#expected = this.#isInObject ? 'a comma or }' : 'a comma or ]';
		if (code !== endCode) return 'broken';
		this.#nodes.close(this.#container, ++this.#position);
		this.#enterContainer(this.#nodes.parent(this.#container));
		return 'more';
	}

	#enterContainer(container: number): void {
		this.#container = container;
		this.#isInObject = container >= 0 && this.#nodes.kind(container) === 'object';
	}

	/** Reads the property name and its colon, if in an object; false if they are missing. */
	#readName(): boolean {
		if (!this.#isInObject) {
			this.#nameStart = this.#nameEnd = -1;
			return true;
		}
		if (this.#text.charCodeAt(this.#position) !== quote) return false;
		this.#nameStart = this.#position;
		this.#nameEnd = scanString(this.#text, this.#position);
		if (this.#nameEnd < 0) return this.#failInString(this.#nameEnd);
		this.#position = this.#nameEnd;
		this.#skipSpace();
		this.#expected = 'a colon';
		if (this.#text.charCodeAt(this.#position) !== colon) return false;
		this.#position++;
		this.#skipSpace();
		this.#expected = 'a value';
		return true;
	}

	#readScalar(code: number): boolean {
		const kind = getScalarKind(code);
		if (!kind) return false;
		const end = scanScalar(kind, this.#text, this.#position);
		if (end < 0 && kind === 'string') return this.#failInString(end);
		if (end < 0) {
			this.#expected = kind === 'number' ? 'a number in the notation of JSON' : kind;
			return false;
		}
		this.#nodes.close(this.#addNode(kind), end);
		this.#position = end;
		this.#isAfterValue = true;
		return true;
	}

	/** Fails at the complement of an offset in a string: at its missing end, or at a wrong character. */
	#failInString(complement: number): false {
		this.#position = ~complement;
		const code = this.#text.charCodeAt(this.#position);
		this.#expected =
			this.#position >= this.#text.length
				? 'a closing quote'
				: code === backslash
					? 'an escape such as \\n, \\" or \\u00e9'
					: 'a closing quote, or an escape such as \\n instead of a control character';
		return false;
	}

	#addNode(kind: JsonNodeKind): number {
		return this.#nodes.add(kind, this.#position, this.#container, this.#nameStart, this.#nameEnd);
	}

	#skipSpace(): void {
		let index = this.#position;
		while (isSpace(this.#text.charCodeAt(index))) index++;
		this.#position = index;
	}
}

const nameText = 'a name in double quotes';

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

const isDigit = (code: number): boolean => code >= zero && code <= 0x39;

type ScalarKind = Exclude<JsonNodeKind, 'object' | 'array'>;

function getScalarKind(code: number): ScalarKind | undefined {
	if (code === quote) return 'string';
	if (code === minus || isDigit(code)) return 'number';
	if (code === 0x74) return 'true';
	if (code === 0x66) return 'false';
	return code === 0x6e ? 'null' : undefined;
}

/** Returns the end of a scalar; a negative number if it is invalid. */
function scanScalar(kind: ScalarKind, text: string, start: number): number {
	if (kind === 'string') return scanString(text, start);
	if (kind === 'number') return scanNumber(text, start);
	return text.startsWith(kind, start) ? start + kind.length : -1;
}

/** Returns the end of a string; the complement of the offset of its problem if it is invalid. */
function scanString(text: string, start: number): number {
	for (let index = start + 1; ; index++) {
		const code = text.charCodeAt(index);
		if (code === quote) return index + 1;
		// Written this way because the end of the text yields NaN.
		if (!(code >= 0x20)) return ~index;
		if (code !== backslash) continue;
		const escaped = text.charCodeAt(++index);
		if (escapeCodes.has(escaped)) continue;
		fourHexDigits.lastIndex = index + 1;
		if (escaped !== lowerU || !fourHexDigits.test(text)) return ~(index - 1);
		index += 4;
	}
}

function scanNumber(text: string, start: number): number {
	const wholeStart = text.charCodeAt(start) === minus ? start + 1 : start;
	let index = scanDigits(text, wholeStart);
	if (index === wholeStart || (index > wholeStart + 1 && text.charCodeAt(wholeStart) === zero)) return -1;
	if (text.charCodeAt(index) === dot) {
		const fractionStart = index + 1;
		index = scanDigits(text, fractionStart);
		if (index === fractionStart) return -1;
	}
	// Setting this bit converts an upper-case letter to lower case.
	if ((text.charCodeAt(index) | 0x20) !== lowerE) return index;
	const sign = text.charCodeAt(index + 1);
	const exponentStart = sign === plus || sign === minus ? index + 2 : index + 1;
	index = scanDigits(text, exponentStart);
	return index === exponentStart ? -1 : index;
}

function scanDigits(text: string, start: number): number {
	let index = start;
	while (isDigit(text.charCodeAt(index))) index++;
	return index;
}
