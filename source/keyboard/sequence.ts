const esc = 0x1b;
const bell = 0x07;
const cancel = 0x18;
const substitute = 0x1a;
const backslash = 0x5c;

/** Maximum length of a control sequence, in bytes. */
const maxControlBytes = 256;

/** True for the second byte of DCS, SOS, OSC, PM and APC: a string of any length follows. */
export const opensControlString = (second: number | undefined): boolean =>
	second !== undefined && 'PX]^_'.includes(String.fromCharCode(second));

/** How a control string continues in a chunk, with the index of what follows it. */
type StringPart =
	/** Skipped to the end of the chunk, except for `next`: an ESC whose second byte is missing. */
	| {readonly how: 'open'; readonly next: number}
	/** Terminated by BEL, ST, CAN or SUB. */
	| {readonly how: 'terminated'; readonly next: number}
	/** Broken off by a control character or sequence at `next`. */
	| {readonly how: 'broken'; readonly next: number};

/**
 * Reads a control string from `start`, after its two opening bytes or in a later chunk. As in ECMA-48 it may
 * contain 08 to 0D; any other control character breaks it off, so that ctrl-c and esc work if its end was
 * lost.
 */
export function readStringPart(bytes: Uint8Array, start: number): StringPart {
	for (let index = start; index < bytes.length; index++) {
		const byte = bytes[index] ?? 0;
		if (byte >= 0x20 || (byte >= 0x08 && byte <= 0x0d)) continue;
		if (byte === bell || byte === cancel || byte === substitute) return {how: 'terminated', next: index + 1};
		if (byte !== esc) return {how: 'broken', next: index};
		if (index + 1 === bytes.length) return {how: 'open', next: index};
		if (bytes[index + 1] === backslash) return {how: 'terminated', next: index + 2};
		return {how: 'broken', next: index};
	}
	return {how: 'open', next: bytes.length};
}

/**
 * Returns the index after the escape sequence at `start`; undefined if it is incomplete. A byte that cannot
 * be part of it ends it and belongs to what follows. Control strings are not read here.
 */
export function findSequenceEnd(bytes: Uint8Array, start: number): number | undefined {
	const second = bytes[start + 1];
	switch (second) {
		case undefined:
			return undefined;
		case esc:
			return findEndAfterEscapes(bytes, start);
		case 0x5b: // [
			return findControlEnd(bytes, start + 2);
		case 0x4f: // O
			return findSingleShiftEnd(bytes, start + 2);
		default:
			return findCharacterEnd(bytes, start + 1);
	}
}

/** Old terminals send Alt with an arrow as two escapes; otherwise the first one is a separate key. */
function findEndAfterEscapes(bytes: Uint8Array, start: number): number | undefined {
	const third = bytes[start + 2];
	if (third === undefined) return undefined;
	return third === 0x5b || third === 0x4f ? findSequenceEnd(bytes, start + 1) : start + 1;
}

function findControlEnd(bytes: Uint8Array, start: number): number | undefined {
	const first = bytes[start];
	// The Linux console: ESC [ [ A.
	if (first === 0x5b) return bytes.length > start + 1 ? start + 2 : undefined;
	// The old mouse report: ESC [ M and three arbitrary bytes.
	if (first === 0x4d) return bytes.length > start + 3 ? start + 4 : undefined;
	let onlyDigits = true;
	for (let index = start; index < start + maxControlBytes; index++) {
		const byte = bytes[index];
		if (byte === undefined) return undefined;
		if (byte >= 0x40 && byte <= 0x7e) return index + 1;
		// rxvt ends shifted keys in `$`, which elsewhere precedes the last byte.
		if (byte === 0x24 && onlyDigits && index > start) return index + 1;
		if (byte < 0x20 || byte > 0x3f) return index;
		onlyDigits &&= byte >= 0x30 && byte <= 0x39;
	}
	return start + maxControlBytes;
}

function findSingleShiftEnd(bytes: Uint8Array, start: number): number | undefined {
	for (let index = start; index < start + maxControlBytes; index++) {
		const byte = bytes[index];
		if (byte === undefined) return undefined;
		if (byte >= 0x40 && byte <= 0x7e) return index + 1;
		const isParameter = (byte >= 0x30 && byte <= 0x39) || byte === 0x3b;
		if (!isParameter) return index;
	}
	return start + maxControlBytes;
}

/** Returns the index after the character at `start`; undefined if its UTF-8 is incomplete. */
function findCharacterEnd(bytes: Uint8Array, start: number): number | undefined {
	const length = getCharacterLength(bytes[start] ?? 0);
	for (let index = start + 1; index < start + length; index++) {
		const byte = bytes[index];
		if (byte === undefined) return undefined;
		if (!isContinuation(byte)) return start + 1;
	}
	return start + length;
}

/** Counts the bytes of an incomplete character at the end of a chunk: 0 to 3. */
export function countTornBytes(bytes: Uint8Array): number {
	for (let offset = 1; offset <= 3 && offset <= bytes.length; offset++) {
		const byte = bytes[bytes.length - offset] ?? 0;
		if (!isContinuation(byte)) return getCharacterLength(byte) > offset ? offset : 0;
	}
	return 0;
}

const isContinuation = (byte: number): boolean => byte >= 0x80 && byte < 0xc0;

function getCharacterLength(lead: number): number {
	if (lead >= 0xf0 && lead <= 0xf4) return 4;
	if (lead >= 0xe0 && lead < 0xf0) return 3;
	if (lead >= 0xc2 && lead < 0xe0) return 2;
	return 1;
}
