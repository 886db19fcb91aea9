import {getBodyRows} from '../../components/layout.ts';
import type {Dialog} from './dialog-slice.ts';
import type {Viewport} from './navigation-slice.ts';

/** The smallest body that a popup covers only partly; dialogs fill a smaller one. */
const minBody = {columns: 70, rows: 16} as const;

const maxPopupColumns = 100;

/** Columns and rows of the frame of a popup, with the blanks beside its content. */
export const frameColumns = 4;
export const frameRows = 2;

/** Columns left free on each side of a dialog that takes the whole body; fewer for the palette and the help. */
const panelMargin = 3;
const searchMargin = 1;

/** Columns left free beside a popup, both sides together. */
const popupMargin = 4;

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
	// The help is about no row of the screen: it takes all of a screen that it would nearly cover.
	const isNarrow = columns < minBody.columns || (kind === 'help' && columns < maxPopupColumns);
	if (!isSpoken && !isNarrow && bodyRows >= minBody.rows)
		return {
			isPopup: true,
			columns: Math.min(columns - popupMargin, maxPopupColumns) - frameColumns,
			rows: bodyRows - frameRows,
			margin: 0,
		};
	const margin = kind === 'palette' || kind === 'help' ? searchMargin : panelMargin;
	return {isPopup: false, columns: columns - 2 * margin, rows: bodyRows, margin};
}
