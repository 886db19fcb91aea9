import {
	type NamespaceUse,
	type OpenedNamespace,
	openLocalNamespace,
	openRemoteNamespace,
} from '../../session/namespaces.ts';
import type {Session} from '../../session/session.ts';
import type {NamespaceRow} from './namespace-rows.ts';

/** Opens the namespace of a row, wherever it is. Whoever opens it closes it. */
export function openRow(
	session: Session,
	{where, id = '', title, bindings: [bound]}: NamespaceRow,
	use: NamespaceUse,
	signal: AbortSignal,
): Promise<OpenedNamespace> {
	return where === 'local'
		? openLocalNamespace(session, id, use)
		: openRemoteNamespace(
				session,
				{id, name: title, boundAs: bound && `${bound.binding} (${bound.from})`},
				use,
				signal,
			);
}
