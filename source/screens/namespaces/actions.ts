import {toFailure} from '../../failure.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import {formatJurisdiction, jurisdictions, unchangeableJurisdiction} from '../../kv/jurisdiction.ts';
import {checkNamespaceTitle} from '../../kv/namespaces.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {formatInteger} from '../../text/figures.ts';
import {openKeys} from '../keys/actions.ts';
import {allKeys} from '../keys/chosen-keys.ts';
import type {NamespaceRow} from '../keys/namespace-rows.ts';
import {getConfirmationText} from '../keys/namespace-rows.ts';
import {mustLoad} from '../list/reading.ts';
import {createListActions} from '../list/screen.ts';
import {defineGlobalAction, getReadOnlyReason, withClipboardCopy} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {askForAccount} from '../shell/ask-for-account.ts';
import {askToConfirm} from '../shell/confirmation.ts';
import {getCurrentScreen} from '../shell/screen-name.ts';
import {formatNamespaceSort, listAvailableSorts} from './figures.ts';
import {getSelectedNamespace, type NamespacesSlice, namespaceList, type Where} from './slice.ts';

const {defineAction: defineNamespacesAction, getCurrentRow: getCurrentNamespace} = namespaceList;

/** Shows the namespaces of the service or of local data, and reads them unless they are current. */
export function openNamespaces(app: App, where: Where): void {
	const namespaces = app.state().namespaces.data;
	goToNamespaces(app);
	if (namespaces.shownStorage !== where || mustLoad(namespaces) || namespaces.reading === 'stale')
		readNamespaces(app, where);
}

/** Goes to the namespaces; back never leads from them to the keys of one, which may be closed. */
export function goToNamespaces({state}: App): void {
	const {stack, go, openFromHome} = state().navigation;
	const keysIndex = stack.indexOf('keys');
	if (keysIndex === -1 || stack.includes('namespaces')) go('namespaces');
	else openFromHome(...stack.slice(1, keysIndex), 'namespaces');
}

/** Reads the list. `isForced` then reads the measured figures, even if they are recent. */
export function readNamespaces(app: App, where: Where, isForced = false): void {
	const {state} = app;
	void state()
		.work.run('loading namespaces', 'read', signal => state().namespaces.load(where, signal))
		.then(isDone => {
			const {failure} = state().namespaces.data;
			if (failure) void askForAccount(app, failure, 'namespaces');
			else if (isDone && isForced) readFigures(app, where, isForced);
		});
}

/** Reads the measured figures of all namespaces unless they are recent. A failure shows in the status line only. */
export function readFigures({state}: App, where: Where, isForced = false): void {
	if (where === 'local') return;
	state()
		.work.runPart('loading metrics', 'background', signal =>
			state().metrics.loadStoreFigures(signal, isForced),
		)
		.catch(() => {});
}

/**
 * Reads the namespaces in the background for another screen, unless that was tried before. A failure is shown
 * only on the screen of the namespaces.
 */
export function preloadNamespaces({state}: App): void {
	const {shownStorage, reading} = state().namespaces.data;
	if (reading !== 'unread' && reading !== 'stale') return;
	state()
		.work.runPart('loading namespaces', 'background', signal => state().namespaces.load(shownStorage, signal))
		.catch(() => {});
}

const unknownIdReason = 'its id is unknown';
const getUnknownIdReason = (state: StateWith<'namespaces'>): string | undefined => {
	const namespace = getSelectedNamespace(state.namespaces.data);
	return namespace && namespace.id === undefined ? unknownIdReason : undefined;
};

/** Returns why an action that only the service offers is unavailable. */
function getServiceOnlyReason(state: StateWith<'namespaces' | 'connection'>): string | undefined {
	if (state.namespaces.data.shownStorage === 'local')
		return 'local data has no titles; writing its first key creates a namespace';
	return getReadOnlyReason(state);
}

/** Runs a write to the service as visible work. */
const runNamespaceWrite = (
	{state}: App,
	label: string,
	write: (namespaces: NamespacesSlice, signal: AbortSignal) => Promise<void>,
): void => void state().work.run(label, 'write', signal => write(state().namespaces, signal));

function askToRenameNamespace(app: App, namespace: NamespaceRow): void {
	app.state().dialog.openField({
		title: `Rename "${namespace.title}"`,
		lines: [
			'Its keys and its id do not change. Bindings use the id, so they keep working.',
			...(namespace.jurisdiction === undefined
				? []
				: [`It stays in ${formatJurisdiction(namespace.jurisdiction)}. ${unchangeableJurisdiction}`]),
		],
		value: namespace.title,
		actionLabel: 'rename',
		check: title =>
			getTitleProblem(title) ??
			(title === namespace.title ? undefined : getTakenTitleProblem(app.state(), title)),
		submit: title =>
			runNamespaceWrite(app, `renaming "${namespace.title}"`, (namespaces, signal) =>
				namespaces.rename(namespace, title, signal),
			),
	});
}

