import {PNG} from 'pngjs';
import type {RawImage} from '../pixels.ts';

/** Bytes of the name of the last chunk, and of its checksum. */
const endBytes = 8;

/** Decodes PNG whose size was checked, without what follows its end. Throws on invalid data. */
export const decodePng = (bytes: Buffer): RawImage =>
	PNG.sync.read(bytes.subarray(0, bytes.lastIndexOf('IEND') + endBytes));
