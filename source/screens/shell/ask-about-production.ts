import {Failure} from '../../failure.ts';
import type {ProductionWrite} from '../../session/parts.ts';
import type {LedgeStore} from '../../store/ledge-store.ts';
import type {Dialog} from './dialog-slice.ts';

/**
 * Milliseconds that the question has to be in front before it can be answered: it comes up by itself, and its `y` may have
 * been meant for what was in front before.
 */
export const leastSeen = 300;

/**
 * Asks before production is written to, over whatever screen is in front; `elapsed` is the clock of the screens. Fails with
 * `declined` however the question is left.
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
		// An answer closes it first, and is given in the same turn.
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

/** Ends when neither a dialog nor a filter takes the keys. */
async function inputEnded(store: LedgeStore): Promise<void> {
	const isFree = () => !store.getState().dialog.current && !store.getState().dialog.isFiltering;
	if (isFree()) return;
	const ended = Promise.withResolvers<void>();
	const stop = store.subscribe(() => isFree() && ended.resolve());
	await ended.promise;
	stop();
	// A dialog may be followed by another one in the same turn.
	await Promise.resolve();
	return inputEnded(store);
}
