import type {JsonValue} from '../../text/json.ts';
import type {KvProblem} from './error.ts';
import {kvServiceLimits, measureUtf8Bytes} from './limits.ts';

/** Returns why the service rejects a key name; undefined if it accepts it. */
export function findKeyNameProblem(key: string): KvProblem | undefined {
	if (key === '' || key === '.' || key === '..' || !key.isWellFormed()) return {code: 10042};
	const bytes = measureUtf8Bytes(key);
	if (bytes <= kvServiceLimits.keyBytes) return undefined;
	return {
		code: 10030,
		text: `UTF-8 encoded length of ${bytes} exceeds key length limit of ${kvServiceLimits.keyBytes}.`,
	};
}

/** Checks the size of a value, in bytes. */
function findValueProblem(bytes: number): KvProblem | undefined {
	if (bytes <= kvServiceLimits.valueBytes) return undefined;
	return {code: 10024, text: `Value length of ${bytes} exceeds limit of ${kvServiceLimits.valueBytes}.`};
}

/** Checks the size of metadata: JSON text. */
function findMetadataProblem(json: string): KvProblem | undefined {
	const bytes = measureUtf8Bytes(json);
	if (bytes <= kvServiceLimits.metadataBytes) return undefined;
	return {
		code: 10047,
		status: 413,
		text: `Metadata length of ${bytes} exceeds limit of ${kvServiceLimits.metadataBytes}.`,
	};
}

/** Checks a value and its metadata. */
export const findEntryProblem = (value: Uint8Array, metadata: string | null): KvProblem | undefined =>
	findValueProblem(value.length) ?? (metadata === null ? undefined : findMetadataProblem(metadata));

/**
 * Returns when a key expires, in UNIX seconds, or null for never; or the problem of an invalid time. The ttl
 * wins. `now` is in UNIX seconds.
 */
export function computeExpiration(
	{ttl, expiration}: {readonly ttl?: JsonValue | undefined; readonly expiration?: JsonValue | undefined},
	now: number,
): {readonly expiration: number | null} | {readonly problem: KvProblem} {
	const minTtl = kvServiceLimits.minimumTtl;
	if (ttl !== undefined && ttl !== null) {
		if (typeof ttl === 'number' && Number.isSafeInteger(ttl) && ttl >= minTtl) return {expiration: now + ttl};
		const text = `Invalid expiration_ttl of ${ttl}. Expiration TTL must be at least ${minTtl}.`;
		return {problem: {code: 10034, text}};
	}
	if (expiration === undefined || expiration === null) return {expiration: null};
	if (typeof expiration !== 'number' || !Number.isSafeInteger(expiration) || expiration <= now) {
		const text = `Invalid expiration of ${expiration}. Please specify integer greater than the current number of seconds since the UNIX epoch.`;
		return {problem: {code: 10033, text}};
	}
	if (expiration < now + minTtl) {
		const text = `Invalid expiration of ${expiration}. Expiration times must be at least ${minTtl} seconds in the future.`;
		return {problem: {code: 10033, text}};
	}
	return {expiration};
}
