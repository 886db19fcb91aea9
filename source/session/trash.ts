import {join} from 'node:path';
import {Readable} from 'node:stream';
import {asFailure, Failure} from '../failure.ts';
import type {CheckedInput} from '../kv/bulk/check.ts';
import {namesInput} from '../kv/bulk/names-input.ts';
import {limits} from '../kv/limits.ts';
import {isUnanswered} from '../kv/send.ts';
import type {KvStore} from '../kv/store.ts';
import {listedKeys} from '../kv/transfer/listing.ts';
import {keyNames} from '../kv/transfer/names.ts';
import {type NewBatch, removeBatch, type TrashBatch, type TrashReason} from '../kv/trash/batch.ts';
import {
	fillTrash,
	folderOfBatch,
	type HeldBatch,
	holdBatch,
	type KeptKey,
	keepInTrash,
} from '../kv/trash/trash.ts';
import {type QuotaLeft, secondsOfCalls} from '../service/limiter.ts';
import {outcomeOf} from '../service/outcome.ts';
import {newJobId} from '../state/jobs.ts';
import {duration} from '../terminal/progress.ts';
import {advice, ledge} from '../text/advice.ts';
import {counted, isOrAre} from '../text/figures.ts';
import {type OpenedNamespace, reopenNamespace} from './namespaces.ts';
import type {Session} from './session.ts';
import {openNamedStore} from './stores.ts';
import {type ReadyTransfer, readyCopy} from './transfers.ts';
import {placeCalled, placeOfStore} from './write-place.ts';

/** Why and when keys are about to be lost. */
type Loss = {
	readonly reason: TrashReason;
	/** Milliseconds since the epoch. */
	readonly at: number;
	/** Command that causes it: "kv delete", "kv key put", "screens". */
	readonly command: string;
	/** Display name of the namespace; default: the store's label. */
	readonly title?: string | undefined;
};

type Keeping = {readonly signal: AbortSignal; readonly progress?: (done: number) => void};

/** Keeps the keys of a checked input before they are deleted or overwritten; see `fillTrash`. */
export const keepBefore = (
	{env: environment}: Pick<Session, 'env'>,
	opened: OpenedNamespace,
	checked: CheckedInput<unknown>,
	loss: Loss,
	keeping: Keeping,
): Promise<HeldBatch | undefined> =>
	fillTrash(opened.store, checked, newBatch(opened, loss), {environment, ...keeping});

/** Keeps one key before it is deleted or overwritten; see `keepInTrash`. */
export const keepKeyBefore = (
	{env: environment}: Pick<Session, 'env'>,
	opened: OpenedNamespace,
	key: KeptKey,
	loss: Loss,
	signal: AbortSignal,
): Promise<HeldBatch | undefined> =>
	keepInTrash(opened.store, key, newBatch(opened, loss), {environment, signal});

function newBatch({store, target}: OpenedNamespace, {reason, at, command, title}: Loss): NewBatch {
	const place = placeOfStore(store);
	const {label} = title === undefined ? place : placeCalled(title, place);
	return {reason, deleted: at, target, label, command};
}

/** Overwrites or deletes a kept key. If the service certainly did not do it, removes the batch. */
export async function writeOver<T>(
	{env: environment}: Pick<Session, 'env'>,
	kept: HeldBatch | undefined,
	write: () => Promise<T>,
): Promise<T> {
	try {
		return await write();
	} catch (error) {
		const isNotDone = outcomeOf(asFailure(error)) !== undefined && !isUnanswered(error);
		if (kept && isNotDone) removeBatch(environment, kept.batch.id);
		throw error;
	}
}

/** Formats where keys were kept, for the audit log. */
export const keptText = (kept: Pick<HeldBatch, 'batch'> | undefined): string =>
	kept ? `, kept in the trash (${kept.batch.id})` : '';

/** Reports the read that a dry run omits: of a key that would be kept in the trash. */
export async function planKeeping(
	session: Session,
	{store, target}: OpenedNamespace,
	key: string,
	signal: AbortSignal,
): Promise<void> {
	if (store.kind === 'local') {
		session.events.planned?.({
			local: store.label,
			operation: `read ${JSON.stringify(key)} for the trash`,
		});
		return;
	}
	const client = await session.client();
	const {openRemoteStore} = await import('../kv/remote-store.ts');
	const planning = openRemoteStore({
		// A dry run reports writing calls and answers them itself.
		client: {
			...client,
			call: call => client.call({...call, writes: true, pretend: {values: {[key]: null}}}, signal),
		},
		account: target.account ?? '',
		namespace: target.namespace ?? '',
		label: store.label,
		simulated: session.simulated,
	});
	await planning.getMany([key], signal);
}

