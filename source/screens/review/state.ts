import type {Failure} from '../../failure.ts';
import type {Proposal} from '../../kv/change/proposal.ts';
import type {MadeChange, MadeRename, Undo} from '../../kv/change/undo.ts';
import type {WholeKey} from '../../kv/change/whole-key.ts';
import type {JobTarget} from '../../state/job-record.ts';
import type {Edit, KeyPlace} from '../edit/edit.ts';
import type {ReviewTimer} from '../write-flow/review-timer.ts';
import type {ReviewChoice} from './choices.ts';
import type {Doubt} from './doubt.ts';
import type {Finding} from './finding.ts';

/** A change that is looked at before it is written. */
export type Review = KeyPlace & {
	readonly id: number;
	readonly proposal: Proposal;
	/** The edit that it comes from, as it was then. */
	readonly edit: Edit | undefined;
	/** The write that it takes back. */
	readonly undo: Undo | undefined;
	/** What the person should know as well. */
	readonly notes: readonly string[];
	readonly phase: 'checking' | 'asking' | 'writing' | 'failed';
	/** What the last check found; stays while it is checked again. */
	readonly finding: Finding | undefined;
	/** Whether what others wrote was taken in. */
	readonly merged: boolean;
	/** Whether the person wants to write over what others wrote. */
	readonly overwrites: boolean;
	/** The write of this key before, of which nobody knows whether it was made. */
	readonly doubt: Doubt | undefined;
	readonly failure: Failure | undefined;
	/** Rows that the difference is scrolled down. */
	readonly top: number;
	/** Which of the choices the cursor is on. */
	readonly cursor: number;
	/** The request that will be sent, where it is looked at. */
	readonly request: readonly string[] | undefined;
};

/** What is known of a change when it is to be looked at. */
export type Proposed = KeyPlace &
	Pick<Review, 'proposal'> &
	Partial<Pick<Review, 'edit' | 'undo' | 'notes' | 'doubt'>>;

export const firstLook = (id: number, given: Proposed): Review => ({
	id,
	edit: undefined,
	undo: undefined,
	notes: [],
	phase: 'checking',
	finding: undefined,
	merged: false,
	overwrites: false,
	doubt: undefined,
	failure: undefined,
	top: 0,
	cursor: 0,
	request: undefined,
	...given,
});

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly review: ReviewSlice;
	}
}

export type ReviewSlice = {
	readonly data: Review | undefined;
	/** The keys that are being written, as `editId` names them. */
	readonly beingWritten: readonly string[];
	/** The key of the last write that can be undone. */
	readonly undoable: {readonly id: number; readonly key: string; readonly target: JobTarget} | undefined;
	/** Looks at what is in the editor before it is written. */
	begin(): Promise<void>;
	/** Looks at a key before it is deleted; `whole` where it was read before. */
	beginDeletion(name: string, whole: WholeKey | undefined): Promise<void>;
	/** Takes writes that were made without a review into those that can be undone, the first one first. Returns why one cannot. */
	rememberWrites(label: string, changes: readonly (MadeChange | MadeRename)[]): string | undefined;
	/** Takes an undo that was made without a review out of those that can be undone. */
	forgetUndo(undo: Undo): void;
	/** Undoes the last write; asks only if the key was changed since. */
	beginUndo(): Promise<void>;
	readonly noticeDrawn: ReviewTimer['noticeDrawn'];
	/** Does what the person chose. Drops a choice that is not there, or that came before it could be looked at. */
	decide(choice: ReviewChoice): Promise<void>;
	/** Back. A write that is under way goes on. */
	leave(): void;
	/** Stops the write that is under way. */
	cancelWrite(): void;
	scroll(by: number, last: number): void;
	point(cursor: number): void;
	showRequest(): Promise<void>;
	hideRequest(): void;
};

/** Words for what a proposal does. */
export const verbs = {
	put: {doing: 'writing', done: 'written'},
	delete: {doing: 'deleting', done: 'deleted'},
} as const;
