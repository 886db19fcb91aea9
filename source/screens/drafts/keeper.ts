import {type Failure, toFailure} from '../../failure.ts';
import type {Environment} from '../../state/directory.ts';
import {
	type Draft,
	doesOwnDraftExist,
	dropDraft,
	getDraftId,
	type NewDraft,
	saveDraft,
	saveDraftLater,
} from '../../state/drafts.ts';

/**
 * Milliseconds from the first unsaved change to the write. Further typing does not restart the timer. Timers
 * use the monotonic clock, so setting the clock back does not delay them.
 */
export const draftDelayMs = 500;

/** An open form that the user types into. */
export type OpenForm = {
	/** Unique among forms opened in this run. */
	readonly id: string;
	/** Returns a value that changes if and only if the input changes. */
	getContent(): unknown;
	/** True if the form has input that would be lost. */
	isWorthKeeping(): boolean;
	/** Builds its draft. `instance` distinguishes it from others of the same kind and target. */
	buildDraft(instance: string): NewDraft;
};

/** Saves open forms to disk until they are closed, at most a second after the user types. */
type DraftKeeper = {
	/**
	 * Must be called after any change. Drafts of closed forms are removed at once; open forms are saved soon.
	 */
	noticeChange(): void;
	/** Resolves when the background write is on disk. */
	waitForWrites(): Promise<void>;
	/** Saves everything synchronously, so that a signal handler can call it. Returns the failures. */
	saveNow(): readonly Failure[];
	/** Saves a form before it is closed. Its draft stays. */
	release(id: string): Failure | undefined;
	/** Assigns a draft of an earlier run to this form and process. */
	adopt(id: string, draft: Pick<Draft, 'id' | 'path'>): void;
	/** True if the draft belongs to an open form. */
	isOpen(draftId: string): boolean;
};

type DraftEvents = {
	/** Called once per folder when a draft was saved where the next start does not look. */
	onSavedElsewhere(path: string): void;
	/** Called when saving fails, and not again until it has succeeded. */
	onFailure(failure: Failure): void;
	/** Called after drafts were written or removed. */
	onDraftsChanged(): void;
};

type SavedForm = {readonly draft: Pick<Draft, 'id' | 'path'>; readonly content: unknown};

/** Shared by all stores of the process, so that no two share a file. */
let lastInstance = 0;

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
	let writingId: string | undefined;
	let isWriting = false;
	let needsRerun = false;
	/** A background write takes effect only if this has not changed since the write began. */
	let saveEpoch = 0;
	let hasFailed = false;
	const reportedPaths = new Set<string>();

	function getInstance(id: string): string {
		const instance = instanceIds.get(id) ?? String(++lastInstance);
		instanceIds.set(id, instance);
		return instance;
	}

	function isUpToDate(form: OpenForm, content: unknown): boolean {
		const savedForm = savedForms.get(form.id);
		// The draft may have been removed. An adopted draft must be renamed, so that no other process takes it.
		return savedForm !== undefined && savedForm.content === content && doesOwnDraftExist(savedForm.draft);
	}

	function recordSaved(
		{id}: Pick<OpenForm, 'id'>,
		content: unknown,
		previousForm: SavedForm | undefined,
		savedDraft: {readonly id: string; readonly path: string; readonly isListed: boolean},
	): void {
		savedForms.set(id, {draft: savedDraft, content});
		hasFailed = false;
		if (previousForm && previousForm.draft.id !== savedDraft.id)
			dropDraft(environment, previousForm.draft.id);
		// `isListed` is false if the next start does not look in this folder.
		if (!savedDraft.isListed && !reportedPaths.has(savedDraft.path)) {
			reportedPaths.add(savedDraft.path);
			events.onSavedElsewhere(savedDraft.path);
		}
		if (!previousForm) events.onDraftsChanged();
	}

	function reportFailure(error: unknown): Failure {
		const failure = toFailure(error);
		if (!hasFailed) events.onFailure(failure);
		hasFailed = true;
		return failure;
	}

	function dropForm(id: string): void {
		if (writingId === id) saveEpoch++;
		const savedForm = savedForms.get(id);
		savedForms.delete(id);
		instanceIds.delete(id);
		if (!savedForm) return;
		try {
			dropDraft(environment, savedForm.draft.id);
		} catch (error) {
			events.onFailure(toFailure(error));
		}
		events.onDraftsChanged();
	}

	function saveFormNow(form: OpenForm): Failure | undefined {
		try {
			if (!form.isWorthKeeping()) {
				dropForm(form.id);
				return undefined;
			}
			const content = form.getContent();
			if (isUpToDate(form, content)) return undefined;
			const previousForm = savedForms.get(form.id);
			recordSaved(
				form,
				content,
				previousForm,
				saveDraft(environment, form.buildDraft(getInstance(form.id)), now()),
			);
			return undefined;
		} catch (error) {
			return reportFailure(error);
		}
	}

	async function saveFormLater(form: OpenForm): Promise<void> {
		if (!form.isWorthKeeping()) return dropForm(form.id);
		const content = form.getContent();
		if (isUpToDate(form, content)) return;
		const previousForm = savedForms.get(form.id);
		const startEpoch = saveEpoch;
		const draft = form.buildDraft(getInstance(form.id));
		writingId = form.id;
		try {
			const savedDraft = await saveDraftLater(environment, draft, now(), () => {
				if (saveEpoch !== startEpoch) return false;
				// From here on a file exists that must be removed with the form.
				savedForms.set(form.id, {draft: {id: getDraftId(draft), path: ''}, content: undefined});
				return true;
			});
			if (saveEpoch !== startEpoch) needsRerun = true;
			else if (savedDraft) recordSaved(form, content, previousForm, savedDraft);
		} catch (error) {
			if (saveEpoch === startEpoch && previousForm) savedForms.set(form.id, previousForm);
			reportFailure(error);
		} finally {
			writingId = undefined;
		}
	}

	async function saveAllForms(): Promise<void> {
		timer = undefined;
		isWriting = true;
		try {
			for (const {id} of forms()) {
				const form = forms().find(one => one.id === id);
				if (form) await saveFormLater(form);
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
				pendingWrite = saveAllForms();
			}, draftDelayMs).unref();
	}

	return {
		noticeChange() {
			const openForms = forms();
			if (openForms.length === 0 && savedForms.size === 0 && !isWriting) return;
			const ids = new Set(openForms.map(({id}) => id));
			for (const id of [...savedForms.keys(), ...(writingId === undefined ? [] : [writingId])])
				if (!ids.has(id)) dropForm(id);
			if (openForms.length > 0) scheduleWrites();
		},
		waitForWrites: () => pendingWrite,
		saveNow() {
			clearTimeout(timer);
			timer = undefined;
			saveEpoch++;
			return forms().flatMap(form => saveFormNow(form) ?? []);
		},
		release(id) {
			saveEpoch++;
			const form = forms().find(one => one.id === id);
			const failure = form && saveFormNow(form);
			savedForms.delete(id);
			instanceIds.delete(id);
			// From now on it is an unowned draft.
			events.onDraftsChanged();
			return failure;
		},
		adopt(id, draft) {
			saveEpoch++;
			savedForms.set(id, {draft, content: undefined});
			const form = forms().find(one => one.id === id);
			if (form) saveFormNow(form);
			events.onDraftsChanged();
		},
		isOpen: draftId => [...savedForms.values()].some(({draft}) => draft.id === draftId),
	};
}
