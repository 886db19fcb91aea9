import {Failure} from '../../failure.ts';
import type {ProductionWrite} from '../../session/parts.ts';
import type {LedgeStore} from '../../store/ledge-store.ts';
import type {Dialog} from './dialog-slice.ts';

/**
 * Minimum milliseconds before the question can be answered: it appears unasked, and a `y` may be meant for the
 * screen before it.
 */
export const minQuestionMs = 300;

/**
 * Asks before a write to production, over any screen; `elapsed` is the clock of the screens. Fails with
 * `declined` unless confirmed.
 */
export async function askAboutProduction(
	store: LedgeStore,
	{context: {name}, destination, action, isCertain}: ProductionWrite,
	elapsed: () => number,
): Promise<void> {
	await waitForInputEnd(store);
	const answer = Promise.withResolvers<boolean>();
	const shownAt = elapsed();
	const question: Dialog = {
		kind: 'confirm',
		title: `PRODUCTION: ${action}?`,
		lines: [
			`In ${destination}.`,
			isCertain
				? `This belongs to the production context ${name}.`
				: `Its account could not be read: it may belong to the production context ${name}.`,
		],
		actionLabel: getActionVerb(action),
		confirm() {
			if (elapsed() - shownAt < minQuestionMs) store.getState().dialog.open(question);
			else answer.resolve(true);
		},
	};
	store.getState().dialog.open(question);
	const unsubscribe = store.subscribe(({dialog: {current: dialog}}) => {
		// An answer closes the dialog first and is given in the same turn.
		if (dialog === question) return;
		queueMicrotask(() => {
			if (store.getState().dialog.current !== question) answer.resolve(false);
		});
	});
	try {
		if (!(await answer.promise)) throw new Failure('declined', 'The write was not confirmed.');
	} finally {
		unsubscribe();
	}
}

/** Verbs in the forms with which actions begin, and their base forms. */
const baseForms: Readonly<Record<string, string>> = {
	writing: 'write',
	deleting: 'delete',
	renaming: 'rename',
	copying: 'copy',
	merging: 'merge',
	creating: 'create',
	changing: 'change',
	undoing: 'undo',
	turning: 'turn it off',
	beginning: 'begin',
};

/** Returns the verb of an action, such as `delete` for "bulk delete 3 entries of keys.json". */
function getActionVerb(action: string): string {
	const [verb = ''] = action
		.toLowerCase()
		.replace(/^bulk /, '')
		.split(' ');
	return baseForms[verb] ?? verb;
}

/** Resolves when neither a dialog nor a filter handles the keys. */
export async function waitForInputEnd(store: LedgeStore): Promise<void> {
	const isInputFree = () => !store.getState().dialog.current && !store.getState().dialog.isFiltering;
	if (isInputFree()) return;
	const inputEnd = Promise.withResolvers<void>();
	const unsubscribe = store.subscribe(() => isInputFree() && inputEnd.resolve());
	await inputEnd.promise;
	unsubscribe();
	// Another dialog may follow in the same turn.
	await Promise.resolve();
	return waitForInputEnd(store);
}
