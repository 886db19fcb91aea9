import type {StateWith} from '../../store/ledge-store.ts';
import {getCurrentScreen} from './screen-name.ts';

/**
 * Hides the hint of the undo if it would only say what to do instead, or on the screen of a run that it does
 * not undo.
 */
export function getUndoHintPlace(
	state: StateWith<'review', 'lastWrite'> & StateWith<'bulk', 'data'> & StateWith<'navigation', 'stack'>,
): 'none' | undefined {
	if (state.review.lastWrite?.type === 'irreversible') return 'none';
	switch (getCurrentScreen(state)) {
		case 'transfer':
			return 'none';
		case 'bulk': {
			const {stage, trashBatch} = state.bulk.data ?? {};
			const hasEnded = stage?.state === 'done' || stage?.state === 'stopped';
			return hasEnded && trashBatch ? undefined : 'none';
		}
		default:
			return undefined;
	}
}
