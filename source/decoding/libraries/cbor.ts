import {decode, Simple, Tag} from 'cbor2';

type TagDecoder = NonNullable<ReturnType<typeof Tag.getDecoder>>;

/** Decodes CBOR whose structure was measured. Throws on invalid data. */
export const decodeCbor = (bytes: Uint8Array): unknown => decode(bytes, {tags: tagDecoders});

/** Returns the parts of a tag or a simple value without a type of its own. */
export function toCborParts(value: object): Readonly<Record<string, unknown>> | undefined {
	if (value instanceof Tag) return {tag: value.tag, value: value.contents};
	return value instanceof Simple ? {simple: value.value} : undefined;
}

/** Maximum bytes of an integer of any size that is printed in digits, which takes the square of its length. */
const maxBignumBytes = 1024;

const createBignumDecoder =
	(convert: (magnitude: bigint) => bigint): TagDecoder =>
	tag => {
		const {contents} = tag;
		if (!(contents instanceof Uint8Array) || contents.length > maxBignumBytes) return tag;
		return convert(BigInt(`0x0${Buffer.from(contents).toString('hex')}`));
	};

/** Decodes a tag, or keeps one whose content does not fit it: an invalid date does not hide all other data. */
const tolerate =
	(decodeTag: TagDecoder): TagDecoder =>
	(tag, options) => {
		try {
			const value = decodeTag(tag, options);
			return value instanceof Date && Number.isNaN(value.getTime()) ? tag : value;
		} catch {
			return tag;
		}
	};

const keepTag: TagDecoder = tag => tag;

/** Decoders by the numbers of the tags: those of the library, but for some that lose data or never end. */
const tagDecoders = new Map<Parameters<typeof Tag.getDecoder>[0], TagDecoder>([
	...[...Tag.getAllDecoders()].map(([tag, decodeTag]) => [tag, tolerate(decodeTag)] as const),
	[2, createBignumDecoder(magnitude => magnitude)],
	[3, createBignumDecoder(magnitude => -1n - magnitude)],
	// A URI, which a URL would change.
	[32, ({contents}) => contents],
	// JSON of any depth, whose numbers would be rounded.
	[262, keepTag],
	// A symbol, which JSON lacks.
	[280, keepTag],
]);
