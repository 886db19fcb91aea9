import {setImmediate as turn} from 'node:timers/promises';
import type {JobTarget} from '../config/job-record.ts';
import {asFailure, Failure} from '../failure.ts';
import {
	type Checked,
	check,
	type DeleteProposal,
	type Proposal,
	problemOf,
	write,
} from '../kv/change/proposal.ts';
import {UndoHistory} from '../kv/change/undo.ts';
import {isSame, readWhole} from '../kv/change/whole-key.ts';
import {unixSeconds} from '../kv/limits.ts';
import type {KvStore} from '../kv/store.ts';
import {reopenNamespace} from '../session/namespaces.ts';
import {editId, isChanged, proposalOf} from './editing-edit.ts';
import {editHere, placeIn} from './editing-slice.ts';
import {obstacle, questionOf} from './review-choices.ts';
import {createReviewEnding} from './review-ending.ts';
import {type Finding, findingOf} from './review-finding.ts';
import {requestText} from './review-request.ts';
import {firstLook, type Proposed, type Review, type ReviewSlice, verbs} from './review-state.ts';
import type {Slice} from './slice.ts';

/** A check older than this, in milliseconds, is made again before anything is written. */
const freshness = 30_000;
/** From so many bytes on, comparing takes long enough that keys must be answered in between. */
const largeBytes = 1 << 17;

