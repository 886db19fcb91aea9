import {type Failure, toFailure} from '../../failure.ts';
import type {Environment} from '../../state/directory.ts';
import {
	type Draft,
	dropDraft,
	getDraftId,
	isDraftKept,
	type NewDraft,
	saveDraft,
	saveDraftLater,
} from '../../state/drafts.ts';

/**
 * Milliseconds from the first unsaved change to the write: further typing does not restart the timer. Timers
 * use the monotonic clock, so setting the clock back does not delay them.
 */
export const draftDelayMs = 500;

/** An open form that the user types into. */
export type OpenForm = {
	/** Unique among forms opened in this run. */
	readonly id: string;
	/** Returns a value that changes with all input, and only with that. */
	getContent(): unknown;
	/** True if losing it would lose input. */
	isWorthKeeping(): boolean;
	/** Builds its draft; `instance` separates it from others of the same kind and place. */
	buildDraft(instance: string): NewDraft;
};

/** Saves open forms to disk until they close, at most a second behind the typing. */
type DraftKeeper = {
	/** Call after any change: closed forms are removed at once, the others are saved soon. */
	noticeChange(): void;
	/** Resolves when the background write is on disk. */
	waitForWrites(): Promise<void>;
	/** Saves everything at once, even in a signal handler. Returns the failures. */
	saveNow(): readonly Failure[];
	/** Saves a form that is about to close, and leaves its draft for later. */
	release(id: string): Failure | undefined;
	/** Assigns a draft of an earlier run to this form and process. */
	adopt(id: string, draft: Pick<Draft, 'id' | 'path'>): void;
	/** True if the draft belongs to an open form. */
	isOpen(draftId: string): boolean;
};

type DraftEvents = {
	/** A draft was saved where the next start does not look. Once per folder. */
	onSavedElsewhere(path: string): void;
	/** Saving fails. Once, until it works again. */
	onFailure(failure: Failure): void;
	/** Drafts were written or removed. */
	onDraftsChanged(): void;
};

type SavedForm = {readonly draft: Pick<Draft, 'id' | 'path'>; readonly content: unknown};

/** Shared by all stores of the process, so that no two share a file. */
let instances = 0;

export function createDraftKeeper(
	environment: Environment,
	now: () => number,
	forms: () => readonly OpenForm[],
	events: DraftEvents,
): DraftKeeper {
	/** Saved forms by form id. */
	const savedForms = new Map<string, SavedForm>();
	const instanceIds = new Map<string, string>();
	let timer: NodeJS.Timeout | undefined;
	let pendingWrite: Promise<void> = Promise.resolve();
	/** Id of the form that is being written in the background. */
	let writing: string | undefined;
	let isWriting = false;
	let needsRerun = false;
	/** A background write is put in place only if this has not changed since it began. */
	let epoch = 0;
	let hasFailed = false;
	const reported = new Set<string>();

	function getInstance(id: string): string {
		const known = instanceIds.get(id) ?? String(++instances);
		instanceIds.set(id, known);
		return known;
	}

	function isUpToDate(form: OpenForm, content: unknown): boolean {
		const before = savedForms.get(form.id);
		// It may have been removed; an adopted draft must get our name, so that no other process takes it.
		return before !== undefined && before.content === content && isDraftKept(before.draft);
	}

	function recordSaved(
		{id}: Pick<OpenForm, 'id'>,
		content: unknown,
		before: SavedForm | undefined,
		saved: {readonly id: string; readonly path: string; readonly found: boolean},
	): void {
		savedForms.set(id, {draft: saved, content});
		hasFailed = false;
		if (before && before.draft.id !== saved.id) dropDraft(environment, before.draft.id);
		if (!saved.found && !reported.has(saved.path)) {
			reported.add(saved.path);
			events.onSavedElsewhere(saved.path);
		}
		if (!before) events.onDraftsChanged();
	}

	function reportFailure(error: unknown): Failure {
		const failure = toFailure(error);
		if (!hasFailed) events.onFailure(failure);
		hasFailed = true;
		return failure;
	}

	function dropForm(id: string): void {
		if (writing === id) epoch++;
		const before = savedForms.get(id);
		savedForms.delete(id);
		instanceIds.delete(id);
		if (!before) return;
		try {
			dropDraft(environment, before.draft.id);
		} catch (error) {
			events.onFailure(toFailure(error));
		}
		events.onDraftsChanged();
	}

	function keepNow(form: OpenForm): Failure | undefined {
		try {
			if (!form.isWorthKeeping()) {
				dropForm(form.id);
				return undefined;
			}
			const content = form.getContent();
			if (isUpToDate(form, content)) return undefined;
			const before = savedForms.get(form.id);
			recordSaved(
				form,
				content,
				before,
				saveDraft(environment, form.buildDraft(getInstance(form.id)), now()),
			);
			return undefined;
		} catch (error) {
			return reportFailure(error);
		}
	}

	async function keepLater(form: OpenForm): Promise<void> {
		if (!form.isWorthKeeping()) return dropForm(form.id);
		const content = form.getContent();
		if (isUpToDate(form, content)) return;
		const before = savedForms.get(form.id);
		const startEpoch = epoch;
		const draft = form.buildDraft(getInstance(form.id));
		writing = form.id;
		try {
			const saved = await saveDraftLater(environment, draft, now(), () => {
				if (epoch !== startEpoch) return false;
				// From here on a file exists, to be removed with the form.
				savedForms.set(form.id, {draft: {id: getDraftId(draft), path: ''}, content: undefined});
				return true;
			});
			if (epoch !== startEpoch) needsRerun = true;
			else if (saved) recordSaved(form, content, before, saved);
		} catch (error) {
			if (epoch === startEpoch && before) savedForms.set(form.id, before);
			reportFailure(error);
		} finally {
			writing = undefined;
		}
	}

	async function keepAll(): Promise<void> {
		timer = undefined;
		isWriting = true;
		try {
			for (const {id} of forms()) {
				const form = forms().find(one => one.id === id);
				if (form) await keepLater(form);
			}
		} catch (error) {
			reportFailure(error);
		} finally {
			isWriting = false;
			if (needsRerun) {
				needsRerun = false;
				scheduleWrites();
			}
		}
	}

	function scheduleWrites(): void {
		if (isWriting) needsRerun = true;
		else
			timer ??= setTimeout(() => {
				pendingWrite = keepAll();
			}, draftDelayMs).unref();
	}

	return {
		noticeChange() {
			const open = forms();
			if (open.length === 0 && savedForms.size === 0 && !isWriting) return;
			const ids = new Set(open.map(({id}) => id));
			for (const id of [...savedForms.keys(), ...(writing === undefined ? [] : [writing])])
				if (!ids.has(id)) dropForm(id);
			if (open.length > 0) scheduleWrites();
		},
		waitForWrites: () => pendingWrite,
		saveNow() {
			clearTimeout(timer);
			timer = undefined;
			epoch++;
			return forms().flatMap(form => keepNow(form) ?? []);
		},
		release(id) {
			epoch++;
			const form = forms().find(one => one.id === id);
			const failure = form && keepNow(form);
			savedForms.delete(id);
			instanceIds.delete(id);
			// From now on it is an unowned draft.
			events.onDraftsChanged();
			return failure;
		},
		adopt(id, draft) {
			epoch++;
			savedForms.set(id, {draft, content: undefined});
			const form = forms().find(one => one.id === id);
			if (form) keepNow(form);
			events.onDraftsChanged();
		},
		isOpen: draftId => [...savedForms.values()].some(({draft}) => draft.id === draftId),
	};
}
