import type {Failure} from '../../failure.ts';
import type {Proposal} from '../../kv/change/proposal.ts';
import type {
	CompletedChange,
	CompletedDeletion,
	CompletedRename,
	IrreversibleWrite,
	KeyUndo,
} from '../../kv/change/undo.ts';
import type {WholeKey} from '../../kv/change/whole-key.ts';
import type {JobTarget} from '../../state/job-record.ts';
import {type Edit, getEditId, type TargetKey} from '../edit/edit.ts';
import type {ReviewTimer} from '../write-flow/review-timer.ts';
import type {ReviewChoice} from './choices.ts';
import type {Finding} from './finding.ts';
import type {UnknownOutcome} from './unknown-outcome.ts';

/** A change under review before it is written. */
export type Review = TargetKey & {
	readonly id: number;
	readonly proposal: Proposal;
	/** The edit it comes from, as it was when the review began. */
	readonly edit: Edit | undefined;
	/** The write that it undoes. */
	readonly undo: KeyUndo | undefined;
	/** Further notes for the user. */
	readonly notes: readonly string[];
	readonly phase: 'checking' | 'asking' | 'writing' | 'failed';
	/** The result of the last check. It is kept while the next check runs. */
	readonly finding: Finding | undefined;
	/** True after merging with what others wrote. */
	readonly isMerged: boolean;
	/** True if the user chose to overwrite what others wrote. */
	readonly overwrites: boolean;
	/** An earlier write of this key with unknown outcome. */
	readonly unknownOutcome: UnknownOutcome | undefined;
	readonly failure: Failure | undefined;
	/** Rows scrolled down. */
	readonly top: number;
	/** Index of the choice under the cursor. */
	readonly cursor: number;
	/** The request to send, while it is shown. */
	readonly request: readonly string[] | undefined;
};

/** A change to review. */
export type ReviewRequest = TargetKey &
	Pick<Review, 'proposal'> &
	Partial<Pick<Review, 'edit' | 'undo' | 'notes' | 'unknownOutcome'>>;

export const createReview = (id: number, request: ReviewRequest): Review => ({
	id,
	edit: undefined,
	undo: undefined,
	notes: [],
	phase: 'checking',
	finding: undefined,
	isMerged: false,
	overwrites: false,
	unknownOutcome: undefined,
	failure: undefined,
	top: 0,
	cursor: 0,
	request: undefined,
	...request,
});

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly review: ReviewSlice;
	}
}

export type ReviewSlice = {
	readonly data: Review | undefined;
	/** Ids (`getEditId`) of the keys with a write under way. */
	readonly pendingWriteIds: readonly string[];
	/** The last write of the session; `key`: the key that it wrote, if it can be undone. */
	readonly lastWrite:
		| {readonly type: 'key'; readonly key: string}
		| {readonly type: 'deletion'}
		| {readonly type: 'irreversible'}
		| undefined;
	/** Reviews the current edit. */
	begin(): Promise<void>;
	/** Reviews a change that is complete. */
	beginProposal(request: ReviewRequest): Promise<void>;
	/** Reviews a deletion. `wholeKey` is the key if it was read already. */
	beginDeletion(name: string, wholeKey: WholeKey | undefined): Promise<void>;
	/**
	 * Adds writes made without a review to the undo history, oldest first. Returns the reason if one of them
	 * cannot be undone.
	 */
	rememberWrites(label: string, changes: readonly (CompletedChange | CompletedRename)[]): string | undefined;
	/** Adds a deletion to the trash, or a write that cannot be undone, to the undo history. */
	noticeWrite(write: CompletedDeletion | IrreversibleWrite): void;
	/** Removes an undo made without a review from the undo history. */
	forgetUndo(undo: KeyUndo): void;
	/** Removes a deletion from the undo history. */
	forgetDeletion(batchId: string): void;
	/**
	 * Undoes the last write. Asks if its namespace is not shown, if the key has changed since then, and before
	 * it undoes an earlier write because the last one cannot be undone.
	 */
	beginUndo(): Promise<void>;
	readonly noticeDrawn: ReviewTimer['noticeDrawn'];
	/** Executes a choice. Ignores one that is not offered or came too fast to be read. */
	decide(choice: ReviewChoice): Promise<void>;
	/** Leaves the review. A write under way continues. */
	leave(): void;
	/** Aborts the write under way. */
	cancelWrite(): void;
	scroll(by: number, lastTop: number): void;
	setCursor(cursor: number): void;
	showRequest(): Promise<void>;
	hideRequest(): void;
};

export const reviewVerbs = {
	put: {gerund: 'writing', participle: 'written'},
	delete: {gerund: 'deleting', participle: 'deleted'},
} as const;

/** Returns the key under which an unknown outcome is stored. An undo has another key than an edit. */
export const getOutcomeKey = ({
	undo,
	target,
	key,
}: Pick<Review, 'target' | 'key'> & Partial<Pick<Review, 'undo'>>) =>
	undo ? `undo ${undo.id}` : getEditId(target, key);

export const getTargetKey = ({place, account, namespace}: JobTarget): string =>
	JSON.stringify([place, account, namespace]);

/** A write that was sent: the time (UNIX seconds), and what was stored before it. */
export type SentWrite = {readonly before: WholeKey | undefined; readonly sentAt: number};

/** A read or comparison that a review waits for. */
export type ReviewCheck = (review: Review, signal: AbortSignal) => Promise<void>;
