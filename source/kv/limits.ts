import {Failure} from '../failure.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../text/json.ts';
import type {Lifetime} from './store.ts';

/** The limits of the key-value store . Sizes in bytes, times in seconds. */
export const limits = {
	keyBytes: 512,
	/** 25 MB is 25 × 1,024 × 1,024, counted after base64 decoding. */
	valueBytes: 26_214_400,
	metadataBytes: 1024,
	minimumTtl: 60,
	/** The last moment that a date can tell, in UNIX seconds: 13 September 275760. */
	latestExpiration: 8_640_000_000_000,
	titleCharacters: 512,
	listPage: {least: 10, most: 1000},
	bulkEntries: 10_000,
	bulkBytes: 100_000_000,
	bulkReads: 100,
} as const;

/** What is wrong, and why, with the measured figure. */
export type Problem = {readonly what: string; readonly why: string};

export function refuse(problem: Problem | undefined): void {
	if (problem) throw new Failure('limit', problem.what, {why: problem.why});
}

export const utf8Bytes = (text: string): number => Buffer.byteLength(text, 'utf8');

/**
 * What is wrong with a key name, or `undefined`: 1 to 512 bytes of UTF-8, neither `.` nor `..`.
 * A lone surrogate has no UTF-8 and is refused, too.
 */
export function keyProblem(key: string): Problem | undefined {
	if (key === '') return {what: 'The key is empty.', why: 'A key has at least 1 byte; this one has 0.'};
	if (key === '.' || key === '..')
		return {
			what: `The key "${key}" is not allowed.`,
			why: 'The service cannot address the names "." and "..".',
		};
	if (!key.isWellFormed())
		return {
			what: 'The key is not valid Unicode.',
			why: 'It holds half of a surrogate pair, which has no UTF-8 form.',
		};
	// No text takes more than three bytes a unit: most keys need not be measured.
	if (key.length * 3 <= limits.keyBytes) return undefined;
	const bytes = utf8Bytes(key);
	if (bytes > limits.keyBytes)
		return {
			what: 'The key is too long.',
			why: `A key has at most ${limits.keyBytes} bytes in UTF-8; this one has ${bytes}.`,
		};
	return undefined;
}

/** A key as it was given, or the failure `limit`. */
export function checkKey(key: string): string {
	refuse(keyProblem(key));
	return key;
}

/** Whether the platform's documentation calls the key invalid although it works: whitespace or control characters in it. */
export const keyNeedsWarning = (key: string): boolean => /[\s\p{Cc}]/u.test(key);

export function valueProblem(bytes: number): Problem | undefined {
	if (bytes <= limits.valueBytes) return undefined;
	return {
		what: 'The value is too large.',
		why: `A value has at most ${limits.valueBytes} bytes; this one has ${bytes}.`,
	};
}

export function checkValueSize(bytes: number): void {
	refuse(valueProblem(bytes));
}

/** What is wrong with metadata that someone enters: an object that takes at most 1,024 bytes as compact JSON. */
export function metadataProblem(metadata: unknown): Problem | undefined {
	if (!isJsonObject(metadata))
		return {
			what: 'The metadata is not a JSON object.',
			why: `Metadata is an object such as {"v":1}; this is ${kindOf(metadata)}.`,
		};
	return keptMetadataProblem(metadata);
}

/** The same of metadata that a store has: Workers put any JSON there, and what was there must be kept. */
export function keptMetadataProblem(metadata: unknown): Problem | undefined {
	if (metadata === null)
		return {what: 'The metadata is null.', why: 'A key without metadata has no such property.'};
	const bytes = utf8Bytes(JSON.stringify(metadata));
	if (bytes > limits.metadataBytes)
		return {
			what: 'The metadata is too large.',
			why: `Metadata has at most ${limits.metadataBytes} bytes as JSON; this has ${bytes}.`,
		};
	return undefined;
}

export function checkMetadata(metadata: JsonValue): JsonObject {
	refuse(metadataProblem(metadata));
	return metadata as JsonObject;
}

/** What is wrong with a lifetime in seconds: a whole number, at least 60, which ends when a date can still tell it. */
export function ttlProblem(ttl: number, now = unixSeconds(Date.now())): Problem | undefined {
	if (!Number.isSafeInteger(ttl))
		return {what: 'The ttl is not a whole number.', why: `It counts seconds; this is ${ttl}.`};
	if (ttl < limits.minimumTtl)
		return {
			what: 'The ttl is too short.',
			why: `A ttl is at least ${limits.minimumTtl} seconds; this one is ${ttl}.`,
		};
	const longest = limits.latestExpiration - now;
	if (ttl > longest)
		return {what: 'The ttl is too long.', why: `A ttl is at most ${longest} seconds; this one is ${ttl}.`};
	return undefined;
}

/** What is wrong with a moment of expiry: whole UNIX seconds, at least 60 s from now, within what a date can hold. */
export function expirationProblem(expiration: number, now: number): Problem | undefined {
	if (!Number.isSafeInteger(expiration))
		return {
			what: 'The expiration is not a whole number.',
			why: `It is in UNIX seconds; this is ${expiration}.`,
		};
	const earliest = now + limits.minimumTtl;
	if (expiration < earliest)
		return {
			what: 'The expiration is too soon.',
			why: `It is at least ${limits.minimumTtl} seconds from now (${earliest} or later); this one is ${expiration}.`,
		};
	if (expiration > limits.latestExpiration)
		return {
			what: 'The expiration is too late.',
			why: `It is at most ${limits.latestExpiration}, in UNIX seconds; this one is ${expiration}.`,
		};
	return undefined;
}

/** What is wrong with a lifetime of which ttl wins. */
export function lifetimeProblem({ttl, expiration}: Lifetime, now: number): Problem | undefined {
	if (ttl !== undefined) return ttlProblem(ttl, now);
	return expiration === undefined ? undefined : expirationProblem(expiration, now);
}

/** A lifetime as the store takes it: ttl wins, so an expiration beside it is not looked at. `now` in UNIX seconds. */
export function checkLifetime(lifetime: Lifetime, now: number): Lifetime {
	const {ttl, expiration} = lifetime;
	refuse(lifetimeProblem(lifetime, now));
	return ttl !== undefined ? {ttl} : expiration !== undefined ? {expiration} : {};
}

export const unixSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);

/** What kind of JSON a value is, in words. */
export function kindOf(value: unknown): string {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'an array';
	return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
