import {basename} from 'node:path';
import {asFailure, Failure, interrupted} from '../../failure.ts';
import type {CheckOptions} from '../../kv/bulk/check.ts';
import {defaultFailedFile, freeFailedPath} from '../../kv/bulk/failed-file.ts';
import type {BulkJob, BulkResult} from '../../kv/bulk/job.ts';
import {
	bulkDone,
	bulkKindOf,
	bulkKinds,
	bulkRefused,
	doneKeys,
	type PreparedBulk,
} from '../../kv/bulk/prepared.ts';
import type {BulkProgress} from '../../kv/bulk/progress.ts';
import {unixSeconds} from '../../kv/limits.ts';
import {isTrashFailure} from '../../kv/trash/failures.ts';
import {goesToTrash} from '../../kv/trash/limits.ts';
import {type HeldBatch, holdAgain} from '../../kv/trash/trash.ts';
import {type OpenedNamespace, reopenNamespace} from '../../session/namespaces.ts';
import {reopenSource} from '../../session/stores.ts';
import {keepBefore, keptText} from '../../session/trash.ts';
import {type PermittedPlace, placeCalled, placeOfStore} from '../../session/write-place.ts';
import {isLocalPlace, sameTarget} from '../../state/job-record.ts';
import type {Slice} from '../../store/slice.ts';
import {advice, ledge} from '../../text/advice.ts';
import {quantity} from '../../text/figures.ts';
import {openRow} from '../keys/open-row.ts';
import {nameOf, openOrigin} from '../keys/origin.ts';
import {keysWritten} from '../keys/written.ts';
import {paced} from '../shell/paced.ts';
import {progressEvery, runningJob} from '../shell/running-job.ts';
import {
	type BulkSlice,
	type BulkStage,
	type BulkState,
	foundIn,
	isUnderWay,
	refusedRows,
	stoppedStage,
} from './state.ts';

/** Maximum problems listed per file. */
const problemsKept = 1000;
/** Resources of a run, from its check to its end. */
type Held = {
	readonly opened: OpenedNamespace;
	readonly prepared: PreparedBulk;
	job?: BulkJob;
	/** The store whose keys a resumed deletion must not delete. */
	readonly source?: OpenedNamespace | undefined;
	/** The trash batch of the deleted keys. */
	kept?: HeldBatch | undefined;
};

