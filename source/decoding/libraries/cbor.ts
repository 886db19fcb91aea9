import {decode, Simple, Tag} from 'cbor2';

/** Decodes CBOR whose structure was measured. Throws on invalid data. */
export const decodeCbor = (bytes: Uint8Array): unknown => decode(bytes);

/** Returns the parts of a tag or a simple value without a type of its own. */
export function toCborParts(value: object): Readonly<Record<string, unknown>> | undefined {
	if (value instanceof Tag) return {tag: value.tag, value: value.contents};
	return value instanceof Simple ? {simple: value.value} : undefined;
}
