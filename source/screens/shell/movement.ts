import {bodyRows} from '../../components/layout.ts';
import type {Has} from '../../store/ledge-store.ts';
import {actionsOf} from './action.ts';
import type {Action, Context} from './app.ts';
import {entriesOf, type Screens} from './screen.ts';
import {screenOf} from './screen-name.ts';

/** Returns the rows that a page key moves by, less a few that stay in view. */
const page = ({navigation: {viewport}}: Has<'navigation', 'viewport'>): number =>
	Math.max(1, bodyRows(viewport.rows) - 3);

const action = actionsOf('Move', []);

const moves = (
	id: string,
	keys: Action['keys'],
	title: string,
	by: (state: Has<'navigation', 'viewport'>) => number,
	where: readonly Context[],
): Action =>
	action(`move.${id}`, keys, title, {
		where,
		run(app) {
			const state = app.state();
			state.navigation.screens[screenOf(state)].move?.(state, by(state));
		},
	});

/** Creates the actions that move in lists; while a filter is typed the arrows still move. */
export function movementActions(screens: Screens): readonly Action[] {
	const lists = entriesOf(screens).flatMap(([screen, {move}]) => (move ? [screen] : []));
	const whileFiltering: readonly Context[] = [...lists, 'filter'];
	return [
		moves('down', ['down', 'j'], 'one row down', () => 1, lists),
		moves('up', ['up', 'k'], 'one row up', () => -1, lists),
		moves('page-down', ['pagedown', 'ctrl-f'], 'one page down', page, whileFiltering),
		moves('page-up', ['pageup', 'ctrl-b'], 'one page up', state => -page(state), whileFiltering),
		moves('first', ['g', 'home'], 'to the first row', () => Number.NEGATIVE_INFINITY, lists),
		moves('last', ['G', 'end'], 'to the last row', () => Number.POSITIVE_INFINITY, lists),
		moves('filter-down', ['down'], 'one row down, while the filter is typed', () => 1, ['filter']),
		moves('filter-up', ['up'], 'one row up, while the filter is typed', () => -1, ['filter']),
	];
}
