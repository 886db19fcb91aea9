import {asFailure, Failure, interrupted} from '../../failure.ts';
import {refusedFailure, transferSentence} from '../../kv/transfer/ending.ts';
import type {TransferJob, TransferProgress, TransferResult} from '../../kv/transfer/job.ts';
import type {Collisions, PrefixChange} from '../../kv/transfer/renamed-names.ts';
import {listRename, namesTaken} from '../../session/renames.ts';
import {
	earlierSentence,
	type ReadyTransfer,
	readyCopy,
	readyExport,
	readyRename,
	takeUpTransfer,
	transferKind,
} from '../../session/transfers.ts';
import {placeCalled} from '../../session/write-place.ts';
import type {JobTarget} from '../../state/job-record.ts';
import type {ListedJob} from '../../state/jobs.ts';
import type {Slice} from '../../store/slice.ts';
import {counted, grouped} from '../../text/figures.ts';
import {fileOf} from '../jobs/slice.ts';
import {type ChosenKeys, chosenPart, scopeOf} from '../keys/chosen.ts';
import type {NamespaceRow} from '../keys/namespace-rows.ts';
import {openRow} from '../keys/open-row.ts';
import {keysWritten} from '../keys/written.ts';
import {runningJob} from '../shell/running-job.ts';
import {openOther, titleBeside} from './other-store.ts';
import {endsOf, isTransferring, type TransferState} from './state.ts';

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly transfer: TransferSlice;
	}
}

type TransferSlice = {
	readonly data: TransferState | undefined;
	/** Exports keys of a namespace to a file that must not exist. */
	exportTo(row: NamespaceRow, keys: ChosenKeys, path: string, signal: AbortSignal): Promise<void>;
	/** Copies keys to the named store. */
	copyTo(row: NamespaceRow, keys: ChosenKeys, copying: CopyChoice, signal: AbortSignal): Promise<void>;
	/** Runs a copy prepared elsewhere; `ended` formats its final message. */
	openFrom(
		about: Pick<TransferState, 'keys' | 'from' | 'to'>,
		open: () => Promise<ReadyTransfer>,
		ended: (result: TransferResult) => string,
		signal: AbortSignal,
	): Promise<TransferResult>;
	/** Renames the keys below a prefix; throws if their number differs from the confirmed one. */
	renamePrefix(row: NamespaceRow, renaming: PrefixRenaming, signal: AbortSignal): Promise<void>;
	resume(job: ListedJob, signal: AbortSignal): Promise<void>;
	pause(isPaused: boolean): void;
	/** Stops; what is done stays recorded, and the job can be resumed. */
	cancel(): void;
	/** Cancels when ledge exits; resolves when progress is recorded, or after two seconds. */
	end(): Promise<void>;
	/** Esc: drops a transfer that has ended. A running one continues. */
	leave(): void;
};

/** A change of prefix, with the confirmed number of keys. */
type PrefixRenaming = PrefixChange & {readonly collisions: Collisions; readonly count: number};

type CopyChoice = {
	/** Name of the other store. */
	readonly into: string;
	/** Keeps the keys that the other store already has. */
	readonly onlyMissing: boolean;
};

