import {isUtf8} from 'node:buffer';
import {attempt} from '../attempt.ts';
import {maxJsonSize} from './tree-nodes.ts';

/** The kind of a value, and so its first presentation: as a tree, as lines of text, or as a hex dump. */
export type Content =
	| {readonly kind: 'json'; readonly text: string}
	/** `text` is present up to `maxJsonSize` bytes; larger text is read line by line from its bytes. */
	| {readonly kind: 'text'; readonly text?: string}
	| {readonly kind: 'binary'};

const openingPattern = /^[ \t\n\r]*[[{]/;

/**
 * Detects the content of a value. JSON is an object or array of at most `maxJsonSize` bytes that `JSON.parse`
 * accepts; a lone number or string is text. Binary is invalid UTF-8, or contains a NUL byte.
 */
export function detectContent(bytes: Uint8Array): Content {
	if (!isUtf8Text(bytes)) return {kind: 'binary'};
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	if (buffer.length > maxJsonSize) return {kind: 'text'};
	const text = buffer.toString('utf8');
	return {kind: isJsonStructure(text) ? 'json' : 'text', text};
}

/** True for UTF-8 without a NUL byte. */
export const isUtf8Text = (bytes: Uint8Array): boolean => !bytes.includes(0) && isUtf8(bytes);

/** True for strict JSON of any kind. */
export const isJson = (text: string): boolean => attempt(() => JSON.parse(text)) !== undefined;

/** True for a JSON object or array: what people mean by JSON, since any number is JSON too. */
export const isJsonStructure = (text: string): boolean => openingPattern.test(text) && isJson(text);
