import type {Undo, UndoHistory} from '../../kv/change/undo.ts';
import {isSame, type KeyDigest, keyDigestOf, type WholeKey} from '../../kv/change/whole-key.ts';
import {unixSeconds} from '../../kv/limits.ts';
import type {Slice} from '../../store/slice.ts';
import {counted} from '../../text/figures.ts';
import {editHere} from '../edit/slice.ts';
import {applyChange} from '../keys/apply-change.ts';
import {screenOf} from '../shell/screen-name.ts';
import {wasMade} from './doubt.ts';
import type {Review, ReviewSlice} from './state.ts';

/** Ends a review: with a write, with nothing to do, or given up. Updates all screens. */
type ReviewEnding = {
	/** After the change replaced `before`; `written` is the result of `write`. */
	completed(review: Review, before: WholeKey | undefined, written: KeyDigest | undefined): void;
	/** Keeps what is stored and drops the change. */
	giveUp(review: Review): void;
	/** Nothing had to be written, or a write that seemed to fail succeeded. */
	finish(review: Review): void;
	tellUndoable(): void;
};

/** `history` lives as long as the store. */
export const createReviewEnding =
	(history: UndoHistory): Slice<ReviewEnding, ReviewSlice> =>
	(set, get, {now}) => {
		function tellUndoable(): void {
			const last = history.peek(unixSeconds(now()));
			set({undoable: last && {id: last.id, key: last.key, target: last.target}});
		}

		/** Returns to where the change started, or to the keys if its key is gone; closes the editor. */
		function leave(): void {
			const key = get().key.data;
			const {leaveScreens} = get().navigation;
			const isGone = key?.reading === 'absent';
			leaveScreens(screen => screen === 'review' || screen === 'editor' || (screen === 'key' && isGone));
		}

		function settle({id}: Review, message: string): void {
			const state = get();
			const isShown = state.review.data?.id === id;
			const front = screenOf(state);
			if (isShown) set({data: undefined});
			if (front === 'editor' ? !editHere(state) : isShown) leave();
			get().messages.say(message);
		}

		function completed(review: Review, before: WholeKey | undefined, written: KeyDigest | undefined): void {
			const {key, target, proposal, undo, edit, doubt} = review;
			const place = {target, key};
			if (undo) history.take(undo, written);
			else if (doubt && wasMade(doubt, before))
				history.remember({...place, before: doubt.before, after: before && keyDigestOf(before)});
			const isRemembered = !undo || wroteOver(undo, before);
			const lost = isRemembered ? history.remember({...place, before, after: written})?.why : undefined;
			tellUndoable();
			const whole = proposal.mine && written && wholeOf(proposal.mine, written);
			if (edit && whole) get().edits.noticeWrite(edit, whole);
			applyChange(get(), target, key, whole);
			settle(review, done(review, whole, isRemembered, lost));
		}

		return {
			completed,
			tellUndoable,
			giveUp(review) {
				const {undo, edit, target, key, finding} = review;
				if (undo) {
					history.take(undo);
					tellUndoable();
				}
				if (edit) get().edits.discard(edit.id);
				applyChange(get(), target, key, finding?.checked.stored);
				settle(
					review,
					undo ? `The undo of ${key} is forgotten.` : `${key} stays as it is stored; your edit is discarded.`,
				);
			},
			finish(review) {
				const {doubt, finding, proposal, edit, undo, target, key} = review;
				const stored = finding?.checked.stored;
				if (doubt && wasMade(doubt, stored))
					return completed(review, doubt.before, stored && keyDigestOf(stored));
				if (undo) {
					history.take(undo);
					tellUndoable();
				}
				if (edit) get().edits.discard(edit.id);
				applyChange(get(), target, key, stored);
				settle(review, `There was nothing to ${proposal.kind === 'put' ? 'write' : 'delete'}.`);
			},
		};
	};

/** True if an undo replaced something other than the write it undid: a change by others. */
const wroteOver = (undo: Undo, before: WholeKey | undefined): boolean => {
	const base = undo.type === 'possible' ? undo.proposal.base : undefined;
	return before !== undefined && !(base && isSame(base, before));
};

/** Formats what was done and how to undo it. */
function done(
	{key, undo, notes}: Review,
	whole: WholeKey | undefined,
	isRemembered: boolean,
	lost: string | undefined,
): string {
	const what = [doneText(key, undo, whole), ...notes].join(' ');
	if (!isRemembered) return what;
	if (lost !== undefined) return `${what} It cannot be undone: ${lost}`;
	if (undo) return `${what} u brings back what was there.`;
	return `${what} u ${whole ? 'undoes it' : 'brings it back'}.`;
}

function doneText(key: string, undo: Undo | undefined, whole: WholeKey | undefined): string {
	if (undo) return `Undone: ${key} is ${whole ? 'as it was' : 'gone again'}.`;
	return whole ? `Wrote ${counted(whole.bytes.length, 'byte')} to ${key}.` : `Deleted ${key}.`;
}

const wholeOf = (
	{bytes, metadata}: {readonly bytes: Uint8Array; readonly metadata: WholeKey['metadata']},
	{expiration, expirationWithin}: KeyDigest,
): WholeKey => ({
	bytes,
	metadata,
	...(expiration !== undefined && {expiration}),
	...(expirationWithin !== undefined && {expirationWithin}),
});
