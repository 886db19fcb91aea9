import {isDeepStrictEqual} from 'node:util';
import {asFailure, Failure} from '../../failure.ts';
import {
	type Checked,
	check,
	type DeleteProposal,
	imprintAfter,
	type Proposal,
	problemOf,
	write,
} from '../../kv/change/proposal.ts';
import {UndoHistory} from '../../kv/change/undo.ts';
import {isSame, readWhole, type WholeKey} from '../../kv/change/whole-key.ts';
import {unixSeconds} from '../../kv/limits.ts';
import type {KvStore} from '../../kv/store.ts';
import {asTrashFailure} from '../../kv/trash/failures.ts';
import {reopenNamespace} from '../../session/namespaces.ts';
import {keptText, writeOver} from '../../session/trash.ts';
import {placeCalled, placeOfStore} from '../../session/write-place.ts';
import type {JobTarget} from '../../state/job-record.ts';
import type {Slice} from '../../store/slice.ts';
import {editId, isChanged, proposalOf} from '../edit/edit.ts';
import {editHere, placeIn} from '../edit/slice.ts';
import {applyChange} from '../keys/apply-change.ts';
import {inTurns} from '../shell/in-turns.ts';
import {screenOf} from '../shell/screen-name.ts';
import {createReviewTimer} from '../write-flow/review-timer.ts';
import {choicesOf, obstacle, questionOf, type ReviewChoice} from './choices.ts';
import {type Doubt, withoutDoubt} from './doubt.ts';
import {createReviewEnding} from './ending.ts';
import {type Finding, findingOf} from './finding.ts';
import {requestText} from './request.ts';
import {firstLook, type Proposed, type Review, type ReviewSlice, verbs} from './state.ts';

