import {isDeepStrictEqual} from 'node:util';
import {type Failure, toFailure} from '../../failure.ts';
import {
	checkProposal,
	computeDigestAfterWrite,
	type DeleteProposal,
	findProposalProblem,
	type Proposal,
	type ProposalCheck,
	writeProposal,
} from '../../kv/change/proposal.ts';
import {UndoHistory} from '../../kv/change/undo.ts';
import {isSameState, readWholeKey} from '../../kv/change/whole-key.ts';
import {toEpochSeconds} from '../../kv/limits.ts';
import type {KvStore} from '../../kv/store.ts';
import {toTrashFailure} from '../../kv/trash/failures.ts';
import {reopenNamespace} from '../../session/namespaces.ts';
import {formatTrashNote, writeOrDropBatch} from '../../session/trash.ts';
import {toStorePlace, withPlaceName} from '../../session/write-place.ts';
import type {JobTarget} from '../../state/job-record.ts';
import type {Slice} from '../../store/slice.ts';
import {buildPutProposal, getEditId, isEditChanged} from '../edit/edit.ts';
import {getCurrentEdit, getKeyPlace} from '../edit/slice.ts';
import {applyKeyChange} from '../keys/apply-change.ts';
import {runInSlices} from '../shell/run-in-slices.ts';
import {getCurrentScreen} from '../shell/screen-name.ts';
import {createReviewTimer} from '../write-flow/review-timer.ts';
import {getExpiryQuestion, getReviewProblem, listReviewChoices, type ReviewChoice} from './choices.ts';
import {createReviewEnding} from './ending.ts';
import {computeFinding, type Finding} from './finding.ts';
import {buildWriteFailure} from './heading.ts';
import {buildRequestLines} from './request.ts';
import {
	createReview,
	getOutcomeKey,
	getTargetKey,
	type Review,
	type ReviewCheck,
	type ReviewRequest,
	type ReviewSlice,
	reviewVerbs,
	type SentWrite,
} from './state.ts';
import {createReviewUndo} from './undo.ts';
import {resolveUnknownOutcome, type UnknownOutcome} from './unknown-outcome.ts';

