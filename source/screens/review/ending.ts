import {isDeepStrictEqual} from 'node:util';
import {nameKey} from '../../keyboard/named-keys.ts';
import type {KeyUndo, UndoHistory} from '../../kv/change/undo.ts';
import {digestKey, isSameState, type KeyDigest, type WholeKey} from '../../kv/change/whole-key.ts';
import {toEpochSeconds} from '../../kv/limits.ts';
import type {Slice} from '../../store/slice.ts';
import {formatQuantity} from '../../text/figures.ts';
import {shortenKeyName} from '../../text/short-name.ts';
import {getCurrentEdit} from '../edit/slice.ts';
import {applyKeyChange} from '../keys/apply-change.ts';
import {getCurrentScreen} from '../shell/screen-name.ts';
import type {Review, ReviewSlice} from './state.ts';
import {describeUndoneWrite} from './undo-words.ts';
import {wasWriteApplied} from './unknown-outcome.ts';

/** The ways to end a review. Each updates all screens. */
type ReviewEnding = {
	/**
	 * Ends a review after its change has replaced `previousKey`. `writtenDigest`: what the key is now;
	 * undefined if it was deleted.
	 */
	completeReview(
		review: Review,
		previousKey: WholeKey | undefined,
		writtenDigest: KeyDigest | undefined,
	): void;
	/** Keeps what is stored and drops the change. */
	giveUp(review: Review): void;
	/**
	 * Ends a review that has nothing to write, or whose earlier write succeeded although it seemed to fail.
	 */
	finish(review: Review): void;
	updateLastWrite(): void;
};

/** `history` lives as long as the store. */
export const createReviewEnding =
	(history: UndoHistory): Slice<ReviewEnding, ReviewSlice> =>
	(set, get, {now}) => {
		function updateLastWrite(): void {
			const last = history.peek(toEpochSeconds(now()));
			if (last?.type === 'not kept') set({lastWrite: {type: 'irreversible'}});
			else if (last?.type === 'deletion') set({lastWrite: {type: 'deletion'}});
			else set({lastWrite: last && {type: 'key', key: last.key}});
		}

		/**
		 * Closes review and editor and returns to where the change started, or to the keys if the key is
		 * gone.
		 */
		function leave(): void {
			const key = get().key.data;
			const {leaveScreens} = get().navigation;
			const isKeyAbsent = key?.reading === 'absent';
			leaveScreens(screen => screen === 'review' || screen === 'editor' || (screen === 'key' && isKeyAbsent));
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
			previousKey: WholeKey | undefined,
			writtenDigest: KeyDigest | undefined,
		): void {
			const {key, target, proposal, undo, edit, unknownOutcome} = review;
			const place = {target, key};
			if (undo) history.removeWrite(undo, writtenDigest);
			else if (unknownOutcome && wasWriteApplied(unknownOutcome, previousKey))
				history.remember({
					...place,
					before: unknownOutcome.previousKey,
					after: previousKey && digestKey(previousKey),
				});
			const isRemembered = !undo || hasOverwrittenOthers(undo, previousKey);
			const undoProblem = isRemembered
				? history.remember({...place, before: previousKey, after: writtenDigest})?.why
				: undefined;
			updateLastWrite();
			const wholeKey = proposal.mine && writtenDigest && buildWholeKey(proposal.mine, writtenDigest);
			if (edit && wholeKey) get().edits.noticeWrite(edit, wholeKey);
			applyKeyChange(get(), target, key, wholeKey);
			closeReview(review, formatDoneMessage(review, {previousKey, wholeKey}, isRemembered, undoProblem));
		}

		return {
			completeReview,
			updateLastWrite,
			giveUp(review) {
				const {undo, edit, target, key, finding} = review;
				if (undo) {
					history.removeWrite(undo);
					updateLastWrite();
				}
				if (edit) get().edits.discard(edit.id);
				applyKeyChange(get(), target, key, finding?.check.stored);
				closeReview(
					review,
					undo
						? `Dropped the undo of ${shortenKeyName(key)}.`
						: `Kept ${shortenKeyName(key)} as stored; your edit was discarded.`,
				);
			},
			finish(review) {
				const {unknownOutcome, finding, proposal, edit, undo, target, key} = review;
				const stored = finding?.check.stored;
				if (unknownOutcome && wasWriteApplied(unknownOutcome, stored))
					return completeReview(review, unknownOutcome.previousKey, stored && digestKey(stored));
				if (undo) {
					history.removeWrite(undo);
					updateLastWrite();
				}
				if (edit) get().edits.discard(edit.id);
				applyKeyChange(get(), target, key, stored);
				closeReview(review, `There was nothing to ${proposal.kind === 'put' ? 'write' : 'delete'}.`);
			},
		};
	};

/** True if an undo replaced something other than the write it undid: a change by others. */
const hasOverwrittenOthers = (undo: KeyUndo, previousKey: WholeKey | undefined): boolean => {
	const base = undo.type === 'possible' ? undo.proposal.base : undefined;
	return previousKey !== undefined && !(base && isSameState(base, previousKey));
};

/** A key before and after a write; undefined if there is none. */
type KeyVersions = {readonly previousKey: WholeKey | undefined; readonly wholeKey: WholeKey | undefined};

/** Formats what was done and how to undo it. */
function formatDoneMessage(
	{key, label, undo, notes}: Review,
	versions: KeyVersions,
	isRemembered: boolean,
	undoProblem: string | undefined,
): string {
	const message = [formatDoneSentence({key, label, undo}, versions), ...notes].join(' ');
	if (!isRemembered) return message;
	if (undoProblem !== undefined) return `${message} It cannot be undone: ${undoProblem}`;
	if (undo) return `${message} ${nameKey('edit.undo', 'u')} restores what it replaced.`;
	return `${message} ${nameKey('edit.undo', 'u')} ${versions.wholeKey ? 'undoes it' : 'restores it'}.`;
}

function formatDoneSentence(
	{key, label, undo}: Pick<Review, 'key' | 'label' | 'undo'>,
	{previousKey, wholeKey}: KeyVersions,
): string {
	if (undo) return describeUndoneWrite(undo, label);
	const name = shortenKeyName(key);
	if (!wholeKey) return `Deleted ${name}.`;
	const parts = previousKey ? listChangedParts(previousKey, wholeKey) : [];
	return parts.length === 0
		? `Wrote ${formatQuantity(wholeKey.bytes.length, 'byte')} to ${name}.`
		: `Wrote the ${parts.join(' and ')} of ${name}.`;
}

/** Lists what a write changed besides the value; empty if it changed the value, or nothing. */
function listChangedParts(previousKey: WholeKey, wholeKey: WholeKey): readonly string[] {
	if (!Buffer.from(previousKey.bytes).equals(wholeKey.bytes)) return [];
	return [
		...(isDeepStrictEqual(previousKey.metadata, wholeKey.metadata) ? [] : ['metadata']),
		...(previousKey.expiration === wholeKey.expiration ? [] : ['expiration']),
	];
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
