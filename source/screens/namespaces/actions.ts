import {asFailure} from '../../failure.ts';
import {checkTitle} from '../../kv/namespaces.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import {columnsOf, drawable} from '../../text/columns.ts';
import {openKeys} from '../keys/actions.ts';
import type {NamespaceRow} from '../keys/namespace-rows.ts';
import type {Action, App} from '../shell/action.ts';
import {askForAccount} from '../shell/ask-for-account.ts';
import {selectedNamespace, type Where} from './slice.ts';

const here = ['namespaces'] as const;
const row = (state: LedgeState): NamespaceRow | undefined => selectedNamespace(state.namespaces);

/** Goes to the namespaces of the service or of the local data, and reads them unless they have been read. */
export function openNamespaces(app: App, where: Where): void {
	const {go, namespaces} = app.state();
	go('namespaces');
	if (namespaces.where !== where || namespaces.reading === 'unread' || namespaces.reading === 'failed')
		readNamespaces(app, where);
}

export function readNamespaces(app: App, where: Where): void {
	const {state} = app;
	void state()
		.run('reading the namespaces', 'read', signal => state().loadNamespaces(where, signal))
		.then(() => {
			const {failure} = state().namespaces;
			if (failure) void askForAccount(app, failure, 'namespaces');
		});
}

const needsRow = (state: LedgeState) => (row(state) ? undefined : 'there is no namespace here');

/** What only the service can do with a namespace. */
function needsService(state: LedgeState): string | undefined {
	if (state.namespaces.where === 'local')
		return 'local data has no namespaces to create or rename: the first key creates one';
	return state.connection?.readOnly ? 'ledge is read-only' : undefined;
}

/** Does something with the namespace under the cursor, if there is one. */
const onRow =
	(work: (app: App, selected: NamespaceRow) => void) =>
	(app: App): void => {
		const selected = row(app.state());
		if (selected) work(app, selected);
	};

/** A write of the service, under way until it has its answer. */
const change = (
	{state}: App,
	label: string,
	write: (state: LedgeState, signal: AbortSignal) => Promise<void>,
): void => void state().run(label, 'write', signal => write(state(), signal));

export const goNamespaces: Action = {
	id: 'go.namespaces',
	keys: ['N'],
	title: 'go to the namespaces',
	words: ['key-value', 'kv'],
	group: 'Everywhere',
	where: 'everywhere',
	run(app) {
		app.state().cancelReads();
		app.state().closeKeys();
		openNamespaces(app, app.state().namespaces.where);
	},
};

export const namespaceActions: readonly Action[] = [
	{
		id: 'namespaces.open',
		keys: ['enter', 'l', 'right'],
		title: 'open the keys of the namespace',
		hint: 'keys',
		group: 'Namespaces',
		where: here,
		unavailable: state =>
			needsRow(state) ?? (row(state)?.id === undefined ? 'its id is not known' : undefined),
		run: onRow(openKeys),
	},
	{
		id: 'namespaces.new',
		keys: ['n'],
		title: 'create a namespace',
		hint: 'new',
		words: ['new namespace', 'add namespace', 'make namespace'],
		group: 'Namespaces',
		where: here,
		unavailable: needsService,
		run: app =>
			app.state().openField({
				title: 'New namespace',
				lines: ['Its title, exactly as it will be. Nothing is put before it.'],
				value: '',
				does: 'create',
				check: titleProblem,
				submit: title =>
					change(app, `creating "${title}"`, (state, signal) => state.createNamespace(title, signal)),
			}),
	},
	{
		id: 'namespaces.rename',
		keys: ['r'],
		title: 'rename the namespace',
		hint: 'rename',
		words: ['title', 'change title'],
		group: 'Namespaces',
		where: here,
		unavailable: state => needsService(state) ?? needsRow(state),
		run: onRow((app, selected) =>
			app.state().openField({
				title: `Rename "${selected.title}"`,
				lines: ['Its keys and its id stay. Bindings use the id, and continue to work.'],
				value: selected.title,
				does: 'rename',
				check: titleProblem,
				submit: title =>
					change(app, `renaming "${selected.title}"`, (state, signal) =>
						state.renameNamespace(selected, title, signal),
					),
			}),
		),
	},
	{
		id: 'namespaces.delete',
		keys: ['d'],
		title: 'delete the namespace with every key in it',
		hint: 'delete',
		words: ['remove', 'drop', 'destroy'],
		group: 'Namespaces',
		destroys: true,
		where: here,
		unavailable: state => needsService(state) ?? needsRow(state),
		run: onRow((app, selected) => {
			const known = app.state().keyCounts.get(selected.name);
			app.state().openField({
				title: `Delete "${selected.title}"?`,
				lines: [
					`Namespace ${selected.id}, and every key in it${known ? ` (${known.keys}${known.exact ? '' : '+'} seen)` : ''}.`,
					...selected.bindings.map(
						({binding, from}) => `It is bound as ${binding} in ${from}: a Worker may be using it.`,
					),
					'This cannot be undone.',
				],
				does: 'delete',
				typed: typeable(selected),
				value: '',
				submit: () =>
					change(app, `deleting "${selected.title}"`, (state, signal) =>
						state.deleteNamespace(selected, signal),
					),
			});
		}),
	},
	{
		id: 'namespaces.pair',
		keys: ['p'],
		title: 'to the preview or production namespace of the same binding',
		hint: 'preview/production',
		group: 'Namespaces',
		where: here,
		unavailable: state => (row(state)?.pair ? undefined : 'it has no such pair'),
		run: app => app.state().toPair(),
	},
	{
		id: 'namespaces.where',
		keys: ['L'],
		title: 'change between the service and local data',
		hint: 'local/service',
		words: ['switch', 'toggle local', 'remote'],
		group: 'Namespaces',
		where: ['namespaces', 'home'],
		unavailable: ({connection}) =>
			connection?.simulated ? 'the simulated service has no local data' : undefined,
		run(app) {
			const {where} = app.state().namespaces;
			openNamespaces(app, where === 'remote' ? 'local' : 'remote');
		},
	},
	{
		id: 'namespaces.filter',
		keys: ['/'],
		title: 'show only the namespaces with a text in title, binding or id',
		hint: 'filter',
		words: ['search', 'find'],
		group: 'Namespaces',
		where: here,
		run: app => app.state().beginFilter(),
	},
	{
		id: 'namespaces.copy',
		keys: ['y'],
		title: 'copy the id of the namespace',
		words: ['clipboard'],
		group: 'Namespaces',
		where: here,
		unavailable: needsRow,
		run(app) {
			const id = row(app.state())?.id;
			if (id !== undefined) app.state().say(app.terminal.copy(id));
		},
	},
];

/** What is typed to delete a namespace: its title, or the id where that cannot well be typed. */
const typeable = ({title, id = ''}: NamespaceRow): string =>
	title === drawable(title) && columnsOf(title) <= 36 ? title : id;

function titleProblem(title: string): string | undefined {
	try {
		checkTitle(title);
		return title.trim() === '' ? 'The title is only white space.' : undefined;
	} catch (error) {
		const {message, details} = asFailure(error);
		return `${message} ${details.why ?? ''}`.trim();
	}
}
