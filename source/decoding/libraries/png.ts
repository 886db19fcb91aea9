import {inflateSync} from 'node:zlib';
import {PNG} from 'pngjs';
import type {RawImage} from '../pixels.ts';

/** Bytes of the signature, of the head of a chunk, and of the checksum after it. */
const [signatureBytes, headBytes, checksumBytes] = [8, 8, 4];

/**
 * Decodes PNG whose size was checked, without what follows its end. Throws on invalid data, on a second header,
 * which would replace the size, and on interlaced data larger than the size allows, which the library would
 * decompress whole.
 */
export function decodePng(bytes: Buffer): RawImage {
	const {end, headerCount, data} = readChunks(bytes);
	if (headerCount !== 1) throw new RangeError('The image has several headers.');
	const isInterlaced = bytes[signatureBytes + headBytes + 12] === 1;
	if (isInterlaced) {
		const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
		// Up to 8 bytes for each pixel, and a byte for each row of the 7 passes.
		inflateSync(data, {maxOutputLength: 8 * width * height + 15 * (height + 1)});
	}
	return PNG.sync.read(bytes.subarray(0, end));
}

/** Walks the chunks up to the last one: where it ends, the number of headers, and the compressed data. */
function readChunks(bytes: Buffer): {
	readonly end: number;
	readonly headerCount: number;
	readonly data: Buffer;
} {
	const data: Buffer[] = [];
	let headerCount = 0;
	let offset = signatureBytes;
	while (offset + headBytes <= bytes.length) {
		const start = offset + headBytes;
		const length = bytes.readUInt32BE(offset);
		const type = bytes.toString('latin1', offset + 4, start);
		if (type === 'IHDR') headerCount++;
		else if (type === 'IDAT') data.push(bytes.subarray(start, start + length));
		offset = start + length + checksumBytes;
		if (type === 'IEND') break;
	}
	return {end: offset, headerCount, data: Buffer.concat(data)};
}
