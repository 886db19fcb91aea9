import {isUtf8} from 'node:buffer';
import {isDeepStrictEqual} from 'node:util';
import type {JsonValue} from '../../text/json.ts';
import type {Item} from '../bulk/entries.ts';
import type {BulkEntry, KeyEntry, StoredValue} from '../store.ts';

/** A key with value, metadata and expiry, as export, copy and comparison handle it. */
export type Entry = {
	readonly key: string;
	readonly bytes: Uint8Array;
	readonly metadata?: JsonValue | undefined;
	/** UNIX seconds. */
	readonly expiration?: number | undefined;
};

export type EntryPart = 'value' | 'metadata' | 'expiration';

/**
 * Combines a listed key with its value: metadata and expiry read with the value are newer than the listing.
 */
export function toEntry(listed: KeyEntry, stored: StoredValue): Entry {
	const {metadata, expiration} = stored.valueOnly ? listed : stored;
	return {
		key: listed.name,
		bytes: stored.bytes,
		...(metadata !== undefined && {metadata}),
		...(expiration !== undefined && {expiration}),
	};
}

/** Converts a key to a bulk write entry: base64 if its value is not UTF-8. */
export function toBulkEntry({key, bytes, metadata, expiration}: Entry): BulkEntry {
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

/** Converts a key to a numbered entry of a batch. */
export function toBulkItem(number: number, entry: Entry): Item<BulkEntry> {
	const content = toBulkEntry(entry);
	const bytes = Buffer.byteLength(JSON.stringify(content));
	return {number, key: entry.key, bytes, content, unknownProperties: []};
}

/** Formats a line of an export, which `kv import`, `kv bulk put` and the service accept. */
export const formatEntryLine = (entry: Entry): string => `${JSON.stringify(toBulkEntry(entry))}\n`;

/** Lists the parts that differ between two entries. Property order in metadata does not matter. */
export function listDifferingParts(one: Omit<Entry, 'key'>, other: Omit<Entry, 'key'>): readonly EntryPart[] {
	return [
		...(Buffer.compare(one.bytes, other.bytes) === 0 ? [] : ['value' as const]),
		...(isDeepStrictEqual(one.metadata, other.metadata) ? [] : ['metadata' as const]),
		...(one.expiration === other.expiration ? [] : ['expiration' as const]),
	];
}
