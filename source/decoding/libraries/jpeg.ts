import {decode} from 'jpeg-js';
import type {RawImage} from '../pixels.ts';

/** Memory of decoding, for the largest image in colour. */
const maxMemoryMegabytes = 256;

/** Decodes JPEG whose size was checked. Throws on invalid data. */
export const decodeJpeg = (bytes: Uint8Array): RawImage =>
	decode(bytes, {useTArray: true, maxMemoryUsageInMB: maxMemoryMegabytes});
