import {columnsOfTraits, joins, stout, traitsOf, troubles} from './code-points.ts';
import {columnsOf, drawable, mostMarks} from './columns.ts';
import {graphemesOf} from './graphemes.ts';
import {tabStop} from './tabs.ts';

const lineFeed = 0x0a;
const tab = 0x09;

/** Maximum bytes of a grapheme; longer ones are split. */
const longestGrapheme = 128;

/**
 * Returns the start of the next row if rows have at most `columns` display columns; -1 if the text ends in
 * this one. A grapheme wider than a row gets its own row.
 */
export function nextWrapped(bytes: Buffer, offset: number, columns: number): number {
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
			byte === tab ? {length: 1, width: tabStop - (width % tabStop)} : graphemeAt(bytes, at);
		if (width + own > columns && at > offset) return at;
		width += own;
		at += length;
	}
	return -1;
}

const isPrintable = (byte: number): boolean => byte >= 0x20 && byte < 0x7f;

/** Returns the bytes of a grapheme, and the columns it is drawn in. */
function graphemeAt(bytes: Buffer, at: number): {readonly length: number; readonly width: number} {
	const first = bytes[at] ?? 0;
	if (first < 0x80 && !isPrintable(first))
		return {length: 1, width: columnsOf(drawable(String.fromCharCode(first)))};
	const length = lengthOf(bytes, at);
	// Invalid UTF-8 is drawn as one character for one or more of its bytes.
	if (length === 0) return {length: 1, width: 1};
	const plain = plainGraphemeAt(bytes, at, length);
	if (plain) return plain;
	const text = bytes.toString('utf8', at, Math.min(bytes.length, at + longestGrapheme));
	for (const {segment} of graphemesOf(text)) {
		const bytesOf = Buffer.byteLength(segment);
		const isWhole = !segment.includes('\uFFFD') && bytesOf < longestGrapheme - 4;
		if (isWhole) return {length: bytesOf, width: columnsOf(drawable(segment))};
		break;
	}
	return {length, width: columnsOf(drawable(bytes.toString('utf8', at, at + length)))};
}

/** Measures a character and its marks if all are drawn unchanged; undefined if that needs segmentation. */
function plainGraphemeAt(
	bytes: Buffer,
	at: number,
	length: number,
): {readonly length: number; readonly width: number} | undefined {
	const base = traitsOf(codePointAt(bytes, at, length));
	if (base & (troubles | joins)) return undefined;
	let width = columnsOfTraits(base);
	let end = at + length;
	for (let marks = 0; (bytes[end] ?? 0) >= 0x80; marks++) {
		const own = lengthOf(bytes, end);
		const codePoint = own === 0 ? 0 : codePointAt(bytes, end, own);
		const traits = traitsOf(codePoint);
		if (!(traits & (troubles | joins))) break;
		const isSoundMark = codePoint === 0xff9e || codePoint === 0xff9f;
		if (traits & troubles || isSoundMark || base & stout || marks === mostMarks) return undefined;
		width += columnsOfTraits(traits);
		end += own;
	}
	return {length: end - at, width};
}

/** Returns the bytes of the character that starts here; 0 if none does. */
function lengthOf(bytes: Buffer, at: number): number {
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

function codePointAt(bytes: Buffer, at: number, length: number): number {
	if (length === 1) return bytes[at] ?? 0;
	let codePoint = (bytes[at] ?? 0) & (0xff >> (length + 1));
	for (let next = 1; next < length; next++) codePoint = (codePoint << 6) | ((bytes[at + next] ?? 0) & 0x3f);
	return codePoint;
}
