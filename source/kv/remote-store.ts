import {isDeepStrictEqual} from 'node:util';
import {Failure, isFailure} from '../failure.ts';
import type {Call} from '../service/call.ts';
import type {Client} from '../service/client.ts';
import type {PageInfo} from '../service/envelope.ts';
import {checkPageCount} from '../service/paging.ts';
import {
	createMalformedFailure,
	readList,
	readOptionalNumber,
	requireText,
} from '../service/response-fields.ts';
import {isJsonObject, type JsonValue} from '../text/json.ts';
import {encodeKey, isEncodedInPaths} from './key-path.ts';
import {limits} from './limits.ts';
import {buildNamespacePath, getNamespaceById} from './namespaces.ts';
import {maxReadBytes} from './read-limit.ts';
import {isRequestTooLarge} from './send.ts';
import type {BatchOutcome, BulkEntry, KeyEntry, KvStore, Lifetime, StoredValue} from './store.ts';

type RemoteStoreOptions = {
	readonly client: Client;
	readonly account: string;
	readonly namespace: string;
	readonly label: string;
	readonly accountLabel?: string | undefined;
	readonly title?: string | undefined;
	readonly isSimulated: boolean;
	/** False if the namespace does not decode keys in URLs; undefined if unknown. */
	readonly decodesKeys?: boolean | undefined;
	/** The file that the value comes from, for the curl line of a dry run. */
	readonly valueFile?: string | undefined;
};

