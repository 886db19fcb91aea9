import {getBodyRows} from '../../components/layout.ts';
import type {Dialog} from './dialog-slice.ts';
import type {Viewport} from './navigation-slice.ts';

/** The smallest body that a popup leaves something of; in a smaller one, dialogs take all of it. */
const minBody = {columns: 70, rows: 16} as const;

const maxPopupColumns = 100;

/** Columns and rows of the frame of a popup, with the blanks beside its content. */
export const [frameColumns, frameRows] = [4, 2];

/** Columns left free on each side of a dialog that takes the whole body. */
const [panelMargin, searchMargin] = [3, 1];

/** The size of the content of a dialog. `margin`: columns beside it if it takes the whole body. */
type DialogSize = {
	readonly isPopup: boolean;
	readonly columns: number;
	readonly rows: number;
	readonly margin: number;
};

/** Computes how large the content of a dialog may be, and whether it is a popup. */
export function computeDialogSize({columns, rows, isSpoken}: Viewport, kind: Dialog['kind']): DialogSize {
	const bodyRows = getBodyRows(rows);
	if (!isSpoken && columns >= minBody.columns && bodyRows >= minBody.rows)
		return {
			isPopup: true,
			columns: Math.min(columns - 4, maxPopupColumns) - frameColumns,
			rows: bodyRows - frameRows,
			margin: 0,
		};
	const margin = kind === 'palette' || kind === 'help' ? searchMargin : panelMargin;
	return {isPopup: false, columns: columns - 2 * margin, rows: bodyRows, margin};
}
