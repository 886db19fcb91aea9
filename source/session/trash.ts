import {join} from 'node:path';
import {Readable} from 'node:stream';
import {Failure, toFailure} from '../failure.ts';
import type {CheckedInput} from '../kv/bulk/check.ts';
import {openKeyNamesInput} from '../kv/bulk/names-input.ts';
import {limits} from '../kv/limits.ts';
import {isUnanswered} from '../kv/send.ts';
import type {KvStore} from '../kv/store.ts';
import {walkKeys} from '../kv/transfer/listing.ts';
import {readKeyNames} from '../kv/transfer/names.ts';
import {type NewBatch, removeBatch, type TrashBatch, type TrashReason} from '../kv/trash/batch.ts';
import {
	fillTrash,
	getTrashBatchFolder,
	type HeldBatch,
	holdBatch,
	type KeptKey,
	keepInTrash,
} from '../kv/trash/trash.ts';
import {estimateCallSeconds, type QuotaLeft} from '../service/limiter.ts';
import {getOutcome} from '../service/outcome.ts';
import {createJobId} from '../state/jobs.ts';
import {formatDuration} from '../terminal/progress.ts';
import {buildAdvice, buildCommand} from '../text/advice.ts';
import {chooseIsOrAre, formatQuantity} from '../text/figures.ts';
import {type OpenedNamespace, reopenNamespace} from './namespaces.ts';
import type {Session} from './session.ts';
import {openNamedStore} from './stores.ts';
import {prepareCopy, type ReadyTransfer} from './transfers.ts';
import {toStorePlace, withPlaceName} from './write-place.ts';

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

type KeepOptions = {readonly signal: AbortSignal; readonly progress?: (done: number) => void};

/** Keeps the keys of a checked input before they are deleted or overwritten; see `fillTrash`. */
export const backUpKeys = (
	{env: environment}: Pick<Session, 'env'>,
	opened: OpenedNamespace,
	checked: CheckedInput<unknown>,
	loss: Loss,
	options: KeepOptions,
): Promise<HeldBatch | undefined> =>
	fillTrash(opened.store, checked, buildBatch(opened, loss), {environment, ...options});

/** Keeps one key before it is deleted or overwritten; see `keepInTrash`. */
export const backUpKey = (
	{env: environment}: Pick<Session, 'env'>,
	opened: OpenedNamespace,
	key: KeptKey,
	loss: Loss,
	signal: AbortSignal,
): Promise<HeldBatch | undefined> =>
	keepInTrash(opened.store, key, buildBatch(opened, loss), {environment, signal});

function buildBatch({store, target}: OpenedNamespace, {reason, at, command, title}: Loss): NewBatch {
	const place = toStorePlace(store);
	const {label} = title === undefined ? place : withPlaceName(title, place);
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
		const isNotDone = getOutcome(toFailure(error)) !== undefined && !isUnanswered(error);
		if (kept && isNotDone) removeBatch(environment, kept.batch.id);
		throw error;
	}
}

/** Formats where keys were kept, for the audit log. */
export const formatKeptNote = (kept: Pick<HeldBatch, 'batch'> | undefined): string =>
	kept ? `, kept in the trash (${kept.batch.id})` : '';

/** Reports the read that a dry run omits: of a key that would be kept in the trash. */
export async function planTrashRead(
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
type RestoreRequest = {
	/** Keep overwritten keys in the trash first. */
	readonly keepsReplaced: boolean;
	/** One key; default: all. */
	readonly key?: string | undefined;
	/** Overwrite keys that were written again since. */
	readonly overwrites: boolean;
	/** Called with keys that stay because they were written again since. */
	readonly onKept?: ((keys: readonly string[]) => void) | undefined;
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
export async function prepareRestore(
	session: Session,
	id: string,
	{key, overwrites, keepsReplaced, onKept}: RestoreRequest,
	signal: AbortSignal,
): Promise<ReadyRestore> {
	session.refuseWhenReadOnly('a restore');
	const disposables = [holdBatch(session.env, id)] as [HeldBatch, ...Disposable[]];
	const [{batch}] = disposables;
	const close = () => {
		for (const one of disposables.splice(0).reverse()) one[Symbol.dispose]();
	};
	try {
		const use = {side: 'from', stdin: Readable.from([])} as const;
		const from = await openNamedStore(session, {kind: 'file', path: batch.path}, use, signal);
		disposables.push(from.store);
		const input = await openKeyNamesInput(listKeyNames(from.store, key, signal), {
			environment: session.env,
			signal,
			label: `keys of the trash (${id})`,
		});
		disposables.push(input);
		const names = await readKeyNames(input, signal);
		if (names.valid === 0) throw createNoSuchKeyFailure(key ?? '', batch);
		const to = await reopenNamespace(session, batch.target, {write: true, isConfigured: true}, signal);
		disposables.push(to.store);
		const isKept = overwrites && keepsReplaced && session.options.dryRun !== true;
		const replaced = isKept ? await keepReplaced(session, to, names, batch, signal) : undefined;
		if (replaced) disposables.push(replaced);
		const copying = {
			onlyMissing: !overwrites,
			restores: true,
			called: `the trash (${id})`,
			// Stored with the keys and removed with them; a unique name, since an earlier restore may have
			// left one.
			failed: join(getTrashBatchFolder(batch), `refused-${createJobId()}.ndjson`),
			onKept,
		} as const;
		const ready = prepareCopy(session, from, to, copying, names);
		return {
			...ready,
			batch,
			replaced: replaced?.batch,
			to: batch.label,
			place: withPlaceName(batch.label, ready.place),
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
	backUpKeys(
		session,
		to,
		names,
		{reason: 'overwritten', at: session.clock.now(), command: 'kv trash restore', title: label},
		{signal},
	);

async function* listKeyNames(
	store: KvStore,
	key: string | undefined,
	signal: AbortSignal,
): AsyncGenerator<readonly string[]> {
	if (key !== undefined) {
		if ((await store.metadata(key, signal)) !== undefined) yield [key];
		return;
	}
	for await (const {keys} of walkKeys(store, {}, signal)) yield keys.map(({name}) => name);
}

const createNoSuchKeyFailure = (key: string, {id, path}: TrashBatch): Failure =>
	new Failure('input_missing', `The batch ${id} of the trash has no key ${JSON.stringify(key)}.`, {
		why: `Its keys are in ${path}, one a line.`,
		next: buildAdvice`\`${buildCommand('kv trash restore', id)}\` restores all of them.`,
	});

/**
 * Formats the cost of reading keys for the trash: calls, and time from one second. `quota` is the remaining
 * quota, undefined without a limit.
 */
export function formatKeepingCost(
	keys: number,
	quota: QuotaLeft | undefined,
	reads: number = limits.bulkReads,
): string {
	const what = `${formatQuantity(keys, 'key')} ${chooseIsOrAre(keys)} read first, for the trash`;
	if (!quota) return `${what}.`;
	const calls = Math.ceil(keys / reads);
	const seconds = estimateCallSeconds(calls, quota);
	const time = seconds < 1 ? '' : `, ${formatDuration(seconds)} or more`;
	return `${what}: ${formatQuantity(calls, 'call')}${time}.`;
}
