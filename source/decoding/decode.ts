import {createBrotliDecompress, createGunzip} from 'node:zlib';
import {Failure, toFailure} from '../failure.ts';
import {formatPlainQuantity, formatShortSize} from '../text/figures.ts';
import {isUtf8Text} from '../text/json/content.ts';
import {detectEncoding} from './detect.ts';
import {decodingLimits, type Encoding, encodingNames, hasOwnContent, isImageEncoding} from './encodings.ts';
import {decodeImage, formatImageSize} from './images.ts';
import type {Picture} from './pixels.ts';
import {buildUndecodableFailure, decodeStructure} from './structure-json.ts';
import {decodeBase64Text, decodeForm, decodeJwt, decodeNdjson} from './text-encodings.ts';

/** A value decoded for reading. What is stored is never changed. */
export type DecodedValue = {
	/** Encodings from the outside in. */
	readonly encodings: readonly Encoding[];
	/** The decoded bytes; JSON text of formats that are not text. Of an image, its encoded bytes. */
	readonly bytes: Uint8Array;
	readonly picture?: Picture;
	/** True if decompressing stopped at the limit. */
	readonly isCut: boolean;
	/** What a reader must know, as clauses: limits, damage inside, an unverified signature. */
	readonly notes: readonly string[];
};

type Layer = Pick<DecodedValue, 'bytes' | 'picture'> & {readonly isCut?: boolean; readonly note?: string};

/**
 * Decodes what is detected, up to `decodingLimits.layers` encodings inside each other, or exactly one named
 * encoding. Undefined if nothing is detected. Throws `value_undecodable` if the outermost encoding is damaged
 * or exceeds a limit; inside, that is a note.
 */
export async function decodeValue(
	value: Uint8Array,
	{
		encoding: named,
		maxBytes,
		keepsImages = false,
	}: {
		readonly encoding: Encoding | 'auto';
		readonly maxBytes: number;
		/** True if images stay encoded, whatever their size. */
		readonly keepsImages?: boolean;
	},
	signal?: AbortSignal,
): Promise<DecodedValue | undefined> {
	let encoding = named === 'auto' ? detectEncoding(value) : named;
	if (!encoding) return undefined;
	const encodings: Encoding[] = [];
	const notes: string[] = [];
	let layer: Layer = {bytes: value};
	while (encoding) {
		if (keepsImages && isImageEncoding(encoding))
			return {bytes: layer.bytes, isCut: false, encodings: [...encodings, encoding], notes};
		try {
			layer = await decodeLayer(encoding, toBuffer(layer.bytes), maxBytes, signal);
		} catch (error) {
			const failure = toFailure(error);
			if (encodings.length === 0 || failure.code !== 'value_undecodable') throw failure;
			notes.push(`${encodingNames[encoding]} inside not decoded`);
			break;
		}
		encodings.push(encoding);
		if (layer.note !== undefined) notes.push(layer.note);
		if (named !== 'auto' || layer.isCut || hasOwnContent(encoding)) break;
		encoding = detectEncoding(layer.bytes);
		if (encoding && encodings.length === decodingLimits.layers) {
			notes.push(`only ${decodingLimits.layers} layers decoded`);
			break;
		}
	}
	return {...layer, isCut: layer.isCut === true, encodings, notes};
}

const toBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

async function decodeLayer(
	encoding: Encoding,
	bytes: Buffer,
	maxBytes: number,
	signal: AbortSignal | undefined,
): Promise<Layer> {
	if (isImageEncoding(encoding)) {
		const picture = await decodeImage(encoding, bytes);
		return {bytes, picture, note: formatImageSize(picture)};
	}
	if (encoding === 'gzip' || encoding === 'br' || encoding === 'zstd')
		return await decompress(encoding, bytes, maxBytes, signal);
	if (bytes.length > decodingLimits.parsedBytes)
		throw buildUndecodableFailure(
			encoding,
			`it has ${formatPlainQuantity(bytes.length, 'byte')}, and the limit is ${formatShortSize(decodingLimits.parsedBytes)}`,
		);
	if (encoding === 'messagepack' || encoding === 'cbor')
		return {bytes: Buffer.from(await decodeStructure(encoding, bytes))};
	const decoded = isUtf8Text(bytes) ? textDecoders[encoding](bytes.toString('utf8')) : undefined;
	if (decoded === undefined) throw buildUndecodableFailure(encoding, 'it is damaged, or something else');
	return {
		bytes: typeof decoded === 'string' ? Buffer.from(decoded) : decoded,
		...(encoding === 'jwt' && {note: 'signature not verified'}),
	};
}

const textDecoders = {base64: decodeBase64Text, jwt: decodeJwt, form: decodeForm, ndjson: decodeNdjson};

/** Decompresses at most `maxBytes` bytes, in Node's thread pool. */
async function decompress(
	encoding: 'gzip' | 'br' | 'zstd',
	bytes: Buffer,
	maxBytes: number,
	signal: AbortSignal | undefined,
): Promise<Layer> {
	const stream = decompressors[encoding]();
	stream.end(bytes);
	const chunks: Buffer[] = [];
	let size = 0;
	try {
		for await (const chunk of stream as AsyncIterable<Buffer>) {
			signal?.throwIfAborted();
			chunks.push(chunk.subarray(0, maxBytes - size));
			size += chunk.length;
			// The stream ends with the loop.
			if (size > maxBytes)
				return {
					bytes: Buffer.concat(chunks),
					isCut: true,
					note: `cut at ${formatShortSize(maxBytes)}`,
				};
		}
	} catch (cause) {
		if (signal?.aborted) throw cause;
		throw buildUndecodableFailure(encoding, describeDamage(cause), cause);
	}
	return {bytes: Buffer.concat(chunks)};
}

const decompressors = {
	gzip: () => createGunzip(),
	br: () => createBrotliDecompress(),
	zstd() {
		// Node 22.13 and 22.14 lack it.
		const zlib: Partial<typeof import('node:zlib')> = process.getBuiltinModule('node:zlib');
		if (zlib.createZstdDecompress) return zlib.createZstdDecompress();
		throw new Failure('value_undecodable', "This Node can't decode Zstandard.", {
			next: 'Use Node 22.15 or newer.',
		});
	},
};

const describeDamage = (cause: unknown): string =>
	(cause as {readonly code?: unknown}).code === 'Z_BUF_ERROR' ? 'its end is missing' : 'it is damaged';
