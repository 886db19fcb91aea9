import {getBodyRows} from '../../components/layout.ts';
import {createActionFactory} from './action.ts';
import type {Action, App, InputContext} from './app.ts';
import {listScreens, type Screens} from './screen.ts';
import {getCurrentScreen} from './screen-name.ts';

/** Returns the rows that a page key moves by: those that a list shows, or else a little less than the body. */
const getPageRows = ({state, terminal}: App): number =>
	Math.max(1, terminal.countListRows?.() ?? getBodyRows(state().navigation.viewport.rows) - 3);

const action = createActionFactory('Move', []);

const defineMove = (
	id: string,
	keys: Action['keys'],
	title: string,
	getDistance: (app: App) => number,
	where: readonly InputContext[],
): Action =>
	action(`move.${id}`, keys, title, {
		where,
		run(app) {
			const state = app.state();
			state.navigation.screens[getCurrentScreen(state)].move?.(state, getDistance(app));
		},
	});

/** Creates the actions that move in lists; while a filter is typed the arrows still move. */
export function createMovementActions(screens: Screens): readonly Action[] {
	const lists = listScreens(screens).flatMap(([screen, {move, textInput}]): readonly InputContext[] =>
		move ? [textInput ? `${screen} menu` : screen] : [],
	);
	return [
		defineMove('down', ['down', 'j'], 'one row down', () => 1, lists),
		defineMove('up', ['up', 'k'], 'one row up', () => -1, lists),
		defineMove('page-down', ['pagedown', 'ctrl-f'], 'one page down', getPageRows, lists),
		defineMove('page-up', ['pageup', 'ctrl-b'], 'one page up', app => -getPageRows(app), lists),
		defineMove('first', ['g', 'home'], 'to the first row', () => Number.NEGATIVE_INFINITY, lists),
		defineMove('last', ['G', 'end'], 'to the last row', () => Number.POSITIVE_INFINITY, lists),
		defineMove('filter-down', ['down'], 'one row down, while filtering', () => 1, ['filter']),
		defineMove('filter-up', ['up'], 'one row up, while filtering', () => -1, ['filter']),
		defineMove('filter-page-down', ['pagedown', 'ctrl-f'], 'one page down, while filtering', getPageRows, [
			'filter',
		]),
		defineMove(
			'filter-page-up',
			['pageup', 'ctrl-b'],
			'one page up, while filtering',
			app => -getPageRows(app),
			['filter'],
		),
	];
}