export function openRemoteStore(options: RemoteStoreOptions): KvStore {
	const {client, account, namespace, valueFile} = options;
	const namespacePath = buildNamespacePath(account, namespace);
	let {decodesKeys} = options;
	const buildKeyPath = (part: 'values' | 'metadata', key: string) =>
		`${namespacePath}/${part}/${encodeKey(key, {label: options.label, decodesKeys})}`;
	const buildValuePath = (key: string) => buildKeyPath('values', key);
	const describe = (signal: AbortSignal) => getNamespaceById(client, account, namespace, signal);
	const buildReadCall = (path: string, query?: Call['query']): Call => ({
		method: 'GET',
		path,
		repeat: 'always',
		writes: false,
		...(query && {query}),
	});

	/** Reads keys in bulk; keys that do not exist are missing from the map. */
	async function fetchBulkValues(
		keys: readonly string[],
		signal: AbortSignal,
	): Promise<Map<string, BulkValue>> {
		const {result} = await client.call(
			{
				method: 'POST',
				path: `${namespacePath}/bulk/get`,
				body: {kind: 'json', value: {keys, type: 'text', withMetadata: true}},
				...(keys.length > 1 && {maxResponseBytes: maxReadBytes}),
				repeat: 'always',
				writes: false,
				bulk: true,
			},
			signal,
		);
		const values = isJsonObject(result) && isJsonObject(result.values) ? result.values : undefined;
		if (!values) throw createMalformedFailure('values of the keys');
		const bulkValues = new Map<string, BulkValue>();
		for (const key of keys) {
			// A missing key is `null`; a key without any entry means that the response was cut off.
			if (!Object.hasOwn(values, key))
				throw createMalformedFailure(`value of the key ${JSON.stringify(key)}`);
			const value = parseBulkValue(values[key]);
			if (value !== undefined) bulkValues.set(key, value);
		}
		return bulkValues;
	}

	async function getMany(keys: readonly string[], signal: AbortSignal): Promise<Map<string, StoredValue>> {
		const storedValues = new Map<string, StoredValue>();
		let bulkValues: Map<string, BulkValue>;
		try {
			bulkValues = await fetchBulkValues(keys, signal);
		} catch (error) {
			const [onlyKey, ...otherKeys] = keys;
			if (onlyKey === undefined || otherKeys.length > 0 || !isRequestTooLarge(error)) throw error;
			const stored = await getLargeValue(onlyKey, signal);
			return stored ? storedValues.set(onlyKey, stored) : storedValues;
		}
		let pending = takeExactValues(bulkValues, storedValues);
		for (let attempt = 0; pending.size > 0; attempt++) {
			const [key = ''] = pending.keys();
			if (attempt === maxAttempts) throw createUnstableKeyFailure(key);
			pending = await readRawValues(pending, storedValues, signal);
		}
		return storedValues;
	}

	/**
	 * Reads raw values, each with the expiry from the same response. Takes a value only if its metadata is
	 * the same before and after the read; returns the keys whose metadata changed, to be read again. A change
	 * that is reverted in between goes unnoticed.
	 */
	async function readRawValues(
		valuesBefore: ReadonlyMap<string, InexactValue>,
		storedValues: Map<string, StoredValue>,
		signal: AbortSignal,
	): Promise<Map<string, InexactValue>> {
		const keys = [...valuesBefore.keys()];
		const rawValues = await Promise.all(keys.map(key => get(key, signal)));
		const valuesAfter = takeExactValues(await fetchBulkValues(keys, signal), storedValues);
		for (const [index, key] of keys.entries()) {
			const [valueBefore, valueAfter, stored] = [
				valuesBefore.get(key),
				valuesAfter.get(key),
				rawValues[index],
			];
			// Deleted or exact by now: settled.
			if (
				!valueAfter ||
				!valueBefore ||
				!stored ||
				!isDeepStrictEqual(valueBefore.metadata, valueAfter.metadata)
			)
				continue;
			const {metadata, valueOnly} = valueAfter;
			storedValues.set(key, {
				...stored,
				...(metadata !== undefined && {metadata}),
				...(valueOnly && {valueOnly}),
			});
			valuesAfter.delete(key);
		}
		return valuesAfter;
	}

	/** Reads one key whose value is too large for a bulk response. */
	async function getLargeValue(key: string, signal: AbortSignal): Promise<StoredValue | undefined> {
		let metadataBefore = await fetchMetadata(key, signal);
		for (let attempt = 0; attempt < maxAttempts && metadataBefore !== undefined; attempt++) {
			const stored = await get(key, signal);
			const metadataAfter = await fetchMetadata(key, signal);
			if (stored && metadataAfter !== undefined && isDeepStrictEqual(metadataBefore, metadataAfter))
				return {...stored, ...(metadataAfter !== null && {metadata: metadataAfter})};
			metadataBefore = metadataAfter;
		}
		if (metadataBefore === undefined) return undefined;
		throw createUnstableKeyFailure(key);
	}

	async function fetchMetadata(key: string, signal: AbortSignal): Promise<JsonValue | undefined> {
		try {
			const {result} = await client.call(buildReadCall(buildKeyPath('metadata', key)), signal);
			return (result ?? null) as JsonValue;
		} catch (error) {
			if (isFailure(error, 'key_not_found')) return undefined;
			throw error;
		}
	}

	async function get(key: string, signal: AbortSignal): Promise<StoredValue | undefined> {
		try {
			const {bytes, headers} = await client.read(buildReadCall(buildValuePath(key)), signal);
			const expiration = parseExpirationHeader(headers);
			return {bytes, ...(expiration !== undefined && {expiration})};
		} catch (error) {
			if (!isFailure(error, 'key_not_found')) throw error;
			await refuseIfNotDecoded(key, signal);
			return undefined;
		}
	}

	/** Fails if a key was not found because the namespace does not decode keys in URLs. Reads that once. */
	async function refuseIfNotDecoded(key: string, signal: AbortSignal): Promise<void> {
		if (decodesKeys !== undefined || !isEncodedInPaths(key)) return;
		// Only an explanation: if it cannot be read, the key is missing all the same.
		const description = await describe(signal).catch(() => undefined);
		decodesKeys = description?.supports_url_encoding ?? true;
		buildValuePath(key);
	}

	async function removeMany(
		call: Pick<Call, 'method' | 'path'>,
		keys: readonly string[],
		signal: AbortSignal,
	): Promise<BatchOutcome> {
		const body = {kind: 'list', items: keys} as const;
		const {result} = await client.call({...call, body, repeat: 'always', writes: true, bulk: true}, signal);
		return parseBulkOutcome(result, keys);
	}

	return {
		kind: options.isSimulated ? 'simulated' : 'remote',
		namespace,
		account,
		label: options.label,
		accountLabel: options.accountLabel,
		title: options.title,
		batchLimits: {
			entries: limits.bulkEntries,
			bytes: limits.bulkBytes,
			keysPerRead: limits.keysPerBulkRead,
			concurrency: client.concurrency,
		},
		quota: client.quota,
		async list({prefix, cursor, limit}, signal) {
			const {result, info} = await client.call(
				{
					...buildReadCall(`${namespacePath}/keys`, {limit, prefix: prefix || undefined, cursor}),
					responseLimit: 'listing',
				},
				signal,
			);
			const entries = readList(result, 'a key', parseKeyEntry);
			checkKeysPage(info, entries.length, limit ?? limits.listPage.maxKeys);
			return {entries, ...(info.cursor && {cursor: info.cursor})};
		},
		get,
		getMany,
		metadata: fetchMetadata,
		describe,
		async put(key, value, {metadata, ...lifetime}, signal) {
			const body =
				metadata === undefined
					? ({kind: 'bytes', bytes: value, file: valueFile} as const)
					: ({kind: 'value', bytes: value, metadata, file: valueFile} as const);
			await client.call(
				{
					method: 'PUT',
					path: buildValuePath(key),
					query: buildLifetimeQuery(lifetime),
					body,
					repeat: 'always',
					writes: true,
				},
				signal,
			);
		},
		async delete(key, signal) {
			await client.call(
				{method: 'DELETE', path: buildValuePath(key), repeat: 'always', writes: true},
				signal,
			);
			return undefined;
		},
		async putMany(entries: readonly BulkEntry[], signal) {
			const {result} = await client.call(
				{
					method: 'PUT',
					path: `${namespacePath}/bulk`,
					body: {kind: 'list', items: entries},
					repeat: 'always',
					writes: true,
					bulk: true,
				},
				signal,
			);
			return parseBulkOutcome(
				result,
				entries.map(({key}) => key),
			);
		},
		async deleteMany(keys, signal) {
			try {
				return await removeMany({method: 'POST', path: `${namespacePath}/bulk/delete`}, keys, signal);
			} catch (error) {
				if (!isEndpointMissing(error)) throw error;
				return removeMany({method: 'DELETE', path: `${namespacePath}/bulk`}, keys, signal);
			}
		},
		[Symbol.dispose]() {},
	};
}

