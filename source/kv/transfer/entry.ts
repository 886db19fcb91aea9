import {isUtf8} from 'node:buffer';
import {isDeepStrictEqual} from 'node:util';
import type {JsonValue} from '../../text/json.ts';
import type {BulkEntry, KeyEntry, StoredValue} from '../store.ts';

/** A key with all that is kept of it: what export, copy and comparison have in hand. */
export type Entry = {
	readonly key: string;
	readonly bytes: Uint8Array;
	readonly metadata?: JsonValue | undefined;
	/** UNIX seconds. */
	readonly expiration?: number | undefined;
};

export type EntryPart = 'value' | 'metadata' | 'expiration';

/** A key as it was listed, with its value: what came with the value is newer than the listing. */
export function entryOf(listed: KeyEntry, stored: StoredValue): Entry {
	const {metadata, expiration} = stored.valueOnly ? listed : stored;
	return {
		key: listed.name,
		bytes: stored.bytes,
		...(metadata !== undefined && {metadata}),
		...(expiration !== undefined && {expiration}),
	};
}

/** A key as it is written in bulk: as base64 where its value is not UTF-8. */
export function bulkEntryOf({key, bytes, metadata, expiration}: Entry): BulkEntry {
	const value = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const isText = isUtf8(value);
	return {
		key,
		value: value.toString(isText ? 'utf8' : 'base64'),
		...(!isText && {base64: true}),
		...(metadata !== undefined && {metadata}),
		...(expiration !== undefined && {expiration}),
	};
}

/** A line of an export: `kv import` and `kv bulk put` take it, and so does the service. */
export const entryLine = (entry: Entry): string => `${JSON.stringify(bulkEntryOf(entry))}\n`;

/** In what two keys of one name differ. Of metadata the content counts, and not the order of its properties. */
export function differingParts(one: Omit<Entry, 'key'>, other: Omit<Entry, 'key'>): readonly EntryPart[] {
	return [
		...(Buffer.compare(one.bytes, other.bytes) === 0 ? [] : ['value' as const]),
		...(isDeepStrictEqual(one.metadata, other.metadata) ? [] : ['metadata' as const]),
		...(one.expiration === other.expiration ? [] : ['expiration' as const]),
	];
}