/** Reviews changes before they are written, and writes them. */
export const createReviewSlice: Slice<ReviewSlice> = (set, get, ports) => {
	const {session, now} = ports;
	const timer = createReviewTimer(get, ports);
	const history = new UndoHistory();
	const ending = createReviewEnding(history)(set, get, ports);
	/** Titles of the namespaces that were written to. */
	const namespaceTitles = new Map<string, string>();
	/** Writes under way, by the id of their key. */
	const pendingWrites = new Map<string, AbortController>();
	/** Writes with unknown outcome, for the next check of the same change. */
	const unknownOutcomes = new Map<string, UnknownOutcome>();
	let lastId = 0;

	const getNowSeconds = () => toEpochSeconds(now());

	function change(id: number, part: Partial<Review>): void {
		const review = get().review.data;
		if (review?.id !== id) return;
		if ('phase' in part || 'overwrites' in part) timer.restart();
		set({data: {...review, ...part}});
	}

	function setPendingWrite(editId: string, controller: AbortController | undefined): void {
		if (controller) pendingWrites.set(editId, controller);
		else pendingWrites.delete(editId);
		set({pendingWriteIds: [...pendingWrites.keys()]});
	}

	/** Runs work on a separately opened store, so that a write continues when its namespace is closed. */
	async function withStore<T>(
		target: JobTarget,
		signal: AbortSignal,
		work: (store: KvStore) => Promise<T>,
	): Promise<T> {
		using store = (await reopenNamespace(session, target, {write: true}, signal)).store;
		return await work(store);
	}

	async function startReview(request: ReviewRequest): Promise<void> {
		const review = createReview(++lastId, {
			...request,
			unknownOutcome: unknownOutcomes.get(getOutcomeKey(request)),
		});
		set({data: review});
		if (request.undo) return sendUndo(review);
		get().navigation.go('review');
		await checkReview(review);
	}

	/**
	 * Sends an undo at once. Opens the review only if the user must decide, because the key has changed or
	 * the undo has failed.
	 */
	async function sendUndo(initialReview: Review): Promise<void> {
		const startScreen = getCurrentScreen(get());
		await checkReview(initialReview);
		const checkedReview = get().review.data;
		if (checkedReview?.id !== initialReview.id) return;
		const checkType = checkedReview.phase === 'asking' ? checkedReview.finding?.check.type : undefined;
		if (checkType === 'already') return finish(checkedReview);
		const openQuestion =
			getReviewProblem(checkedReview, getNowSeconds()) ?? getExpiryQuestion(checkedReview, getNowSeconds());
		if (checkType === 'unchanged' && !openQuestion) await writeReview(initialReview.id);
		const currentReview = get().review.data;
		if (currentReview?.id !== initialReview.id || get().dialog.current) return;
		if (currentReview.failure?.code === 'interrupted' || getCurrentScreen(get()) !== startScreen)
			set({data: undefined});
		else get().navigation.go('review');
	}

	function finish(review: Review): void {
		unknownOutcomes.delete(getOutcomeKey(review));
		ending.finish(review);
	}

	/** Checks what is stored now and shows the result. */
	const checkReview = ({id, key, target}: Review): Promise<void> =>
		runCheck(id, `checking ${key} again`, async (review, signal) => {
			const check = await withStore(target, signal, store => checkStored(store, review, signal));
			await showFinding(review, check, signal);
		});

	const checkStored = async (
		store: KvStore,
		{proposal, unknownOutcome, edit}: Review,
		signal: AbortSignal,
	): Promise<ProposalCheck> =>
		resolveUnknownOutcome(await checkProposal(store, proposal, signal), unknownOutcome, proposal, edit);

	/** Runs a read or comparison that the review waits for, and shows its failure. */
	async function runCheck(id: number, label: string, action: ReviewCheck): Promise<void> {
		change(id, {phase: 'checking', failure: undefined, overwrites: false, request: undefined});
		await get().work.run(label, 'read', async signal => {
			const review = get().review.data;
			if (review?.id !== id) return;
			try {
				await action(review, signal);
			} catch (error) {
				const failure = toFailure(error);
				change(id, {phase: 'failed', failure});
				throw failure;
			}
		});
	}

	async function showFinding(
		{id, proposal}: Review,
		check: ProposalCheck,
		signal: AbortSignal,
	): Promise<void> {
		const finding = await runInSlices(computeFinding(proposal, check), signal);
		change(id, {phase: 'asking', finding, top: 0, cursor: 0});
	}

	/**
	 * Writes what was shown. Copies the stored version to the trash first; `usesTrash` is false if the trash
	 * has failed and the user proceeds.
	 */
	async function writeReview(id: number, usesTrash = true): Promise<void> {
		const review = get().review.data;
		const finding = review?.finding;
		if (review?.id !== id || !finding || review.phase !== 'asking') return;
		const {proposal, key, target, label} = review;
		const editId = getEditId(target, key);
		if (pendingWrites.has(editId))
			return get().messages.warn(`${key} is already being written: wait until it finishes.`);
		const {gerund} = reviewVerbs[proposal.kind];
		const controller = new AbortController();
		let sentWrite: SentWrite | undefined;
		setPendingWrite(editId, controller);
		change(id, {phase: 'writing', failure: undefined, request: undefined});
		await get().work.run(`${gerund} ${key}`, 'write', async workSignal => {
			const signal = AbortSignal.any([workSignal, controller.signal]);
			try {
				session.refuseWhenReadOnly(`${gerund} a key`);
				await withStore(target, signal, async store => {
					const writePlace = withPlaceName(label, toStorePlace(store));
					const permittedPlace = await session.permit(writePlace, `${gerund} ${key}`);
					const check = await recheckBeforeWrite(store, review, finding, signal);
					if (!check) return;
					const {stored} = check;
					const reason = proposal.kind === 'delete' ? 'deleted' : 'overwritten';
					const writeWithoutTrash = () => void writeReview(id, false);
					const keepsHistory = get().connection.preferences?.defaults.history?.value ?? true;
					// What someone else wrote meanwhile is always kept, and so is a deleted key.
					const isOwnEdit = reason === 'overwritten' && check.type === 'unchanged';
					const wholeKey = usesTrash && (keepsHistory || !isOwnEdit) ? stored : undefined;
					const opened = {store, target};
					const request = {opened, key, wholeKey, reason, title: label, isUndoable: true} as const;
					using keyBackup = await get().trash.backUp(request, writeWithoutTrash, signal);
					if (!keyBackup) return change(id, {phase: 'asking'});
					sentWrite = {before: stored, sentAt: getNowSeconds()};
					const {heldBatch} = keyBackup;
					const writtenDigest = await writeOrDropBatch(session, heldBatch, () =>
						session.auditWrite(`${proposal.kind} ${key}${formatTrashNote(heldBatch)}`, permittedPlace, () =>
							writeProposal(store, proposal, stored, signal, now),
						),
					);
					namespaceTitles.set(getTargetKey(target), label);
					unknownOutcomes.delete(getOutcomeKey(review));
					ending.completeReview(review, stored, writtenDigest);
				});
			} catch (error) {
				throw handleWriteFailure(review, sentWrite, toFailure(error));
			} finally {
				setPendingWrite(editId, undefined);
			}
		});
	}

	/** Checks again right before the write. If anything has changed, shows that and returns undefined. */
	async function recheckBeforeWrite(
		store: KvStore,
		review: Review,
		finding: Finding,
		signal: AbortSignal,
	): Promise<ProposalCheck | undefined> {
		const check = await checkStored(store, review, signal);
		const isChanged = !isSameState(check.stored, finding.check.stored);
		if (!isChanged && check.type === finding.check.type) return check;
		change(review.id, {overwrites: false});
		await showFinding(review, check, signal);
		const changeNote = isChanged ? `${review.key} changed while you were reviewing. ` : '';
		get().messages.warn(`${changeNote}Nothing was sent: review it again.`);
		return undefined;
	}

	/** Records what is known after a failed write, and keeps what was typed. Returns the failure to show. */
	function handleWriteFailure(review: Review, sentWrite: SentWrite | undefined, failure: Failure): Failure {
		const {id, edit, proposal} = review;
		const isOutcomeUnknown = sentWrite !== undefined && failure.details.outcomeUnknown === true;
		const shownFailure = buildWriteFailure(review, isOutcomeUnknown, failure);
		if (isOutcomeUnknown) {
			const {before: previousKey, sentAt} = sentWrite;
			const times = {sentAt, respondedAt: getNowSeconds()};
			const expectedDigest = computeDigestAfterWrite(proposal, previousKey, times);
			unknownOutcomes.set(getOutcomeKey(review), {proposal, edit, previousKey, expectedDigest});
		}
		change(id, {
			phase: 'failed',
			failure: shownFailure,
			unknownOutcome: unknownOutcomes.get(getOutcomeKey(review)),
		});
		if (edit) get().drafts.save();
		return shownFailure;
	}

	/** True if a choice is offered and was visible long enough; warns if not. */
	function canDecide(review: Review, choice: ReviewChoice): boolean {
		const choices = listReviewChoices(review, getNowSeconds());
		if (choices.length === 0) return false;
		if (!choices.some(one => isDeepStrictEqual(one, choice))) {
			// This shows the current choices and restarts the time to read them.
			change(review.id, {overwrites: review.overwrites});
			get().messages.warn('The choices have changed: read them, then choose again.');
			return false;
		}
		return timer.wasVisibleLongEnough();
	}

	return {
		data: undefined,
		pendingWriteIds: [],
		lastWrite: undefined,
		async begin() {
			const edit = getCurrentEdit(get());
			if (!edit) return;
			const {id, target, label, key, origin} = edit;
			if (pendingWrites.has(id)) {
				const review = get().review.data;
				if (review?.phase === 'writing' && getEditId(review.target, review.key) === id)
					return get().navigation.go('review');
				return get().messages.warn(`${key} is already being written: wait until it finishes.`);
			}
			if (!isEditChanged(edit) && origin !== 'create') return get().messages.warn('No changes to write.');
			const parsed = buildPutProposal(edit, getNowSeconds());
			const problem =
				'problem' in parsed ? parsed.problem : findProposalProblem(parsed.proposal, getNowSeconds());
			if (problem || 'problem' in parsed) return get().messages.warn(`${problem?.what} ${problem?.why}`);
			get().drafts.save();
			await startReview({target, label, key, edit, proposal: parsed.proposal});
		},
		beginProposal: startReview,
		async beginDeletion(name, wholeKey) {
			const keys = get().keys.data;
			if (!keys) return;
			const keyPlace = getKeyPlace(keys, name);
			let base = wholeKey;
			const hasRead =
				base !== undefined ||
				(await get().work.run(`loading ${name}`, 'read', async signal => {
					try {
						base = await readWholeKey(keys.opened.store, name, signal);
					} catch (error) {
						throw toTrashFailure(error, 'deleted', 1);
					}
				}));
			if (!hasRead) return;
			const unknownOutcome = unknownOutcomes.get(getOutcomeKey(keyPlace));
			if (unknownOutcome && !unknownOutcome.expectedDigest) base ??= unknownOutcome.previousKey;
			if (!base) {
				applyKeyChange(get(), keyPlace.target, name, undefined);
				return get().messages.say(`${name} no longer exists.`);
			}
			const proposal: DeleteProposal = {kind: 'delete', key: name, base, origin: 'delete'};
			await startReview({...keyPlace, proposal});
		},
		...createReviewUndo(history, {namespaceTitles, startReview, updateLastWrite: ending.updateLastWrite})(
			set,
			get,
			ports,
		),
		noticeDrawn: timer.noticeDrawn,
		async decide(choice) {
			const review = get().review.data;
			if (!review || !canDecide(review, choice)) return;
			const {id, proposal, finding} = review;
			switch (choice.kind) {
				case 'go back':
					return get().review.leave();
				case 'check again':
					return checkReview(review);
				case 'finish':
					return finish(review);
				case 'give up':
					unknownOutcomes.delete(getOutcomeKey(review));
					return ending.giveUp(review);
				case 'merge': {
					const stored = finding?.check.stored;
					if (finding?.mergeOffer?.type !== 'possible' || !stored) return;
					const mergedProposal: Proposal = finding.mergeOffer.proposal;
					change(id, {proposal: mergedProposal, isMerged: true});
					return runCheck(id, `comparing ${review.key}`, (changed, signal) =>
						showFinding(changed, {type: 'unchanged', stored}, signal),
					);
				}
				case 'overwrite':
					return change(id, {overwrites: true, cursor: 0});
				case 'set lifetime':
					if (proposal.kind !== 'put') return;
					change(id, {proposal: {...proposal, lifetime: choice.lifetime}, cursor: 0});
					return timer.restart();
				case 'write':
					return writeReview(id);
				default:
					return choice satisfies never;
			}
		},
		leave() {
			const review = get().review.data;
			const {back} = get().navigation;
			back();
			if (review && review.phase !== 'writing') set({data: undefined});
		},
		cancelWrite() {
			const {data} = get().review;
			if (data) pendingWrites.get(getEditId(data.target, data.key))?.abort();
		},
		scroll(by, lastTop) {
			const {data} = get().review;
			if (data) set({data: {...data, top: Math.max(0, Math.min(lastTop, data.top + by))}});
		},
		setCursor: cursor => set(({data}) => (data ? {data: {...data, cursor}} : {})),
		async showRequest() {
			const {data} = get().review;
			if (!data) return;
			await get().work.run('building the request', 'read', async signal => {
				change(data.id, {request: await buildRequestLines(get(), session, data, signal)});
			});
		},
		hideRequest: () => set(({data}) => (data ? {data: {...data, request: undefined}} : {})),
	};
};
