import {decode} from 'jpeg-js';
import type {RawImage} from '../pixels.ts';

/** Memory of decoding, for the largest image in colour. */
const maxMemoryMegabytes = 256;

/** Scans to decode: cameras write at most about ten, and each costs time for all pixels. */
const maxScans = 100;

const scanMarker = Buffer.from([0xff, 0xda]);

/** Decodes JPEG whose size was checked. Throws on invalid data, and on more scans than any camera writes. */
export function decodeJpeg(bytes: Uint8Array): RawImage {
	if (countScans(bytes) > maxScans) throw new RangeError('The image has too many scans.');
	return decode(bytes, {useTArray: true, maxMemoryUsageInMB: maxMemoryMegabytes});
}

/** Counts the marker of scans, also where it is within other data. */
function countScans(bytes: Uint8Array): number {
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	let count = 0;
	for (
		let offset = buffer.indexOf(scanMarker);
		offset !== -1;
		offset = buffer.indexOf(scanMarker, offset + scanMarker.length)
	)
		count++;
	return count;
}
