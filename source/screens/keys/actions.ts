import type {LedgeState} from '../../store/ledge-store.ts';
import {openKey} from '../key/actions.ts';
import type {Action, App} from '../shell/action.ts';
import {keyNameHere} from './here.ts';
import type {NamespaceRow} from './namespace-rows.ts';

const here = ['keys'] as const;

/** Goes to the keys of a namespace at once, so that what is typed ahead is for them, and begins to list them. */
export function openKeys(app: App, namespace: NamespaceRow): void {
	const {state} = app;
	if (state().keys?.namespace.name !== namespace.name) state().closeKeys();
	state().go('keys');
	void state()
		.run(`opening ${namespace.title}`, 'read', signal => state().openKeys(namespace, signal))
		.then(opened => opened && listKeys(app));
}

/** Lists in the background until the namespace is closed. */
function listKeys({state}: App): void {
	const title = state().keys?.namespace.title ?? '';
	void state().run(`listing ${title}`, 'background', signal => state().listKeys(signal));
}

/** Reads everything again; a listing that failed continues where it stopped. */
export function reloadKeys(app: App): void {
	const {keys, opening, listOn} = app.state();
	if (keys?.listing.state === 'failed') {
		listOn();
		listKeys(app);
		return;
	}
	const namespace = keys?.namespace ?? opening?.namespace;
	if (namespace) openKeys(app, namespace);
}

const needsKeys = ({keys}: LedgeState): string | undefined =>
	keys && keys.rows.count > 0 ? undefined : 'there is no key here';

const needsKey = ({keys}: LedgeState): string | undefined =>
	keys && keyNameHere(keys) !== undefined ? undefined : 'the cursor is on no key';

export const keysActions: readonly Action[] = [
	{
		id: 'keys.open',
		keys: ['enter', 'l', 'right'],
		title: 'open the key, or the group',
		hint: 'open',
		group: 'Keys',
		where: here,
		unavailable: needsKeys,
		run(app) {
			const {keys, toggleGroup} = app.state();
			const name = keys && keyNameHere(keys);
			if (name === undefined) toggleGroup();
			else openKey(app, name);
		},
	},
	{
		id: 'keys.close-group',
		keys: ['h', 'left'],
		title: 'close the group',
		group: 'Keys',
		where: here,
		unavailable: needsKeys,
		run: app => app.state().closeGroup(),
	},
	{
		id: 'keys.select',
		keys: ['space'],
		title: 'select the key, or everything in the group',
		hint: 'select',
		words: ['mark'],
		group: 'Keys',
		where: here,
		unavailable: needsKeys,
		run: app => app.state().toggleSelected(),
	},
	{
		id: 'keys.select-all',
		keys: ['a'],
		title: 'select all that is shown, or nothing',
		group: 'Keys',
		where: here,
		unavailable: needsKeys,
		run: app => app.state().selectAll(),
	},
	{
		id: 'keys.copy',
		keys: ['y'],
		title: 'copy the name of the key',
		words: ['clipboard'],
		group: 'Keys',
		where: here,
		unavailable: needsKey,
		run(app) {
			const {keys, say} = app.state();
			const name = keys && keyNameHere(keys);
			if (name !== undefined) say(app.terminal.copy(name));
		},
	},
];

/** Which keys are shown, and how; behind what is done with them, in the hints. */
export const narrowingActions: readonly Action[] = [
	{
		id: 'keys.filter',
		keys: ['/'],
		title: 'show only the keys with a text in their name',
		hint: 'filter',
		words: ['search', 'find'],
		group: 'Keys',
		where: here,
		run: app => app.state().beginFilter(),
	},
	{
		id: 'keys.arrange',
		keys: ['t'],
		title: 'change between the tree of prefixes and the plain list',
		hint: 'tree/list',
		words: ['flat', 'group'],
		group: 'Keys',
		where: here,
		run(app) {
			const {keys, arrangeKeys} = app.state();
			arrangeKeys(keys?.arrangement === 'tree' ? 'flat' : 'tree');
		},
	},
	{
		id: 'keys.all',
		keys: ['ctrl-l'],
		title: 'list all keys, to the end',
		words: ['load all', 'read all'],
		group: 'Keys',
		where: here,
		unavailable: ({keys}) => (keys?.listing.state === 'complete' ? 'all keys are listed' : undefined),
		run: app => app.state().listAll(),
	},
];
