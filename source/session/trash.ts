import {join} from 'node:path';
import {Readable} from 'node:stream';
import {Failure, toFailure} from '../failure.ts';
import type {CheckedInput} from '../kv/bulk/check.ts';
import {openKeyNamesInput} from '../kv/bulk/names-input.ts';
import {limits} from '../kv/limits.ts';
import {mayHaveTakenEffect} from '../kv/send.ts';
import type {KvStore} from '../kv/store.ts';
import {walkKeys} from '../kv/transfer/listing.ts';
import {readKeyNames} from '../kv/transfer/names.ts';
import {type NewBatch, removeBatch, type TrashBatch, type TrashReason} from '../kv/trash/batch.ts';
import {
	addKeyToTrash,
	fillTrash,
	getTrashBatchFolder,
	type HeldBatch,
	holdBatch,
	type KeyToBackUp,
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

/** Why, when and by which command keys are about to be deleted or overwritten. */
type LossDetails = {
	readonly reason: TrashReason;
	/** Milliseconds since the epoch. */
	readonly at: number;
	/** Command that causes it: "kv delete", "kv key put", "screens". */
	readonly command: string;
	/** Display name of the namespace; default: the store's label. */
	readonly title?: string | undefined;
};

type BackupOptions = {readonly signal: AbortSignal; readonly progress?: (done: number) => void};

/**
 * Copies the keys of a checked input into the trash before they are deleted or overwritten; see `fillTrash`.
 */
export const backUpKeys = (
	{env: environment}: Pick<Session, 'env'>,
	openedNamespace: OpenedNamespace,
	checkedInput: CheckedInput<unknown>,
	loss: LossDetails,
	options: BackupOptions,
): Promise<HeldBatch | undefined> =>
	fillTrash(openedNamespace.store, checkedInput, buildBatch(openedNamespace, loss), {
		environment,
		...options,
	});

/** Copies one key into the trash before it is deleted or overwritten; see `addKeyToTrash`. */
export const backUpKey = (
	{env: environment}: Pick<Session, 'env'>,
	openedNamespace: OpenedNamespace,
	key: KeyToBackUp,
	loss: LossDetails,
	signal: AbortSignal,
): Promise<HeldBatch | undefined> =>
	addKeyToTrash(openedNamespace.store, key, buildBatch(openedNamespace, loss), {environment, signal});

function buildBatch({store, target}: OpenedNamespace, {reason, at, command, title}: LossDetails): NewBatch {
	const storePlace = toStorePlace(store);
	const {label} = title === undefined ? storePlace : withPlaceName(title, storePlace);
	return {reason, deleted: at, target, label, command};
}

/**
 * Runs a write that overwrites or deletes a key in the trash. If the write certainly did not take effect,
 * removes the batch from the trash.
 */
export async function writeOrDropBatch<T>(
	{env: environment}: Pick<Session, 'env'>,
	heldBatch: HeldBatch | undefined,
	write: () => Promise<T>,
): Promise<T> {
	try {
		return await write();
	} catch (error) {
		const isNotDone = getOutcome(toFailure(error)) !== undefined && !mayHaveTakenEffect(error);
		if (heldBatch && isNotDone) removeBatch(environment, heldBatch.batch.id);
		throw error;
	}
}

/** Formats the batch in the trash that has the keys, for the audit log. */
export const formatTrashNote = (heldBatch: Pick<HeldBatch, 'batch'> | undefined): string =>
	heldBatch ? `, kept in the trash (${heldBatch.batch.id})` : '';

/** Reports the read of a key for the trash, which a dry run omits. */
export async function reportOmittedTrashRead(
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
	const dryRunStore = openRemoteStore({
		// A dry run reports writes and returns `dryRunResult` for them, so the read is marked as a write.
		client: {
			...client,
			call: call => client.call({...call, writes: true, dryRunResult: {values: {[key]: null}}}, signal),
		},
		account: target.account ?? '',
		namespace: target.namespace ?? '',
		label: store.label,
		isSimulated: session.simulated,
	});
	await dryRunStore.getMany([key], signal);
}

/** Which keys to restore, and what happens to keys that exist. */
type RestoreRequest = {
	/** True to copy overwritten keys into the trash first. */
	readonly backsUpReplacedKeys: boolean;
	/** The only key to restore; all by default. */
	readonly key?: string | undefined;
	/** True to overwrite keys that were written again since. */
	readonly overwrites: boolean;
	/** Called with the keys that are not restored because they were written again since. */
	readonly onKept?: ((keys: readonly string[]) => void) | undefined;
};

/** A prepared restore; see `ReadyTransfer`. */
type ReadyRestore = ReadyTransfer & {
	readonly batch: TrashBatch;
	/** The trash batch with the keys that it overwrites. */
	readonly replacedBatch: TrashBatch | undefined;
};

/**
 * Prepares a copy of a trash batch into its original namespace. No other process removes the batch until this
 * is disposed of. Fails with `input_missing` if the batch or key does not exist, and like `fillTrash`.
 */
export async function prepareRestore(
	session: Session,
	id: string,
	{key, overwrites, backsUpReplacedKeys, onKept}: RestoreRequest,
	signal: AbortSignal,
): Promise<ReadyRestore> {
	session.refuseWhenReadOnly('a restore');
	const disposables = [holdBatch(session.env, id)] as [HeldBatch, ...Disposable[]];
	const [{batch}] = disposables;
	const close = () => {
		for (const disposable of disposables.splice(0).reverse()) disposable[Symbol.dispose]();
	};
	try {
		const use = {side: 'from', stdin: Readable.from([])} as const;
		const source = await openNamedStore(session, {kind: 'file', path: batch.path}, use, signal);
		disposables.push(source.store);
		const input = await openKeyNamesInput(listKeyNames(source.store, key, signal), {
			environment: session.env,
			signal,
			label: `keys in the trash (${id})`,
		});
		disposables.push(input);
		const names = await readKeyNames(input, signal);
		if (names.validCount === 0) throw createNoSuchKeyFailure(key ?? '', batch);
		const destination = await reopenNamespace(
			session,
			batch.target,
			{write: true, isConfigured: true},
			signal,
		);
		disposables.push(destination.store);
		const needsBackup = overwrites && backsUpReplacedKeys && session.options.dryRun !== true;
		const replacedBatch = needsBackup
			? await backUpReplacedKeys(session, destination, names, batch, signal)
			: undefined;
		if (replacedBatch) disposables.push(replacedBatch);
		const copyOptions = {
			onlyMissing: !overwrites,
			restores: true,
			called: `the trash (${id})`,
			// The failure file is stored with the keys and removed with them. Its name is unique, since an
			// earlier restore may have left one.
			failed: join(getTrashBatchFolder(batch), `refused-${createJobId()}.ndjson`),
			onKept,
		} as const;
		const transfer = prepareCopy(session, source, destination, copyOptions, names);
		return {
			...transfer,
			batch,
			replacedBatch: replacedBatch?.batch,
			to: batch.label,
			place: withPlaceName(batch.label, transfer.place),
			async [Symbol.asyncDispose]() {
				await transfer[Symbol.asyncDispose]();
				close();
			},
		};
	} catch (error) {
		close();
		throw error;
	}
}

/** Copies existing keys that a restore overwrites into the trash. */
const backUpReplacedKeys = (
	session: Session,
	destination: OpenedNamespace,
	names: CheckedInput<unknown>,
	{label}: TrashBatch,
	signal: AbortSignal,
): Promise<HeldBatch | undefined> =>
	backUpKeys(
		session,
		destination,
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
	new Failure('input_missing', `The trash entry ${id} has no key ${JSON.stringify(key)}.`, {
		why: `Its keys are in ${path}, one per line.`,
		next: buildAdvice`\`${buildCommand('kv trash restore', id)}\` restores all of them.`,
	});

/**
 * Formats the cost of reading keys for the trash: calls, and time from one second. `quota` is the remaining
 * quota, undefined without a limit.
 */
export function formatTrashCost(
	keyCount: number,
	quota: QuotaLeft | undefined,
	keysPerCall: number = limits.keysPerBulkRead,
): string {
	const clause = `The ${keyCount === 1 ? 'value' : 'values'} of ${formatQuantity(keyCount, 'key')} ${chooseIsOrAre(keyCount)} read first, to keep copies in the trash`;
	if (!quota) return `${clause}.`;
	const calls = Math.ceil(keyCount / keysPerCall);
	const seconds = estimateCallSeconds(calls, quota);
	const time = seconds < 1 ? '' : `, ${formatDuration(seconds)} or more`;
	return `${clause}: ${formatQuantity(calls, 'call')}${time}.`;
}
