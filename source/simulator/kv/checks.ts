import type {JsonValue} from '../../text/json.ts';
import type {KvProblem} from './error.ts';
import {limits, utf8Bytes} from './limits.ts';

/** Returns what the service rejects about a key name. */
export function keyProblem(key: string): KvProblem | undefined {
	if (key === '' || key === '.' || key === '..' || !key.isWellFormed()) return {code: 10042};
	const bytes = utf8Bytes(key);
	if (bytes <= limits.keyBytes) return undefined;
	return {
		code: 10030,
		text: `UTF-8 encoded length of ${bytes} exceeds key length limit of ${limits.keyBytes}.`,
	};
}

/** Checks the size of a value, in bytes. */
function valueProblem(bytes: number): KvProblem | undefined {
	if (bytes <= limits.valueBytes) return undefined;
	return {code: 10024, text: `Value length of ${bytes} exceeds limit of ${limits.valueBytes}.`};
}

/** Checks the size of metadata as JSON text, of any JSON value. */
function metadataProblem(json: string): KvProblem | undefined {
	const bytes = utf8Bytes(json);
	if (bytes <= limits.metadataBytes) return undefined;
	return {
		code: 10047,
		status: 413,
		text: `Metadata length of ${bytes} exceeds limit of ${limits.metadataBytes}.`,
	};
}

/** Checks a value and its metadata. */
export const entryProblem = (value: Uint8Array, metadata: string | null): KvProblem | undefined =>
	valueProblem(value.length) ?? (metadata === null ? undefined : metadataProblem(metadata));

/** Returns when a key expires, in UNIX seconds, or null for never; the ttl wins. `now` is in UNIX seconds. */
export function lifetime(
	{ttl, expiration}: {readonly ttl?: JsonValue | undefined; readonly expiration?: JsonValue | undefined},
	now: number,
): {readonly expiration: number | null} | {readonly problem: KvProblem} {
	const least = limits.minimumTtl;
	if (ttl !== undefined && ttl !== null) {
		if (typeof ttl === 'number' && Number.isSafeInteger(ttl) && ttl >= least) return {expiration: now + ttl};
		const text = `Invalid expiration_ttl of ${ttl}. Expiration TTL must be at least ${least}.`;
		return {problem: {code: 10034, text}};
	}
	if (expiration === undefined || expiration === null) return {expiration: null};
	if (typeof expiration !== 'number' || !Number.isSafeInteger(expiration) || expiration <= now) {
		const text = `Invalid expiration of ${expiration}. Please specify integer greater than the current number of seconds since the UNIX epoch.`;
		return {problem: {code: 10033, text}};
	}
	if (expiration < now + least) {
		const text = `Invalid expiration of ${expiration}. Expiration times must be at least ${least} seconds in the future.`;
		return {problem: {code: 10033, text}};
	}
	return {expiration};
}
