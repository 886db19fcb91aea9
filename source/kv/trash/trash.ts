import {dirname} from 'node:path';
import type {Environment} from '../../state/directory.ts';
import {createJobId, listJobs} from '../../state/jobs.ts';
import {isJsonObject} from '../../text/json.ts';
import type {CheckedInput} from '../bulk/check.ts';
import type {WholeKey} from '../change/whole-key.ts';
import type {KvStore} from '../store.ts';
import {formatEntryLine} from '../transfer/entry.ts';
import {createExportFile} from '../transfer/export-file.ts';
import type {ListedKeys} from '../transfer/listing.ts';
import {readNames} from '../transfer/names.ts';
import {type EntryRun, readEntries} from '../transfer/read-entries.ts';
import {
	claimBatch,
	completeBatch,
	extendBatch,
	findBatch,
	isBatchClaimed,
	isCompleteBatch,
	listBatches,
	listBatchFolderIds,
	makeBatchFolder,
	measureBatchFolder,
	type NewBatch,
	removeBatch,
	type TrashBatch,
} from './batch.ts';
import {createTrashFullFailure, toTrashFailure} from './failures.ts';
import {trashLimits} from './limits.ts';

type FillOptions = {
	readonly environment: Environment;
	readonly signal: AbortSignal;
	/** Capacity of the trash, in bytes. */
	readonly capacity?: number;
	/** Called with the number of keys read so far. */
	readonly progress?: ((done: number) => void) | undefined;
};

/** A batch that no other process removes until it is disposed of. */
export type HeldBatch = Disposable & {readonly batch: TrashBatch};

/**
 * Saves value, metadata and expiry of keys that are about to be deleted or overwritten; they then survive a
 * crash. Returns undefined if none of the keys exists. Fails with `trash_full`, `file_failed` and `not_kept`
 * (see `toTrashFailure`), otherwise as the store does, leaving nothing behind.
 */
export const fillTrash = (
	store: KvStore,
	names: CheckedInput<unknown>,
	about: NewBatch,
	options: FillOptions,
): Promise<HeldBatch | undefined> =>
	fillBatch(
		readEntries(store, listDistinctNames(names, options.signal), options.signal),
		names.validCount,
		about,
		options,
	);

/** Saves one key as `fillTrash` does: the given content, or what the store has now. */
export function addKeyToTrash(
	store: KvStore,
	{key, wholeKey}: KeyToBackUp,
	about: NewBatch,
	options: FillOptions,
): Promise<HeldBatch | undefined> {
	async function* yieldNamedKey(): AsyncGenerator<ListedKeys> {
		yield {keys: [{name: key}], cursor: undefined, isNamesOnly: true};
	}
	async function* yieldGivenKey({bytes, metadata, expiration}: WholeKey): AsyncGenerator<EntriesToSave> {
		const entry = {key, bytes, metadata: metadata ?? undefined, expiration};
		yield {entries: [entry], missingNames: []};
	}
	const entryGroups = wholeKey
		? yieldGivenKey(wholeKey)
		: readEntries(store, yieldNamedKey(), options.signal);
	return fillBatch(entryGroups, 1, about, options);
}

/** A key to save, with its content if that was just read. */
export type KeyToBackUp = {readonly key: string; readonly wholeKey?: WholeKey | undefined};

type EntriesToSave = Pick<EntryRun, 'entries' | 'missingNames'>;

async function fillBatch(
	entryGroups: AsyncIterable<EntriesToSave>,
	keyCount: number,
	about: NewBatch,
	{environment, signal, capacity = trashLimits.maxBytes, progress = () => {}}: FillOptions,
): Promise<HeldBatch | undefined> {
	try {
		// The time of the deletion or overwrite is now.
		await tidyTrash(environment, about.deleted);
		const freeBytes = Math.max(0, capacity - measureTrash(environment));
		const id = createJobId();
		const {path, claim} = makeBatchFolder(environment, id);
		try {
			const checkRoom = (bytes: number) => {
				if (bytes > freeBytes) throw createTrashFullFailure(about.reason, keyCount, freeBytes, capacity);
			};
			const fileSummary = await writeKeys(entryGroups, path, {checkRoom, signal, progress});
			if (fileSummary.keys > 0)
				return {
					batch: completeBatch(id, path, fileSummary, about),
					[Symbol.dispose]: () => claim[Symbol.dispose](),
				};
			removeBatch(environment, id);
			claim[Symbol.dispose]();
			return undefined;
		} catch (error) {
			removeBatch(environment, id);
			claim[Symbol.dispose]();
			throw error;
		}
	} catch (error) {
		throw toTrashFailure(error, about.reason, keyCount);
	}
}

