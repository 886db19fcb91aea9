import {segmentGraphemes} from '../text/graphemes.ts';
import {createKey, createTextKey, type Key} from './key.ts';
import {parseCharacter, parseSequence} from './parse-sequence.ts';
import {countTornBytes, findSequenceEnd, opensControlString, readStringPart} from './sequence.ts';

const esc = 0x1b;
const carriageReturn = 0x0d;
const pasteStart = '\u001b[200~';
const pasteEnd = Buffer.from('\u001b[201~');

/**
 * Milliseconds to wait for the rest: after a lone Esc, inside a sequence, inside a paste or control string.
 * The latter are long and arrive in many chunks over a slow line.
 */
const patienceMs = {escape: 50, sequence: 200, long: 1000};

/** Splits terminal input into keys, however it is chunked. Does no input or output and keeps no time. */
type Splitter = {
	/** Returns the keys completed by these bytes. */
	push(chunk: Uint8Array): Key[];
	/**
	 * Called after `getPatience()` milliseconds of silence: an Esc becomes a key, an unterminated paste is
	 * returned, half a sequence or control string is dropped, since it must never be typed into a text.
	 */
	flush(): Key[];
	/** Milliseconds of silence after which to `flush`; undefined if nothing is pending. */
	getPatience(): number | undefined;
};

/**
 * Creates a splitter. A paste of more than `maxPasteBytes` is split, so that an unterminated one cannot take
 * all memory.
 */
