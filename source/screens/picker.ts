import {Failure} from '../failure.ts';
import {openKeys} from './keys/actions.ts';
import {getCurrentKeyName} from './keys/cursor-row.ts';
import type {NamespaceRow} from './keys/namespace-rows.ts';
import {readFigures} from './namespaces/actions.ts';
import type {Action, App} from './shell/app.ts';
import {getCurrentScreen} from './shell/screen-name.ts';

/** The actions of the chooser: nothing writes, and nothing leads elsewhere. */
const pickerActionIds: ReadonlySet<string> = new Set([
	...'help back reload details suspend quit'.split(' '),
	...'open close-group select select-all copy filter arrange sort all'.split(' ').map(name => `keys.${name}`),
	...'open filter copy copy-title sort where pair'.split(' ').map(name => `namespaces.${name}`),
]);

/** Keys that only open a group. */
const groupKeys: readonly string[] = ['l', 'right'];

/**
 * Leaves the actions that a chooser of keys needs, with the keys that the user has given them. What opens a
 * key chooses it instead: `onPick` gets its name, or those of the selected keys.
 */
export const createPickerActions =
	(onPick: (names: readonly string[]) => void) =>
	(actions: readonly Action[]): readonly Action[] =>
		actions.flatMap(action => {
			const {id, group} = action;
			if (id === 'keys.open') return createPickActions(action, onPick);
			return pickerActionIds.has(id) || group === 'Move' || group === 'Dialogs' ? [action] : [];
		});

function createPickActions(
	{keys, searchTerms: _terms, hint: _hint, ...open}: Action,
	onPick: (names: readonly string[]) => void,
): readonly Action[] {
	return [
		{
			...open,
			id: 'pick.choose',
			keys: keys.filter(key => !groupKeys.includes(key)),
			title: 'choose the key, or the selected keys',
			hint: 'choose',
			run(app) {
				const {data: keys, toggleGroup} = app.state().keys;
				if (!keys) return;
				const name = getCurrentKeyName(keys);
				if (keys.index.selectedCount > 0) onPick([...keys.index.listSelectedNames()]);
				else if (name === undefined) toggleGroup();
				else onPick([name]);
			},
		},
		{
			...open,
			id: 'pick.open-group',
			keys: keys.filter(key => groupKeys.includes(key)),
			title: 'open the group',
			run(app) {
				app.state().keys.toggleGroup(true);
			},
		},
	];
}

/**
 * Starts a chooser: shows the keys of a namespace by its binding, id or title, or the namespaces to choose one.
 * `onEnd` is called when the user leaves, or with why the namespace cannot be opened.
 */
export async function startPicker(
	app: App,
	namespaceName: string | undefined,
	onEnd: (failure?: Failure) => void,
): Promise<void> {
	const {state, store} = app;
	const {shownStorage} = state().namespaces.data;
	state().navigation.go('namespaces');
	store.subscribe(next => {
		if (getCurrentScreen(next) === 'home') onEnd();
	});
	const isLoaded = await state().work.run('loading namespaces', 'read', signal =>
		state().namespaces.load(shownStorage, signal),
	);
	if (namespaceName === undefined) {
		if (isLoaded) readFigures(app, shownStorage);
		return;
	}
	const {rows, failure} = state().namespaces.data;
	const row = findNamespace(rows, namespaceName);
	if (!row)
		return onEnd(
			failure ??
				new Failure('namespace_not_found', `There is no namespace "${namespaceName}".`, {
					next: '`ledge kv namespace list` lists them.',
				}),
		);
	// Leaving the keys ends the chooser.
	state().navigation.replace('keys');
	await openKeys(app, row);
}

/** Finds a namespace by its binding, id or title, in this order. */
const findNamespace = (rows: readonly NamespaceRow[], name: string): NamespaceRow | undefined =>
	rows.find(({bindings}) => bindings.some(one => one.binding === name && !one.preview)) ??
	rows.find(({id}) => id === name) ??
	rows.find(({title}) => title === name);
