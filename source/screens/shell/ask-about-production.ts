import {Failure} from '../../failure.ts';
import type {ProductionWrite} from '../../session/parts.ts';
import type {LedgeStore} from '../../store/ledge-store.ts';
import type {Dialog} from './dialog-slice.ts';

/**
 * Minimum milliseconds before the question can be answered: it appears by itself, and a `y` may be meant for
 * what was there before.
 */
export const leastSeen = 300;

/**
 * Asks before a write to production, over any screen; `elapsed` is the clock of the screens. Fails with
 * `declined` unless confirmed.
 */
export async function askAboutProduction(
	store: LedgeStore,
	{context: {name}, where, what, isCertain}: ProductionWrite,
	elapsed: () => number,
): Promise<void> {
	await inputEnded(store);
	const answered = Promise.withResolvers<boolean>();
	const cameUp = elapsed();
	const question: Dialog = {
		kind: 'confirm',
		title: `PRODUCTION: ${what}?`,
		lines: [
			`In ${where}.`,
			isCertain
				? `This belongs to the production context ${name}.`
				: `Its account could not be read: it may belong to the production context ${name}.`,
		],
		does: 'write',
		confirm() {
			if (elapsed() - cameUp < leastSeen) store.getState().dialog.open(question);
			else answered.resolve(true);
		},
	};
	store.getState().dialog.open(question);
	const stop = store.subscribe(({dialog: {current: dialog}}) => {
		// An answer closes the dialog first and is given in the same turn.
		if (dialog === question) return;
		queueMicrotask(() => {
			if (store.getState().dialog.current !== question) answered.resolve(false);
		});
	});
	try {
		if (!(await answered.promise)) throw new Failure('declined', 'The write was not confirmed.');
	} finally {
		stop();
	}
}

/** Resolves when neither a dialog nor a filter handles the keys. */
async function inputEnded(store: LedgeStore): Promise<void> {
	const isFree = () => !store.getState().dialog.current && !store.getState().dialog.isFiltering;
	if (isFree()) return;
	const ended = Promise.withResolvers<void>();
	const stop = store.subscribe(() => isFree() && ended.resolve());
	await ended.promise;
	stop();
	// Another dialog may follow in the same turn.
	await Promise.resolve();
	return inputEnded(store);
}