/** What is looked at before it is written, and the writes themselves (design.md 5, Key). */
export const createReviewSlice: Slice<ReviewSlice> = (set, get, ports) => {
	const {session, now} = ports;
	const history = new UndoHistory();
	const ending = createReviewEnding(history)(set, get, ports);
	/** What people call the namespaces that were written to. */
	const labels = new Map<string, string>();
	/** The keys that are being written. */
	const underWay = new Map<string, AbortController>();
	let numbered = 0;

	const seconds = () => unixSeconds(now());

	const change = (id: number, part: Partial<Review>) =>
		set(({review}) => (review?.id === id ? {review: {...review, ...part}} : {}));

	/** Works on a store of its own: a write goes on when its namespace is closed. */
	async function atStore<T>(
		target: JobTarget,
		signal: AbortSignal,
		work: (store: KvStore) => Promise<T>,
	): Promise<T> {
		using store = (await reopenNamespace(session, target, {write: true}, signal)).store;
		return await work(store);
	}

	async function begin(given: Proposed): Promise<void> {
		const review = firstLook(++numbered, given);
		set({review});
		get().go('review');
		await look(review);
	}

	/** Checks what is stored now, and shows what it found. */
	async function look({id, key, target}: Review): Promise<void> {
		change(id, {phase: 'checking', failure: undefined, overwrites: false, request: undefined});
		await get().run(`reading ${key} again`, 'read', async signal => {
			const {review} = get();
			if (review?.id !== id) return;
			try {
				const checked = await atStore(target, signal, store => check(store, review.proposal, signal));
				await found(review, checked);
			} catch (error) {
				const failure = asFailure(error);
				change(id, {phase: 'failed', failure});
				throw failure;
			}
		});
	}

	async function found({id, proposal}: Review, checked: Checked): Promise<void> {
		const at = now();
		const isLarge = (proposal.mine?.bytes.length ?? 0) + (checked.stored?.bytes.length ?? 0) > largeBytes;
		const finding = await findingOf(proposal, checked, at, isLarge ? turn : async () => {});
		change(id, {phase: 'asking', finding, top: 0, cursor: 0});
	}

	async function writeIt(id: number): Promise<void> {
		const {review} = get();
		const finding = review?.finding;
		if (review?.id !== id || !finding || review.phase !== 'asking') return;
		const {proposal, key, target, label} = review;
		const place = editId(target, key);
		if (underWay.has(place)) return get().warn(`${key} is being written already: wait for it.`);
		const {doing} = verbs[proposal.kind];
		const stopped = new AbortController();
		underWay.set(place, stopped);
		change(id, {phase: 'writing', failure: undefined, request: undefined});
		await get().run(`${doing} ${key}`, 'write', async running => {
			const signal = AbortSignal.any([running, stopped.signal]);
			try {
				session.refuseWhenReadOnly(`${doing} a key`);
				await atStore(target, signal, async store => {
					if (!(await isStillAsShown(store, review, finding, signal))) return;
					const {stored} = finding.checked;
					const written = await session.audited(`${proposal.kind} ${key}`, `${label} (${store.label})`, () =>
						write(store, proposal, stored, signal, now),
					);
					labels.set(placeOf(target), label);
					if (session.options.dryRun) ending.settle(review, 'A dry run: nothing was written.');
					else ending.completed(review, stored, written);
				});
			} catch (error) {
				throw failedToWrite(review, finding, asFailure(error));
			} finally {
				underWay.delete(place);
			}
		});
	}

	/** Whether what was shown is still what is stored; looks again when that was long ago, and shows what changed. */
	async function isStillAsShown(
		store: KvStore,
		review: Review,
		finding: Finding,
		signal: AbortSignal,
	): Promise<boolean> {
		if (now() - finding.at <= freshness) return true;
		const checked = await check(store, review.proposal, signal);
		if (isSameFinding(checked, finding.checked)) return true;
		change(review.id, {overwrites: false});
		await found(review, checked);
		get().warn(`${review.key} was changed while you looked. Nothing was sent: look again.`);
		return false;
	}

	/** What is known after a write that failed. Nothing that was typed is lost. */
	function failedToWrite(review: Review, finding: Finding, failure: Failure): Failure {
		const {id, key, edit, proposal} = review;
		const {done} = verbs[proposal.kind];
		const doubtful = failure.details.doubtful === true;
		const known = doubtful ? `${key} may or may not have been ${done}.` : `Nothing was ${done}.`;
		const told = `${known}${edit ? ' Your edit is kept.' : ''}`;
		const what = failure.code === 'interrupted' ? failure.message : `${told} ${failure.message}`;
		const shown = new Failure(failure.code, what, {...failure.details, left: told});
		const doubt = doubtful ? {before: finding.checked.stored} : review.doubt;
		change(id, {phase: 'failed', failure: shown, doubt});
		if (edit) get().saveDrafts();
		return shown;
	}

	return {
		review: undefined,
		undoable: undefined,
		async reviewEdit() {
			const edit = editHere(get());
			if (!edit) return;
			const {id, target, label, key, origin} = edit;
			if (underWay.has(id)) return get().warn(`${key} is being written already: wait for it.`);
			if (!isChanged(edit) && origin !== 'create')
				return get().warn('Nothing was changed, so there is nothing to write.');
			const read = proposalOf(edit, seconds());
			const problem = 'problem' in read ? read.problem : problemOf(read.proposal, seconds());
			if (problem || 'problem' in read) return get().warn(`${problem?.what} ${problem?.why}`);
			get().saveDrafts();
			await begin({target, label, key, edit, proposal: read.proposal});
		},
		async reviewDelete(name, whole) {
			const {keys} = get();
			if (!keys) return;
			const place = placeIn(keys, name);
			let base = whole;
			const read =
				base !== undefined ||
				(await get().run(`reading ${name}`, 'read', async signal => {
					base = await readWhole(keys.opened.store, name, signal);
				}));
			if (!read) return;
			if (!base) {
				ending.takeIn(place.target, name, undefined);
				return get().say(`${name} is gone already.`);
			}
			const proposal: DeleteProposal = {kind: 'delete', key: name, base, origin: 'delete'};
			await begin({...place, proposal});
		},
		async reviewUndo() {
			const undo = history.peek(seconds());
			if (!undo) return get().warn('Nothing was written in this session that could be undone.');
			const {target, key} = undo;
			if (undo.type === 'not kept') {
				history.take(undo);
				ending.tellUndoable();
				return get().warn(`${undo.what} ${undo.why}`);
			}
			const label = labels.get(placeOf(target)) ?? '';
			await begin({target, label, key, undo, proposal: undo.proposal, notes: undo.notes});
		},
		async decide(choice) {
			const {review} = get();
			if (!review) return;
			const {id, proposal, finding} = review;
			switch (choice.does) {
				case 'go back':
					return get().leaveReview();
				case 'check again':
					return review.phase === 'writing' ? undefined : look(review);
				case 'finish':
					return ending.finish(review);
				case 'give up':
					return ending.giveUp(review);
				case 'merge': {
					const stored = finding?.checked.stored;
					if (finding?.merge?.type !== 'possible' || !stored) return;
					const merged: Proposal = finding.merge.proposal;
					change(id, {proposal: merged, merged: true, phase: 'checking'});
					return found({...review, proposal: merged}, {type: 'unchanged', stored});
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
		leaveReview() {
			const {review, back} = get();
			back();
			if (review && review.phase !== 'writing') set({review: undefined});
		},
		cancelWrite() {
			const {review} = get();
			if (review) underWay.get(editId(review.target, review.key))?.abort();
		},
		scrollReview: (by, last) =>
			set(({review}) =>
				review ? {review: {...review, top: Math.max(0, Math.min(last, review.top + by))}} : {},
			),
		pointInReview: cursor => set(({review}) => (review ? {review: {...review, cursor}} : {})),
		async showRequest() {
			const {review} = get();
			if (!review) return;
			await get().run('making the request', 'read', async signal => {
				change(review.id, {request: await requestText(get(), session, review, signal)});
			});
		},
		hideRequest: () => set(({review}) => (review ? {review: {...review, request: undefined}} : {})),
	};
};

const placeOf = ({place, account, namespace}: JobTarget): string =>
	JSON.stringify([place, account, namespace]);

function isSameFinding(one: Checked, other: Checked): boolean {
	if (one.type !== other.type) return false;
	return one.stored && other.stored ? isSame(one.stored, other.stored) : one.stored === other.stored;
}
