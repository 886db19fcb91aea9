import {keepDraft} from '../config/drafts.ts';
import {Failure} from '../failure.ts';
import {checkKey, checkLifetime, checkValueSize, unixSeconds} from '../kv/limits.ts';
import type {KvStore, StoredValue, WriteOptions} from '../kv/store.ts';
import {editBytes} from '../terminal/editor.ts';
import {canAsk, confirm} from '../terminal/prompt.ts';
import type {CommandContext} from './context.ts';
import {keyNotFound} from './kv-key-get.ts';
import type {TargetOptions} from './kv-options.ts';
import {openNamespace} from './stores.ts';

/**
 * `kv key edit`: the value in `$EDITOR`; metadata and expiry stay (decision 28). Before the write the key is read
 * again: if someone changed it meanwhile nothing is written, and what was edited is kept in a file.
 */
export async function editKey(context: CommandContext, options: TargetOptions, key = ''): Promise<void> {
	checkKey(key);
	const {signal} = context;
	using store = await openNamespace(context, options, {write: true});
	const before = await store.get(key, signal);
	if (!before) throw keyNotFound(key, store);
	const metadata = await store.metadata(key, signal);
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
			...(metadata !== null && metadata !== undefined && {metadata}),
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

async function refuseForeignChange(
	store: KvStore,
	key: string,
	before: StoredValue,
	signal: AbortSignal,
): Promise<void> {
	const now = await store.get(key, signal);
	if (now && Buffer.compare(now.bytes, before.bytes) === 0) return;
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
	if (expiration - now >= 60) return checkLifetime({expiration}, now);
	const question = `The key expires in ${Math.max(0, expiration - now)} s, which the service no longer accepts. Let it live 60 s from now?`;
	if (!canAsk() && !context.options.yes) {
		throw new Failure('unconfirmed', 'Its expiry cannot be kept, so nothing was written.', {
			why: question,
			next: 'Add --yes to let it live 60 s.',
		});
	}
	await confirm(question, context.confirmation(), context.signal);
	return {ttl: 60};
}
