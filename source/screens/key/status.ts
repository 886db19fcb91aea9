import {getBodyRows} from '../../components/layout.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {measureColumns, toDrawable} from '../../text/columns.ts';
import {formatInteger, formatQuantity} from '../../text/figures.ts';
import {formNames} from './about.ts';
import {countMatches} from './find.ts';
import {getAdjacentValueForm} from './forms.ts';
import type {KeyState} from './slice.ts';
import {formatJsonPath} from './tree.ts';
import {countViewRows, type KeyView} from './value-view.ts';
import {formatWatchStatus} from './watch-status.ts';

/** Formats the status line: cursor position, search, next form, and the name if the header cuts it. */
export function formatKeyStatus(
	state: StateWith<'key'> & StateWith<'navigation', 'viewport'> & StateWith<'watch', 'active'>,
): string {
	const {
		key: {data: key},
		navigation: {viewport},
	} = state;
	if (!key) return '';
	const {columns, rows} = viewport;
	const isLong = key.view !== undefined && countViewRows(key.view, columns) > getBodyRows(rows);
	const parts = [
		...formatWatchStatus(state, 'key'),
		...(key.view && key.view.form !== 'image' ? [formatPosition(key.view, columns)] : []),
		...(key.search?.query ? [key.search.isFound ? 'n next, N previous' : 'not found'] : []),
		...(key.view && (key.view.forms.length > 1 || key.otherView)
			? [`tab ${formatNextForm(key, key.view)}`]
			: []),
		...(key.query ? ['esc value'] : []),
		...(isLong ? ['P pager'] : []),
		...(measureColumns(toDrawable(key.name)) > Math.floor(columns / 3) ? [key.name] : []),
	];
	return parts.join('   ');
}

/** Formats the form that `tab` shows next: one of this view, or the first of the other view. */
function formatNextForm({otherView}: KeyState, view: KeyView): string {
	if (!otherView || view.form !== view.forms.at(-1)) return formNames[getAdjacentValueForm(view, 1)];
	return otherView.derivation ? 'decoded' : `stored ${formNames[otherView.forms[0]]}`;
}

function formatPosition(view: KeyView, columns: number): string {
	const {form, tree, cursors, lines, scrolledColumns, bytes} = view;
	switch (form) {
		case 'json':
			return tree ? formatJsonPath(tree.path(cursors.json)) : '';
		case 'text': {
			const moreMark = lines.isComplete ? '' : '+';
			const row = lines.at(cursors.text);
			const lastLine = lines.at(countViewRows(view, columns) - 1)?.line ?? 1;
			// In a long line, the line number alone does not locate the cursor.
			const byte = row?.isContinuation ? `, byte ${lines.getRowOffset(cursors.text)} of ${bytes.length}` : '';
			return `line ${row?.line ?? 1} of ${lastLine}${moreMark}${byte}${scrolledColumns > 0 ? `, from column ${scrolledColumns + 1}` : ''}`;
		}
		case 'hex':
			return `byte ${cursors.hex} of ${bytes.length}`;
		case 'image':
			return '';
	}
}

/** Formats the position among the matches: "3 of 17". */
export function formatMatchCount({search, view}: KeyState, columns: number): string {
	if (!search || !view) return '';
	const {matchNumber, total, isComplete} = countMatches(view, search.query, columns);
	if (total === 0) return 'not found';
	const totalText = `${formatInteger(total)}${isComplete ? '' : '+'}`;
	return matchNumber === undefined
		? formatQuantity(total, 'match', 'matches')
		: `${formatInteger(matchNumber)} of ${totalText}`;
}
