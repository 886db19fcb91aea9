import {decode, ExtData} from '@msgpack/msgpack';

/** Decodes MessagePack whose structure was measured. Throws on invalid data. */
export const decodeMessagePack = (bytes: Uint8Array): unknown => decode(bytes, {useBigInt64: true});

/** Returns type and bytes of an extension. */
export const toMessagePackExtension = (
	value: object,
): {readonly extension: number; readonly data: Uint8Array} | undefined =>
	value instanceof ExtData && value.data instanceof Uint8Array
		? {extension: value.type, data: value.data}
		: undefined;
