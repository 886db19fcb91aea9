import {Failure} from '../failure.ts';
import {decodingLimits, type Encoding, encodingNames} from './encodings.ts';
import {measureCbor, measureMessagePack} from './structures.ts';

/** `JSON.rawJSON`, which TypeScript's types lack: a number with all its digits. */
const {rawJSON: toRawJson} = JSON as unknown as {rawJSON(text: string): object};

type DescribeObject = (value: object) => Readonly<Record<string, unknown>> | undefined;

/**
 * Decodes MessagePack or CBOR to JSON text. Bytes become `{"base64": …}`, times ISO 8601, and numbers that
 * JSON lacks text. Throws `value_undecodable` for damaged data and beyond a limit.
 */
export async function decodeStructure(encoding: 'messagepack' | 'cbor', bytes: Buffer): Promise<string> {
	const structure = encoding === 'cbor' ? measureCbor(bytes) : measureMessagePack(bytes);
	if (!structure) throw buildUndecodableFailure(encoding, 'it is damaged, or something else');
	if (structure.excess === 'items')
		throw buildUndecodableFailure(encoding, `it has more than ${formatCount(decodingLimits.items)} items`);
	if (structure.excess === 'depth')
		throw buildUndecodableFailure(encoding, `it is nested deeper than ${decodingLimits.depth} levels`);
	try {
		if (encoding === 'cbor') {
			const {decodeCbor, toCborParts} = await import('./libraries/cbor.ts');
			return formatDecoded(decodeCbor(bytes), toCborParts);
		}
		const {decodeMessagePack, toMessagePackExtension} = await import('./libraries/messagepack.ts');
		return formatDecoded(decodeMessagePack(bytes), toMessagePackExtension);
	} catch (cause) {
		throw buildUndecodableFailure(encoding, 'it is damaged, or something else', cause);
	}
}

const formatDecoded = (value: unknown, describeObject: DescribeObject): string =>
	JSON.stringify(toJson(value, describeObject), undefined, 2);

function toJson(value: unknown, describeObject: DescribeObject): unknown {
	const convert = (child: unknown) => toJson(child, describeObject);
	switch (typeof value) {
		case 'bigint':
			return toRawJson(String(value));
		case 'number':
			return Number.isFinite(value) ? value : String(value);
		case 'object':
			break;
		default:
			return value ?? null;
	}
	if (value === null) return null;
	if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return {base64: encodeBase64(value)};
	if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid date' : value.toISOString();
	if (value instanceof RegExp || value instanceof URL) return String(value);
	if (Array.isArray(value) || value instanceof Set) return Array.from(value, convert);
	if (value instanceof Map) return convertMap(value, convert);
	return Object.fromEntries(
		Object.entries(describeObject(value) ?? value).map(([name, child]) => [name, convert(child)]),
	);
}

const encodeBase64 = (value: ArrayBufferView | ArrayBuffer): string =>
	(ArrayBuffer.isView(value)
		? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
		: Buffer.from(value)
	).toString('base64');

/** Converts a map to an object if all keys are texts or numbers, else to pairs. */
function convertMap(map: ReadonlyMap<unknown, unknown>, convert: (child: unknown) => unknown): unknown {
	const entries = [...map];
	const names = new Set(entries.map(([key]) => String(key)));
	return entries.every(([key]) => typeof key !== 'object') && names.size === entries.length
		? Object.fromEntries(entries.map(([key, value]) => [String(key), convert(value)]))
		: entries.map(([key, value]) => [convert(key), convert(value)]);
}

const formatCount = (count: number): string => count.toLocaleString('en-US');

/** Builds the failure of an encoding that cannot be decoded; `reason` is a clause. */
export const buildUndecodableFailure = (encoding: Encoding, reason: string, cause?: unknown): Failure =>
	new Failure('value_undecodable', `The value can't be decoded as ${encodingNames[encoding]}: ${reason}.`, {
		next: 'To get the stored bytes, leave out --decode.',
		cause,
	});
