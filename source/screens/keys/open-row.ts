import {
	type NamespaceUse,
	type OpenedNamespace,
	openLocalNamespace,
	openRemoteNamespace,
} from '../../session/namespaces.ts';
import type {Session} from '../../session/session.ts';
import type {NamespaceRow} from './namespace-rows.ts';

/** Opens the remote or local namespace of a row. The caller closes it. */
export function openNamespaceRow(
	session: Session,
	{where, id = '', title, bindings: [firstBinding], decodesKeys}: NamespaceRow,
	use: NamespaceUse,
	signal: AbortSignal,
): Promise<OpenedNamespace> {
	return where === 'local'
		? openLocalNamespace(session, id, use)
		: openRemoteNamespace(
				session,
				{
					id,
					name: title,
					decodesKeys,
					boundAs: firstBinding && `${firstBinding.binding} (${firstBinding.declaredAt})`,
				},
				use,
				signal,
			);
}
