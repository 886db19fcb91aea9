import {Readable} from 'node:stream';
import {parseStoreName} from '../../kv/transfer/store-name.ts';
import type {NamespaceUse, OpenedNamespace} from '../../session/namespaces.ts';
import type {Session} from '../../session/session.ts';
import {openNamedStore} from '../../session/stores.ts';
import type {NamespaceRow} from '../keys/namespace-rows.ts';
import {openNamespaceRow} from '../keys/open-row.ts';
import type {NamespacesState} from '../namespaces/slice.ts';

type Rows = Pick<NamespacesState, 'rows'>;

/** Returns the listed namespace of a store name: rows are named like stores, `remote:ID`, `local:ID`. */
const findRowByName = ({rows}: Rows, name: string): NamespaceRow | undefined =>
	rows.find(row => row.name === name);

/** Returns the namespace with the same id on the other side: remote or local. */
export function getCounterpartStore({
	where,
	id,
	title,
}: NamespaceRow): {readonly name: string; readonly title: string} | undefined {
	const otherPlace = where === 'local' ? 'remote' : 'local';
	return id === undefined ? undefined : {name: `${otherPlace}:${id}`, title: `${title}, ${otherPlace}`};
}

/** Formats the other store's title: its own title if it is known and differs, else its store name. */
export function formatOtherStoreTitle(beside: NamespaceRow, name: string, namespaces: Rows): string {
	const counterpart = getCounterpartStore(beside);
	if (counterpart?.name === name) return counterpart.title;
	const title = findRowByName(namespaces, name)?.title;
	return title === undefined || title === beside.title ? name : title;
}

/**
 * Opens the other store of a copy or comparison. A store from the list belongs to the listed account; a named
 * one may belong to the second account.
 */
export function openOtherStore(
	session: Session,
	name: string,
	{write, namespaces, inputPath}: NamespaceUse & {namespaces: Rows; inputPath(typed: string): string},
	signal: AbortSignal,
): Promise<OpenedNamespace> {
	const row = findRowByName(namespaces, name);
	if (row) return openNamespaceRow(session, row, {write}, signal);
	const parsed = parseStoreName(name);
	const store = parsed.kind === 'file' ? {...parsed, path: inputPath(parsed.path)} : parsed;
	return openNamedStore(session, store, {side: 'to', write, stdin: Readable.from([])}, signal);
}
