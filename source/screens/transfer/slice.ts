import {createInterruptedFailure, Failure, toFailure} from '../../failure.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import type {IrreversibleWrite} from '../../kv/change/undo.ts';
import {formatJurisdictionWarning} from '../../kv/jurisdiction.ts';
import type {TransferJob, TransferProgress, TransferResult} from '../../kv/transfer/job.ts';
import type {CollisionMode, PrefixChange} from '../../kv/transfer/renamed-names.ts';
import {describeTransfer, findRefusedFailure} from '../../kv/transfer/result.ts';
import {createNamesTakenFailure, listRename} from '../../session/renames.ts';
import {
	describeEarlierExport,
	getTransferKind,
	prepareCopy,
	prepareExport,
	prepareRename,
	prepareResume,
	type ReadyTransfer,
} from '../../session/transfers.ts';
import {withPlaceName} from '../../session/write-place.ts';
import type {JobTarget} from '../../state/job-record.ts';
import type {ListedJob} from '../../state/jobs.ts';
import type {Slice} from '../../store/slice.ts';
import {formatInteger, formatQuantity} from '../../text/figures.ts';
import {getJobFilePath} from '../jobs/slice.ts';
import {type ChosenKeys, createKeyScope, formatKeySubset} from '../keys/chosen-keys.ts';
import type {NamespaceRow} from '../keys/namespace-rows.ts';
import {openNamespaceRow} from '../keys/open-row.ts';
import {notifyKeysWritten} from '../keys/written.ts';
import {createJobRunner} from '../shell/job-runner.ts';
import {formatOtherStoreTitle, openOtherStore} from './other-store.ts';
import {isTransferring, parseSourceAndTarget, type TransferState} from './state.ts';

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly transfer: TransferSlice;
	}
}

type TransferSlice = {
	readonly data: TransferState | undefined;
	/** Exports keys of a namespace to a file that must not exist. */
	exportTo(row: NamespaceRow, keys: ChosenKeys, path: string, signal: AbortSignal): Promise<void>;
	/**
	 * Warns if the named store is kept in another jurisdiction than the open namespace. Undefined, too, if it
	 * cannot be read: what follows reports that.
	 */
	findJurisdictionWarning(
		row: NamespaceRow,
		storeName: string,
		signal: AbortSignal,
	): Promise<string | undefined>;
	/** Copies keys to the named store. */
	copyTo(row: NamespaceRow, keys: ChosenKeys, copyChoice: CopyChoice, signal: AbortSignal): Promise<void>;
	/** Runs a copy that `open` prepares. */
	runPreparedCopy(
		labels: Pick<TransferState, 'keys' | 'from' | 'to'>,
		open: () => Promise<ReadyTransfer>,
		copyWords: CopyWords,
		signal: AbortSignal,
	): Promise<TransferResult>;
	/** Renames the keys below a prefix. Throws if their number differs from the confirmed number. */
	renamePrefix(row: NamespaceRow, renaming: PrefixRenaming, signal: AbortSignal): Promise<void>;
	resume(job: ListedJob, signal: AbortSignal): Promise<void>;
	pause(isPaused: boolean): void;
	/** Scrolls the facts by at most `lastTop` rows in all. */
	scroll(by: number, lastTop: number): void;
	/** Stops the transfer. What is done stays recorded, and the job can be resumed. */
	cancel(): void;
	/** Cancels when ledge exits; resolves when progress is recorded, or after two seconds. */
	end(): Promise<void>;
	/** Esc: drops a transfer that has ended. A running one continues. */
	leave(): void;
};

type CopyWords = {
	/** Formats the final message. */
	formatMessage(result: TransferResult): string;
	/** What `u` says about the copy; undefined if the copy is itself an undo. */
	readonly irreversibleWrite: IrreversibleWrite | undefined;
};

/** A change of prefix, with the confirmed number of keys. */
type PrefixRenaming = PrefixChange & {readonly collisions: CollisionMode; readonly count: number};

export type CopyChoice = {
	/** Name of the other store. */
	readonly storeName: string;
	/** Keeps the keys that the other store already has. */
	readonly onlyMissing: boolean;
};

