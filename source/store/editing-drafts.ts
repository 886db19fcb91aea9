import {type Draft, dropDraft, isKept, saveDraft} from '../config/drafts.ts';
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
	/** Saves at once what is not on disk yet, also from a signal handler. Gives why what could not be kept was not. */
	now(edits: readonly Edit[]): readonly Failure[];
	/** What is on disk for an edit is not needed any more. */
	drop(edit: Pick<Edit, 'id'>): void;
	/** A draft of an earlier run belongs to this edit now, and to this process. */
	adopt(edit: Edit, draft: Pick<Draft, 'id' | 'path'>): void;
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
	const kept = new Map<string, {readonly draft: Pick<Draft, 'id' | 'path'>; readonly entry: Entry}>();
	let timer: NodeJS.Timeout | undefined;

	function save(edit: Edit): void {
		const before = kept.get(edit.id);
		// Someone may have removed it, and one that was adopted must be under our name, where nobody takes it.
		if (before && isSameContent(before.entry, edit.entry) && isKept(before.draft)) return;
		const {id, path, found} = saveDraft(environment, draftOf(unsavedEditOf(edit)), now());
		kept.set(edit.id, {draft: {id, path}, entry: edit.entry});
		if (before && before.draft.id !== id) dropDraft(environment, before.draft.id);
		if (!found) elsewhere(path);
	}

	function drop({id}: Pick<Edit, 'id'>): void {
		const before = kept.get(id);
		if (!before) return;
		kept.delete(id);
		dropDraft(environment, before.draft.id);
	}

	function keep(edit: Edit): Failure | undefined {
		try {
			if (isChanged(edit)) save(edit);
			else drop(edit);
			return undefined;
		} catch (error) {
			return asFailure(error);
		}
	}

	function saveAll(edits: readonly Edit[]): readonly Failure[] {
		clearTimeout(timer);
		timer = undefined;
		const failures = edits.flatMap(edit => keep(edit) ?? []);
		for (const failure of failures) failed(failure);
		return failures;
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
		adopt(edit, draft) {
			kept.set(edit.id, {draft, entry: edit.entry});
			const failure = keep(edit);
			if (failure) failed(failure);
		},
	};
}

/** Whether nothing but the cursor moved between two states of an entry. */
export const isSameContent = (one: Entry, other: Entry): boolean =>
	one === other ||
	(one.form === other.form && one.form !== 'bytes' && bufferIn(one)?.lines === bufferIn(other)?.lines);
