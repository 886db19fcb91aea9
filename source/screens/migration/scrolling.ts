import {themeOf} from '../../components/theme.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import {scrollOf, viewOf} from './view.ts';

const {marks} = themeOf('none', true);

/** How far the text of the step in front can be scrolled, and how many rows of it are seen. */
export function migrationScroll({migration, viewport}: Pick<LedgeState, 'migration' | 'viewport'>): {
	readonly last: number;
	readonly room: number;
} {
	return migration ? scrollOf(viewOf(migration, viewport, marks, Date.now())) : {last: 0, room: 1};
}
