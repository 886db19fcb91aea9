import type {LedgeState, StateWith} from '../store/ledge-store.ts';
import type {NamespaceRow} from './keys/namespace-rows.ts';
import {goToNamespaces} from './namespaces/actions.ts';
import {getSelectedNamespace, getVisibleNamespaces} from './namespaces/slice.ts';
import type {App} from './shell/app.ts';
import {getCurrentScreen, type Screen} from './shell/screen-name.ts';
import type {ZoneWithLabel} from './shell/zone-with-label.ts';
import {getSelectedZone, toOpenedZone} from './zones/slice.ts';

/** Calls `onReady` when the state is ready, unless the user leaves the screens or types something first. */
export function runWhenReady(
	{state, store}: App,
	screens: readonly Screen[],
	isReady: (state: LedgeState) => boolean,
	onReady: () => void,
): void {
	const hasUserLeft = (
		currentState: StateWith<'dialog', 'current' | 'isFiltering'> & StateWith<'navigation', 'stack'>,
	): boolean =>
		!screens.includes(getCurrentScreen(currentState)) ||
		currentState.dialog.current !== undefined ||
		currentState.dialog.isFiltering;
	if (isReady(state())) {
		onReady();
		return;
	}
	const unsubscribe = store.subscribe(currentState => {
		const isFinished = hasUserLeft(currentState);
		if (!isFinished && !isReady(currentState)) return;
		unsubscribe();
		if (!isFinished) onReady();
	});
}

/** Loads the choices, then opens the question unless the user has gone elsewhere. */
function readThenAsk(
	{state}: App,
	isLoaded: boolean,
	what: string,
	read: (signal: AbortSignal) => Promise<void>,
	ask: () => void,
): void {
	if (isLoaded) {
		ask();
		return;
	}
	const initialStack = state().navigation.stack;
	void state()
		.work.run(`loading ${what}`, 'read', read)
		.then(hasLoaded => {
			if (
				hasLoaded &&
				state().navigation.stack === initialStack &&
				!state().dialog.current &&
				!state().dialog.isFiltering
			)
				ask();
		});
}

/** Asks for a namespace, starting at the open or selected one. */
export function askForNamespace(app: App, title: string, onChoose: (row: NamespaceRow) => void): void {
	const {state} = app;
	const namespaces = state().namespaces.data;
	const read = (signal: AbortSignal) => state().namespaces.load(state().namespaces.data.shownStorage, signal);
	readThenAsk(app, namespaces.reading === 'read', 'namespaces', read, () => {
		const {open} = state().dialog;
		const keys = state().keys.data;
		const {warn} = state().messages;
		const rows = state().namespaces.data.rows.filter(({id}) => id !== undefined);
		if (rows.length === 0) return warn('No namespaces to choose from.');
		open({
			kind: 'choice',
			title,
			lines: [],
			choices: rows.map(({name, title: label}) => ({value: name, label})),
			initialValue: keys?.namespace.name ?? getSelectedNamespace(state().namespaces.data)?.name,
			choose(name) {
				const row = rows.find(one => one.name === name);
				if (row) onChoose(row);
			},
		});
	});
}

/** Goes to the namespaces with the cursor on one, clearing a filter that hides it. */
export function pointAtNamespace(app: App, {name}: NamespaceRow): void {
	const {state} = app;
	state().work.cancelReads();
	state().keys.close();
	goToNamespaces(app);
	const findRowIndex = () =>
		getVisibleNamespaces(state().namespaces.data).findIndex(row => row.name === name);
	if (findRowIndex() === -1) state().namespaces.filter('');
	state().namespaces.move(findRowIndex() - state().namespaces.data.cursor);
}

/** Asks for a zone, starting at the selected one; uses the only one without asking. */
export function askForZone(app: App, onChoose: (zone: ZoneWithLabel) => void): void {
	const {state} = app;
	const read = (signal: AbortSignal) => state().zones.load(signal);
	readThenAsk(app, state().zones.data.reading === 'read', 'zones', read, () => {
		const {open} = state().dialog;
		const {warn} = state().messages;
		const {rows} = state().zones.data;
		const [first, second] = rows;
		if (!first) return warn('No zones to choose from.');
		if (!second) return onChoose(toOpenedZone(first));
		open({
			kind: 'choice',
			title: 'Which zone?',
			lines: [],
			choices: rows.map(({id, name: label}) => ({value: id, label})),
			initialValue: getSelectedZone(state().zones.data)?.id,
			choose(id) {
				const row = rows.find(one => one.id === id);
				if (row) onChoose(toOpenedZone(row));
			},
		});
	});
}