/** Reviews changes before they are written, and writes them. */
export const createReviewSlice: Slice<ReviewSlice> = (set, get, ports) => {
	const {session, now} = ports;
	const timer = createReviewTimer(get, ports);
	const history = new UndoHistory();
	const ending = createReviewEnding(history)(set, get, ports);
	/** Titles of the namespaces that were written to. */
	const labels = new Map<string, string>();
	/** Writes under way, by the id of their key. */
	const underWay = new Map<string, AbortController>();
	/** Writes with unknown outcome, for the next check of the same change. */
	const doubts = new Map<string, Doubt>();
	let numbered = 0;

	const seconds = () => unixSeconds(now());

	function change(id: number, part: Partial<Review>): void {
		const review = get().review.data;
		if (review?.id !== id) return;
		if ('phase' in part || 'overwrites' in part) timer.restart();
		set({data: {...review, ...part}});
	}

	function noteUnderWay(place: string, stopped: AbortController | undefined): void {
		if (stopped) underWay.set(place, stopped);
		else underWay.delete(place);
		set({beingWritten: [...underWay.keys()]});
	}

	/** Opens its own store: a write continues when its namespace is closed. */
	async function atStore<T>(
		target: JobTarget,
		signal: AbortSignal,
		work: (store: KvStore) => Promise<T>,
	): Promise<T> {
		using store = (await reopenNamespace(session, target, {write: true}, signal)).store;
		return await work(store);
	}

	async function begin(given: Proposed): Promise<void> {
		const review = firstLook(++numbered, {...given, doubt: doubts.get(placeOfDoubt(given))});
		set({data: review});
		if (given.undo) return sendUndo(review);
		get().navigation.go('review');
		await look(review);
	}

	/**
	 * Sends an undo at once. Opens the review only if the user must decide: the key has changed, or it
	 * failed.
	 */
	async function sendUndo(begun: Review): Promise<void> {
		const front = screenOf(get());
		await look(begun);
		const looked = get().review.data;
		if (looked?.id !== begun.id) return;
		const found = looked.phase === 'asking' ? looked.finding?.checked.type : undefined;
		if (found === 'already') return finish(looked);
		const isAsked = obstacle(looked, seconds()) ?? questionOf(looked, seconds());
		if (found === 'unchanged' && !isAsked) await writeIt(begun.id);
		const left = get().review.data;
		if (left?.id !== begun.id || get().dialog.current) return;
		if (left.failure?.code === 'interrupted' || screenOf(get()) !== front) set({data: undefined});
		else get().navigation.go('review');
	}

	function finish(review: Review): void {
		doubts.delete(placeOfDoubt(review));
		ending.finish(review);
	}

	/** Checks what is stored now and shows the result. */
	const look = ({id, key, target}: Review): Promise<void> =>
		reading(id, `reading ${key} again`, async (review, signal) => {
			const checked = await atStore(target, signal, store => checkNow(store, review, signal));
			await found(review, checked, signal);
		});

	const checkNow = async (
		store: KvStore,
		{proposal, doubt, edit}: Review,
		signal: AbortSignal,
	): Promise<Checked> => withoutDoubt(await check(store, proposal, signal), doubt, proposal, edit);

	/** Runs a read or comparison that the review waits for, and shows its failure. */
	async function reading(
		id: number,
		label: string,
		action: (review: Review, signal: AbortSignal) => Promise<void>,
	): Promise<void> {
		change(id, {phase: 'checking', failure: undefined, overwrites: false, request: undefined});
		await get().work.run(label, 'read', async signal => {
			const review = get().review.data;
			if (review?.id !== id) return;
			try {
				await action(review, signal);
			} catch (error) {
				const failure = asFailure(error);
				change(id, {phase: 'failed', failure});
				throw failure;
			}
		});
	}

	async function found({id, proposal}: Review, checked: Checked, signal: AbortSignal): Promise<void> {
		const finding = await inTurns(findingOf(proposal, checked), signal);
		change(id, {phase: 'asking', finding, top: 0, cursor: 0});
	}

	/**
	 * Writes what was shown. Moves the stored version to the trash first, unless the user declines (`isKept`
	 * false).
	 */
	async function writeIt(id: number, isKept = true): Promise<void> {
		const review = get().review.data;
		const finding = review?.finding;
		if (review?.id !== id || !finding || review.phase !== 'asking') return;
		const {proposal, key, target, label} = review;
		const place = editId(target, key);
		if (underWay.has(place)) return get().messages.warn(`${key} is being written already: wait for it.`);
		const {doing} = verbs[proposal.kind];
		const stopped = new AbortController();
		let begun: Begun | undefined;
		noteUnderWay(place, stopped);
		change(id, {phase: 'writing', failure: undefined, request: undefined});
		await get().work.run(`${doing} ${key}`, 'write', async running => {
			const signal = AbortSignal.any([running, stopped.signal]);
			try {
				session.refuseWhenReadOnly(`${doing} a key`);
				await atStore(target, signal, async store => {
					const where = placeCalled(label, placeOfStore(store));
					const place = await session.permit(where, `${doing} ${key}`);
					const checked = await stillAsShown(store, review, finding, signal);
					if (!checked) return;
					const {stored} = checked;
					const reason = proposal.kind === 'delete' ? 'deleted' : 'overwritten';
					const without = () => void writeIt(id, false);
					const whole = isKept ? stored : undefined;
					const loss = {opened: {store, target}, key, whole, reason, title: label, isUndoable: true} as const;
					using kept = await get().trash.keep(loss, without, signal);
					if (!kept) return change(id, {phase: 'asking'});
					begun = {before: stored, sent: seconds()};
					const {held} = kept;
					const written = await writeOver(session, held, () =>
						session.audited(`${proposal.kind} ${key}${keptText(held)}`, place, () =>
							write(store, proposal, stored, signal, now),
						),
					);
					labels.set(placeOf(target), label);
					doubts.delete(placeOfDoubt(review));
					ending.completed(review, stored, written);
				});
			} catch (error) {
				throw failedToWrite(review, begun, asFailure(error));
			} finally {
				noteUnderWay(place, undefined);
			}
		});
	}

	/** Checks again right before the write. Returns undefined if anything has changed, and shows that. */
	async function stillAsShown(
		store: KvStore,
		review: Review,
		finding: Finding,
		signal: AbortSignal,
	): Promise<Checked | undefined> {
		const checked = await checkNow(store, review, signal);
		const isChanged = !isSame(checked.stored, finding.checked.stored);
		if (!isChanged && checked.type === finding.checked.type) return checked;
		change(review.id, {overwrites: false});
		await found(review, checked, signal);
		const why = isChanged ? `${review.key} was changed while you looked. ` : '';
		get().messages.warn(`${why}Nothing was sent: look again.`);
		return undefined;
	}

	/** Records what is known after a failed write, and keeps what was typed. Returns the failure to show. */
	function failedToWrite(review: Review, begun: Begun | undefined, failure: Failure): Failure {
		const {id, key, edit, proposal} = review;
		const {done} = verbs[proposal.kind];
		const outcomeUnknown = begun !== undefined && failure.details.outcomeUnknown === true;
		const known = outcomeUnknown ? `${key} may or may not have been ${done}.` : `Nothing was ${done}.`;
		const told = `${known}${edit ? ' Your edit is kept.' : ''}`;
		const what = failure.code === 'interrupted' ? failure.message : `${told} ${failure.message}`;
		const shown = new Failure(failure.code, what, {...failure.details, left: told});
		if (outcomeUnknown) {
			const {before, sent} = begun;
			const after = imprintAfter(proposal, before, {sent, answered: seconds()});
			doubts.set(placeOfDoubt(review), {proposal, edit, before, after});
		}
		change(id, {phase: 'failed', failure: shown, doubt: doubts.get(placeOfDoubt(review))});
		if (edit) get().drafts.save();
		return shown;
	}

	/** True if a choice is offered and was visible long enough; warns if not. */
	function canDecide(review: Review, choice: ReviewChoice): boolean {
		const choices = choicesOf(review, seconds());
		if (choices.length === 0) return false;
		if (!choices.some(one => isDeepStrictEqual(one, choice))) {
			// Shows the current choices and restarts the time to read them.
			change(review.id, {overwrites: review.overwrites});
			get().messages.warn('Look first: what can be done has changed.');
			return false;
		}
		return timer.wasVisibleLongEnough();
	}

	return {
		data: undefined,
		beingWritten: [],
		undoable: undefined,
		async begin() {
			const edit = editHere(get());
			if (!edit) return;
			const {id, target, label, key, origin} = edit;
			if (underWay.has(id)) {
				const review = get().review.data;
				if (review?.phase === 'writing' && editId(review.target, review.key) === id)
					return get().navigation.go('review');
				return get().messages.warn(`${key} is being written already: wait for it.`);
			}
			if (!isChanged(edit) && origin !== 'create')
				return get().messages.warn('Nothing was changed, so there is nothing to write.');
			const read = proposalOf(edit, seconds());
			const problem = 'problem' in read ? read.problem : problemOf(read.proposal, seconds());
			if (problem || 'problem' in read) return get().messages.warn(`${problem?.what} ${problem?.why}`);
			get().drafts.save();
			await begin({target, label, key, edit, proposal: read.proposal});
		},
		async beginDeletion(name, whole) {
			const keys = get().keys.data;
			if (!keys) return;
			const place = placeIn(keys, name);
			let base = whole;
			const read =
				base !== undefined ||
				(await get().work.run(`reading ${name}`, 'read', async signal => {
					try {
						base = await readWhole(keys.opened.store, name, signal);
					} catch (error) {
						throw asTrashFailure(error, 'deleted', 1);
					}
				}));
			if (!read) return;
			const doubt = doubts.get(placeOfDoubt(place));
			if (doubt && !doubt.after) base ??= doubt.before;
			if (!base) {
				applyChange(get(), place.target, name, undefined);
				return get().messages.say(`${name} is gone already.`);
			}
			const proposal: DeleteProposal = {kind: 'delete', key: name, base, origin: 'delete'};
			await begin({...place, proposal});
		},
		rememberWrites(label, changes) {
			const problems = changes.map(change => {
				labels.set(placeOf(change.target), label);
				return history.remember(change);
			});
			ending.tellUndoable();
			return problems.find(problem => problem !== undefined)?.why;
		},
		async beginUndo() {
			const undo = history.peek(seconds());
			if (!undo) return get().messages.warn('There is nothing to undo in this session.');
			const {target, key} = undo;
			if (undo.type === 'not kept') {
				history.take(undo);
				ending.tellUndoable();
				return get().messages.warn(`${undo.what} ${undo.why}`);
			}
			const label = labels.get(placeOf(target)) ?? '';
			if (undo.type === 'rename') return get().rename.undo(undo, label);
			await begin({target, label, key, undo, proposal: undo.proposal, notes: undo.notes});
		},
		forgetUndo(undo) {
			history.take(undo);
			ending.tellUndoable();
		},
		noticeDrawn: timer.noticeDrawn,
		async decide(choice) {
			const review = get().review.data;
			if (!review || !canDecide(review, choice)) return;
			const {id, proposal, finding} = review;
			switch (choice.does) {
				case 'go back':
					return get().review.leave();
				case 'check again':
					return look(review);
				case 'finish':
					return finish(review);
				case 'give up':
					doubts.delete(placeOfDoubt(review));
					return ending.giveUp(review);
				case 'merge': {
					const stored = finding?.checked.stored;
					if (finding?.merge?.type !== 'possible' || !stored) return;
					const merged: Proposal = finding.merge.proposal;
					change(id, {proposal: merged, merged: true});
					return reading(id, `comparing ${review.key}`, (changed, signal) =>
						found(changed, {type: 'unchanged', stored}, signal),
					);
				}
				case 'overwrite': {
					const asked = {...review, overwrites: true};
					change(id, {overwrites: true, cursor: 0});
					const mustAsk = obstacle(asked, seconds()) ?? questionOf(asked, seconds());
					return mustAsk ? undefined : writeIt(id);
				}
				case 'write':
					if (choice.lifetime !== undefined && proposal.kind === 'put')
						change(id, {proposal: {...proposal, lifetime: choice.lifetime}});
					return writeIt(id);
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
			const review = get().review.data;
			if (review) underWay.get(editId(review.target, review.key))?.abort();
		},
		scroll: (by, last) =>
			set(({data: review}) =>
				review ? {data: {...review, top: Math.max(0, Math.min(last, review.top + by))}} : {},
			),
		point: cursor => set(({data: review}) => (review ? {data: {...review, cursor}} : {})),
		async showRequest() {
			const review = get().review.data;
			if (!review) return;
			await get().work.run('making the request', 'read', async signal => {
				change(review.id, {request: await requestText(get(), session, review, signal)});
			});
		},
		hideRequest: () => set(({data: review}) => (review ? {data: {...review, request: undefined}} : {})),
	};
};

const placeOf = ({place, account, namespace}: JobTarget): string =>
	JSON.stringify([place, account, namespace]);

/** A write that was sent: when (UNIX seconds), and what was stored before. */
type Begun = {readonly before: WholeKey | undefined; readonly sent: number};

/** An undo has its own key: the outcome of an edit says nothing about undoing the write before it. */
const placeOfDoubt = ({undo, target, key}: Pick<Review, 'target' | 'key'> & Partial<Pick<Review, 'undo'>>) =>
	undo ? `undo ${undo.id}` : editId(target, key);
