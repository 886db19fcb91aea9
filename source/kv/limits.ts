import {Failure} from '../failure.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../text/json.ts';
import type {Lifetime} from './store.ts';

/** Limits of the key-value store. Sizes in bytes, times in seconds. */
export const limits = {
	keyBytes: 512,
	/** 25 MB is 25 × 1,024 × 1,024, counted after base64 decoding. */
	valueBytes: 26_214_400,
	metadataBytes: 1024,
	minimumTtl: 60,
	/** The latest date JavaScript can represent, in UNIX seconds: 13 September 275760. */
	latestExpiration: 8_640_000_000_000,
	titleCharacters: 512,
	listPage: {minKeys: 10, maxKeys: 1000},
	bulkEntries: 10_000,
	bulkBytes: 100_000_000,
	keysPerBulkRead: 100,
} as const;

/** A broken limit: `what` is wrong, and `why`, including the measured size. */
export type Problem = {readonly what: string; readonly why: string};

export function throwIfProblem(problem: Problem | undefined): void {
	if (problem) throw new Failure('limit', problem.what, {why: problem.why});
}

export const getUtf8Length = (text: string): number => Buffer.byteLength(text, 'utf8');

/**
 * Returns what is wrong with a key name, or undefined. A name has 1 to 512 bytes of UTF-8 and is neither `.`
 * nor `..`. A lone surrogate has no UTF-8 form and is refused.
 */
export function findKeyProblem(key: string): Problem | undefined {
	if (key === '') return {what: 'The key is empty.', why: 'A key has at least 1 byte; this one has 0.'};
	if (key === '.' || key === '..')
		return {
			what: `The key "${key}" is not allowed.`,
			why: 'The service cannot address the names "." and "..".',
		};
	if (!key.isWellFormed())
		return {
			what: 'The key is not valid Unicode.',
			why: 'It contains half of a surrogate pair, which has no UTF-8 form.',
		};
	// UTF-8 takes at most three bytes per UTF-16 unit, so most keys need no measuring.
	if (key.length * 3 <= limits.keyBytes) return undefined;
	const bytes = getUtf8Length(key);
	if (bytes > limits.keyBytes)
		return {
			what: 'The key is too long.',
			why: `A key has at most ${limits.keyBytes} bytes in UTF-8; this one has ${bytes}.`,
		};
	return undefined;
}

/** Returns the key unchanged, or fails with `limit`. */
export function checkKey(key: string): string {
	throwIfProblem(findKeyProblem(key));
	return key;
}

/**
 * True if the key contains whitespace or control characters: the platform's documentation calls it invalid,
 * but it works.
 */
export const shouldWarnAboutKey = (key: string): boolean => /[\s\p{Cc}]/u.test(key);

export function findValueProblem(bytes: number): Problem | undefined {
	if (bytes <= limits.valueBytes) return undefined;
	return {
		what: 'The value is too large.',
		why: `A value has at most ${limits.valueBytes} bytes; this one has ${bytes}.`,
	};
}

export function checkValueSize(bytes: number): void {
	throwIfProblem(findValueProblem(bytes));
}

/** Checks metadata that a user enters: an object of at most 1,024 bytes as compact JSON. */
export function findMetadataProblem(metadata: unknown): Problem | undefined {
	if (!isJsonObject(metadata))
		return {
			what: 'The metadata is not a JSON object.',
			why: `Metadata must be an object such as {"v":1}; this is ${describeJsonKind(metadata)}.`,
		};
	return findStoredMetadataProblem(metadata);
}

/**
 * Checks metadata that is already stored. Workers may store any JSON, and ledge keeps it, so only null and
 * the size are checked.
 */
export function findStoredMetadataProblem(metadata: unknown): Problem | undefined {
	if (metadata === null)
		return {what: 'The metadata is null.', why: 'Omit the property for a key without metadata.'};
	const bytes = getUtf8Length(JSON.stringify(metadata));
	if (bytes > limits.metadataBytes)
		return {
			what: 'The metadata is too large.',
			why: `Metadata has at most ${limits.metadataBytes} bytes as JSON; this has ${bytes}.`,
		};
	return undefined;
}

export function checkMetadata(metadata: JsonValue): JsonObject {
	throwIfProblem(findMetadataProblem(metadata));
	return metadata as JsonObject;
}

/** Checks a ttl: a whole number of seconds, at least 60, that ends within the range of a date. */
export function findTtlProblem(ttl: number, now = toEpochSeconds(Date.now())): Problem | undefined {
	if (!Number.isSafeInteger(ttl))
		return {what: 'The ttl is not a whole number.', why: `It must be in whole seconds; this is ${ttl}.`};
	if (ttl < limits.minimumTtl)
		return {
			what: 'The ttl is too short.',
			why: `A ttl must be at least ${limits.minimumTtl} seconds; this one is ${ttl}.`,
		};
	const maxTtl = limits.latestExpiration - now;
	if (ttl > maxTtl)
		return {
			what: 'The ttl is too long.',
			why: `A ttl must be at most ${maxTtl} seconds; this one is ${ttl}.`,
		};
	return undefined;
}

/** Checks an expiration: whole UNIX seconds, at least 60 s from `now`, within the range of a date. */
export function findExpirationProblem(expiration: number, now: number): Problem | undefined {
	if (!Number.isSafeInteger(expiration))
		return {
			what: 'The expiration is not a whole number.',
			why: `It must be in UNIX seconds; this is ${expiration}.`,
		};
	const earliest = now + limits.minimumTtl;
	if (expiration < earliest)
		return {
			what: 'The expiration is too soon.',
			why: `It must be at least ${limits.minimumTtl} seconds from now (${earliest} or later); this one is ${expiration}.`,
		};
	if (expiration > limits.latestExpiration)
		return {
			what: 'The expiration is too late.',
			why: `It must be at most ${limits.latestExpiration}, in UNIX seconds; this one is ${expiration}.`,
		};
	return undefined;
}

/** Checks a lifetime. If both are given, `ttl` wins. */
export function findLifetimeProblem({ttl, expiration}: Lifetime, now: number): Problem | undefined {
	if (ttl !== undefined) return findTtlProblem(ttl, now);
	return expiration === undefined ? undefined : findExpirationProblem(expiration, now);
}

/**
 * Returns the lifetime to send, or fails with `limit`. `ttl` wins: an expiration beside it is ignored. `now`
 * in UNIX seconds.
 */
export function checkLifetime(lifetime: Lifetime, now: number): Lifetime {
	const {ttl, expiration} = lifetime;
	throwIfProblem(findLifetimeProblem(lifetime, now));
	return ttl !== undefined ? {ttl} : expiration !== undefined ? {expiration} : {};
}

export const toEpochSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);

/** Names the JSON type of a value, with its article: "an array". */
export function describeJsonKind(value: unknown): string {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'an array';
	return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
