import {getBodyRows} from '../../components/layout.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import {createActionFactory} from './action.ts';
import type {Action, App, InputContext} from './app.ts';
import {listScreens, type Screens} from './screen.ts';
import {getCurrentScreen} from './screen-name.ts';

/** Returns the rows that a page key moves by: those that a list shows, or else a little less than the body. */
const countListPageRows = ({state, terminal}: App): number =>
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

/** Creates the action that extends the selection by one row; where no row can be selected, it moves. */
const defineExtension = (
	id: string,
	keys: Action['keys'],
	title: string,
	distance: 1 | -1,
	where: readonly InputContext[],
): Action =>
	action(`move.${id}`, keys, title, {
		where,
		isMove: true,
		run({state: getState}) {
			const state = getState();
			const {selection, move} = state.navigation.screens[getCurrentScreen(state)];
			const canSelect = selection?.isActive(state) && selection.getUnavailableReason(state) === undefined;
			if (selection && (canSelect || !move)) selection.extend(state, distance);
			else move?.(state, distance);
		},
	});

/** Creates the actions that move in lists; while a filter is typed the arrows still move. */
export function createMovementActions(screens: Screens): readonly Action[] {
	const lists = listScreens(screens).flatMap(([screen, {move, textInput}]): readonly InputContext[] =>
		move ? [textInput ? `${screen} menu` : screen] : [],
	);
	const selectableLists = listScreens(screens).flatMap(([screen, {selection}]) =>
		selection ? [screen] : [],
	);
	const extensibleLists: readonly InputContext[] = [...new Set([...lists, ...selectableLists]), 'filter'];
	const getSelection = (state: LedgeState) => state.navigation.screens[getCurrentScreen(state)].selection;
	return [
		defineMove('down', ['down', 'j'], 'one row down', () => 1, lists),
		defineMove('up', ['up', 'k'], 'one row up', () => -1, lists),
		defineMove('page-down', ['pagedown', 'ctrl-f'], 'one page down', countListPageRows, lists),
		defineMove('page-up', ['pageup', 'ctrl-b'], 'one page up', app => -countListPageRows(app), lists),
		defineMove('first', ['g', 'home'], 'to the first row', () => Number.NEGATIVE_INFINITY, lists),
		defineMove('last', ['G', 'end'], 'to the last row', () => Number.POSITIVE_INFINITY, lists),
		defineMove('filter-down', ['down'], 'one row down, while filtering', () => 1, ['filter']),
		defineMove('filter-up', ['up'], 'one row up, while filtering', () => -1, ['filter']),
		defineMove(
			'filter-page-down',
			['pagedown', 'ctrl-f'],
			'one page down, while filtering',
			countListPageRows,
			['filter'],
		),
		defineMove(
			'filter-page-up',
			['pageup', 'ctrl-b'],
			'one page up, while filtering',
			app => -countListPageRows(app),
			['filter'],
		),
		defineExtension(
			'select-down',
			['shift-down'],
			'one row down; selects both if rows can be selected',
			1,
			extensibleLists,
		),
		defineExtension(
			'select-up',
			['shift-up'],
			'one row up; selects both if rows can be selected',
			-1,
			extensibleLists,
		),
		action('move.select-range', ['ctrl-space'], 'select from the row selected last to the cursor', {
			where: [...selectableLists, 'filter'],
			searchTerms: ['select range', 'range', 'mark range', 'select several', 'visual'],
			isActive: state => getSelection(state)?.isActive(state) === true,
			getUnavailableReason: state => getSelection(state)?.getUnavailableReason(state),
			run({state}) {
				getSelection(state())?.selectRange(state());
			},
		}),
	];
}
