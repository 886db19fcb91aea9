import {isFailure} from '../failure.ts';
import type {JsonValue} from '../json.ts';
import type {Call} from '../service/call.ts';
import type {Client} from '../service/client.ts';
import {isRecord} from '../service/envelope.ts';
import {malformed, optionalText, readList, text} from '../service/reading.ts';
import {limits} from './limits.ts';
import {namespacePath} from './namespaces.ts';
import type {BatchOutcome, BulkEntry, KeyEntry, KvStore, Lifetime, StoredValue} from './store.ts';

export type RemoteStoreOptions = {
	readonly client: Client;
	readonly account: string;
	readonly namespace: string;
	readonly label: string;
	readonly simulated: boolean;
	/** The file a value comes from, for the curl line of a dry run. */
	readonly valueFile?: string | undefined;
};

/** A namespace of the service behind `KvStore` (service-contract.md 8). */
export function openRemoteStore(options: RemoteStoreOptions): KvStore {
	const {client, account, namespace, valueFile} = options;
	const base = namespacePath(account, namespace);
	const valuePath = (key: string) => `${base}/values/${encodeURIComponent(key)}`;
	const read = (path: string, query?: Call['query']): Call => ({
		method: 'GET',
		path,
		repeat: 'always',
		writes: false,
		...(query && {query}),
	});

	async function getMany(keys: readonly string[], signal: AbortSignal): Promise<Map<string, StoredValue>> {
		const {result} = await client.call(
			{
				method: 'POST',
				path: `${base}/bulk/get`,
				body: {kind: 'json', value: {keys, type: 'text', withMetadata: true}},
				repeat: 'always',
				writes: false,
				bulk: true,
			},
			signal,
		);
		const values = isRecord(result) && isRecord(result.values) ? result.values : undefined;
		if (!values) throw malformed('values of the keys');
		const found = new Map<string, StoredValue>();
		for (const key of keys) {
			const value = bulkValue(Object.hasOwn(values, key) ? values[key] : null);
			if (value === undefined) continue;
			// A replacement character may stand for bytes that are no UTF-8: only the raw answer tells (decision 12).
			const bytes = value.text.includes('\ufffd') ? (await get(key, signal))?.bytes : Buffer.from(value.text);
			// Gone between the two answers.
			if (bytes) found.set(key, {bytes, ...value.rest});
		}
		return found;
	}

	async function get(key: string, signal: AbortSignal): Promise<StoredValue | undefined> {
		try {
			const {bytes, headers} = await client.read(read(valuePath(key)), signal);
			const expiration = Number.parseInt(headers.get('expiration') ?? '', 10);
			return {bytes, ...(Number.isSafeInteger(expiration) && {expiration})};
		} catch (error) {
			if (isFailure(error, 'key_not_found')) return undefined;
			throw error;
		}
	}

	async function removeMany(
		call: Pick<Call, 'method' | 'path'>,
		keys: readonly string[],
		signal: AbortSignal,
	): Promise<BatchOutcome> {
		const body = {kind: 'list', items: keys} as const;
		const {result} = await client.call({...call, body, repeat: 'always', writes: true, bulk: true}, signal);
		return outcome(result, keys.length);
	}

	return {
		kind: options.simulated ? 'simulated' : 'remote',
		namespace,
		label: options.label,
		batch: {
			entries: limits.bulkEntries,
			bytes: limits.bulkBytes,
			reads: limits.bulkReads,
			concurrency: client.concurrency,
		},
		async list({prefix, cursor, limit}, signal) {
			const {result, info} = await client.call(
				read(`${base}/keys`, {limit, prefix: prefix || undefined, cursor}),
				signal,
			);
			const entries = readList(result, 'a key', readKeyEntry);
			return {entries, ...(info.cursor !== undefined && {cursor: info.cursor})};
		},
		get,
		getMany,
		async metadata(key, signal) {
			try {
				const {result} = await client.call(read(`${base}/metadata/${encodeURIComponent(key)}`), signal);
				return (result ?? null) as JsonValue;
			} catch (error) {
				if (isFailure(error, 'key_not_found')) return undefined;
				throw error;
			}
		},
		async put(key, value, {metadata, ...lifetime}, signal) {
			const body =
				metadata === undefined
					? ({kind: 'bytes', bytes: value, file: valueFile} as const)
					: ({kind: 'value', bytes: value, metadata, file: valueFile} as const);
			await client.call(
				{
					method: 'PUT',
					path: valuePath(key),
					query: lifetimeQuery(lifetime),
					body,
					repeat: 'always',
					writes: true,
				},
				signal,
			);
		},
		async delete(key, signal) {
			await client.call({method: 'DELETE', path: valuePath(key), repeat: 'always', writes: true}, signal);
		},
		async putMany(entries: readonly BulkEntry[], signal) {
			const {result} = await client.call(
				{
					method: 'PUT',
					path: `${base}/bulk`,
					body: {kind: 'list', items: entries},
					repeat: 'always',
					writes: true,
					bulk: true,
				},
				signal,
			);
			return outcome(result, entries.length);
		},
		async deleteMany(keys, signal) {
			try {
				return await removeMany({method: 'POST', path: `${base}/bulk/delete`}, keys, signal);
			} catch (error) {
				if (!endpointMissing(error)) throw error;
				return removeMany({method: 'DELETE', path: `${base}/bulk`}, keys, signal);
			}
		},
		[Symbol.dispose]() {},
	};
}

/** Older deployments know `DELETE …/bulk` only, and call the newer endpoint unknown (service-contract.md 8). */
const endpointMissing = (error: unknown): boolean =>
	isFailure(error, 'not_found', 'refused_by_service') &&
	(error.details.http === 405 ||
		(error.details.service ?? []).some(code => code === 7000 || code === 10_025));

const lifetimeQuery = ({ttl, expiration}: Lifetime): NonNullable<Call['query']> =>
	ttl !== undefined ? {expiration_ttl: ttl} : {expiration};

function readKeyEntry(item: Readonly<Record<string, unknown>>): KeyEntry {
	return {
		name: text(item, 'name', 'a key'),
		...(typeof item.expiration === 'number' && {expiration: item.expiration}),
		...(item.metadata !== undefined && item.metadata !== null && {metadata: item.metadata as JsonValue}),
	};
}

/** Both answer shapes of a bulk read (decision 12): the bare value, or an object with metadata. */
function bulkValue(value: unknown): {text: string; rest: Omit<StoredValue, 'bytes'>} | undefined {
	if (value === null || value === undefined) return undefined;
	if (typeof value === 'string') return {text: value, rest: {valueOnly: true}};
	if (!isRecord(value)) throw malformed('value of a key');
	if (value.value === null || value.value === undefined) return undefined;
	const inner = optionalText(value, 'value');
	if (inner === undefined) throw malformed('value of a key');
	return {
		text: inner,
		rest: {
			...(value.metadata !== undefined && value.metadata !== null && {metadata: value.metadata as JsonValue}),
			...(typeof value.expiration === 'number' && {expiration: value.expiration}),
		},
	};
}

/** What a bulk write did: newer deployments name the keys they refused, older ones say nothing but success. */
function outcome(result: unknown, sent: number): BatchOutcome {
	const refused = isRecord(result) && Array.isArray(result.unsuccessful_keys) ? result.unsuccessful_keys : [];
	const keys = refused.filter(key => typeof key === 'string').map(key => ({key}));
	return {done: sent - keys.length, refused: keys};
}
