import type {Has} from '../../store/ledge-store.ts';
import {grouped} from '../../text/figures.ts';
import {openKey} from '../key/actions.ts';
import {actionsOf, copying, filtering} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {keyNameHere} from './here.ts';
import type {NamespaceRow} from './namespace-rows.ts';
import {hiddenSelected, meantText, sortText} from './shown.ts';
import type {LeftKeys} from './slice.ts';

const action = actionsOf('Keys', ['keys']);

/**
 * Opens the Keys screen and lists the namespace; `left` restores filter and cursor. The screen changes at
 * once, so that typed-ahead keys reach it. Resolves when the namespace is open or has failed to open.
 */
export async function openKeys(app: App, namespace: NamespaceRow, left?: LeftKeys): Promise<void> {
	const {state} = app;
	if (state().keys.data?.namespace.name !== namespace.name) state().keys.close();
	state().navigation.go('keys');
	await beginKeys(app, namespace, left);
}

/** Opens and lists a namespace without changing the screen. Returns true if it is open. */
export async function beginKeys(app: App, namespace: NamespaceRow, left?: LeftKeys): Promise<boolean> {
	const {state} = app;
	const opened = await state().work.run(`opening ${namespace.title}`, 'read', signal =>
		state().keys.open(namespace, signal, undefined, left),
	);
	if (opened) listKeys(app);
	return opened;
}

/** Opens a key of the open namespace; without a filter, the list's cursor moves to it or to its group. */
export function openListedKey(app: App, name: string): void {
	const {data: keys, move: moveInKeys} = app.state().keys;
	const {go} = app.state().navigation;
	if (!keys) return;
	go('keys');
	if (keys.filter === '') moveInKeys(keys.rows.rowOf(keys.index.find(name).position) - keys.cursor);
	openKey(app, name);
}

function listKeys({state}: App): void {
	const title = state().keys.data?.namespace.title ?? '';
	void state().work.run(`listing ${title}`, 'background', signal => state().keys.list(signal));
}

/** Opens and lists the namespace again; a failed listing resumes where it stopped. */
export function reloadKeys(app: App): void {
	const {data: keys, opening, listMore: listOn} = app.state().keys;
	if (keys?.listing.state === 'failed') {
		listOn();
		listKeys(app);
		return;
	}
	const namespace = keys?.namespace ?? opening?.namespace;
	if (namespace) void openKeys(app, namespace);
}

const needsKeys = ({keys: {data: keys}}: Has<'keys'>): string | undefined =>
	keys && keys.rows.count > 0 ? undefined : 'there is no key here';

export const keysActions: readonly Action[] = [
	action('keys.open', ['enter', 'l', 'right'], 'open the key, or the group', {
		elsewhere: 'never',
		opens: true,
		words: ['view key', 'show value', 'read value'],
		hint: 'open',
		unavailable: needsKeys,
		run(app) {
			const {data: keys, toggleGroup} = app.state().keys;
			const name = keys && keyNameHere(keys);
			if (name === undefined) toggleGroup();
			else void openKey(app, name);
		},
	}),
	action('keys.close-group', ['h', 'left'], 'close the group', {
		elsewhere: 'never',
		unavailable: needsKeys,
		run: app => app.state().keys.closeGroup(),
	}),
	action('keys.select', ['space'], 'select the key, or everything in the group', {
		elsewhere: 'never',
		hint: 'select',
		words: ['mark', 'tick', 'check', 'pick'],
		unavailable: needsKeys,
		run: app => app.state().keys.toggleSelected(),
	}),
	action('keys.select-all', ['a'], 'select all keys that are shown, or none of them', {
		elsewhere: 'at once',
		words: ['mark all', 'deselect all', 'unselect'],
		unavailable: needsKeys,
		run({state}) {
			state().keys.selectAll();
			const keys = state().keys.data;
			if (!keys) return;
			const count = keys.rows.count === 0 ? 0 : keys.index.selectedCount - hiddenSelected(keys);
			state().messages.say(
				count === 0
					? `Nothing selected of ${meantText(keys)}.`
					: `${grouped(count)} selected: ${meantText(keys)}.`,
			);
		},
	}),
	action('keys.copy', ['y'], 'copy the name of the key', {
		words: ['copy', 'clipboard', 'yank', 'key name', 'copy name'],
		...copying(({keys: {data: keys}}) => keys && keyNameHere(keys), 'the cursor is not on a key'),
	}),
];

/** Actions that change which keys are listed, and how. They come last in the hints. */
export const narrowingActions: readonly Action[] = [
	action('keys.filter', ['/'], 'show only the keys with a text in their name', filtering),
	action('keys.arrange', ['t'], 'change between the tree of prefixes and the plain list', {
		elsewhere: 'at once',
		hint: 'tree/list',
		words: ['flat', 'group', 'folders', 'prefixes', 'flat list'],
		run(app) {
			const {data: keys, arrange: arrangeKeys} = app.state().keys;
			arrangeKeys(keys?.arrangement === 'tree' && keys.sort === 'name' ? 'flat' : 'tree');
		},
	}),
	action('keys.sort', ['s'], 'sort by expiry, the soonest first, or by name', {
		elsewhere: 'at once',
		words: ['sort', 'sort by name', 'order by expiry', 'expires first', 'sort keys'],
		unavailable: needsKeys,
		run({state}) {
			state().keys.sort(state().keys.data?.sort === 'expiry' ? 'name' : 'expiry');
			const keys = state().keys.data;
			// While sorting, the status line shows the progress.
			if (keys?.rows.isDone) state().messages.say(`Sorted ${sortText(keys)}.`);
		},
	}),
	action('keys.all', ['ctrl-l'], 'list all keys, to the end', {
		elsewhere: 'at once',
		words: ['load all', 'read all', 'load everything', 'count keys'],
		unavailable: ({keys: {data: keys}}) =>
			keys?.listing.state === 'complete' ? 'all keys are listed' : undefined,
		run: app => app.state().keys.listAll(),
	}),
];
