import type {LedgeState} from '../store/ledge-store.ts';
import type {OpenedZone} from './firewall/slice.ts';
import type {NamespaceRow} from './keys/namespace-rows.ts';
import {selectedNamespace, visibleNamespaces} from './namespaces/slice.ts';
import type {App} from './shell/action.ts';
import {screenOf} from './shell/navigation-slice.ts';
import type {Screen} from './shell/screen.ts';
import {openedZone, selectedZone} from './zones/slice.ts';

/** Does something as soon as the state is ready for it, unless the person goes to other screens or types something meanwhile. */
export function once(
	{state, store}: App,
	screens: readonly Screen[],
	isReady: (state: LedgeState) => boolean,
	then: () => void,
): void {
	const isLeft = (now: LedgeState): boolean =>
		!screens.includes(screenOf(now)) || now.dialog !== undefined || now.filtering;
	if (isReady(state())) {
		then();
		return;
	}
	const stop = store.subscribe(now => {
		const isOver = isLeft(now);
		if (!isOver && !isReady(now)) return;
		stop();
		if (!isOver) then();
	});
}

/** Reads what is chosen from, and asks, unless the person goes elsewhere meanwhile. */
function ask(
	{state}: App,
	isRead: boolean,
	what: string,
	read: (signal: AbortSignal) => Promise<void>,
	open: () => void,
): void {
	if (isRead) {
		open();
		return;
	}
	const before = state().stack;
	void state()
		.run(`reading the ${what}`, 'read', read)
		.then(done => {
			if (done && state().stack === before && !state().dialog && !state().filtering) open();
		});
}

/** Asks for a namespace; the choice begins at that which is open or under the cursor. */
export function chooseNamespace(app: App, title: string, chosen: (row: NamespaceRow) => void): void {
	const {state} = app;
	const {namespaces} = state();
	const read = (signal: AbortSignal) => state().loadNamespaces(state().namespaces.where, signal);
	ask(app, namespaces.reading === 'read', 'namespaces', read, () => {
		const {open, keys, warn} = state();
		const rows = state().namespaces.rows.filter(({id}) => id !== undefined);
		if (rows.length === 0) return warn('There are no namespaces to choose from.');
		open({
			kind: 'choice',
			title,
			lines: [],
			choices: rows.map(({name, title: label}) => ({value: name, label})),
			now: keys?.namespace.name ?? selectedNamespace(state().namespaces)?.name,
			choose(name) {
				const row = rows.find(one => one.name === name);
				if (row) chosen(row);
			},
		});
	});
}

/** Goes to the namespaces with the cursor on one; a filter that hides it is taken back. */
export function pointAtNamespace({state}: App, {name}: NamespaceRow): void {
	state().cancelReads();
	state().closeKeys();
	state().go('namespaces');
	const placeOf = () => visibleNamespaces(state().namespaces).findIndex(row => row.name === name);
	if (placeOf() === -1) state().filterNamespaces('');
	state().moveInNamespaces(placeOf() - state().namespaces.cursor);
}

/** Asks for a zone, from the one under the cursor on; the only one is not asked for. */
export function chooseZone(app: App, chosen: (zone: OpenedZone) => void): void {
	const {state} = app;
	const read = (signal: AbortSignal) => state().loadZones(signal);
	ask(app, state().zones.reading === 'read', 'zones', read, () => {
		const {open, warn} = state();
		const {rows} = state().zones;
		const [first, second] = rows;
		if (!first) return warn('There are no zones to choose from.');
		if (!second) return chosen(openedZone(first));
		open({
			kind: 'choice',
			title: 'In which zone?',
			lines: [],
			choices: rows.map(({id, name: label}) => ({value: id, label})),
			now: selectedZone(state().zones)?.id,
			choose(id) {
				const row = rows.find(one => one.id === id);
				if (row) chosen(openedZone(row));
			},
		});
	});
}
