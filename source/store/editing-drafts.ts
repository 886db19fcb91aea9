import {dropDraft, saveDraft} from '../config/drafts.ts';
import type {Environment} from '../config/state.ts';
import {asFailure, type Failure} from '../failure.ts';
import {draftOf} from '../kv/change/edit-draft.ts';
import {bufferIn, type Edit, type Entry, isChanged, unsavedEditOf} from './editing-edit.ts';

/** Milliseconds from the last change until it is on disk. */
export const draftDelay = 300;

/** Keeps what is typed on disk until it is written or discarded, all at once and without waiting for anything. */
export type DraftKeeper = {
	/** Saves soon what these edits hold; called at each change. */
	soon(edits: () => readonly Edit[]): void;
	/** Saves at once what is not on disk yet, also from a signal handler. */
	now(edits: readonly Edit[]): void;
	/** What is on disk for an edit is not needed any more. */
	drop(edit: Pick<Edit, 'id'>): void;
	/** A draft of an earlier run belongs to this edit now. */
	adopt(edit: Pick<Edit, 'id' | 'entry'>, draft: string): void;
};

export type DraftEvents = {
	/** A draft lies where the next start does not look. */
	elsewhere(path: string): void;
	failed(failure: Failure): void;
};

export function createDraftKeeper(
	environment: Environment,
	now: () => number,
	{elsewhere, failed}: DraftEvents,
): DraftKeeper {
	/** The id of the draft of each edit, and what it holds. */
	const kept = new Map<string, {readonly draft: string; readonly entry: Entry}>();
	let timer: NodeJS.Timeout | undefined;

	function save(edit: Edit): void {
		const before = kept.get(edit.id);
		if (before && isSameContent(before.entry, edit.entry)) return;
		const {id, path, found} = saveDraft(environment, draftOf(unsavedEditOf(edit)), now());
		kept.set(edit.id, {draft: id, entry: edit.entry});
		if (!found) elsewhere(path);
	}

	function drop({id}: Pick<Edit, 'id'>): void {
		const before = kept.get(id);
		if (!before) return;
		kept.delete(id);
		dropDraft(environment, before.draft);
	}

	function saveAll(edits: readonly Edit[]): void {
		clearTimeout(timer);
		timer = undefined;
		for (const edit of edits) {
			try {
				if (isChanged(edit)) save(edit);
				else drop(edit);
			} catch (error) {
				failed(asFailure(error));
			}
		}
	}

	return {
		soon(edits) {
			clearTimeout(timer);
			timer = setTimeout(() => saveAll(edits()), draftDelay).unref();
		},
		now: saveAll,
		drop(edit) {
			try {
				drop(edit);
			} catch (error) {
				failed(asFailure(error));
			}
		},
		adopt: ({id, entry}, draft) => void kept.set(id, {draft, entry}),
	};
}

/** Whether nothing but the cursor moved between two states of an entry. */
export const isSameContent = (one: Entry, other: Entry): boolean =>
	one === other ||
	(one.form === other.form && one.form !== 'bytes' && bufferIn(one)?.lines === bufferIn(other)?.lines);
