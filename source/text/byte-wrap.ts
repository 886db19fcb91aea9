import {getTraitColumns, getTraits, joinFlag, stoutFlag, troubleFlag} from './code-points.ts';
import {maxMarks, measureColumns, toDrawable} from './columns.ts';
import {segmentGraphemes} from './graphemes.ts';
import {tabStop} from './tabs.ts';

const lineFeed = 0x0a;
const tab = 0x09;

/** Maximum bytes of a grapheme; longer ones are split. */
const maxGraphemeBytes = 128;

/**
 * Returns the start of the next row if rows have at most `columns` display columns; -1 if the text ends in
 * this one. A grapheme wider than a row gets its own row.
 */
export function findNextWrapped(bytes: Buffer, offset: number, columns: number): number {
	let width = 0;
	for (let at = offset; at < bytes.length; ) {
		const byte = bytes[at] ?? 0;
		if (byte === lineFeed) return at + 1;
		// A combining mark starts with a non-ASCII byte.
		if (isPrintable(byte) && (bytes[at + 1] ?? 0) < 0x80) {
			if (width >= columns) return at;
			width++;
			at++;
			continue;
		}
		const {length, width: own} =
			byte === tab ? {length: 1, width: tabStop - (width % tabStop)} : measureGraphemeBytes(bytes, at);
		if (width + own > columns && at > offset) return at;
		width += own;
		at += length;
	}
	return -1;
}

const isPrintable = (byte: number): boolean => byte >= 0x20 && byte < 0x7f;

/** Returns the bytes of a grapheme, and the columns it is drawn in. */
function measureGraphemeBytes(bytes: Buffer, at: number): {readonly length: number; readonly width: number} {
	const first = bytes[at] ?? 0;
	if (first < 0x80 && !isPrintable(first))
		return {length: 1, width: measureColumns(toDrawable(String.fromCharCode(first)))};
	const length = getCharacterLength(bytes, at);
	// Invalid UTF-8 is drawn as one character for one or more of its bytes.
	if (length === 0) return {length: 1, width: 1};
	const plain = measurePlainGrapheme(bytes, at, length);
	if (plain) return plain;
	const text = bytes.toString('utf8', at, Math.min(bytes.length, at + maxGraphemeBytes));
	for (const {segment} of segmentGraphemes(text)) {
		const byteCount = Buffer.byteLength(segment);
		const isWhole = !segment.includes('\uFFFD') && byteCount < maxGraphemeBytes - 4;
		if (isWhole) return {length: byteCount, width: measureColumns(toDrawable(segment))};
		break;
	}
	return {length, width: measureColumns(toDrawable(bytes.toString('utf8', at, at + length)))};
}

/** Measures a character and its marks if all are drawn unchanged; undefined if that needs segmentation. */
function measurePlainGrapheme(
	bytes: Buffer,
	at: number,
	length: number,
): {readonly length: number; readonly width: number} | undefined {
	const base = getTraits(decodeCodePoint(bytes, at, length));
	if (base & (troubleFlag | joinFlag)) return undefined;
	let width = getTraitColumns(base);
	let end = at + length;
	for (let marks = 0; (bytes[end] ?? 0) >= 0x80; marks++) {
		const own = getCharacterLength(bytes, end);
		const codePoint = own === 0 ? 0 : decodeCodePoint(bytes, end, own);
		const traits = getTraits(codePoint);
		if (!(traits & (troubleFlag | joinFlag))) break;
		const isSoundMark = codePoint === 0xff9e || codePoint === 0xff9f;
		if (traits & troubleFlag || isSoundMark || base & stoutFlag || marks === maxMarks) return undefined;
		width += getTraitColumns(traits);
		end += own;
	}
	return {length: end - at, width};
}

/** Returns the bytes of the character that starts here; 0 if none does. */
function getCharacterLength(bytes: Buffer, at: number): number {
	const first = bytes[at] ?? 0;
	if (first < 0x80) return 1;
	const length =
		first >= 0xf0 && first < 0xf5
			? 4
			: first >= 0xe0 && first < 0xf0
				? 3
				: first >= 0xc2 && first < 0xe0
					? 2
					: 0;
	for (let next = 1; next < length; next++) if (((bytes[at + next] ?? 0) & 0xc0) !== 0x80) return 0;
	return length;
}

function decodeCodePoint(bytes: Buffer, at: number, length: number): number {
	if (length === 1) return bytes[at] ?? 0;
	let codePoint = (bytes[at] ?? 0) & (0xff >> (length + 1));
	for (let next = 1; next < length; next++) codePoint = (codePoint << 6) | ((bytes[at + next] ?? 0) & 0x3f);
	return codePoint;
}
