import {nameKey} from '../../keyboard/named-keys.ts';
import {parseKeyFilter} from '../../kv/key-index/key-filter.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {formatInteger} from '../../text/figures.ts';
import {openKey} from '../key/actions.ts';
import {createActionFactory, filterBehavior, filterTerms, withClipboardCopy} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import type {Sort} from './arranged-rows.ts';
import {getCurrentKeyName} from './cursor-row.ts';
import type {NamespaceRow} from './namespace-rows.ts';
import {countHiddenSelected, formatKeySort, formatScope, hasUnknownSizes, isFiltered} from './shown-keys.ts';
import type {SavedKeysView} from './state.ts';

const defineKeysAction = createActionFactory('Keys', ['keys']);

/**
 * Opens the Keys screen and lists the namespace; `savedView` restores the filter and the cursor. The screen
 * changes at once, so that it receives keys typed ahead. Resolves when the namespace is open or could not be
 * opened.
 */
export async function openKeys(app: App, namespace: NamespaceRow, savedView?: SavedKeysView): Promise<void> {
	const {state} = app;
	if (state().keys.data?.namespace.name !== namespace.name) state().keys.close();
	state().navigation.go('keys');
	await openKeysInPlace(app, namespace, savedView);
}

/** Opens and lists a namespace without changing the screen. Returns true if it is open. */
export async function openKeysInPlace(
	app: App,
	namespace: NamespaceRow,
	savedView?: SavedKeysView,
): Promise<boolean> {
	const {state} = app;
	const isOpen = await state().work.run(`opening ${namespace.title}`, 'read', signal =>
		state().keys.open(namespace, signal, undefined, savedView),
	);
	if (isOpen) listKeysInBackground(app);
	return isOpen;
}

/** Opens a key of the open namespace. Without a filter, the list's cursor moves to the key or its group. */
export function openListedKey(app: App, name: string): void {
	const {data: keys, move: moveInKeys} = app.state().keys;
	const {go} = app.state().navigation;
	if (!keys) return;
	go('keys');
	if (!isFiltered(keys)) moveInKeys(keys.rows.findRow(keys.index.find(name).position) - keys.cursor);
	openKey(app, name);
}

function listKeysInBackground({state}: App): void {
	const title = state().keys.data?.namespace.title ?? '';
	void state().work.run(`listing ${title}`, 'background', signal => state().keys.list(signal));
}

/** Opens and lists the namespace again. A failed listing resumes where it stopped instead. */
export function reloadKeys(app: App): void {
	const {data: keys, opening, resumeListing} = app.state().keys;
	if (keys?.listing.state === 'failed') {
		resumeListing();
		return;
	}
	const namespace = keys?.namespace ?? opening?.namespace;
	if (namespace) void openKeys(app, namespace);
}

export const getNoKeysReason = ({keys: {data: keys}}: StateWith<'keys'>): string | undefined =>
	keys && keys.rows.count > 0 ? undefined : 'no keys listed';

const nextSorts: Readonly<Record<Sort, Sort>> = {name: 'expiry', expiry: 'size', size: 'name'};

