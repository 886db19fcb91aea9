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

const escapes = new Set([...'"\\/bfnrt'].map(character => character.charCodeAt(0)));
const fourHexDigits = /[0-9a-fA-F]{4}/y;

/**
 * Reads the nodes of a JSON text; undefined if `JSON.parse` would reject it, or it is longer than
 * `maxJsonSize`. Nesting of any depth needs no stack.
 */
export function readJsonNodes(text: string): JsonNodes | undefined {
	if (text.length > maxJsonSize) return undefined;
	const nodes = new JsonReading(text).readMore(Number.POSITIVE_INFINITY);
	return nodes === 'more' ? undefined : nodes;
}

/** Values to read per step. */
const valuesPerStep = 1000;
/** UTF-16 units of a long value that take as long as one value. */
const unitsPerValue = 100;

/** Does the same as `readJsonNodes`, in steps. */
export function* readJsonNodesInSteps(text: string): Steps<JsonNodes | undefined> {
	if (text.length > maxJsonSize) return undefined;
	const reading = new JsonReading(text);
	for (;;) {
		const nodes = reading.readMore(valuesPerStep);
		if (nodes !== 'more') return nodes;
		yield;
	}
}

/** Reads a JSON text in slices, so that keys are handled in between; for at most `maxJsonSize` units. */
export class JsonReading {
	readonly #text: string;
	readonly #nodes: JsonNodes;
	#at = 0;
	/** The innermost open container, and whether it is an object. */
	#container = -1;
	#inObject = false;
	#isBehindValue = false;
	#nameStart = -1;
	#nameEnd = -1;

	constructor(text: string) {
		this.#text = text;
		this.#nodes = new JsonNodes(text);
	}

	/**
	 * Reads about this many values more. Returns `more` until the end, then the result like `readJsonNodes`.
	 */
	readMore(values: number): JsonNodes | undefined | 'more' {
		if (this.#at === 0) this.#skipSpace();
		const end = this.#at + values * unitsPerValue;
		for (let read = 0; read < values && this.#at < end; read++) {
			if (!this.#isBehindValue && !this.#readValue()) return undefined;
			const state = this.#isBehindValue ? this.#continueBehindValue() : 'more';
			if (state === 'done') return this.#nodes;
			if (state === 'broken') return undefined;
		}
		return 'more';
	}

	/** Reads a scalar, an empty container, or the start of one; false if the text has none here. */
	#readValue(): boolean {
		const code = this.#text.charCodeAt(this.#at);
		if (code !== openBrace && code !== openBracket) return this.#readScalar(code);
		const node = this.#add(code === openBrace ? 'object' : 'array');
		this.#at++;
		this.#skipSpace();
		if (this.#text.charCodeAt(this.#at) !== (code === openBrace ? closeBrace : closeBracket)) {
			this.#enter(node);
			return this.#readName();
		}
		this.#nodes.close(node, ++this.#at);
		this.#isBehindValue = true;
		return true;
	}

	/** Continues behind a value: past a comma, or out of a container that ends here. */
	#continueBehindValue(): 'more' | 'done' | 'broken' {
		this.#skipSpace();
		const code = this.#text.charCodeAt(this.#at);
		if (this.#container < 0) return this.#at === this.#text.length ? 'done' : 'broken';
		if (code === comma) {
			this.#at++;
			this.#skipSpace();
			this.#isBehindValue = false;
			return this.#readName() ? 'more' : 'broken';
		}
		if (code !== (this.#inObject ? closeBrace : closeBracket)) return 'broken';
		this.#nodes.close(this.#container, ++this.#at);
		this.#enter(this.#nodes.parent(this.#container));
		return 'more';
	}

	#enter(container: number): void {
		this.#container = container;
		this.#inObject = container >= 0 && this.#nodes.kind(container) === 'object';
	}

	/** Reads the property name and its colon, if in an object; false if they are missing. */
	#readName(): boolean {
		if (!this.#inObject) {
			this.#nameStart = this.#nameEnd = -1;
			return true;
		}
		if (this.#text.charCodeAt(this.#at) !== quote) return false;
		this.#nameStart = this.#at;
		this.#nameEnd = scanString(this.#text, this.#at);
		if (this.#nameEnd < 0) return false;
		this.#at = this.#nameEnd;
		this.#skipSpace();
		if (this.#text.charCodeAt(this.#at) !== colon) return false;
		this.#at++;
		this.#skipSpace();
		return true;
	}

	#readScalar(code: number): boolean {
		const kind = getScalarKind(code);
		if (!kind) return false;
		const end = scanScalar(kind, this.#text, this.#at);
		if (end < 0) return false;
		this.#nodes.close(this.#add(kind), end);
		this.#at = end;
		this.#isBehindValue = true;
		return true;
	}

	#add(kind: JsonNodeKind): number {
		return this.#nodes.add(kind, this.#at, this.#container, this.#nameStart, this.#nameEnd);
	}

	#skipSpace(): void {
		let at = this.#at;
		while (isSpace(this.#text.charCodeAt(at))) at++;
		this.#at = at;
	}
}

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

/** Returns the end of a scalar; -1 if it is invalid. */
function scanScalar(kind: ScalarKind, text: string, start: number): number {
	if (kind === 'string') return scanString(text, start);
	if (kind === 'number') return scanNumber(text, start);
	return text.startsWith(kind, start) ? start + kind.length : -1;
}

function scanString(text: string, start: number): number {
	for (let at = start + 1; ; at++) {
		const code = text.charCodeAt(at);
		if (code === quote) return at + 1;
		// Written this way because the end of the text yields NaN.
		if (!(code >= 0x20)) return -1;
		if (code !== backslash) continue;
		const escaped = text.charCodeAt(++at);
		if (escapes.has(escaped)) continue;
		fourHexDigits.lastIndex = at + 1;
		if (escaped !== lowerU || !fourHexDigits.test(text)) return -1;
		at += 4;
	}
}

function scanNumber(text: string, start: number): number {
	const whole = text.charCodeAt(start) === minus ? start + 1 : start;
	let at = scanDigits(text, whole);
	if (at === whole || (at > whole + 1 && text.charCodeAt(whole) === zero)) return -1;
	if (text.charCodeAt(at) === dot) {
		const fraction = at + 1;
		at = scanDigits(text, fraction);
		if (at === fraction) return -1;
	}
	// Setting this bit converts an upper-case letter to lower case.
	if ((text.charCodeAt(at) | 0x20) !== lowerE) return at;
	const sign = text.charCodeAt(at + 1);
	const exponent = sign === plus || sign === minus ? at + 2 : at + 1;
	at = scanDigits(text, exponent);
	return at === exponent ? -1 : at;
}

function scanDigits(text: string, start: number): number {
	let at = start;
	while (isDigit(text.charCodeAt(at))) at++;
	return at;
}