export function createSplitter(maxPasteBytes = 64 * 1024 * 1024): Splitter {
	let pendingBytes: Buffer = Buffer.alloc(0);
	let paste: {readonly pieces: Buffer[]; bytes: number} | undefined;
	/** Control string being skipped. `opening` is its start until more arrives: it may be a key with alt. */
	let controlString: {opening: string | undefined} | undefined;
	// A two-byte line end is one Enter, even if split over chunks.
	let isAfterReturn = false;

	/** Reads one part from `start`; returns where the next begins, or the length if the rest must wait. */
	function readPaste(
		bytes: Buffer,
		start: number,
		openPaste: {readonly pieces: Buffer[]; bytes: number},
		keys: Key[],
	): number {
		const end = bytes.indexOf(pasteEnd, start);
		if (end === -1) {
			// Later bytes may be the beginning of the end mark.
			const safeEnd = Math.max(start, bytes.length - pasteEnd.length + 1);
			openPaste.pieces.push(bytes.subarray(start, safeEnd));
			openPaste.bytes += safeEnd - start;
			pendingBytes = bytes.subarray(safeEnd);
			if (openPaste.bytes >= maxPasteBytes) {
				const content = Buffer.concat(openPaste.pieces);
				const tornCount = countTornBytes(content);
				keys.push(createPasteKey(content.subarray(0, content.length - tornCount)));
				paste = {pieces: [content.subarray(content.length - tornCount)], bytes: tornCount};
			}
			return bytes.length;
		}
		keys.push(createPasteKey(Buffer.concat([...openPaste.pieces, bytes.subarray(start, end)])));
		paste = undefined;
		return end + pasteEnd.length;
	}

	/** Skips an answer of the terminal; returns where the next part begins, like the other readers. */
	function readControlString(
		bytes: Buffer,
		start: number,
		openString: {opening: string | undefined},
		keys: Key[],
	): number {
		// No answer begins with these: alt-] and enter were pressed together.
		const isKey = openString.opening !== undefined && isLineControl(bytes[start] ?? 0);
		const {how, next} = isKey ? {how: 'broken', next: start} : readStringPart(bytes, start);
		if (next > start) openString.opening = undefined;
		if (how === 'open') {
			pendingBytes = bytes.subarray(next);
			return bytes.length;
		}
		keys.push(...parseOpening(openString.opening));
		controlString = undefined;
		return next;
	}

	function readSequence(bytes: Buffer, start: number, keys: Key[]): number {
		if (opensControlString(bytes[start + 1])) {
			controlString = {opening: bytes.toString('latin1', start, start + 2)};
			return start + 2;
		}
		const end = findSequenceEnd(bytes, start);
		if (end === undefined) {
			pendingBytes = bytes.subarray(start);
			return bytes.length;
		}
		const sequence = bytes.toString('utf8', start, end);
		if (sequence.endsWith(pasteStart)) {
			if (sequence.length > pasteStart.length) keys.push(createKey('esc', '\u001b'));
			paste = {pieces: [], bytes: 0};
		} else {
			keys.push(...parseSequence(sequence));
		}
		return end;
	}

	function readText(bytes: Buffer, start: number, keys: Key[]): number {
		let end = start;
		while (end < bytes.length && !isControl(bytes[end] ?? 0)) end++;
		const tornCount = end === bytes.length ? countTornBytes(bytes.subarray(start, end)) : 0;
		if (tornCount > 0) pendingBytes = bytes.subarray(end - tornCount);
		for (const character of parseCharacters(bytes.toString('utf8', start, end - tornCount)))
			keys.push(character);
		return end;
	}

	return {
		push(chunk) {
			const bytes = pendingBytes.length === 0 ? Buffer.from(chunk) : Buffer.concat([pendingBytes, chunk]);
			pendingBytes = Buffer.alloc(0);
			const keys: Key[] = [];
			let index = 0;
			while (index < bytes.length) {
				const byte = bytes[index] ?? 0;
				const isSecondOfLineEnd = isAfterReturn && byte === 0x0a;
				isAfterReturn = paste === undefined && controlString === undefined && byte === carriageReturn;
				if (paste) index = readPaste(bytes, index, paste, keys);
				else if (controlString) index = readControlString(bytes, index, controlString, keys);
				else if (byte === esc) index = readSequence(bytes, index, keys);
				else if (isControl(byte)) {
					if (!isSecondOfLineEnd) keys.push(parseCharacter(String.fromCodePoint(byte)));
					index++;
				} else index = readText(bytes, index, keys);
			}
			return keys;
		},
		flush() {
			const keys: Key[] = [...parseOpening(controlString?.opening)];
			if (paste) keys.push(createPasteKey(Buffer.concat([...paste.pieces, pendingBytes])));
			else if (pendingBytes.every(byte => byte === esc))
				for (const _ of pendingBytes) keys.push(createKey('esc', '\u001b'));
			paste = undefined;
			controlString = undefined;
			isAfterReturn = false;
			pendingBytes = Buffer.alloc(0);
			return keys;
		},
		getPatience() {
			if (paste) return patienceMs.long;
			const isLong = controlString && controlString.opening === undefined && pendingBytes.length === 0;
			if (controlString) return isLong ? patienceMs.long : patienceMs.sequence;
			if (pendingBytes.length > 0)
				return pendingBytes.every(byte => byte === esc) ? patienceMs.escape : patienceMs.sequence;
			return isAfterReturn ? patienceMs.escape : undefined;
		},
	};
}

/** Returns the alt key that opened a control string without further content. */
const parseOpening = (opening: string | undefined): readonly Key[] =>
	opening === undefined ? [] : parseSequence(opening);

const isLineControl = (byte: number): boolean => byte >= 0x08 && byte <= 0x0d;

const isControl = (byte: number): boolean => byte < 0x20 || byte === 0x7f;

const asciiText = /^[ -~]*$/;

function* parseCharacters(text: string): Generator<Key> {
	if (asciiText.test(text)) for (const character of text) yield createTextKey(character);
	// Invalid UTF-8 is a separate piece: nothing may join it and be inserted.
	else
		for (const part of text.split(/(\ufffd)/))
			for (const {segment} of segmentGraphemes(part)) yield parseCharacter(segment);
}

/** Creates the key of a paste; terminals send its line ends as returns. */
function createPasteKey(bytes: Buffer): Key {
	const sentText = bytes.toString('utf8');
	return {
		name: 'paste',
		text: sentText.replace(/\r\n?/g, '\n'),
		sequence: `${pasteStart}${sentText}\u001b[201~`,
	};
}
