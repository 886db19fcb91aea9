import {join} from 'node:path';
import {Readable} from 'node:stream';
import {Failure} from '../failure.ts';
import type {CheckedInput} from '../kv/bulk/check.ts';
import {namesInput} from '../kv/bulk/names-input.ts';
import {limits} from '../kv/limits.ts';
import type {KvStore} from '../kv/store.ts';
import {listedKeys} from '../kv/transfer/listing.ts';
import {keyNames} from '../kv/transfer/names.ts';
import type {TrashBatch} from '../kv/trash/batch.ts';
import {trashLimits} from '../kv/trash/limits.ts';
import {fillTrash, folderOfBatch, type HeldBatch, holdBatch} from '../kv/trash/trash.ts';
import {secondsOfCalls} from '../service/limiter.ts';
import {newJobId} from '../state/jobs.ts';
import {duration} from '../terminal/progress.ts';
import {advice, ledge} from '../text/advice.ts';
import {counted} from '../text/figures.ts';
import {type OpenedNamespace, reopenNamespace} from './namespaces.ts';
import type {Session} from './session.ts';
import {openNamedStore} from './stores.ts';
import {type ReadyTransfer, readyCopy} from './transfers.ts';
import {placeCalled} from './write-place.ts';

/** Keys of a deletion that were checked, and what deletes them. */
type Deletion = {
	readonly checked: CheckedInput<unknown>;
	/** When they are deleted, in milliseconds since the epoch. */
	readonly deleted: number;
	/** The command that does it: "kv delete". */
	readonly command: string;
	/** What a person calls the namespace; the label of the store unless given. */
	readonly title?: string | undefined;
};

/** Keeps keys in the trash before they are deleted, see `fillTrash`. */
export const keepBefore = (
	{env: environment}: Pick<Session, 'env'>,
	{store, target}: OpenedNamespace,
	{checked, deleted, command, title}: Deletion,
	{signal, progress}: {readonly signal: AbortSignal; readonly progress?: (done: number) => void},
): Promise<HeldBatch | undefined> => {
	const label =
		title === undefined || store.label.includes(title) ? store.label : `${title} (${store.label})`;
	const about = {deleted, target, label, command};
	return fillTrash(store, checked as CheckedInput<string>, about, {environment, signal, progress});
};

/** Why keys were not deleted although nothing is wrong with the service: the trash cannot hold them. */
export const isTrashFailure = ({code}: Failure): boolean => code === 'trash_full' || code === 'file_failed';

/** Which keys of a batch are restored, and over what. */
type Restoring = {
	/** Just this one; all of them where it is left out. */
	readonly key?: string | undefined;
	/** Whether keys that were written again meanwhile are written over. */
	readonly overwrites: boolean;
	/** Told which keys stay because they were written again meanwhile. */
	readonly keeps?: ((keys: readonly string[]) => void) | undefined;
};

/** A restore that is ready to start, and the batch that it restores; see `ReadyTransfer`. */
type ReadyRestore = ReadyTransfer & {readonly batch: TrashBatch};

/**
 * A copy of a batch of the trash into the namespace that its keys were deleted from. No other process removes the batch before it
 * is disposed of. Fails with `input_missing` where there is no such batch, or no such key in it.
 */
export async function readyRestore(
	session: Session,
	id: string,
	{key, overwrites, keeps}: Restoring,
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
		const copying = {
			onlyMissing: !overwrites,
			restores: true,
			called: `the trash (${id})`,
			// Beside the keys, so that it goes with them; a name of its own, since an earlier restore may have left one.
			failed: join(folderOfBatch(batch), `refused-${newJobId()}.ndjson`),
			keeps,
		} as const;
		const ready = readyCopy(session, from, to, copying, names);
		return {
			...ready,
			batch,
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

/** Whether reading so many keys takes a time that is worth to be said, and which. */
export function readingText(
	keys: number,
	kind: KvStore['kind'],
	reads: number = limits.bulkReads,
): string | undefined {
	if (keys <= trashLimits.keys.most) return undefined;
	const what = `${counted(keys, 'key')} are read first, to be kept in the trash`;
	if (kind !== 'remote') return `${what}.`;
	const calls = Math.ceil(keys / reads);
	return `${what}: ${counted(calls, 'call')}, ${duration(secondsOfCalls(calls))} or more.`;
}