/**
 * Fails if a page has fewer keys than it claims, or is full without a cursor. A page that is not full and has
 * no cursor is the last one: some deployments omit the cursor there.
 */
function checkKeysPage(info: PageInfo, keyCount: number, limit: number): void {
	checkPageCount(info, keyCount);
	if (info.cursor === undefined && keyCount >= limit)
		throw createMalformedFailure('page of keys').withDetails({
			why: 'It is full, but has no cursor for the next page.',
		});
}

/** True if the bulk delete endpoint is unknown: older deployments only have `DELETE …/bulk`. */
const isEndpointMissing = (error: unknown): boolean =>
	isFailure(error, 'not_found', 'refused_by_service') &&
	(error.details.http === 405 ||
		(error.details.service ?? []).some(code => code === 7000 || code === 10_025));

const buildLifetimeQuery = ({ttl, expiration}: Lifetime): NonNullable<Call['query']> =>
	ttl !== undefined ? {expiration_ttl: ttl} : {expiration};

/**
 * Parses the expiry header of a raw value, in UNIX seconds. Fails if it is unreadable, because a copy would
 * lose it.
 */
function parseExpirationHeader(headers: {get(name: string): string | null}): number | undefined {
	const header = headers.get('expiration');
	if (header === null) return undefined;
	const seconds = Number(header);
	if (!/^\d+$/.test(header) || !Number.isSafeInteger(seconds))
		throw createMalformedFailure('expiration of a value');
	return seconds;
}