export const createTransferSlice: Slice<TransferSlice> = (set, get, {session, elapsed}) => {
	let numbered = 0;
	const {env} = session;

	const change = (number: number, part: Partial<TransferState>) =>
		set(({data: transfer}) => (transfer?.number === number ? {data: {...transfer, ...part}} : {}));

	const running = runningJob<TransferProgress, TransferResult, TransferJob>(env, elapsed, (job, progress) => {
		const transfer = get().transfer.data;
		if (!transfer) return;
		const cancelled = transfer.stage.state === 'running' && transfer.stage.cancelled;
		change(transfer.number, {stage: {state: 'running', id: job.id, progress, cancelled}});
	});

	function begin(about: Pick<TransferState, 'kind' | 'keys' | 'from' | 'to'>): number {
		if (isTransferring(get().transfer.data))
			throw new Failure('usage', 'There is an export, copy or rename already.', {
				next: 'Wait for its end, or cancel it.',
			});
		const number = ++numbered;
		set({data: {...about, number, stage: {state: 'opening'}}});
		return number;
	}

	/** Opens the stores, runs the transfer and shows its progress. */
	async function does(
		number: number,
		signal: AbortSignal,
		/** Id of a resumed job, whose titles are known already. */
		taken: string | undefined,
		open: (hold: (disposable: Disposable) => void) => Promise<ReadyTransfer>,
		/** Formats the final message. */
		ended?: (result: TransferResult) => string,
	): Promise<TransferResult> {
		const held: Disposable[] = [];
		let written: JobTarget | undefined;
		let id = taken;
		let job: TransferJob | undefined;
		try {
			await using ready = await open(disposable => held.push(disposable));
			if (signal.aborted) throw interrupted();
			const {kind, keys, from, to} = taken === undefined ? ready : {...ready, ...get().transfer.data};
			change(number, {keys, from, to});
			if (ready.earlier) get().messages.say(earlierSentence(ready.earlier));
			const start = (report: (progress: TransferProgress) => void) => {
				job = ready.start(report, signal);
				written = ready.target;
				({id} = job);
				return job;
			};
			const work = async () => running.follow(start);
			const what = `${kind} from ${ready.from}`;
			const place = await session.permit(placeCalled(kind === 'rename' ? from : to, ready.place), what);
			const result = await session.audited(what, place, work, ended => refusedFailure(kind, ended));
			change(number, {stage: {state: 'done', result}});
			const refused = refusedFailure(kind, result);
			if (refused) get().messages.fail(refused);
			else get().messages.say(ended?.(result) ?? transferSentence(kind, result, from, to));
			return result;
		} catch (error) {
			const failure = asFailure(error);
			change(number, {stage: {state: 'stopped', id, progress: job?.progress(), failure}});
			throw failure;
		} finally {
			if (written) keysWritten(get(), written, 'to be read');
			for (const disposable of held.toReversed()) disposable[Symbol.dispose]();
			await get().work.run('reading the jobs', 'background', during => get().jobs.load(during));
		}
	}

	return {
		data: undefined,
		async exportTo(row, keys, path, signal) {
			const number = begin({
				kind: 'export',
				keys: chosenPart(keys),
				from: row.title,
				to: path,
			});
			await does(number, signal, undefined, async hold => {
				const opened = await openRow(session, row, {}, signal);
				hold(opened.store);
				const scope = await scopeOf(keys, env, signal);
				hold(scope);
				const {prefix, names} = scope;
				return readyExport(session, opened, {path, over: false, ...(prefix && {prefix})}, signal, names);
			});
		},
		async copyTo(row, keys, {into, onlyMissing}, signal) {
			session.refuseWhenReadOnly('a copy');
			const number = begin({
				kind: 'copy',
				keys: chosenPart(keys),
				from: row.title,
				to: titleBeside(row, into, get().namespaces.data),
			});
			await does(number, signal, undefined, async hold => {
				const namespaces = get().namespaces.data;
				const {inputPath} = get().paths;
				const from = await openRow(session, row, {}, signal);
				hold(from.store);
				const to = await openOther(session, into, {namespaces, inputPath, write: true}, signal);
				hold(to.store);
				const scope = await scopeOf(keys, env, signal);
				hold(scope);
				const {prefix, names} = scope;
				return readyCopy(session, from, to, {onlyMissing, ...(prefix && {prefix})}, names);
			});
		},
		async renamePrefix(row, {from, to, collisions, count: confirmed}, signal) {
			session.refuseWhenReadOnly('a rename');
			const number = begin({
				kind: 'rename',
				keys: `${counted(confirmed, 'key')} below ${from}`,
				from: row.title,
				to,
			});
			await does(number, signal, undefined, async hold => {
				const opened = await openRow(session, row, {write: true}, signal);
				hold(opened.store);
				const listed = await listRename(session, opened, {from, to}, signal);
				hold(listed);
				const {names, count} = listed;
				if (count.keys !== confirmed)
					throw new Failure(
						'changed_meanwhile',
						`There are ${counted(count.keys, 'key')} by now, and not ${grouped(confirmed)}; nothing was written.`,
						{next: 'Begin again: R on the group.'},
					);
				if (collisions === 'refuse' && count.taken > 0) throw namesTaken(count);
				return readyRename(session, opened, {from, to, collisions}, names);
			});
		},
		async openFrom(about, open, ended, signal) {
			return does(begin({kind: 'copy', ...about}), signal, undefined, open, ended);
		},
		async resume(job, signal) {
			if (!('record' in job)) throw job.failure;
			const {kind, title, target} = job.record.header;
			const number = begin({
				kind: transferKind(kind) ?? 'copy',
				keys: undefined,
				...endsOf(title, fileOf(job.record.header), target.called),
			});
			await does(number, signal, job.id, () => takeUpTransfer(session, job, signal));
		},
		pause: running.pause,
		cancel() {
			const transfer = get().transfer.data;
			if (transfer?.stage.state !== 'running') return;
			change(transfer.number, {stage: {...transfer.stage, cancelled: true}});
			running.cancel();
		},
		async end() {
			get().transfer.cancel();
			await running.ended();
		},
		leave() {
			if (!isTransferring(get().transfer.data)) set({data: undefined});
		},
	};
};
