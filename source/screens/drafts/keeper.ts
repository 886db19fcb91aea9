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
 * Milliseconds from a change until it is on its way to the disk, however much is typed meanwhile: a timer that began
 * is not begun again. Timers run on the monotonic clock, so a clock that is set back holds nothing up.
 */
export const draftDelay = 500;

/** A form that is open and into which a person types. */
export type OpenForm = {
	/** Separates it from all others that were opened in this run. */
	readonly id: string;
	/** Changes with everything that is typed or chosen, and with nothing else. */
	content(): unknown;
	/** Whether anything in it would be missed. */
	isWorthKeeping(): boolean;
	/** As it is kept; `instance` separates it from others of the same kind and place. */
	draft(instance: string): NewDraft;
};

/** Keeps open forms on disk, at most a second behind what is typed, until they are closed. */
type DraftKeeper = {
	/** Something was typed, or a form was opened or closed: what is closed is removed at once, the rest is kept soon. */
	changed(): void;
	/** Ends when what is being written in the background is on disk. */
	written(): Promise<void>;
	/** Keeps at once what is not on disk yet, also from a signal handler. Returns why what could not be kept was not. */
	now(): readonly Failure[];
	/** Keeps a form that is about to be closed, and leaves its draft for later. */
	release(id: string): Failure | undefined;
	/** A draft of an earlier run belongs to this form now, and to this process. */
	adopt(id: string, draft: Pick<Draft, 'id' | 'path'>): void;
	/** Whether a draft belongs to a form that is open here. */
	isOpen(draftId: string): boolean;
};

type DraftEvents = {
	/** A draft is where the next start does not look. Once a folder. */
	elsewhere(path: string): void;
	/** Nothing can be kept. Once, until something can be kept again. */
	failed(failure: Failure): void;
	/** Drafts were written or removed. */
	written(): void;
};

type Kept = {readonly draft: Pick<Draft, 'id' | 'path'>; readonly content: unknown};

/** Instances of all stores of this process, so that two of them never share a file. */
let instances = 0;

export function createDraftKeeper(
	environment: Environment,
	now: () => number,
	forms: () => readonly OpenForm[],
	events: DraftEvents,
): DraftKeeper {
	/** What is on disk, by the id of its form. */
	const kept = new Map<string, Kept>();
	const instanceOf = new Map<string, string>();
	let timer: NodeJS.Timeout | undefined;
	let underWay: Promise<void> = Promise.resolve();
	/** The form that is being written in the background. */
	let writing: string | undefined;
	let isWriting = false;
	let isAgain = false;
	/** What is being written in the background is put in place only in the epoch in which it was begun. */
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
		// Someone may have removed it, and an adopted draft must have our name, so that nobody takes it.
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
				// From here on there is a file, which is to go with the form.
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
			// From now on it is a draft that was left.
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
