import {encode as encodeJpeg} from 'jpeg-js';
import {PNG} from 'pngjs';

/** Builds an image whose left half is red and whose right half is blue. */
function buildHalves(width: number, height: number): Buffer {
	const data = Buffer.alloc(width * height * 4, 255);
	for (let index = 0; index < width * height; index++)
		data.set(index % width < width / 2 ? [255, 0, 0] : [0, 0, 255], index * 4);
	return data;
}

export function buildPng(width: number, height: number): Buffer {
	const image = new PNG({width, height});
	buildHalves(width, height).copy(image.data);
	return PNG.sync.write(image);
}

/** 16x8 pixels, the left half red and the right half blue. */
export const pngSample = buildPng(16, 8);

export const jpegSample: Buffer = encodeJpeg({width: 16, height: 8, data: buildHalves(16, 8)}, 90).data;

const encodePart = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/** A token whose signature is invalid. */
export const jwtSample = `${encodePart({alg: 'HS256', typ: 'JWT'})}.${encodePart({sub: 'ada', id: 1})}.c2lnbmF0dXJl`;
