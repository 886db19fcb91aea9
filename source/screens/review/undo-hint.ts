import type {StateWith} from '../../store/ledge-store.ts';
import {isBulkUnderWay} from '../bulk/state.ts';
import {getCurrentScreen} from '../shell/screen-name.ts';

/**
 * Hides the hint of the undo if it would only say what to do instead, or on the screen of a run that it does
 * not undo.
 */
export function getUndoHintPlace(
	state: StateWith<'review', 'lastWrite'> & StateWith<'bulk', 'data'> & StateWith<'navigation', 'stack'>,
): 'none' | undefined {
	if (state.review.lastWrite?.type === 'irreversible') return 'none';
	const {data: bulk} = state.bulk;
	switch (getCurrentScreen(state)) {
		case 'transfer':
			return 'none';
		case 'bulk':
			return bulk?.trashBatch && !isBulkUnderWay(bulk) ? undefined : 'none';
		default:
			return undefined;
	}
}