async function writeKeys(
	entryGroups: AsyncIterable<EntriesToSave>,
	path: string,
	{
		checkRoom,
		signal,
		progress,
	}: {checkRoom: (bytes: number) => void; signal: AbortSignal; progress: (done: number) => void},
): Promise<Pick<TrashBatch, 'keys' | 'first'>> {
	// `over`: whether an existing file may be overwritten. The folder of a new batch has none.
	const file = await createExportFile({path, over: false});
	let [keys, processedCount, bytes] = [0, 0, 0];
	let first: string | undefined;
	try {
		for await (const {entries, missingNames} of entryGroups) {
			const text = entries.map(formatEntryLine).join('');
			bytes += Buffer.byteLength(text);
			checkRoom(bytes);
			await file.append(text);
			first ??= entries[0]?.key;
			keys += entries.length;
			processedCount += entries.length + missingNames.length;
			progress(processedCount);
		}
		signal.throwIfAborted();
		await file.finish();
		return {keys, first};
	} catch (error) {
		await file.closeUnfinished(false);
		throw error;
	}
}

/** Lists the names of an input, without duplicates. */
async function* listDistinctNames(
	names: CheckedInput<unknown>,
	signal: AbortSignal,
): AsyncGenerator<ListedKeys> {
	const seenNames = names.repeats.keyCount > 0 ? new Set<string>() : undefined;
	for await (const group of readNames(names, undefined, signal)) {
		const newNames = seenNames ? [...new Set(group)].filter(name => !seenNames.has(name)) : group;
		if (seenNames) for (const name of newNames) seenNames.add(name);
		yield {keys: newNames.map(name => ({name})), cursor: undefined, isNamesOnly: true};
	}
}

/** Returns a batch by its id, claimed until it is disposed of. Fails as `findBatch` and `claimBatch` do. */
export function holdBatch(environment: Environment, id: string): HeldBatch {
	findBatch(environment, id);
	const claim = claimBatch(environment, id);
	try {
		return {batch: findBatch(environment, id), [Symbol.dispose]: () => claim[Symbol.dispose]()};
	} catch (error) {
		claim[Symbol.dispose]();
		throw error;
	}
}

/**
 * Returns the batch of a resumed deletion and extends it to seven days from now. Undefined if it was removed.
 * Fails with `job_running`.
 */
export function holdResumedBatch(environment: Environment, id: string, now: number): HeldBatch | undefined {
	if (!isCompleteBatch(environment, id)) return undefined;
	const heldBatch = holdBatch(environment, id);
	extendBatch(heldBatch.batch, now);
	return heldBatch;
}

/**
 * Removes a batch. Fails with `input_missing`, and with `job_running` while it is being filled or restored.
 */
export function removeTrashBatch(environment: Environment, id: string): void {
	using _held = holdBatch(environment, id);
	removeBatch(environment, id);
}

/**
 * Lists the batches of the trash, latest first, after removing expired ones. `now` in milliseconds since the
 * epoch.
 */
export async function listTrash(environment: Environment, now: number): Promise<readonly TrashBatch[]> {
	await tidyTrash(environment, now);
	return listBatches(environment);
}

/**
 * Removes batches older than seven days, and remainders of interrupted ones. Keeps batches that an unfinished
 * job needs, and batches from the future, because the clock was set back.
 */
async function tidyTrash(environment: Environment, now: number): Promise<void> {
	const expiredBatches = listBatches(environment).filter(batch => isExpiredBatch(batch, now));
	const incompleteIds = listBatchFolderIds(environment).filter(id => !isCompleteBatch(environment, id));
	if (expiredBatches.length === 0 && incompleteIds.length === 0) return;
	const neededBatches =
		expiredBatches.length === 0 ? [] : await findBatchesInUse(environment, expiredBatches);
	for (const id of [
		...incompleteIds,
		...expiredBatches.filter(batch => !neededBatches.includes(batch)).map(batch => batch.id),
	]) {
		if (isBatchClaimed(environment, id)) continue;
		using _claim = claimBatch(environment, id);
		// Another process may have completed it, or resumed its deletion, in the meantime.
		const isExpired = listBatches(environment).some(batch => batch.id === id && isExpiredBatch(batch, now));
		if (isExpired || !isCompleteBatch(environment, id)) removeBatch(environment, id);
	}
}

const isExpiredBatch = ({deleted}: TrashBatch, now: number): boolean =>
	now - deleted > trashLimits.retentionMs;

/** Lists batches that an unfinished deletion filled, or an unfinished restore reads. */
async function findBatchesInUse(
	environment: Environment,
	batches: readonly TrashBatch[],
): Promise<readonly TrashBatch[]> {
	const jobs = (await listJobs(environment)).flatMap(job =>
		'record' in job && job.record.status !== 'done' ? [job.record.header.options] : [],
	);
	return batches.filter(({id, path}) =>
		jobs.some(
			options =>
				isJsonObject(options) &&
				(options.trash === id || (isJsonObject(options.from) && options.from.place === `file:${path}`)),
		),
	);
}

const measureTrash = (environment: Environment): number =>
	listBatchFolderIds(environment).reduce((sum, id) => sum + measureBatchFolder(environment, id), 0);

/** Returns the folder of a batch, for related files. */
export const getTrashBatchFolder = ({path}: TrashBatch): string => dirname(path);
