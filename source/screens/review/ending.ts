import type {Undo, UndoHistory} from '../../kv/change/undo.ts';
import {digestKey, isSameState, type KeyDigest, type WholeKey} from '../../kv/change/whole-key.ts';
import {toEpochSeconds} from '../../kv/limits.ts';
import type {Slice} from '../../store/slice.ts';
import {formatQuantity} from '../../text/figures.ts';
import {getCurrentEdit} from '../edit/slice.ts';
import {applyKeyChange} from '../keys/apply-change.ts';
import {getCurrentScreen} from '../shell/screen-name.ts';
import {wasWriteApplied} from './doubt.ts';
import type {Review, ReviewSlice} from './state.ts';

/** The ways to end a review. Each updates all screens. */
type ReviewEnding = {
	/**
	 * Ends a review after its change has replaced `previousKey`. `writtenDigest`: what the key is now;
	 * undefined if it was deleted.
	 */
	completeReview(review: Review, before: WholeKey | undefined, written: KeyDigest | undefined): void;
	/** Keeps what is stored and drops the change. */
	giveUp(review: Review): void;
	/**
	 * Ends a review that has nothing to write, or whose earlier write succeeded although it seemed to fail.
	 */
	finish(review: Review): void;
	updateUndoable(): void;
};

/** `history` lives as long as the store. */
export const createReviewEnding =
	(history: UndoHistory): Slice<ReviewEnding, ReviewSlice> =>
	(set, get, {now}) => {
		function updateUndoable(): void {
			const last = history.peek(toEpochSeconds(now()));
			set({undoable: last && {id: last.id, key: last.key, target: last.target}});
		}

		/**
		 * Closes review and editor and returns to where the change started, or to the keys if the key is
		 * gone.
		 */
		function leave(): void {
			const key = get().key.data;
			const {leaveScreens} = get().navigation;
			const isGone = key?.reading === 'absent';
			leaveScreens(screen => screen === 'review' || screen === 'editor' || (screen === 'key' && isGone));
		}

		function closeReview({id}: Review, message: string): void {
			const state = get();
			const isShown = state.review.data?.id === id;
			const currentScreen = getCurrentScreen(state);
			if (isShown) set({data: undefined});
			if (currentScreen === 'editor' ? !getCurrentEdit(state) : isShown) leave();
			get().messages.say(message);
		}

		function completeReview(
			review: Review,
			before: WholeKey | undefined,
			written: KeyDigest | undefined,
		): void {
			const {key, target, proposal, undo, edit, unknownOutcome} = review;
			const place = {target, key};
			if (undo) history.take(undo, written);
			else if (unknownOutcome && wasWriteApplied(unknownOutcome, before))
				history.remember({...place, before: unknownOutcome.previousKey, after: before && digestKey(before)});
			const isRemembered = !undo || hasOverwrittenOthers(undo, before);
			const undoProblem = isRemembered
				? history.remember({...place, before, after: written})?.why
				: undefined;
			updateUndoable();
			const whole = proposal.mine && written && buildWholeKey(proposal.mine, written);
			if (edit && whole) get().edits.noticeWrite(edit, whole);
			applyKeyChange(get(), target, key, whole);
			closeReview(review, formatDoneMessage(review, whole, isRemembered, undoProblem));
		}

		return {
			completeReview,
			updateUndoable,
			giveUp(review) {
				const {undo, edit, target, key, finding} = review;
				if (undo) {
					history.take(undo);
					updateUndoable();
				}
				if (edit) get().edits.discard(edit.id);
				applyKeyChange(get(), target, key, finding?.check.stored);
				closeReview(
					review,
					undo ? `Dropped the undo of ${key}.` : `Kept ${key} as stored; your edit was discarded.`,
				);
			},
			finish(review) {
				const {unknownOutcome, finding, proposal, edit, undo, target, key} = review;
				const stored = finding?.check.stored;
				if (unknownOutcome && wasWriteApplied(unknownOutcome, stored))
					return completeReview(review, unknownOutcome.previousKey, stored && digestKey(stored));
				if (undo) {
					history.take(undo);
					updateUndoable();
				}
				if (edit) get().edits.discard(edit.id);
				applyKeyChange(get(), target, key, stored);
				closeReview(review, `There was nothing to ${proposal.kind === 'put' ? 'write' : 'delete'}.`);
			},
		};
	};

/** True if an undo replaced something other than the write it undid: a change by others. */
const hasOverwrittenOthers = (undo: Undo, before: WholeKey | undefined): boolean => {
	const base = undo.type === 'possible' ? undo.proposal.base : undefined;
	return before !== undefined && !(base && isSameState(base, before));
};

/** Formats what was done and how to undo it. */
function formatDoneMessage(
	{key, undo, notes}: Review,
	whole: WholeKey | undefined,
	isRemembered: boolean,
	undoProblem: string | undefined,
): string {
	const message = [formatDoneSentence(key, undo, whole), ...notes].join(' ');
	if (!isRemembered) return message;
	if (undoProblem !== undefined) return `${message} It cannot be undone: ${undoProblem}`;
	if (undo) return `${message} u restores what it replaced.`;
	return `${message} u ${whole ? 'undoes it' : 'restores it'}.`;
}

function formatDoneSentence(key: string, undo: Undo | undefined, whole: WholeKey | undefined): string {
	if (undo) return `Undone: ${key} is ${whole ? 'restored' : 'deleted again'}.`;
	return whole ? `Wrote ${formatQuantity(whole.bytes.length, 'byte')} to ${key}.` : `Deleted ${key}.`;
}

const buildWholeKey = (
	{bytes, metadata}: {readonly bytes: Uint8Array; readonly metadata: WholeKey['metadata']},
	{expiration, expirationWithin}: KeyDigest,
): WholeKey => ({
	bytes,
	metadata,
	...(expiration !== undefined && {expiration}),
	...(expirationWithin !== undefined && {expirationWithin}),
});
