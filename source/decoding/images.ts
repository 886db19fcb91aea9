import {decodingLimits, type ImageEncoding} from './encodings.ts';
import {createPicture, type Picture} from './pixels.ts';
import {buildUndecodableFailure} from './structure-json.ts';

/**
 * Decodes an image. Throws `value_undecodable` if it is damaged, or larger than the limit by its header, which
 * is read before anything is allocated.
 */
export async function decodeImage(encoding: ImageEncoding, bytes: Buffer): Promise<Picture> {
	const size = encoding === 'png' ? readPngSize(bytes) : readJpegSize(bytes);
	if (!size || size.width === 0 || size.height === 0)
		throw buildUndecodableFailure(encoding, 'its header is damaged');
	if (size.width * size.height > decodingLimits.pixels)
		throw buildUndecodableFailure(
			encoding,
			`the image has ${size.width}x${size.height} pixels, and the limit is ${decodingLimits.pixels / 1_000_000} million`,
		);
	try {
		return createPicture(
			encoding === 'png'
				? (await import('./libraries/png.ts')).decodePng(bytes)
				: (await import('./libraries/jpeg.ts')).decodeJpeg(bytes),
		);
	} catch (cause) {
		throw buildUndecodableFailure(encoding, 'the image is damaged', cause);
	}
}

export const formatImageSize = ({originalWidth, originalHeight}: Picture): string =>
	`${originalWidth}x${originalHeight}`;

type ImageSize = {readonly width: number; readonly height: number};

const readPngSize = (bytes: Buffer): ImageSize | undefined =>
	bytes.length < 24 ? undefined : {width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20)};

/** Reads the size from the frame header of JPEG, after the segments before it. */
function readJpegSize(bytes: Buffer): ImageSize | undefined {
	for (let offset = 2; offset + 9 <= bytes.length; ) {
		const marker = bytes[offset + 1] ?? 0;
		if (bytes[offset] !== 0xff) return undefined;
		// Fill bytes.
		if (marker === 0xff) {
			offset++;
			continue;
		}
		const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
		if (isFrame) return {height: bytes.readUInt16BE(offset + 5), width: bytes.readUInt16BE(offset + 7)};
		offset += 2 + bytes.readUInt16BE(offset + 2);
	}
	return undefined;
}