/** Offers an export before a deletion, because nothing else saves the keys. */
function askToDeleteNamespace(app: App, namespace: NamespaceRow): void {
	app.state().dialog.open({
		kind: 'choice',
		title: `Delete "${namespace.title}"?`,
		lines: ['This deletes every key in it, and cannot be undone.'],
		choices: [
			{value: 'export', label: 'Export its keys to a file first…'},
			{value: 'delete', label: 'Delete without an export…'},
		],
		choose: value =>
			value === 'export' ? exportBeforeDelete(app, namespace) : confirmRemoval(app, namespace),
	});
}

function exportBeforeDelete(app: App, namespace: NamespaceRow): void {
	const {state} = app;
	const {resolveInputPath, formatInputPath, checkNewPath, findFreeName, completeInputPath} = state().paths;
	state().dialog.openField({
		title: `Export "${namespace.title}" before deleting it`,
		lines: [
			'The output file: NDJSON, one key per line; compressed if its name ends in .gz.',
			'Once it is written, the question whether to delete the namespace follows here.',
		],
		value: findFreeName(namespace.title.replaceAll(/[^\w.-]+/g, '_'), '.ndjson'),
		actionLabel: 'export',
		describe: path => `writes ${formatInputPath(path)}`,
		complete: completeInputPath,
		check: checkNewPath,
		submit(typedPath) {
			const path = resolveInputPath(typedPath);
			state().messages.say(
				`Exporting "${namespace.title}": stay here, and the question whether to delete it follows.`,
			);
			void state()
				.work.run(`exporting "${namespace.title}"`, 'long', signal =>
					state().transfer.exportTo(namespace, allKeys, path, signal),
				)
				.then(isDone => {
					if (!isDone) return;
					if (getCurrentScreen(state()) === 'namespaces' && !state().dialog.current) {
						state().transfer.leave();
						confirmRemoval(app, namespace, path);
					} else
						state().messages.warn(
							`Exported "${namespace.title}" to ${formatInputPath(path)}; it is not deleted: press ${nameKey('namespaces.delete', 'd')} on it in Namespaces (${nameKey('go.namespaces', '1')}).`,
						);
				});
		},
	});
}

function confirmRemoval(app: App, namespace: NamespaceRow, exportPath?: string): void {
	const knownCount = app.state().namespaces.keyCounts.get(namespace.name);
	const question = {
		title: `Delete "${namespace.title}"?`,
		lines: [
			`Namespace ${namespace.id} and every key in it${knownCount ? ` (${formatInteger(knownCount.keys)}${knownCount.isExact ? '' : '+'} listed)` : ''}.`,
			...namespace.bindings.map(
				({binding, declaredAt}) => `It is bound as ${binding} in ${declaredAt}: a Worker may be using it.`,
			),
			exportPath === undefined ? 'This cannot be undone.' : `Its keys were exported to ${exportPath}.`,
		],
		actionLabel: 'delete',
	};
	askToConfirm(app.state(), question, getConfirmationText(namespace), () =>
		runNamespaceWrite(app, `deleting "${namespace.title}"`, (namespaces, signal) =>
			namespaces.delete(namespace, signal),
		),
	);
}

export const goNamespaces = defineGlobalAction('go.namespaces', ['1'], 'go to namespaces', {
	searchTerms: [
		'ns',
		'key-value',
		'kv',
		'open namespaces',
		'list namespaces',
		'show namespaces',
		'all namespaces',
		'stores',
		'switch namespace',
		'go to namespace',
	],
	run(app) {
		app.state().work.cancelReads();
		app.state().keys.close();
		openNamespaces(app, app.state().namespaces.data.shownStorage);
	},
});