function parseKeyEntry(item: Readonly<Record<string, unknown>>): KeyEntry {
	const expiration = readOptionalNumber(item, 'expiration', 'a key');
	return {
		name: requireText(item, 'name', 'a key'),
		...(expiration !== undefined && {expiration}),
		...(item.metadata !== undefined && item.metadata !== null && {metadata: item.metadata as JsonValue}),
	};
}

/** The value of a key in a bulk read. Older deployments return the value alone. */
type BulkValue = Omit<StoredValue, 'bytes'> & {readonly text: string};

/**
 * A value with replacement characters, which may stand for bytes that are not UTF-8. Only a raw read can
 * tell.
 */
type InexactValue = Pick<BulkValue, 'metadata' | 'valueOnly'>;

/** Moves the values that are exact as text to `storedValues`; returns the others. */
function takeExactValues(
	bulkValues: Map<string, BulkValue>,
	storedValues: Map<string, StoredValue>,
): Map<string, InexactValue> {
	const inexact = new Map<string, InexactValue>();
	for (const [key, {text: value, ...otherFields}] of bulkValues) {
		if (value.includes('\ufffd')) inexact.set(key, otherFields);
		else storedValues.set(key, {bytes: Buffer.from(value), ...otherFields});
	}
	return inexact;
}

/** Number of reads before giving up on a key whose metadata changes every time. */
const maxAttempts = 5;

const createUnstableKeyFailure = (key: string): Failure =>
	new Failure('changed_meanwhile', `The key ${JSON.stringify(key)} changed each time ledge read it.`, {
		why: `Value and metadata are read one after the other, and did not match in ${maxAttempts} tries.`,
		next: 'Try again when nothing is writing to it.',
	});

/** Parses both shapes of a bulk read: the bare value, or an object with metadata. */
function parseBulkValue(value: unknown): BulkValue | undefined {
	if (value === null) return undefined;
	if (typeof value === 'string') return {text: value, valueOnly: true};
	if (!isJsonObject(value)) throw createMalformedFailure('value of a key');
	if (value.value === null) return undefined;
	const expiration = readOptionalNumber(value, 'expiration', 'a key');
	return {
		text: requireText(value, 'value', 'a key'),
		...(value.metadata !== undefined && value.metadata !== null && {metadata: value.metadata as JsonValue}),
		...(expiration !== undefined && {expiration}),
	};
}

/**
 * Parses the outcome of a bulk write. Newer deployments count accepted keys and list refused ones; older ones
 * return `null`. Fails on anything else, and if the count leaves keys unaccounted for: what was written is
 * unknown then.
 */
function parseBulkOutcome(result: unknown, keys: readonly string[]): BatchOutcome {
	if (result === null) return {done: keys.length, refused: []};
	const refused = isJsonObject(result) ? result.unsuccessful_keys : undefined;
	const acceptedCount = isJsonObject(result)
		? readOptionalNumber(result, 'successful_key_count', 'a bulk write')
		: undefined;
	if (!Array.isArray(refused) || !refused.every(key => typeof key === 'string'))
		throw createMalformedFailure('outcome of a bulk write');
	const done = keys.length - refused.length;
	if (acceptedCount !== undefined && acceptedCount < done)
		throw createMalformedFailure('outcome of a bulk write').withDetails({
			why: `It counts ${acceptedCount} of ${keys.length} keys as accepted, and lists ${refused.length} as rejected.`,
		});
	return {done, refused: refused.map(key => ({key}))};
}
