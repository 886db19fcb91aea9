import {basename} from 'node:path';
import {createInterruptedFailure, Failure, toFailure} from '../../failure.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import type {CheckOptions} from '../../kv/bulk/check.ts';
import {findFreeFailedPath, getDefaultFailedPath} from '../../kv/bulk/failed-file.ts';
import type {BulkJob, BulkResult} from '../../kv/bulk/job.ts';
import {
	bulkKinds,
	findBulkRefusedFailure,
	getBulkKind,
	listDoneKeys,
	type PreparedBulk,
	withAbsentKeyCount,
} from '../../kv/bulk/prepared.ts';
import type {BulkProgress} from '../../kv/bulk/progress.ts';
import {toEpochSeconds} from '../../kv/limits.ts';
import {isTrashFailure} from '../../kv/trash/failures.ts';
import {shouldUseTrash} from '../../kv/trash/limits.ts';
import {type HeldBatch, holdResumedBatch} from '../../kv/trash/trash.ts';
import {type OpenedNamespace, reopenNamespace} from '../../session/namespaces.ts';
import {reopenSource} from '../../session/stores.ts';
import {backUpKeys, formatTrashNote} from '../../session/trash.ts';
import {type PermittedPlace, toStorePlace, withPlaceName} from '../../session/write-place.ts';
import {isLocalPlace, isSameTarget} from '../../state/job-record.ts';
import type {Slice} from '../../store/slice.ts';
import {buildAdvice, buildCommand} from '../../text/advice.ts';
import {formatPlainQuantity} from '../../text/figures.ts';
import {openNamespaceRow} from '../keys/open-row.ts';
import {formatBulkOriginName, openBulkOrigin} from '../keys/origin.ts';
import {notifyKeysWritten} from '../keys/written.ts';
import {moveCursor} from '../list/list.ts';
import {createJobRunner, getProgressInterval} from '../shell/job-runner.ts';
import {createUpdateThrottle} from '../shell/update-throttle.ts';
import {describeBulkEnd} from './facts.ts';
import {
	type BulkSlice,
	type BulkStage,
	type BulkState,
	buildBulkCheck,
	buildRefusedRows,
	buildStoppedStage,
	describeBulkWrite,
	isBulkUnderWay,
} from './state.ts';

/** Maximum problems kept in memory per file. */
const maxProblemsKept = 1000;
/** Resources of a run, from its check to its end. */
type HeldRun = {
	readonly opened: OpenedNamespace;
	readonly prepared: PreparedBulk;
	job?: BulkJob;
	/** The store whose keys a resumed deletion must not delete. */
	readonly source?: OpenedNamespace | undefined;
	/** The trash batch of the deleted keys. */
	heldBatch?: HeldBatch | undefined;
};

