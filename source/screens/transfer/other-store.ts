import {Readable} from 'node:stream';
import {formatJurisdictionWarning} from '../../kv/jurisdiction.ts';
import {parseStoreName} from '../../kv/transfer/store-name.ts';
import type {NamespaceUse, OpenedNamespace} from '../../session/namespaces.ts';
import type {Session} from '../../session/session.ts';
import {openNamedStore} from '../../session/stores.ts';
import type {NamespaceRow} from '../keys/namespace-rows.ts';
import {openNamespaceRow} from '../keys/open-row.ts';
import type {NamespacesState} from '../namespaces/slice.ts';

type Rows = Pick<NamespacesState, 'rows' | 'hiddenRows'>;

/**
 * Finds the listed namespace with a store name. Rows and stores have the same names: `remote:ID`, `local:ID`.
 */
const findRowByName = ({rows, hiddenRows}: Rows, name: string): NamespaceRow | undefined =>
	[...rows, ...hiddenRows].find(row => row.name === name);

/** Returns the remote counterpart of a local namespace, or the local one of a remote namespace. */
export function getCounterpartStore({
	where,
	id,
	title,
}: NamespaceRow): {readonly name: string; readonly title: string} | undefined {
	const otherTarget = where === 'local' ? 'remote' : 'local';
	return id === undefined ? undefined : {name: `${otherTarget}:${id}`, title: `${title}, ${otherTarget}`};
}

/** Formats the other store's title: its own title if it is known and differs, else its store name. */
export function formatOtherStoreTitle(baseRow: NamespaceRow, name: string, namespaces: Rows): string {
	const counterpart = getCounterpartStore(baseRow);
	if (counterpart?.name === name) return counterpart.title;
	const title = findRowByName(namespaces, name)?.title;
	return title === undefined || title === baseRow.title ? name : title;
}

/** Describes a typed local store that a copy may create; undefined for other stores. */
export function describeLocalStore(
	name: string,
	namespaces: Rows,
	formatPath: (folder: string) => string,
): string | undefined {
	const store = findRowByName(namespaces, name) ? undefined : parseStoreName(name);
	if (store?.kind !== 'local') return undefined;
	const place = store.folder === undefined ? '' : ` in ${formatPath(store.folder)}`;
	return `Creates the local namespace ${JSON.stringify(store.name)}${place} unless it exists.`;
}

/**
 * Warns if a listed namespace is kept in another jurisdiction than the open one. `unlisted`: the service has
 * to be asked.
 */
export function getListedJurisdictionWarning(
	openRow: NamespaceRow,
	name: string,
	namespaces: Rows,
): string | undefined | 'unlisted' {
	if (openRow.where === 'local' || /^(local|file):/.test(name)) return undefined;
	const row = findRowByName(namespaces, name);
	return row ? formatJurisdictionWarning(openRow, row) : 'unlisted';
}

/**
 * Opens the other store of a copy or comparison. A listed store belongs to the account of the list. Any other
 * store may belong to the second account.
 */
export function openOtherStore(
	session: Session,
	name: string,
	{
		write,
		namespaces,
		resolveInputPath,
	}: NamespaceUse & {namespaces: Rows; resolveInputPath(typed: string): string},
	signal: AbortSignal,
): Promise<OpenedNamespace> {
	const row = findRowByName(namespaces, name);
	if (row) return openNamespaceRow(session, row, {write, isConfigured: true}, signal);
	const parsed = parseStoreName(name);
	const store = parsed.kind === 'file' ? {...parsed, path: resolveInputPath(parsed.path)} : parsed;
	return openNamedStore(session, store, {side: 'to', write, stdin: Readable.from([])}, signal);
}
