import type {Marks} from '../../components/theme.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import type {Row as DrawnRow} from '../rows/rows.ts';

/** Columns left free beside the rows of a detail. */
const detailMargin = 5;

export const getDetailColumns = (columns: number): number => columns - detailMargin;

/**
 * Builds the full detail of the current row in rows of at most `columns` columns. `state`: set if the list scrolls
 * its detail, for details that are about more than the list.
 */
export type DetailBuilder<State> = (
	data: State,
	columns: number,
	marks: Pick<Marks, 'warning' | 'dot' | 'done'>,
	state?: LedgeState,
) => readonly DrawnRow[];
