import {isUtf8} from 'node:buffer';
import {largestJson} from './tree-nodes.ts';

/** What a value is, and with it how it is shown first: as a tree, as lines of text, or as bytes in hex. */
export type Content =
	| {readonly kind: 'json'; readonly text: string}
	/** `text` is there for at most `largestJson` bytes; what is larger is read line by line from its bytes. */
	| {readonly kind: 'text'; readonly text?: string}
	| {readonly kind: 'binary'};

const opening = /^[ \t\n\r]*[[{]/;

/**
 * What the bytes of a value hold. JSON is an object or an array of at most `largestJson` bytes, as
 * strict as `JSON.parse`; a lone number or string is text. Binary is what is not UTF-8, or has a NUL byte.
 */
export function contentOf(bytes: Uint8Array): Content {
	if (!isText(bytes)) return {kind: 'binary'};
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	if (buffer.length > largestJson) return {kind: 'text'};
	const text = buffer.toString('utf8');
	return {kind: isJsonStructure(text) ? 'json' : 'text', text};
}

/** Whether these bytes are text: UTF-8 without a NUL byte. */
export const isText = (bytes: Uint8Array): boolean => !bytes.includes(0) && isUtf8(bytes);

/** Whether this text is strict JSON of any kind. */
export function isJson(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}

/** Whether this text is a JSON object or array: what people call a JSON value, since any number is JSON too. */
export const isJsonStructure = (text: string): boolean => opening.test(text) && isJson(text);
