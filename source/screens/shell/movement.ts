import {bodyRows} from '../../components/layout.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import {moveInComparison} from '../compare/actions.ts';
import {detailColumns, detailRows} from '../firewall/detail-rows.ts';
import type {Action, Context} from './action.ts';
import {type Screen, screenOf} from './navigation-slice.ts';

/** Through the lists; or through all of what is selected, as far as there are rows. */
function moveInFirewall(state: LedgeState, by: number): void {
	const {firewall, viewport} = state;
	if (firewall?.detail === undefined) {
		state.moveInFirewall(by);
		return;
	}
	const rows = detailRows(firewall, detailColumns(viewport.columns), {warning: '!', dot: '.'}).length;
	state.showDetail(Math.max(0, Math.min(rows - bodyRows(viewport.rows), firewall.detail + by)));
}

/** How the cursor of each screen with a list is moved; the store keeps it within the list. */
const movers: Partial<Record<Screen, (state: LedgeState, by: number) => void>> = {
	namespaces: (state, by) => state.moveInNamespaces(by),
	keys: (state, by) => state.moveInKeys(by),
	key: (state, by) => state.moveInKey(by),
	zones: (state, by) => state.moveInZones(by),
	accounts: (state, by) => state.moveInAccounts(by),
	firewall: moveInFirewall,
	compare: moveInComparison,
	bulk: (state, by) => state.moveInRefused(by),
	jobs: (state, by) => state.moveInJobs(by),
	activity: (state, by) => state.moveInCalls(by),
};

const lists = Object.keys(movers) as Screen[];
const whileFiltering: readonly Context[] = [...lists, 'filter'];

/** Rows that a page key moves by: what can be seen, less one that stays in view. */
const page = ({viewport}: LedgeState): number => Math.max(1, bodyRows(viewport.rows) - 3);

const moves = (
	id: string,
	keys: Action['keys'],
	title: string,
	by: (state: LedgeState) => number,
	where: readonly Context[] = lists,
): Action => ({
	id: `move.${id}`,
	keys,
	title,
	group: 'Move',
	where,
	run(app) {
		const state = app.state();
		movers[screenOf(state)]?.(state, by(state));
	},
});

/** Moving in lists; what is typed into a filter leaves the arrows free. */
export const movementActions: readonly Action[] = [
	moves('down', ['down', 'j'], 'one row down', () => 1),
	moves('up', ['up', 'k'], 'one row up', () => -1),
	moves('page-down', ['pagedown', 'ctrl-f'], 'one page down', page, whileFiltering),
	moves('page-up', ['pageup', 'ctrl-b'], 'one page up', state => -page(state), whileFiltering),
	moves('first', ['g', 'home'], 'to the first row', () => Number.NEGATIVE_INFINITY),
	moves('last', ['G', 'end'], 'to the last row', () => Number.POSITIVE_INFINITY),
	moves('filter-down', ['down'], 'one row down, while the filter is typed', () => 1, ['filter']),
	moves('filter-up', ['up'], 'one row up, while the filter is typed', () => -1, ['filter']),
];