/** Keys to restore, and what they overwrite. */
type Restoring = {
	/** Keep overwritten keys in the trash first. */
	readonly keepsReplaced: boolean;
	/** One key; default: all. */
	readonly key?: string | undefined;
	/** Overwrite keys that were written again since. */
	readonly overwrites: boolean;
	/** Called with keys that stay because they were written again since. */
	readonly keeps?: ((keys: readonly string[]) => void) | undefined;
};

/** A prepared restore; see `ReadyTransfer`. */
type ReadyRestore = ReadyTransfer & {
	readonly batch: TrashBatch;
	/** The keys it overwrites, in the trash. */
	readonly replaced: TrashBatch | undefined;
};

/**
 * Prepares a copy of a trash batch into its original namespace. No other process removes the batch until this
 * is disposed of. Fails with `input_missing` if the batch or key does not exist, and like `fillTrash`.
 */
export async function readyRestore(
	session: Session,
	id: string,
	{key, overwrites, keepsReplaced, keeps}: Restoring,
	signal: AbortSignal,
): Promise<ReadyRestore> {
	session.refuseWhenReadOnly('a restore');
	const held = [holdBatch(session.env, id)] as [HeldBatch, ...Disposable[]];
	const [{batch}] = held;
	const close = () => {
		for (const one of held.splice(0).reverse()) one[Symbol.dispose]();
	};
	try {
		const use = {side: 'from', stdin: Readable.from([])} as const;
		const from = await openNamedStore(session, {kind: 'file', path: batch.path}, use, signal);
		held.push(from.store);
		const input = await namesInput(namesIn(from.store, key, signal), {
			environment: session.env,
			signal,
			label: `keys of the trash (${id})`,
		});
		held.push(input);
		const names = await keyNames(input, signal);
		if (names.valid === 0) throw noSuchKey(key ?? '', batch);
		const to = await reopenNamespace(session, batch.target, {write: true, isConfigured: true}, signal);
		held.push(to.store);
		const isKept = overwrites && keepsReplaced && session.options.dryRun !== true;
		const replaced = isKept ? await keepReplaced(session, to, names, batch, signal) : undefined;
		if (replaced) held.push(replaced);
		const copying = {
			onlyMissing: !overwrites,
			restores: true,
			called: `the trash (${id})`,
			// Stored with the keys and removed with them; a unique name, since an earlier restore may have
			// left one.
			failed: join(folderOfBatch(batch), `refused-${newJobId()}.ndjson`),
			keeps,
		} as const;
		const ready = readyCopy(session, from, to, copying, names);
		return {
			...ready,
			batch,
			replaced: replaced?.batch,
			to: batch.label,
			place: placeCalled(batch.label, ready.place),
			async [Symbol.asyncDispose]() {
				await ready[Symbol.asyncDispose]();
				close();
			},
		};
	} catch (error) {
		close();
		throw error;
	}
}

/** Keeps existing keys that a restore overwrites. */
const keepReplaced = (
	session: Session,
	to: OpenedNamespace,
	names: CheckedInput<unknown>,
	{label}: TrashBatch,
	signal: AbortSignal,
): Promise<HeldBatch | undefined> =>
	keepBefore(
		session,
		to,
		names,
		{reason: 'overwritten', at: session.clock.now(), command: 'kv trash restore', title: label},
		{signal},
	);

async function* namesIn(
	store: KvStore,
	key: string | undefined,
	signal: AbortSignal,
): AsyncGenerator<readonly string[]> {
	if (key !== undefined) {
		if ((await store.metadata(key, signal)) !== undefined) yield [key];
		return;
	}
	for await (const {keys} of listedKeys(store, {}, signal)) yield keys.map(({name}) => name);
}

const noSuchKey = (key: string, {id, path}: TrashBatch): Failure =>
	new Failure('input_missing', `The batch ${id} of the trash has no key ${JSON.stringify(key)}.`, {
		why: `Its keys are in ${path}, one a line.`,
		next: advice`\`${ledge('kv trash restore', id)}\` restores all of them.`,
	});

/**
 * Formats the cost of reading keys for the trash: calls, and time from one second. `quota` is the remaining
 * quota, undefined without a limit.
 */
export function keepingCost(
	keys: number,
	quota: QuotaLeft | undefined,
	reads: number = limits.bulkReads,
): string {
	const what = `${counted(keys, 'key')} ${isOrAre(keys)} read first, for the trash`;
	if (!quota) return `${what}.`;
	const calls = Math.ceil(keys / reads);
	const seconds = secondsOfCalls(calls, quota);
	const time = seconds < 1 ? '' : `, ${duration(seconds)} or more`;
	return `${what}: ${counted(calls, 'call')}${time}.`;
}
