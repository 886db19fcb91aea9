import {createHash} from 'node:crypto';
import {Failure} from '../../failure.ts';
import {buildAdvice} from '../../text/advice.ts';
import {formatInteger} from '../../text/figures.ts';
import {limits} from '../limits.ts';
import type {KvStore} from '../store.ts';
import type {Entry} from '../transfer/entry.ts';
import {type ListedKeys, walkKeys} from '../transfer/listing.ts';
import {readEntries} from '../transfer/read-entries.ts';
import type {WatchedKey} from './changes.ts';

/** What is watched: one key with its value, or the listing of keys with a prefix ('' for all). */
export type WatchScope =
	| {readonly key: string}
	| {
			readonly prefix: string;
			/** True to read the values, too. */
			readonly readsValues?: boolean | undefined;
			/** Maximum number of keys; default `watchLimits.keys`. */
			readonly maxKeys?: number | undefined;
	  };

/** Limits of a watch, so that each read stays a small part of the request quota. */
export const watchLimits = {
	/** Keys with the prefix: 100 calls a read. */
	keys: 100_000,
	/** Keys whose values are read. */
	values: 1000,
	/** Bytes of new values that a read keeps; those of further keys are read again when they are used. */
	keptBytes: limits.valueBytes,
} as const;

/** One complete read. `calls` counts the requests of a store of the service. */
export type WatchRead = {readonly keys: readonly WatchedKey[]; readonly calls: number};

/**
 * Reads all keys of a scope. Values are hashed; `bytes` are only in keys whose value differs from
 * `knownKeys`, up to `watchLimits.keptBytes`. Fails with `limit` if there are too many keys, otherwise as the store does.
 */
export async function readWatchedKeys(
	store: KvStore,
	scope: WatchScope,
	knownKeys: ReadonlyMap<string, WatchedKey>,
	signal: AbortSignal,
): Promise<WatchRead> {
	if ('key' in scope) {
		const keys = await readValues(
			store,
			[{keys: [{name: scope.key}], cursor: undefined, isNamesOnly: true}],
			knownKeys,
			signal,
		);
		return {keys, calls: 1};
	}
	const {prefix, readsValues = false} = scope;
	const maxKeys = readsValues ? watchLimits.values : (scope.maxKeys ?? watchLimits.keys);
	const pages: ListedKeys[] = [];
	let keyCount = 0;
	for await (const page of walkKeys(store, {prefix}, signal)) {
		pages.push(page);
		keyCount += page.keys.length;
		if (keyCount > maxKeys) throw createTooManyKeysFailure(prefix, maxKeys, readsValues);
	}
	if (readsValues)
		return {
			keys: await readValues(store, pages, knownKeys, signal),
			calls: pages.length + Math.ceil(keyCount / limits.keysPerBulkRead),
		};
	const entries = pages.flatMap(({keys}) => keys);
	const names = entries.map(({name}) => name);
	const versions = await store.findVersions?.(names, signal);
	if (!versions) return {keys: entries, calls: pages.length};
	const hasSizes = entries.length <= watchLimits.values;
	const keys = entries.map(entry => {
		const {name} = entry;
		const version = versions.get(name);
		const known = knownKeys.get(name);
		const size = !hasSizes || (known && known.version === version) ? known?.size : store.size?.(name);
		return {...entry, version, size};
	});
	return {keys, calls: pages.length};
}

async function readValues(
	store: KvStore,
	pages: readonly ListedKeys[],
	knownKeys: ReadonlyMap<string, WatchedKey>,
	signal: AbortSignal,
): Promise<readonly WatchedKey[]> {
	async function* yieldPages(): AsyncGenerator<ListedKeys> {
		yield* pages;
	}
	const keys: WatchedKey[] = [];
	let keptBytes = 0;
	for await (const {entries} of readEntries(store, yieldPages(), signal))
		for (const entry of entries) {
			const {bytes, ...key} = toWatchedKey(entry, knownKeys.get(entry.key));
			keptBytes += bytes?.length ?? 0;
			keys.push(keptBytes > watchLimits.keptBytes ? key : {...key, bytes});
		}
	return keys;
}

/** Converts a key that was read with its value. Keeps the value only if it differs from the known one. */
export function toWatchedKey(
	{key, bytes, metadata, expiration}: Entry,
	known: WatchedKey | undefined,
): WatchedKey {
	const version = createHash('sha256').update(bytes).digest('base64');
	return {
		name: key,
		version,
		size: bytes.length,
		...(metadata !== undefined && {metadata}),
		...(expiration !== undefined && {expiration}),
		...(version !== known?.version && {bytes}),
	};
}

const createTooManyKeysFailure = (prefix: string, maxKeys: number, readsValues: boolean): Failure =>
	new Failure(
		'limit',
		`Too many keys to watch${readsValues ? ' with their values' : ''}: more than ${formatInteger(maxKeys)}${prefix === '' ? '' : ` start with ${JSON.stringify(prefix)}`}.`,
		{
			why: 'All of them are listed each time, which uses the request quota.',
			next: readsValues ? buildAdvice`Use a longer --prefix, or leave out --values.` : 'Use a longer prefix.',
		},
	);
