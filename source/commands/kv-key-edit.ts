import {isDeepStrictEqual} from 'node:util';
import {keepDraft} from '../config/drafts.ts';
import {Failure} from '../failure.ts';
import type {JsonValue} from '../json.ts';
import {checkKey, checkLifetime, checkValueSize, limits, unixSeconds} from '../kv/limits.ts';
import type {KvStore, StoredValue, WriteOptions} from '../kv/store.ts';
import {editBytes} from '../terminal/editor.ts';
import {confirm} from '../terminal/prompt.ts';
import type {CommandContext} from './context.ts';
import {keyNotFound} from './kv-key-get.ts';
import type {TargetOptions} from './kv-options.ts';
import {openNamespace} from './stores.ts';

/**
 * `kv key edit`: the value in `$EDITOR`; metadata and expiry stay (decision 28). Before the write the key is read
 * again: if someone changed it meanwhile nothing is written, and what was edited is kept in a file.
 */
export async function editKey(context: CommandContext, options: TargetOptions, key = ''): Promise<void> {
	context.refuseWhenReadOnly('editing a key');
	checkKey(key);
	const {signal} = context;
	using store = await openNamespace(context, options, {write: true});
	const before = await wholeKey(store, key, signal);
	if (!before) throw keyNotFound(key, store);
	const {metadata} = before;
	const edited = await editBytes(before.bytes, context.env);
	if (Buffer.compare(edited, before.bytes) === 0) {
		await context.result(
			{key, namespace: store.namespace, written: false},
			'Nothing was changed, so nothing was written.',
		);
		return;
	}
	try {
		checkValueSize(edited.length);
		await refuseForeignChange(store, key, before, signal);
		const write: WriteOptions = {
			...(await lifetimeToKeep(context, before)),
			...(metadata !== null && {metadata}),
		};
		await context.audited(`edit ${key}`, store.label, () => store.put(key, edited, write, signal));
	} catch (error) {
		if (!(error instanceof Failure)) throw error;
		throw error.with({left: `What you wrote is kept in ${keepDraft(edited, context.env)}`});
	}
	await context.result(
		{key, namespace: store.namespace, bytes: edited.length, written: true},
		`Wrote ${edited.length} bytes to the key "${key}" in namespace ${store.namespace}.`,
	);
}

/** All of a key that a write replaces; `metadata` is `null` when it has none. */
type WholeKey = StoredValue & {readonly metadata: JsonValue};

async function wholeKey(store: KvStore, key: string, signal: AbortSignal): Promise<WholeKey | undefined> {
	const found = await store.get(key, signal);
	return found && {...found, metadata: (await store.metadata(key, signal)) ?? null};
}

const isSame = (one: WholeKey, other: WholeKey): boolean =>
	Buffer.compare(one.bytes, other.bytes) === 0 &&
	one.expiration === other.expiration &&
	isDeepStrictEqual(one.metadata, other.metadata);

async function refuseForeignChange(
	store: KvStore,
	key: string,
	before: WholeKey,
	signal: AbortSignal,
): Promise<void> {
	const now = await wholeKey(store, key, signal);
	if (now && isSame(now, before)) return;
	throw new Failure(
		'changed_meanwhile',
		`The key "${key}" was ${now ? 'changed' : 'deleted'} while you edited it.`,
		{
			why: 'Nothing was written, so the other change stands.',
			next: 'Read it again with `ledge kv key get`, and put your version with `ledge kv key put --path`.',
		},
	);
}

/** The expiry as it is; with less than a minute left it cannot be kept, and the person says what to do. */
async function lifetimeToKeep(context: CommandContext, {expiration}: StoredValue): Promise<WriteOptions> {
	if (expiration === undefined) return {};
	const now = unixSeconds(Date.now());
	const {minimumTtl} = limits;
	if (expiration - now >= minimumTtl) return checkLifetime({expiration}, now);
	const question = `The key expires in ${Math.max(0, expiration - now)} s, which the service no longer accepts. Let it live ${minimumTtl} s from now?`;
	await confirm(question, context.confirmation(), context.signal);
	return {ttl: minimumTtl};
}