export const keysActions: readonly Action[] = [
	defineKeysAction('keys.open', ['enter', 'l', 'right'], 'open the key or group', {
		paletteMode: 'never',
		opensRow: true,
		searchTerms: ['get', 'get key', 'view key', 'show value', 'read value'],
		hint: 'open',
		getUnavailableReason: getNoKeysReason,
		run(app) {
			const {data: keys, toggleGroup} = app.state().keys;
			const name = keys && getCurrentKeyName(keys);
			if (name === undefined) toggleGroup();
			else void openKey(app, name);
		},
	}),
	defineKeysAction('keys.close-group', ['h', 'left'], 'close the group', {
		paletteMode: 'never',
		getUnavailableReason: getNoKeysReason,
		run: app => app.state().keys.closeGroup(),
	}),
	defineKeysAction('keys.select', ['space'], 'select the key or group', {
		paletteMode: 'never',
		hint: 'select',
		searchTerms: ['mark', 'tick', 'check', 'pick'],
		getUnavailableReason: getNoKeysReason,
		run: app => app.state().keys.toggleRowSelection(),
	}),
	defineKeysAction('keys.select-all', ['A'], 'select or deselect all shown keys', {
		paletteMode: 'at once',
		searchTerms: ['flushdb', 'delete all keys', 'delete everything', 'mark all', 'deselect all', 'unselect'],
		getUnavailableReason: getNoKeysReason,
		run({state}) {
			state().keys.toggleShownSelection();
			const keys = state().keys.data;
			if (!keys) return;
			const {selectedCount} = keys.index;
			const hiddenCount = countHiddenSelected(keys);
			const hiddenText = `${formatInteger(hiddenCount)} hidden by the filter`;
			const moreNote =
				keys.index.complete || isFiltered(keys)
					? ''
					: keys.listing.state === 'reading'
						? '; more are loading'
						: `; ${nameKey('keys.all', 'ctrl-l')} lists the rest`;
			state().messages.say(
				keys.rows.count === 0 || selectedCount === hiddenCount
					? `Deselected ${formatScope(keys)}${hiddenCount > 0 ? `; ${hiddenText} stay selected` : ''}.`
					: `${formatInteger(selectedCount)} selected: ${formatScope(keys)}${hiddenCount > 0 ? `, and ${hiddenText}` : ''}${moreNote}.`,
			);
		},
	}),
	defineKeysAction('keys.copy', ['y'], 'copy the key name', {
		searchTerms: ['copy', 'clipboard', 'yank', 'key name', 'copy name'],
		...withClipboardCopy(
			({keys: {data: keys}}) => keys && getCurrentKeyName(keys),
			'the cursor is not on a key',
		),
	}),
];

/** Actions that change which keys are listed, and how. They come last in the hints. */
export const keysViewActions: readonly Action[] = [
	defineKeysAction('keys.filter', ['/'], 'filter keys, ^prefix, !without', {
		...filterBehavior,
		searchTerms: [...filterTerms, 'scan', 'scan user', 'prefix', 'starts with', 'begins with', 'get session'],
	}),
	defineKeysAction('keys.arrange', ['t'], 'toggle tree / list', {
		paletteMode: 'at once',
		hint: 'tree/list',
		searchTerms: ['flat', 'group', 'folders', 'prefixes', 'flat list'],
		getUnavailableReason: ({keys: {data: keys}}) =>
			keys && parseKeyFilter(keys.filter).kind === 'text'
				? 'filtered keys are always a list; esc clears the filter'
				: undefined,
		run(app) {
			const {data: keys, chooseArrangement} = app.state().keys;
			chooseArrangement(keys?.arrangement === 'tree' && keys.sort === 'name' ? 'flat' : 'tree');
		},
	}),
	defineKeysAction('keys.sort', ['s'], 'sort keys: by name, expiration or size', {
		paletteMode: 'at once',
		searchTerms: [
			'sort',
			'sort by name',
			'order by expiry',
			'expires first',
			'expiring soon',
			'soonest first',
			'sort keys',
			'sort by size',
			'largest',
			'biggest',
		],
		getUnavailableReason: getNoKeysReason,
		run({state}) {
			const previousKeys = state().keys.data;
			if (!previousKeys) return;
			const {sort, sizes} = previousKeys;
			const nextSort = nextSorts[sort];
			const hasNoSizes = nextSort === 'size' && !sizes.hasAny;
			state().keys.sort(hasNoSizes ? 'name' : nextSort);
			const keys = state().keys.data;
			// While sorting, the status line shows the progress.
			if (!keys?.rows.isDone) return;
			const note = hasNoSizes
				? ' No sizes known: open keys to sort by size.'
				: nextSort === 'size' && hasUnknownSizes(keys)
					? ' Open a key to read its size.'
					: '';
			state().messages.say(`Sorted ${formatKeySort(keys)}.${note}`);
		},
	}),
	defineKeysAction('keys.all', ['ctrl-l'], 'list all keys', {
		paletteMode: 'at once',
		searchTerms: ['load all', 'read all', 'load everything', 'count keys'],
		getUnavailableReason: ({keys: {data: keys}}) =>
			keys?.listing.state === 'complete' ? 'all keys are already listed' : undefined,
		run: app => app.state().keys.listAll(),
	}),
];
