import {createHash} from 'node:crypto';
import {isDeepStrictEqual} from 'node:util';
import type {JsonValue} from '../../text/json.ts';
import type {KvStore, Lifetime} from '../store.ts';

/** Everything of a key that a write replaces. */
export type WholeKey = {
	readonly bytes: Uint8Array;
	/** UNIX seconds; absent when the key does not expire. */
	readonly expiration?: number;
	/** As in `KeyDigest`: for a key written here and not read since. */
	readonly expirationWithin?: number;
	/** `null` when it has none. */
	readonly metadata: JsonValue;
};

/** Identifies a state of a key whose value is no longer in memory. */
export type KeyDigest = {
	/** SHA-256 of the value, in hex. */
	readonly digest: string;
	readonly expiration?: number;
	/** Tolerance of `expiration` in seconds: only the store knows exactly when a ttl ends. */
	readonly expirationWithin?: number;
	readonly metadata: JsonValue;
};

/** What an edit is based on: the key itself, or its digest from a draft or the history. */
export type Base = WholeKey | KeyDigest;

/**
 * Reads a key with everything that belongs to it; undefined if it does not exist. Value and metadata are two
 * concurrent requests, so a write in between may be seen in part; the next check detects that.
 */
export async function readWholeKey(
	store: KvStore,
	key: string,
	signal: AbortSignal,
): Promise<WholeKey | undefined> {
	const [value, metadata] = await Promise.all([store.get(key, signal), store.metadata(key, signal)]);
	if (!value) return undefined;
	const {bytes, expiration} = value;
	return {bytes, metadata: metadata ?? null, ...(expiration !== undefined && {expiration})};
}

export const digestKey = ({bytes, expiration, expirationWithin, metadata}: WholeKey): KeyDigest => ({
	digest: hashValue(bytes),
	metadata,
	...(expiration !== undefined && {expiration}),
	...(expirationWithin !== undefined && {expirationWithin}),
});

/** Writes a key with the value and metadata of a `WholeKey`, and a lifetime. */
export const putWholeKey = (
	store: KvStore,
	key: string,
	{bytes, metadata}: WholeKey,
	{ttl, expiration}: Lifetime,
	signal: AbortSignal,
): Promise<void> =>
	store.put(
		key,
		bytes,
		{
			...(ttl !== undefined && {ttl}),
			...(expiration !== undefined && {expiration}),
			...(metadata !== null && {metadata}),
		},
		signal,
	);

/** True if two states are equal: same bytes, expiry and metadata (in any field order), or both absent. */
export const isSameState = (one: Base | undefined, other: Base | undefined): boolean =>
	one && other
		? isSameValue(one, other) && isSameMetadata(one.metadata, other.metadata) && isSameExpiry(one, other)
		: one === other;

export function isSameValue(one: Base, other: Base): boolean {
	if ('bytes' in one && 'bytes' in other) return Buffer.compare(one.bytes, other.bytes) === 0;
	return getValueDigest(one) === getValueDigest(other);
}

export const isSameMetadata = (one: JsonValue, other: JsonValue): boolean => isDeepStrictEqual(one, other);

export function isSameExpiry(one: Base, other: Base): boolean {
	if (one.expiration === undefined || other.expiration === undefined)
		return one.expiration === other.expiration;
	return Math.abs(one.expiration - other.expiration) <= Math.max(getSlack(one), getSlack(other));
}

const getSlack = ({expirationWithin = 0}: Base): number => expirationWithin;

const getValueDigest = (key: Base): string => ('digest' in key ? key.digest : hashValue(key.bytes));

const hashValue = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
