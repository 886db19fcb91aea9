import type {Suggestion, Suggestions} from '../../components/suggestions.tsx';
import {toFailure} from '../../failure.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {toDrawable} from '../../text/columns.ts';
import {type ChosenKeys, formatChosenKeys} from '../keys/chosen-keys.ts';
import type {NamespaceRow} from '../keys/namespace-rows.ts';
import type {App} from '../shell/app.ts';
import {getCurrentScreen} from '../shell/screen-name.ts';
import {getCounterpartStore, getListedJurisdictionWarning} from './other-store.ts';

type StoreQuestion = {
	/** "Copy", "Compare". */
	readonly verb: string;
	/** True if the store is written to, which excludes files. */
	readonly writesStore: boolean;
	/** Lines shown before the choices. */
	readonly lines: readonly string[];
	/** Called with the name of the store, and a warning if it is kept in another jurisdiction. */
	onChosen(name: string, warning: string | undefined): void;
};

/** Asks for a store other than the open one: lists all namespaces, and accepts any name of a store. */
export function askForStore(
	app: App,
	chosenKeys: ChosenKeys,
	{verb, writesStore, lines, onChosen}: StoreQuestion,
): void {
	const {state} = app;
	const keys = state().keys.data;
	const {checkStoreName, contextName} = state().paths;
	if (!keys) return;
	const {namespace} = keys;
	let isListed = false;
	const title = `${verb} ${formatChosenKeys(chosenKeys, namespace.title)} ${writesStore ? 'into' : 'with'}`;
	state().dialog.openField({
		title,
		lines: [
			...lines,
			`Choose a namespace, or type another, such as ${contextName === undefined ? '' : `remote:${toDrawable(contextName)}/CONFIG (context/title), `}${writesStore ? '' : 'file:keys.ndjson or '}local:CONFIG@../api/.wrangler/state.`,
		],
		value: '',
		actionLabel: verb.toLowerCase(),
		suggestions: {all: listStores(state(), namespace), note: 'listing all namespaces…'},
		check: typed =>
			typed.trim() === ''
				? 'Type the name of a store.'
				: checkStoreName(toStoreName(typed), {
						isDestination: writesStore,
						listedNamespaces: isListed ? listNamespaces(state()) : undefined,
					}),
		submit(typed) {
			const name = toStoreName(typed);
			withJurisdictionWarning(app, namespace, name, warning => onChosen(name, warning));
		},
	});
	const suggest = (note: Suggestions['note']) =>
		state().dialog.suggest(title, {all: listStores(state(), namespace), note});
	void state().work.run('listing all namespaces', 'background', async signal => {
		try {
			await state().namespaces.loadAll(signal);
			isListed = true;
			suggest(undefined);
		} catch (error) {
			suggest(`Not all namespaces are listed: ${toFailure(error).message}`);
		}
	});
}

/**
 * Calls `onKnown` with the warning about different jurisdictions, if any. Asks the service first if the store
 * is not listed; not at all, then, if that fails or the user has moved on.
 */
function withJurisdictionWarning(
	{state}: App,
	openRow: NamespaceRow,
	name: string,
	onKnown: (warning: string | undefined) => void,
): void {
	const listedWarning = getListedJurisdictionWarning(openRow, name, state().namespaces.data);
	if (listedWarning !== 'unlisted') {
		onKnown(listedWarning);
		return;
	}
	const screen = getCurrentScreen(state());
	let warning: string | undefined;
	void state()
		.work.run(`reading ${name}`, 'read', async signal => {
			warning = await state().transfer.findJurisdictionWarning(openRow, name, signal);
		})
		.then(isDone => {
			if (isDone && getCurrentScreen(state()) === screen && !state().dialog.current) onKnown(warning);
		});
}

/** Reads a text without a kind of store as the title of a namespace of the service. */
function toStoreName(typed: string): string {
	const text = typed.trim();
	return text.includes(':') ? text : `remote:${text}`;
}

const listNamespaces = ({namespaces: {data}}: StateWith<'namespaces'>): readonly NamespaceRow[] => [
	...data.rows,
	...data.hiddenRows,
];

/**
 * Lists the namespaces that exist besides the open one: its preview or production namespace and its local or
 * remote counterpart first. Those of the storage that is not shown follow, so that no row moves when they are
 * listed.
 */
function listStores(
	{namespaces: {data: namespaces}}: StateWith<'namespaces'>,
	openRow: NamespaceRow,
): readonly Suggestion[] {
	const nearbyNames = [openRow.pair?.name, getCounterpartStore(openRow)?.name];
	const putNearbyFirst = (rows: readonly NamespaceRow[]) => {
		const otherRows = rows.filter(
			({name, isMissing, id}) => name !== openRow.name && !isMissing && id !== undefined,
		);
		const isNearby = ({name}: NamespaceRow) => nearbyNames.includes(name);
		return [...otherRows.filter(isNearby), ...otherRows.filter(row => !isNearby(row))];
	};
	return [...putNearbyFirst(namespaces.rows), ...putNearbyFirst(namespaces.hiddenRows)].map(row => ({
		value: row.name,
		label: formatStoreLabel(row),
		texts: [row.title, row.id ?? '', ...row.bindings.map(({binding}) => binding)],
	}));
}

function formatStoreLabel({where, title, bindings: [firstBinding]}: NamespaceRow): string {
	if (where === 'local') return `${title}, local`;
	return firstBinding
		? `${title} (${firstBinding.binding}${firstBinding.preview ? ', preview' : ''})`
		: title;
}
