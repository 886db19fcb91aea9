import {asFailure, type Failure} from '../../failure.ts';
import type {Environment} from '../../state/directory.ts';
import {
	type Draft,
	draftId,
	dropDraft,
	isKept,
	type NewDraft,
	saveDraft,
	saveDraftLater,
} from '../../state/drafts.ts';

/**
 * Milliseconds from the first unsaved change to the write: further typing does not restart the timer. Timers
 * use the monotonic clock, so setting the clock back does not delay them.
 */
export const draftDelay = 500;

/** An open form that the user types into. */
export type OpenForm = {
	/** Unique among forms opened in this run. */
	readonly id: string;
	/** Returns a value that changes with all input, and only with that. */
	content(): unknown;
	/** True if losing it would lose input. */
	isWorthKeeping(): boolean;
	/** Builds its draft; `instance` separates it from others of the same kind and place. */
	draft(instance: string): NewDraft;
};

/** Saves open forms to disk until they close, at most a second behind the typing. */
type DraftKeeper = {
	/** Call after any change: closed forms are removed at once, the others are saved soon. */
	changed(): void;
	/** Resolves when the background write is on disk. */
	written(): Promise<void>;
	/** Saves everything at once, even in a signal handler. Returns the failures. */
	now(): readonly Failure[];
	/** Saves a form that is about to close, and leaves its draft for later. */
	release(id: string): Failure | undefined;
	/** Assigns a draft of an earlier run to this form and process. */
	adopt(id: string, draft: Pick<Draft, 'id' | 'path'>): void;
	/** True if the draft belongs to an open form. */
	isOpen(draftId: string): boolean;
};

type DraftEvents = {
	/** A draft was saved where the next start does not look. Once per folder. */
	elsewhere(path: string): void;
	/** Saving fails. Once, until it works again. */
	failed(failure: Failure): void;
	/** Drafts were written or removed. */
	written(): void;
};

type Kept = {readonly draft: Pick<Draft, 'id' | 'path'>; readonly content: unknown};

/** Shared by all stores of the process, so that no two share a file. */
let instances = 0;

export function createDraftKeeper(
	environment: Environment,
	now: () => number,
	forms: () => readonly OpenForm[],
	events: DraftEvents,
): DraftKeeper {
	/** Saved forms by form id. */
	const kept = new Map<string, Kept>();
	const instanceOf = new Map<string, string>();
	let timer: NodeJS.Timeout | undefined;
	let underWay: Promise<void> = Promise.resolve();
	/** Id of the form that is being written in the background. */
	let writing: string | undefined;
	let isWriting = false;
	let isAgain = false;
	/** A background write is put in place only if this has not changed since it began. */
	let epoch = 0;
	let hasFailed = false;
	const reported = new Set<string>();

	function instance(id: string): string {
		const known = instanceOf.get(id) ?? String(++instances);
		instanceOf.set(id, known);
		return known;
	}

	function isUpToDate(form: OpenForm, content: unknown): boolean {
		const before = kept.get(form.id);
		// It may have been removed; an adopted draft must get our name, so that no other process takes it.
		return before !== undefined && before.content === content && isKept(before.draft);
	}

	function took(
		{id}: Pick<OpenForm, 'id'>,
		content: unknown,
		before: Kept | undefined,
		saved: {readonly id: string; readonly path: string; readonly found: boolean},
	): void {
		kept.set(id, {draft: saved, content});
		hasFailed = false;
		if (before && before.draft.id !== saved.id) dropDraft(environment, before.draft.id);
		if (!saved.found && !reported.has(saved.path)) {
			reported.add(saved.path);
			events.elsewhere(saved.path);
		}
		if (!before) events.written();
	}

	function failed(error: unknown): Failure {
		const failure = asFailure(error);
		if (!hasFailed) events.failed(failure);
		hasFailed = true;
		return failure;
	}

	function drop(id: string): void {
		if (writing === id) epoch++;
		const before = kept.get(id);
		kept.delete(id);
		instanceOf.delete(id);
		if (!before) return;
		try {
			dropDraft(environment, before.draft.id);
		} catch (error) {
			events.failed(asFailure(error));
		}
		events.written();
	}

	function keepNow(form: OpenForm): Failure | undefined {
		try {
			if (!form.isWorthKeeping()) {
				drop(form.id);
				return undefined;
			}
			const content = form.content();
			if (isUpToDate(form, content)) return undefined;
			const before = kept.get(form.id);
			took(form, content, before, saveDraft(environment, form.draft(instance(form.id)), now()));
			return undefined;
		} catch (error) {
			return failed(error);
		}
	}

	async function keepLater(form: OpenForm): Promise<void> {
		if (!form.isWorthKeeping()) return drop(form.id);
		const content = form.content();
		if (isUpToDate(form, content)) return;
		const before = kept.get(form.id);
		const begun = epoch;
		const draft = form.draft(instance(form.id));
		writing = form.id;
		try {
			const saved = await saveDraftLater(environment, draft, now(), () => {
				if (epoch !== begun) return false;
				// From here on a file exists, to be removed with the form.
				kept.set(form.id, {draft: {id: draftId(draft), path: ''}, content: undefined});
				return true;
			});
			if (epoch !== begun) isAgain = true;
			else if (saved) took(form, content, before, saved);
		} catch (error) {
			if (epoch === begun && before) kept.set(form.id, before);
			failed(error);
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
			failed(error);
		} finally {
			isWriting = false;
			if (isAgain) {
				isAgain = false;
				soon();
			}
		}
	}

	function soon(): void {
		if (isWriting) isAgain = true;
		else
			timer ??= setTimeout(() => {
				underWay = keepAll();
			}, draftDelay).unref();
	}

	return {
		changed() {
			const open = forms();
			if (open.length === 0 && kept.size === 0 && !isWriting) return;
			const ids = new Set(open.map(({id}) => id));
			for (const id of [...kept.keys(), ...(writing === undefined ? [] : [writing])])
				if (!ids.has(id)) drop(id);
			if (open.length > 0) soon();
		},
		written: () => underWay,
		now() {
			clearTimeout(timer);
			timer = undefined;
			epoch++;
			return forms().flatMap(form => keepNow(form) ?? []);
		},
		release(id) {
			epoch++;
			const form = forms().find(one => one.id === id);
			const failure = form && keepNow(form);
			kept.delete(id);
			instanceOf.delete(id);
			// From now on it is an unowned draft.
			events.written();
			return failure;
		},
		adopt(id, draft) {
			epoch++;
			kept.set(id, {draft, content: undefined});
			const form = forms().find(one => one.id === id);
			if (form) keepNow(form);
			events.written();
		},
		isOpen: draftId => [...kept.values()].some(({draft}) => draft.id === draftId),
	};
}