export const createTransferSlice: Slice<TransferSlice> = (set, get, {session, elapsed}) => {
	let lastTransferNumber = 0;
	/** Stops the transfer while its stores are opened. */
	let cancelOpening = () => {};
	const {env} = session;

	const change = (transferNumber: number, part: Partial<TransferState>) =>
		set(({data: transfer}) =>
			transfer?.transferNumber === transferNumber ? {data: {...transfer, ...part}} : {},
		);

	const jobRunner = createJobRunner<TransferProgress, TransferResult, TransferJob>(
		env,
		elapsed,
		(job, progress) => {
			const transfer = get().transfer.data;
			if (!transfer) return;
			const cancelled = transfer.stage.state === 'running' && transfer.stage.cancelled;
			change(transfer.transferNumber, {stage: {state: 'running', id: job.id, progress, cancelled}});
		},
	);

	function begin(labels: Pick<TransferState, 'kind' | 'keys' | 'from' | 'to'>): number {
		if (isTransferring(get().transfer.data))
			throw new Failure('usage', 'An export, copy or rename is already in progress.', {
				next: 'Wait until it ends, or cancel it.',
			});
		const transferNumber = ++lastTransferNumber;
		// The work that began it, in this turn.
		cancelOpening = get().work.list.at(-1)?.cancel ?? cancelOpening;
		set({data: {...labels, transferNumber, stage: {state: 'opening'}}});
		return transferNumber;
	}

	/** Opens the stores, runs the transfer and shows its progress. */
	async function runTransfer(
		transferNumber: number,
		signal: AbortSignal,
		/** Id of a resumed job, whose `keys`, `from` and `to` in the state stay. */
		resumedId: string | undefined,
		open: (disposeAtEnd: (disposable: Disposable) => void) => Promise<ReadyTransfer>,
		copyWords?: CopyWords,
	): Promise<TransferResult> {
		const heldResources: Disposable[] = [];
		let writtenTarget: JobTarget | undefined;
		let id = resumedId;
		let job: TransferJob | undefined;
		// Without the account, which the labels of the opened stores name.
		const titles = get().transfer.data;
		let describeWrite = (_progress: TransferProgress) => copyWords?.irreversibleWrite;
		try {
			await using readyTransfer = await open(disposable => heldResources.push(disposable));
			if (signal.aborted) throw createInterruptedFailure();
			const {kind, keys, from, to} =
				resumedId === undefined ? readyTransfer : {...readyTransfer, ...get().transfer.data};
			change(transferNumber, {keys, from, to});
			if (!copyWords && kind !== 'export')
				describeWrite = progress => describeIrreversibleTransfer(kind, {keys, from, to, ...titles}, progress);
			if (readyTransfer.earlier) get().messages.say(describeEarlierExport(readyTransfer.earlier));
			const startJob = (report: (progress: TransferProgress) => void) => {
				job = readyTransfer.start(report, signal);
				writtenTarget = readyTransfer.target;
				({id} = job);
				return job;
			};
			const runJob = async () => jobRunner.run(startJob);
			const description = `${kind} from ${readyTransfer.from}`;
			const place = await session.permit(
				withPlaceName(kind === 'rename' ? from : to, readyTransfer.place),
				description,
			);
			const result = await session.auditWrite(description, place, runJob, endedResult =>
				findRefusedFailure(kind, endedResult),
			);
			change(transferNumber, {stage: {state: 'done', result}});
			const refused = findRefusedFailure(kind, result);
			if (refused) get().messages.fail(refused);
			else get().messages.say(copyWords?.formatMessage(result) ?? describeTransfer(kind, result, from, to));
			return result;
		} catch (error) {
			const failure = toFailure(error);
			change(transferNumber, {stage: {state: 'stopped', id, progress: job?.getProgress(), failure}});
			throw failure;
		} finally {
			if (writtenTarget) notifyKeysWritten(get(), writtenTarget, 'to be read');
			const progress = job?.getProgress();
			const irreversibleWrite = progress && hasWritten(progress) && describeWrite(progress);
			if (irreversibleWrite) get().review.noticeWrite(irreversibleWrite);
			for (const disposable of heldResources.toReversed()) disposable[Symbol.dispose]();
			await get().work.run('loading jobs', 'background', childSignal => get().jobs.load(childSignal));
		}
	}

	return {
		data: undefined,
		async findJurisdictionWarning(row, storeName, signal) {
			const namespaces = get().namespaces.data;
			const {resolveInputPath} = get().paths;
			try {
				const other = await openOtherStore(session, storeName, {namespaces, resolveInputPath}, signal);
				using store = other.store;
				return store.describe && formatJurisdictionWarning(row, await store.describe(signal));
			} catch (error) {
				if (signal.aborted) throw error;
				return undefined;
			}
		},
		async exportTo(row, keys, path, signal) {
			const transferNumber = begin({
				kind: 'export',
				keys: formatKeySubset(keys),
				from: row.title,
				to: path,
			});
			await runTransfer(transferNumber, signal, undefined, async disposeAtEnd => {
				const opened = await openNamespaceRow(session, row, {}, signal);
				disposeAtEnd(opened.store);
				const scope = await createKeyScope(keys, env, signal);
				disposeAtEnd(scope);
				const {prefix, names} = scope;
				return prepareExport(session, opened, {path, over: false, ...(prefix && {prefix})}, signal, names);
			});
		},
		async copyTo(row, keys, {storeName, onlyMissing}, signal) {
			session.refuseWhenReadOnly('a copy');
			const transferNumber = begin({
				kind: 'copy',
				keys: formatKeySubset(keys),
				from: row.title,
				to: formatOtherStoreTitle(row, storeName, get().namespaces.data),
			});
			await runTransfer(transferNumber, signal, undefined, async disposeAtEnd => {
				const namespaces = get().namespaces.data;
				const {resolveInputPath} = get().paths;
				const from = await openNamespaceRow(session, row, {}, signal);
				disposeAtEnd(from.store);
				const to = await openOtherStore(
					session,
					storeName,
					{namespaces, resolveInputPath, write: true},
					signal,
				);
				disposeAtEnd(to.store);
				const scope = await createKeyScope(keys, env, signal);
				disposeAtEnd(scope);
				const {prefix, names} = scope;
				return prepareCopy(session, from, to, {onlyMissing, ...(prefix && {prefix})}, names);
			});
		},
		async renamePrefix(row, {from, to, collisions, count: confirmedCount}, signal) {
			session.refuseWhenReadOnly('a rename');
			const transferNumber = begin({
				kind: 'rename',
				keys: `${formatQuantity(confirmedCount, 'key')} under ${from}`,
				from: row.title,
				to,
			});
			await runTransfer(transferNumber, signal, undefined, async disposeAtEnd => {
				const opened = await openNamespaceRow(session, row, {write: true}, signal);
				disposeAtEnd(opened.store);
				const renameList = await listRename(session, opened, {from, to}, signal);
				disposeAtEnd(renameList);
				const {names, count} = renameList;
				if (count.keyCount !== confirmedCount)
					throw new Failure(
						'changed_meanwhile',
						`Found ${formatQuantity(count.keyCount, 'key')} instead of ${formatInteger(confirmedCount)}; nothing was written.`,
						{next: `Start over: press ${nameKey('rename.prefix', 'R')} on the group.`},
					);
				if (collisions === 'refuse' && count.takenCount > 0) throw createNamesTakenFailure(count);
				return prepareRename(session, opened, {from, to, collisions}, names);
			});
		},
		async runPreparedCopy(labels, open, copyWords, signal) {
			return runTransfer(begin({kind: 'copy', ...labels}), signal, undefined, open, copyWords);
		},
		async resume(job, signal) {
			if (!('record' in job)) throw job.failure;
			const {kind, title, target} = job.record.header;
			const transferNumber = begin({
				kind: getTransferKind(kind) ?? 'copy',
				keys: undefined,
				...parseSourceAndTarget(title, getJobFilePath(job.record.header), target.called),
			});
			await runTransfer(transferNumber, signal, job.id, () => prepareResume(session, job, signal));
		},
		pause: jobRunner.pause,
		scroll(by, lastTop) {
			const transfer = get().transfer.data;
			if (transfer) set({data: {...transfer, top: Math.max(0, Math.min(lastTop, (transfer.top ?? 0) + by))}});
		},
		cancel() {
			const transfer = get().transfer.data;
			if (transfer?.stage.state === 'opening') cancelOpening();
			if (transfer?.stage.state !== 'running') return;
			change(transfer.transferNumber, {stage: {...transfer.stage, cancelled: true}});
			jobRunner.cancel();
		},
		async end() {
			get().transfer.cancel();
			await jobRunner.waitForEnd();
		},
		leave() {
			if (!isTransferring(get().transfer.data)) set({data: undefined});
		},
	};
};

/** True if a job has written keys, or was stopped and may have. */
const hasWritten = ({done, both, settled, total}: TransferProgress): boolean =>
	done > 0 || both > 0 || settled !== total;

/** Describes what `u` says about a transfer. */
function describeIrreversibleTransfer(
	kind: 'copy' | 'rename',
	{keys = 'all keys', from, to}: Pick<TransferState, 'keys' | 'from' | 'to'>,
	{done, settled, total}: TransferProgress,
): IrreversibleWrite {
	if (kind === 'rename')
		return {
			what: `${nameKey('edit.undo', 'u')} can't undo the last write: renaming ${keys} in ${from} to ${to}.`,
			why: 'R on the group renames them back.',
		};
	return {
		what: `${nameKey('edit.undo', 'u')} can't undo the last write: copying ${settled === total ? '' : 'at least '}${formatQuantity(done, 'key')} to ${to}.`,
		why: `Delete the copied keys to remove them; the trash (${nameKey('trash.open', 'V')}) does not have what they replaced.`,
	};
}
