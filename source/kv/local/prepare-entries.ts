import {decodeBase64} from '../../text/base64.ts';
import {
	findKeyProblem,
	findStoredMetadataProblem,
	findTtlProblem,
	findValueProblem,
	getUtf8Length,
	limits,
	toEpochSeconds,
} from '../limits.ts';
import type {BulkEntry, WriteOptions} from '../store.ts';

/** A value as bytes, or as its UTF-8 text. */
export type BlobValue = Uint8Array | string;

/** A value ready to be stored. `expiration` in milliseconds, `metadata` as JSON text. */
export type PreparedEntry = {
	readonly key: string;
	readonly value: BlobValue;
	readonly expiration: number | null;
	readonly metadata: string | null;
};

/** Why a value is refused, with the measured figure. */
type Refusal = {readonly why: string};

/**
 * Prepares a value for storage, or returns why it is refused. Checks the limits of `limits.ts` again. Callers
 * check that an expiry is 60 s away and that metadata is an object; here an expiry only has to be in the
 * future. `now` in milliseconds.
 */
export function prepareValue(
	key: string,
	value: BlobValue,
	options: WriteOptions,
	now: number,
): PreparedEntry | Refusal {
	const problem = findKeyProblem(key) ?? findSizeProblem(value);
	if (problem) return problem;
	let metadata: string | null = null;
	if (options.metadata !== undefined) {
		const metadataProblem = findStoredMetadataProblem(options.metadata);
		if (metadataProblem) return metadataProblem;
		metadata = JSON.stringify(options.metadata);
	}
	const expiration = computeExpiration(options.ttl, options.expiration, now);
	return typeof expiration === 'object' && expiration !== null
		? expiration
		: {key, value, expiration, metadata};
}

export function prepareEntry(entry: BulkEntry, now: number): PreparedEntry | Refusal {
	const value = entry.base64 ? decodeBase64(entry.value) : entry.value;
	if (value === undefined) return {why: 'The value is not base64, although its entry says so.'};
	const {metadata, expiration, expiration_ttl: ttl} = entry;
	return prepareValue(
		entry.key,
		value,
		{
			...(metadata !== undefined && {metadata}),
			...(expiration !== undefined && {expiration}),
			...(ttl !== undefined && {ttl}),
		},
		now,
	);
}

function findSizeProblem(value: BlobValue): Refusal | undefined {
	// UTF-8 takes at most three bytes per UTF-16 unit, so most values need no measuring.
	if (value.length * 3 <= limits.valueBytes) return undefined;
	return findValueProblem(typeof value === 'string' ? getUtf8Length(value) : value.length);
}

/**
 * Returns when a lifetime ends in milliseconds, null for never, or why it is refused. `ttl` wins over
 * `expiration`.
 */
function computeExpiration(
	ttl: number | undefined,
	expiration: number | undefined,
	now: number,
): number | null | Refusal {
	if (ttl !== undefined) return findTtlProblem(ttl) ?? (toEpochSeconds(now) + ttl) * 1000;
	if (expiration === undefined) return null;
	if (!Number.isSafeInteger(expiration) || !Number.isSafeInteger(expiration * 1000))
		return {why: `The expiration must be a whole number of UNIX seconds; this is ${expiration}.`};
	if (expiration <= toEpochSeconds(now))
		return {why: `The expiration has passed: it is ${expiration}, and it is now ${toEpochSeconds(now)}.`};
	return expiration * 1000;
}