export const createBulkSlice: Slice<BulkSlice> = (set, get, {session, now, elapsed}) => {
	let lastRunNumber = 0;
	let heldRun: HeldRun | undefined;
	/** Aborts reading keys for the trash. */
	let trashController: AbortController | undefined;
	const {env, cwd} = session;
	const progressInterval = getProgressInterval(env);

	const change = (part: Partial<BulkState>) =>
		set(({data: bulk}) => (bulk ? {data: {...bulk, ...part}} : {}));
	const isCurrentRun = (runNumber: number) => get().bulk.data?.runNumber === runNumber;
	/** Closes the resources of a run. A job closes its own journal; without a job, it is closed unchanged. */
	async function release({opened, source, prepared, job, heldBatch}: HeldRun): Promise<void> {
		heldBatch?.[Symbol.dispose]();
		prepared.checked.input[Symbol.dispose]();
		opened.store[Symbol.dispose]();
		source?.store[Symbol.dispose]();
		if (!job) await prepared.resumed?.journal.close();
	}

	function startRun(bulk: Omit<BulkState, 'runNumber' | 'stage' | 'refusedList'>): number {
		if (isBulkUnderWay(get().bulk.data)) {
			throw new Failure('usage', 'A bulk run is already in progress.', {
				next: 'Wait until it ends, or cancel it.',
			});
		}
		const runNumber = ++lastRunNumber;
		set({data: {...bulk, runNumber, stage: {state: 'checking', bytes: 0, size: 0}, refusedList: undefined}});
		return runNumber;
	}

	async function prepare(
		runNumber: number,
		signal: AbortSignal,
		openTarget: () => Promise<OpenedNamespace>,
		prepareInput: (
			opened: OpenedNamespace,
			options: CheckOptions,
			onListed: (keys: number) => void,
		) => Promise<PreparedBulk>,
	): Promise<void> {
		const checkProgress = createUpdateThrottle(
			progressInterval,
			elapsed,
			(part: {bytes: number; size: number; listedCount?: number}) => {
				if (isCurrentRun(runNumber)) change({stage: {state: 'checking', ...part}});
			},
		);
		let opened: OpenedNamespace | undefined;
		try {
			opened = await openTarget();
			const {store, target} = opened;
			const prepared = await prepareInput(
				opened,
				{
					now: toEpochSeconds(now()),
					signal,
					problemLimit: maxProblemsKept,
					progress: (bytes, size) => checkProgress.update({bytes, size}),
				},
				listedCount => checkProgress.update({bytes: 0, size: 0, listedCount}),
			);
			let run: HeldRun = {opened, prepared};
			// From here on, the run owns it.
			opened = undefined;
			try {
				if (prepared.source) run = {...run, source: await reopenSource(session, prepared.source, signal)};
			} catch (error) {
				await release(run);
				throw error;
			}
			const bulk = get().bulk.data;
			if (signal.aborted || bulk?.runNumber !== runNumber) {
				await release(run);
				throw createInterruptedFailure();
			}
			heldRun = run;
			const namespace = {...bulk.namespace, label: store.label, target};
			change({namespace, stage: {state: 'checked', check: buildBulkCheck(prepared)}});
		} catch (error) {
			opened?.store[Symbol.dispose]();
			if (isCurrentRun(runNumber)) {
				if (signal.aborted) set({data: undefined});
				else change({stage: {state: 'failed', failure: toFailure(error)}});
			}
			throw error;
		} finally {
			checkProgress.stop();
		}
	}

	const jobRunner = createJobRunner<BulkProgress, BulkResult, BulkJob>(env, elapsed, (job, progress) => {
		const bulk = get().bulk.data;
		if (!bulk || !heldRun) return;
		const cancelled = bulk.stage.state === 'sending' && bulk.stage.cancelled;
		const check = buildBulkCheck(heldRun.prepared);
		change({stage: {state: 'sending', check, id: job.id, progress, refused: job.listRefused(), cancelled}});
	});

	const describeRun = ({prepared: {kind, checked}}: HeldRun): string =>
		`${bulkKinds[kind].command} ${formatPlainQuantity(checked.validCount, 'entry', 'entries')} of ${checked.input.label}`;

	/** Sends the run and shows its progress. */
	async function sendPrepared(
		run: HeldRun,
		permittedPlace: PermittedPlace,
		signal: AbortSignal,
	): Promise<BulkResult> {
		const {opened, prepared, source} = run;
		const {store, target} = opened;
		const {checked, kind} = prepared;
		const startJob = (progress: (progress: BulkProgress) => void) => {
			run.job = prepared.start(store, {
				signal,
				environment: env,
				cwd,
				target,
				skipInvalid: checked.problemCount > 0,
				trash: run.heldBatch?.batch.id,
				source,
				failed: findFreeFailedPath(getDefaultFailedPath(checked.input, kind, cwd), {cwd, environment: env}),
				now,
				elapsed,
				adviseResume: id =>
					buildAdvice`Resume it on the jobs screen (${nameKey('go.jobs', '7')}), or with \`${buildCommand('jobs resume', id)}\`.`,
				progress,
			});
			return run.job;
		};
		return session.auditWrite(
			`${describeRun(run)}${formatTrashNote(run.heldBatch)}`,
			permittedPlace,
			async () => jobRunner.run(startJob),
			result => findBulkRefusedFailure(result, () => ''),
		);
	}

	/**
	 * Copies the keys to delete to the trash. Returns the failure if the trash cannot hold them; throws if
	 * they cannot be read. A resumed deletion continues with its trash batch.
	 */
	async function copyToTrash(
		run: HeldRun,
		title: string,
		signal: AbortSignal,
		usesTrash: boolean | undefined,
	): Promise<Failure | undefined> {
		const {opened, prepared} = run;
		const {kind, checked, resumed} = prepared;
		if (kind !== 'bulk-delete') return undefined;
		if (resumed) {
			run.heldBatch = prepared.trash === undefined ? undefined : holdResumedBatch(env, prepared.trash, now());
			change({trashBatch: run.heldBatch?.batch});
			return undefined;
		}
		if (!shouldUseTrash(checked.validCount, usesTrash)) return undefined;
		const check = buildBulkCheck(prepared);
		trashController = new AbortController();
		const trashProgress = createUpdateThrottle(progressInterval, elapsed, (copiedCount: number) => {
			const cancelled = trashController?.signal.aborted ?? false;
			if (get().bulk.data?.stage.state === 'keeping')
				change({stage: {state: 'keeping', check, copiedCount, cancelled}});
		});
		change({stage: {state: 'keeping', check, copiedCount: 0, cancelled: false}});
		try {
			const deletion = {reason: 'deleted', at: now(), command: 'screens', title} as const;
			const childSignal = AbortSignal.any([signal, trashController.signal]);
			run.heldBatch = await backUpKeys(session, opened, checked, deletion, {
				signal: childSignal,
				progress: trashProgress.update,
			});
			if (childSignal.aborted) throw createInterruptedFailure();
			change({trashBatch: run.heldBatch?.batch});
			return undefined;
		} catch (error) {
			const failure = toFailure(error);
			if (!isTrashFailure(failure)) throw failure;
			return failure;
		} finally {
			trashProgress.stop();
			trashController = undefined;
		}
	}

	const isNamespaceOpen = ({opened}: HeldRun): boolean => {
		const target = get().keys.data?.opened.target;
		return target !== undefined && isSameTarget(target, opened.target);
	};

	/**
	 * Removes deleted keys from the list of keys if it is open. Returns `to be read` if an open list must be
	 * read again, otherwise `taken in`.
	 */
	async function removeDeletedKeys(endedRun: HeldRun): Promise<'taken in' | 'to be read'> {
		const {prepared, job} = endedRun;
		if (prepared.kind !== 'bulk-delete') return 'to be read';
		if (!job || !isNamespaceOpen(endedRun)) return 'taken in';
		try {
			for await (const names of listDoneKeys(prepared.checked, job, new AbortController().signal))
				if (isNamespaceOpen(endedRun)) get().keys.noticeDeletion(names);
			return 'taken in';
		} catch (error) {
			get().messages.fail(toFailure(error));
			return 'to be read';
		}
	}

	function reportResult(run: HeldRun, result: BulkResult, title: string): void {
		const {kind} = run.prepared;
		const formatRetryAdvice = (file: string) =>
			`To retry just these, press ${nameKey('keys.bulk', 'B')} in the key list and choose ${file}.`;
		const refused = findBulkRefusedFailure(result, formatRetryAdvice);
		// The service may not list recent writes yet.
		const isListStale = kind !== 'bulk-delete' && run.opened.store.kind === 'remote' && isNamespaceOpen(run);
		if (refused) get().messages.fail(refused);
		else get().messages.say(describeBulkEnd(kind, result, {title, batch: run.heldBatch?.batch, isListStale}));
	}

	return {
		data: undefined,
		isQuitting: false,
		async check(kind, row, origin, signal) {
			session.refuseWhenReadOnly(bulkKinds[kind].command);
			const inputName = formatBulkOriginName(origin);
			const runNumber = startRun({
				kind,
				inputName,
				namespace: {title: row.title, where: row.where, label: row.title},
				quota: get().connection.getQuotaLeft(row.where),
			});
			await prepare(
				runNumber,
				signal,
				() => openNamespaceRow(session, row, {write: true}, signal),
				async ({store}, options, onListed) => {
					const input = await openBulkOrigin(origin, store, {environment: env, signal, onListed});
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
			const kind = getBulkKind(job);
			session.refuseWhenReadOnly(bulkKinds[kind].command);
			if (!('record' in job)) throw job.failure;
			const {target, input, title} = job.record.header;
			const id = target.namespace ?? '';
			const row = get().namespaces.data.rows.find(one => one.id === id);
			// The recorded title of a bulk job ends with that of its namespace: "Acme › CONFIG".
			const name = row?.title ?? target.title ?? (title.split(' › ').at(-1) || id);
			const inputName = input && !input.kept ? basename(input.path) : `job ${job.id}`;
			const where = isLocalPlace(target.place) ? 'local' : 'remote';
			const runNumber = startRun({
				kind,
				inputName,
				namespace: {title: name, where, label: title, target},
				quota: get().connection.getQuotaLeft(where),
			});
			await prepare(
				runNumber,
				signal,
				() => reopenNamespace(session, target, {write: true}, signal),
				(_opened, options) => bulkKinds[kind].resume(job.id, {...options, environment: env, target}),
			);
		},
		async start(signal, usesTrash) {
			const run = heldRun;
			const bulk = get().bulk.data;
			if (!run || bulk?.stage.state !== 'checked') return;
			const {check} = bulk.stage;
			const {title} = bulk.namespace;
			let stage: BulkStage;
			try {
				const place = withPlaceName(title, toStorePlace(run.opened.store));
				const permittedPlace = await session.permit(place, describeRun(run));
				const trashFailure = await copyToTrash(run, title, signal, usesTrash);
				if (trashFailure) return change({stage: {state: 'checked', check, trashFailure}});
				const result = await sendPrepared(run, permittedPlace, signal);
				stage = {state: 'done', check, result: withAbsentKeyCount(result, run.heldBatch?.batch)};
			} catch (error) {
				stage = buildStoppedStage(run.job, check, toFailure(error));
			}
			if (run.job) get().review.noticeWrite(describeBulkWrite(bulk, run.heldBatch?.batch));
			notifyKeysWritten(get(), run.opened.target, await removeDeletedKeys(run));
			heldRun = undefined;
			await release(run);
			change({stage});
			await get().work.run('loading jobs', 'background', childSignal => get().jobs.load(childSignal), {
				kind: 'jobs',
			});
			if (stage.state === 'done') reportResult(run, stage.result, title);
			else throw stage.failure;
		},
		pause: jobRunner.pause,
		cancel() {
			const bulk = get().bulk.data;
			if (bulk?.stage.state !== 'sending' && bulk?.stage.state !== 'keeping') return;
			change({stage: {...bulk.stage, cancelled: true}});
			trashController?.abort();
			jobRunner.cancel();
		},
		end() {
			set({isQuitting: true});
			get().bulk.cancel();
			return jobRunner.waitForEnd();
		},
		leave() {
			const bulk = get().bulk.data;
			if (bulk?.refusedList) {
				get().bulk.toggleRefused();
				return true;
			}
			if (!bulk || bulk.stage.state === 'sending' || bulk.stage.state === 'keeping') return false;
			if (bulk.stage.state === 'checked') get().messages.say('Nothing was sent.');
			void get().bulk.close();
			return false;
		},
		async close() {
			const state = get().bulk.data?.stage.state;
			if (state === 'sending' || state === 'keeping') return;
			set({data: undefined});
			const run = heldRun;
			heldRun = undefined;
			if (run) await get().work.run('closing', 'background', () => release(run));
		},
		noticeRestore(batchId, restored) {
			if (get().bulk.data?.trashBatch?.id === batchId) change({restored});
		},
		toggleRefused: () => change({refusedList: get().bulk.data?.refusedList ? undefined : {cursor: 0}}),
		move(by, lastTop) {
			const bulk = get().bulk.data;
			if (!bulk?.refusedList) return change({top: moveCursor(bulk?.top ?? 0, by, lastTop + 1)});
			const {length} = buildRefusedRows(bulk.stage);
			change({refusedList: {cursor: moveCursor(bulk.refusedList.cursor, by, length)}});
		},
	};
};
