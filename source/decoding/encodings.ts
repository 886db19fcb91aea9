/** Encodings that ledge decodes for reading, with the name shown to users. */
export const encodingNames = {
	gzip: 'gzip',
	br: 'Brotli',
	zstd: 'Zstandard',
	base64: 'base64',
	jwt: 'JWT',
	messagepack: 'MessagePack',
	cbor: 'CBOR',
	form: 'URL-encoded',
	ndjson: 'NDJSON',
	png: 'PNG',
	jpeg: 'JPEG',
} as const;

export type Encoding = keyof typeof encodingNames;

/**
 * Formats encodings from the inside out: "JSON in gzip in base64". `contentName` names the decoded content,
 * unless an encoding says what it is.
 */
export function formatEncodings(encodings: readonly Encoding[], contentName: string): string {
	const innermost = encodings.at(-1);
	const names = encodings.map(encoding => encodingNames[encoding]).reverse();
	return [...(innermost && hasOwnContent(innermost) ? [] : [contentName]), ...names].join(' in ');
}

/** True for encodings that say what they contain: data of a known structure, or an image. */
export const hasOwnContent = (encoding: Encoding): boolean =>
	['jwt', 'messagepack', 'cbor', 'form', 'ndjson', 'png', 'jpeg'].includes(encoding);

/** Encodings of images, which are drawn instead of printed. */
export type ImageEncoding = Extract<Encoding, 'png' | 'jpeg'>;

export const isImageEncoding = (encoding: Encoding): encoding is ImageEncoding =>
	encoding === 'png' || encoding === 'jpeg';

/** Limits of decoding, so that a small value cannot fill the memory or block the program. */
export const decodingLimits = {
	/** Encodings inside each other. */
	layers: 3,
	/** Bytes that decompressing may produce for the screen: the maximum size of a value. */
	screenBytes: 25 * 1024 * 1024,
	/** Bytes that decompressing may produce for a command. */
	commandBytes: 256 * 1024 * 1024,
	/** Bytes of a value that is parsed: all encodings but compression and images. */
	parsedBytes: 8 * 1024 * 1024,
	/** Items of MessagePack, CBOR and URL-encoded values, and lines of NDJSON. */
	items: 200_000,
	/** Nesting of MessagePack and CBOR. */
	depth: 200,
	/** Width times height of an image. */
	pixels: 4_000_000,
} as const;
