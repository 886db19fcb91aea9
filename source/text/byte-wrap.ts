import {ambiguousBaseFlag, getTraitColumns, getTraits, joinFlag, troubleFlag} from './code-points.ts';
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
	for (let index = offset; index < bytes.length; ) {
		const byte = bytes[index] ?? 0;
		if (byte === lineFeed) return index + 1;
		// A combining mark starts with a non-ASCII byte.
		if (isPrintable(byte) && (bytes[index + 1] ?? 0) < 0x80) {
			if (width >= columns) return index;
			width++;
			index++;
			continue;
		}
		const {length, width: graphemeWidth} =
			byte === tab ? {length: 1, width: tabStop - (width % tabStop)} : measureGraphemeBytes(bytes, index);
		if (width + graphemeWidth > columns && index > offset) return index;
		width += graphemeWidth;
		index += length;
	}
	return -1;
}

const isPrintable = (byte: number): boolean => byte >= 0x20 && byte < 0x7f;

/** Returns the number of bytes of a grapheme, and its display columns. */
function measureGraphemeBytes(
	bytes: Buffer,
	index: number,
): {readonly length: number; readonly width: number} {
	const first = bytes[index] ?? 0;
	if (first < 0x80 && !isPrintable(first))
		return {length: 1, width: measureColumns(toDrawable(String.fromCharCode(first)))};
	const length = getCharacterLength(bytes, index);
	// Invalid UTF-8 is drawn as one character for one or more of its bytes.
	if (length === 0) return {length: 1, width: 1};
	const plainGrapheme = measurePlainGrapheme(bytes, index, length);
	if (plainGrapheme) return plainGrapheme;
	const text = bytes.toString('utf8', index, Math.min(bytes.length, index + maxGraphemeBytes));
	for (const {segment} of segmentGraphemes(text)) {
		const byteCount = Buffer.byteLength(segment);
		const isWholeGrapheme = !segment.includes('\uFFFD') && byteCount < maxGraphemeBytes - 4;
		if (isWholeGrapheme) return {length: byteCount, width: measureColumns(toDrawable(segment))};
		break;
	}
	return {length, width: measureColumns(toDrawable(bytes.toString('utf8', index, index + length)))};
}

/** Measures a character and its marks if all are drawn unchanged; undefined if that needs segmentation. */
function measurePlainGrapheme(
	bytes: Buffer,
	index: number,
	length: number,
): {readonly length: number; readonly width: number} | undefined {
	const baseTraits = getTraits(decodeCodePoint(bytes, index, length));
	if (baseTraits & (troubleFlag | joinFlag)) return undefined;
	let width = getTraitColumns(baseTraits);
	let end = index + length;
	for (let markCount = 0; (bytes[end] ?? 0) >= 0x80; markCount++) {
		const markLength = getCharacterLength(bytes, end);
		const codePoint = markLength === 0 ? 0 : decodeCodePoint(bytes, end, markLength);
		const traits = getTraits(codePoint);
		if (!(traits & (troubleFlag | joinFlag))) break;
		const isSoundMark = codePoint === 0xff9e || codePoint === 0xff9f;
		if (traits & troubleFlag || isSoundMark || baseTraits & ambiguousBaseFlag || markCount === maxMarks)
			return undefined;
		width += getTraitColumns(traits);
		end += markLength;
	}
	return {length: end - index, width};
}

/** Returns the number of bytes of the character at `index`; 0 if none starts there. */
function getCharacterLength(bytes: Buffer, index: number): number {
	const first = bytes[index] ?? 0;
	if (first < 0x80) return 1;
	const length =
		first >= 0xf0 && first < 0xf5
			? 4
			: first >= 0xe0 && first < 0xf0
				? 3
				: first >= 0xc2 && first < 0xe0
					? 2
					: 0;
	for (let offset = 1; offset < length; offset++)
		if (((bytes[index + offset] ?? 0) & 0xc0) !== 0x80) return 0;
	return length;
}

function decodeCodePoint(bytes: Buffer, index: number, length: number): number {
	if (length === 1) return bytes[index] ?? 0;
	let codePoint = (bytes[index] ?? 0) & (0xff >> (length + 1));
	for (let offset = 1; offset < length; offset++)
		codePoint = (codePoint << 6) | ((bytes[index + offset] ?? 0) & 0x3f);
	return codePoint;
}