export const namespaceActions: readonly Action[] = [
	defineNamespacesAction('namespaces.open', ['enter', 'l', 'right'], 'open the keys of the namespace', {
		paletteMode: 'never',
		opensRow: true,
		searchTerms: ['browse keys', 'list keys', 'show keys'],
		hint: 'keys',
		...namespaceList.withCurrentRow((app, namespace) => void openKeys(app, namespace), getUnknownIdReason),
	}),
	defineNamespacesAction('namespaces.new', ['a'], 'create a namespace', {
		effect: 'writes',
		paletteMode: 'at once',
		hint: 'new',
		searchTerms: ['new namespace', 'add namespace', 'make namespace', 'create namespace'],
		getUnavailableReason: getServiceOnlyReason,
		run: app =>
			app.state().dialog.openField({
				title: 'New namespace',
				lines: [
					'The exact title; no prefix is added.',
					'The jurisdiction (tab, shift-tab) cannot be changed later.',
				],
				value: '',
				actionLabel: 'create',
				modes: {
					labels: [
						'stored anywhere',
						...jurisdictions.map(jurisdiction => `stored in ${formatJurisdiction(jurisdiction)}`),
					],
					selectedIndex: 0,
				},
				check: title => getTitleProblem(title) ?? getTakenTitleProblem(app.state(), title),
				submit: (title, mode = 0) =>
					runNamespaceWrite(app, `creating "${title}"`, (namespaces, signal) =>
						namespaces.create(title, signal, jurisdictions[mode - 1]),
					),
			}),
	}),
	defineNamespacesAction('namespaces.rename', ['R'], 'rename the namespace', {
		effect: 'writes',
		hint: 'rename',
		searchTerms: [
			'mv',
			'title',
			'change title',
			'change namespace title',
			'change namespace name',
			'namespace name',
			'edit namespace',
		],
		...namespaceList.withCurrentRow(askToRenameNamespace, getServiceOnlyReason),
	}),
	defineNamespacesAction('namespaces.delete', ['d'], 'delete the namespace and every key in it', {
		effect: 'writes',
		hint: 'delete',
		searchTerms: ['remove', 'drop', 'destroy', 'delete namespace'],
		isDestructive: true,
		...namespaceList.withCurrentRow(askToDeleteNamespace, getServiceOnlyReason),
	}),
	defineNamespacesAction(
		'namespaces.pair',
		['P'],
		'go to the preview or production namespace of the same binding',
		{
			searchTerms: ['switch to preview', 'preview namespace', 'production namespace'],
			hint: 'go to preview/production',
			getUnavailableReason: state =>
				getCurrentNamespace(state)?.pair ? undefined : 'it has no preview or production pair',
			run: app => app.state().namespaces.goToPair(),
		},
	),
	defineNamespacesAction('namespaces.where', ['L'], 'toggle service / local data', {
		paletteMode: 'in place',
		where: ['namespaces', 'home'],
		hint: 'local/service',
		searchTerms: [
			'live data',
			'live data not local',
			'go live',
			'switch',
			'toggle local',
			'remote',
			'local',
			'switch to local',
			'local data',
			'local storage',
			'dev server',
			'wrangler dev',
			'switch to service',
			'miniflare',
		],
		getUnavailableReason: ({connection: {data: connection}}) =>
			connection?.simulated ? 'the simulated service has no local data' : undefined,
		run(app) {
			const {shownStorage} = app.state().namespaces.data;
			openNamespaces(app, shownStorage === 'remote' ? 'local' : 'remote');
		},
	}),
	defineNamespacesAction('namespaces.sort', ['s'], 'sort by name, keys, size, reads or writes', {
		searchTerms: [
			'sort',
			'order',
			'sort namespaces',
			'largest first',
			'biggest',
			'most used',
			'sort by size',
			'sort by reads',
		],
		getUnavailableReason: ({namespaces: {data: namespaces}}) =>
			namespaces.rows.length > 0 ? undefined : namespaceList.noRowReason,
		run({state}) {
			const sorts = listAvailableSorts(state());
			const sort = sorts[(sorts.indexOf(state().namespaces.data.sort) + 1) % sorts.length] ?? 'name';
			state().namespaces.sort(sort);
			state().messages.say(`Sorted ${formatNamespaceSort(sort)}.`);
		},
	}),
	...createListActions(namespaceList, 'filter namespaces by title, binding or id', [
		{
			shortcut: 'y',
			noun: 'the namespace id',
			searchTerms: ['copy', 'clipboard', 'namespace id', 'copy id'],
			missingReason: unknownIdReason,
			getText: ({id}) => id,
		},
	]),
	defineNamespacesAction('namespaces.copy-title', ['Y'], 'copy the namespace title', {
		searchTerms: ['copy title', 'copy namespace name', 'namespace title'],
		...withClipboardCopy(state => getCurrentNamespace(state)?.title, namespaceList.noRowReason),
	}),
];

const getTakenTitleProblem = (
	{namespaces: {data: namespaces}}: StateWith<'namespaces'>,
	title: string,
): string | undefined =>
	namespaces.rowsByName.some(row => row.title === title)
		? 'A namespace with this title already exists.'
		: undefined;

function getTitleProblem(title: string): string | undefined {
	try {
		checkNamespaceTitle(title);
		return title.trim() === '' ? "The title can't be only whitespace." : undefined;
	} catch (error) {
		const {message, details} = toFailure(error);
		return `${message} ${details.why ?? ''}`.trim();
	}
}