export const createBulkSlice: Slice<BulkSlice> = (set, get, {session, now, elapsed}) => {
	let numbered = 0;
	let held: Held | undefined;
	/** Aborts reading keys for the trash. */
	let keeping: AbortController | undefined;
	const {env, cwd} = session;
	const every = progressEvery(env);

	const change = (part: Partial<BulkState>) =>
		set(({data: bulk}) => (bulk ? {data: {...bulk, ...part}} : {}));
	const isFront = (number: number) => get().bulk.data?.number === number;

	/** Closes the resources of a run; an opened but unused journal stays unchanged. */
	async function release({opened, source, prepared, job, kept}: Held): Promise<void> {
		kept?.[Symbol.dispose]();
		prepared.checked.input[Symbol.dispose]();
		opened.store[Symbol.dispose]();
		source?.store[Symbol.dispose]();
		if (!job) await prepared.resumed?.journal.close();
	}

	function begin(bulk: Omit<BulkState, 'number' | 'stage' | 'list'>): number {
		if (isUnderWay(get().bulk.data)) {
			throw new Failure('usage', 'There is a bulk run already.', {next: 'Wait for its end, or cancel it.'});
		}
		const number = ++numbered;
		set({data: {...bulk, number, stage: {state: 'checking', bytes: 0, size: 0}, list: undefined}});
		return number;
	}

	async function prepare(
		number: number,
		signal: AbortSignal,
		open: () => Promise<OpenedNamespace>,
		check: (
			opened: OpenedNamespace,
			options: CheckOptions,
			listed: (keys: number) => void,
		) => Promise<PreparedBulk>,
	): Promise<void> {
		const reading = paced(every, elapsed, (part: {bytes: number; size: number; listed?: number}) => {
			if (isFront(number)) change({stage: {state: 'checking', ...part}});
		});
		let opened: OpenedNamespace | undefined;
		try {
			opened = await open();
			const {store, target} = opened;
			const prepared = await check(
				opened,
				{
					now: unixSeconds(now()),
					signal,
					problemsKept,
					progress: (bytes, size) => reading.tell({bytes, size}),
				},
				listed => reading.tell({bytes: 0, size: 0, listed}),
			);
			let ready: Held = {opened, prepared};
			opened = undefined;
			try {
				if (prepared.source) ready = {...ready, source: await reopenSource(session, prepared.source, signal)};
			} catch (error) {
				await release(ready);
				throw error;
			}
			const bulk = get().bulk.data;
			if (signal.aborted || bulk?.number !== number) {
				await release(ready);
				throw interrupted();
			}
			held = ready;
			const namespace = {...bulk.namespace, label: store.label, target};
			change({namespace, stage: {state: 'checked', check: foundIn(prepared)}});
		} catch (error) {
			opened?.store[Symbol.dispose]();
			if (isFront(number)) {
				if (signal.aborted) set({data: undefined});
				else change({stage: {state: 'failed', failure: asFailure(error)}});
			}
			throw error;
		} finally {
			reading.stop();
		}
	}

	const running = runningJob<BulkProgress, BulkResult, BulkJob>(env, elapsed, (job, progress) => {
		const bulk = get().bulk.data;
		if (!bulk || !held) return;
		const cancelled = bulk.stage.state === 'sending' && bulk.stage.cancelled;
		const check = foundIn(held.prepared);
		change({stage: {state: 'sending', check, id: job.id, progress, refused: job.refused(), cancelled}});
	});

	const whatOf = ({prepared: {kind, checked}}: Held): string =>
		`${bulkKinds[kind].command} ${quantity(checked.valid, 'entry', 'entries')} of ${checked.input.label}`;

	/** Sends the run and shows its progress. */
	async function send(ready: Held, permitted: PermittedPlace, signal: AbortSignal): Promise<BulkResult> {
		const {opened, prepared, source} = ready;
		const {store, target} = opened;
		const {checked, kind} = prepared;
		const start = (progress: (progress: BulkProgress) => void) => {
			ready.job = prepared.start(store, {
				signal,
				environment: env,
				cwd,
				target,
				skipInvalid: checked.problemCount > 0,
				trash: ready.kept?.batch.id,
				source,
				failed: freeFailedPath(defaultFailedFile(checked.input, kind, cwd), {cwd, environment: env}),
				now,
				elapsed,
				wayOn: id => advice`J resumes it; so does \`${ledge('jobs resume', id)}\`.`,
				progress,
			});
			return ready.job;
		};
		return session.audited(
			`${whatOf(ready)}${keptText(ready.kept)}`,
			permitted,
			async () => running.follow(start),
			result => bulkRefused(result, () => ''),
		);
	}

	/**
	 * Moves the keys to delete to the trash. Returns why the trash cannot hold them; throws if they cannot be
	 * read.
	 */
	async function keep(
		ready: Held,
		title: string,
		signal: AbortSignal,
		trash: boolean | undefined,
	): Promise<Failure | undefined> {
		const {opened, prepared} = ready;
		const {kind, checked, resumed} = prepared;
		if (kind !== 'bulk-delete') return undefined;
		if (resumed) {
			ready.kept = prepared.trash === undefined ? undefined : holdAgain(env, prepared.trash, now());
			change({kept: ready.kept?.batch});
			return undefined;
		}
		if (!goesToTrash(checked.valid, trash)) return undefined;
		const check = foundIn(prepared);
		keeping = new AbortController();
		const shown = paced(every, elapsed, (done: number) => {
			const cancelled = keeping?.signal.aborted ?? false;
			if (get().bulk.data?.stage.state === 'keeping')
				change({stage: {state: 'keeping', check, done, cancelled}});
		});
		change({stage: {state: 'keeping', check, done: 0, cancelled: false}});
		try {
			const loss = {reason: 'deleted', at: now(), command: 'screens', title} as const;
			const during = AbortSignal.any([signal, keeping.signal]);
			ready.kept = await keepBefore(session, opened, checked, loss, {
				signal: during,
				progress: shown.tell,
			});
			if (during.aborted) throw interrupted();
			change({kept: ready.kept?.batch});
			return undefined;
		} catch (error) {
			const failure = asFailure(error);
			if (!isTrashFailure(failure)) throw failure;
			return failure;
		} finally {
			shown.stop();
			keeping = undefined;
		}
	}

	const isOpen = ({opened}: Held): boolean => {
		const target = get().keys.data?.opened.target;
		return target !== undefined && sameTarget(target, opened.target);
	};

	/**
	 * Removes deleted keys from the list of keys if it is open. Returns whether the list must be read again.
	 */
	async function takeAway(ended: Held): Promise<'taken in' | 'to be read'> {
		const {prepared, job} = ended;
		if (prepared.kind !== 'bulk-delete') return 'to be read';
		if (!job || !isOpen(ended)) return 'taken in';
		try {
			for await (const names of doneKeys(prepared.checked, job, new AbortController().signal))
				if (isOpen(ended)) get().keys.noticeDeletion(names);
			return 'taken in';
		} catch (error) {
			get().messages.fail(asFailure(error));
			return 'to be read';
		}
	}

	function tell(ready: Held, result: BulkResult, title: string): void {
		const {kind} = ready.prepared;
		const words = bulkKinds[kind];
		const again = (file: string) => `B in the keys of the namespace, with ${file}, tries just these again.`;
		const refused = bulkRefused(result, again);
		// The service may not list recent writes yet.
		const isLate = kind !== 'bulk-delete' && ready.opened.store.kind === 'remote' && isOpen(ready);
		const shows = isLate ? ' Its list may be a minute behind; ctrl-r refreshes it.' : '';
		const back = ready.kept ? ' u restores them.' : '';
		if (refused) get().messages.fail(refused);
		else get().messages.say(`${bulkDone(result, words, title)}${back}${shows}`);
	}

	return {
		data: undefined,
		leaving: false,
		async check(kind, row, origin, signal) {
			session.refuseWhenReadOnly(bulkKinds[kind].command);
			const from = nameOf(origin);
			const number = begin({
				kind,
				from,
				namespace: {title: row.title, where: row.where, label: row.title},
				quota: get().connection.quotaFor(row.where),
			});
			await prepare(
				number,
				signal,
				() => openRow(session, row, {write: true}, signal),
				async ({store}, options, listed) => {
					const input = await openOrigin(origin, store, {environment: env, signal, listed});
					try {
						return await bulkKinds[kind].prepare(input, options);
					} catch (error) {
						input[Symbol.dispose]();
						throw error;
					}
				},
			);
		},
		async resume(job, signal) {
			const kind = bulkKindOf(job);
			session.refuseWhenReadOnly(bulkKinds[kind].command);
			if (!('record' in job)) throw job.failure;
			const {target, input, title} = job.record.header;
			const id = target.namespace ?? '';
			const row = get().namespaces.data.rows.find(one => one.id === id);
			const name = row?.title ?? target.title ?? (title.split(' › ').at(-1) || id);
			const from = input && !input.kept ? basename(input.path) : `job ${job.id}`;
			const where = isLocalPlace(target.place) ? 'local' : 'remote';
			const number = begin({
				kind,
				from,
				namespace: {title: name, where, label: title, target},
				quota: get().connection.quotaFor(where),
			});
			await prepare(
				number,
				signal,
				() => reopenNamespace(session, target, {write: true}, signal),
				(_opened, options) => bulkKinds[kind].takeUp(job.id, {...options, environment: env, target}),
			);
		},
		async start(signal, trash) {
			const ready = held;
			const bulk = get().bulk.data;
			if (!ready || bulk?.stage.state !== 'checked') return;
			const {check} = bulk.stage;
			const {title} = bulk.namespace;
			let stage: BulkStage;
			try {
				const place = placeCalled(title, placeOfStore(ready.opened.store));
				const permitted = await session.permit(place, whatOf(ready));
				const notKept = await keep(ready, title, signal, trash);
				if (notKept) return change({stage: {state: 'checked', check, notKept}});
				stage = {state: 'done', check, result: await send(ready, permitted, signal)};
			} catch (error) {
				stage = stoppedStage(ready.job, check, asFailure(error));
			}
			if (ready.kept && ready.job) get().trash.noticeDeletion(ready.kept.batch);
			keysWritten(get(), ready.opened.target, await takeAway(ready));
			held = undefined;
			await release(ready);
			change({stage});
			await get().work.run('reading the jobs', 'background', during => get().jobs.load(during), {
				kind: 'jobs',
			});
			if (stage.state === 'done') tell(ready, stage.result, title);
			else throw stage.failure;
		},
		pause: running.pause,
		cancel() {
			const bulk = get().bulk.data;
			if (bulk?.stage.state !== 'sending' && bulk?.stage.state !== 'keeping') return;
			change({stage: {...bulk.stage, cancelled: true}});
			keeping?.abort();
			running.cancel();
		},
		async end() {
			set({leaving: true});
			get().bulk.cancel();
			await running.ended();
		},
		leave() {
			const bulk = get().bulk.data;
			const {say} = get().messages;
			if (bulk?.list) {
				change({list: undefined});
				return true;
			}
			if (!bulk || bulk.stage.state === 'sending' || bulk.stage.state === 'keeping') return false;
			if (bulk.stage.state === 'checked') say('Nothing was sent.');
			void get().bulk.close();
			return false;
		},
		async close() {
			const state = get().bulk.data?.stage.state;
			if (state === 'sending' || state === 'keeping') return;
			set({data: undefined});
			const ready = held;
			held = undefined;
			if (ready) await get().work.run('closing', 'background', () => release(ready));
		},
		showRefused: () =>
			set(({data: bulk}) => (bulk ? {data: {...bulk, list: bulk.list ? undefined : {cursor: 0}}} : {})),
		moveInRefused(by) {
			const bulk = get().bulk.data;
			if (!bulk?.list) return;
			const last = refusedRows(bulk.stage).length - 1;
			change({list: {cursor: Math.max(0, Math.min(last, bulk.list.cursor + by))}});
		},
	};
};
