import type {Marks} from '../../components/theme.ts';
import type {Row as DrawnRow} from '../rows/rows.ts';

/** Columns left free beside the rows of a detail. */
const detailMargin = 5;

export const getDetailColumns = (columns: number): number => columns - detailMargin;

/** Builds the full detail of the current row in rows of at most `columns` columns. */
export type DetailBuilder<State> = (
	data: State,
	columns: number,
	marks: Pick<Marks, 'warning' | 'dot' | 'done'>,
) => readonly DrawnRow[];
