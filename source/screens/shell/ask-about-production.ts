import {Failure} from '../../failure.ts';
import type {ProductionWrite} from '../../session/session.ts';
import type {LedgeStore} from '../../store/ledge-store.ts';
import type {Dialog} from './dialog-slice.ts';

/** Asks before production is written to, over whatever screen is in front. Fails with `declined` however the question is left. */
export async function askAboutProduction(
	store: LedgeStore,
	{context: {name}, where, what}: ProductionWrite,
): Promise<void> {
	const answered = Promise.withResolvers<boolean>();
	const question: Dialog = {
		kind: 'confirm',
		title: `PRODUCTION: ${what}?`,
		lines: [`In ${where}.`, `This belongs to the production context ${name}.`],
		does: 'write',
		confirm: () => answered.resolve(true),
	};
	store.getState().open(question);
	const stop = store.subscribe(({dialog}) => {
		// An answer closes it first, and is given in the same turn.
		if (dialog !== question) queueMicrotask(() => answered.resolve(false));
	});
	try {
		if (!(await answered.promise)) throw new Failure('declined', 'Nothing was done.');
	} finally {
		stop();
	}
}
