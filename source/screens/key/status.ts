import {bodyRows} from '../../components/layout.ts';
import type {Has} from '../../store/ledge-store.ts';
import {columnsOf, drawable} from '../../text/columns.ts';
import {counted, grouped} from '../../text/figures.ts';
import {formNames} from './about.ts';
import {matchCount} from './find.ts';
import {formBeside} from './forms.ts';
import type {KeyState} from './slice.ts';
import {pathText} from './tree.ts';
import {type KeyView, rowCount} from './value-view.ts';

/** Status line: cursor position, search, next form, and the name if the header cuts it. */
export function keyStatus({
	key: {data: key},
	navigation: {viewport},
}: Has<'key'> & Has<'navigation', 'viewport'>): string {
	if (!key) return '';
	const {columns, rows} = viewport;
	const isLong = key.view !== undefined && rowCount(key.view, columns) > bodyRows(rows);
	const parts = [
		...(key.view ? [placeText(key.view, columns)] : []),
		...(key.search?.query ? [key.search.found ? 'n next, N previous' : 'not found'] : []),
		...(key.view ? [`tab ${formNames[formBeside(key.view, 1)]}`] : []),
		...(isLong ? ['P pager'] : []),
		...(columnsOf(drawable(key.name)) > Math.floor(columns / 3) ? [key.name] : []),
	];
	return parts.join('   ');
}

function placeText(view: KeyView, columns: number): string {
	const {form, tree, at, lines, left, bytes} = view;
	switch (form) {
		case 'json':
			return tree ? pathText(tree.path(at.json)) : '';
		case 'text': {
			const more = lines.complete ? '' : '+';
			const row = lines.at(at.text);
			const last = lines.at(rowCount(view, columns) - 1)?.line ?? 1;
			// In a long line, the line number alone does not locate the cursor.
			const byte = row?.continued ? `, byte ${lines.byteOf(at.text)} of ${bytes.length}` : '';
			return `line ${row?.line ?? 1} of ${last}${more}${byte}${left > 0 ? `, from column ${left + 1}` : ''}`;
		}
		case 'hex':
			return `byte ${at.hex} of ${bytes.length}`;
	}
}

/** Formats the position among the matches: "3 of 17". */
export function matchText({search, view}: KeyState, columns: number): string {
	if (!search || !view) return '';
	const {number, all, isAll} = matchCount(view, search.query, columns);
	if (all === 0) return 'not found';
	const total = `${grouped(all)}${isAll ? '' : '+'}`;
	return number === undefined ? counted(all, 'match', 'matches') : `${grouped(number)} of ${total}`;
}
