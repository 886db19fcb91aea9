import {buildPaletteRows, type PaletteRow} from '../../../source/screens/shell/action-lists.ts';
import type {Action} from '../../../source/screens/shell/app.ts';
import type {LedgeState} from '../../../source/store/ledge-store.ts';

/** The rows of the palette that are actions. */
export const listPaletteActions = (
	actions: readonly Action[],
	state: LedgeState,
	query: string,
): readonly Extract<PaletteRow, {kind: 'action'}>[] =>
	buildPaletteRows(actions, state, query).filter(row => row.kind === 'action');
