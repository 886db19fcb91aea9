import {type Failure, isFailure} from '../../failure.ts';
import {findJurisdictionWarning} from '../../kv/jurisdiction.ts';
import type {KvStore} from '../../kv/store.ts';
import {parseStoreName, storeForms} from '../../kv/transfer/store-name.ts';
import type {OpenedNamespace} from '../../session/namespaces.ts';
import {openNamedStore, type StoreSide} from '../../session/stores.ts';
import type {CommandContext} from '../shell/context.ts';
import {announceNamespace} from './stores.ts';

/** The accepted forms of store names, for summaries. */
export const storeNamesHelp = `stores: ${storeForms.join(', ')}`;

/** Opens a store named on the command line, on one side of a copy or comparison. */
export async function openStoreBySide(
	context: CommandContext,
	name: string,
	side: StoreSide,
	{write = false}: {readonly write?: boolean} = {},
): Promise<OpenedNamespace> {
	const parsedName = parseStoreName(name);
	const resolvedName =
		parsedName.kind === 'file' ? {...parsedName, path: context.resolve(parsedName.path)} : parsedName;
	const use = {side, write, stdin: context.host.stdin};
	const openedNamespace = await openNamedStore(context.session, resolvedName, use, context.signal).catch(
		(error: unknown) => {
			throw isFailure(error, 'credential_refused') ? withCredentialSide(error, name, side) : error;
		},
	);
	return announceNamespace(context, openedNamespace, use);
}

/** Warns, before keys are read, if two namespaces of the service are kept in different jurisdictions. */
export async function warnAboutJurisdictions(
	{output, signal}: CommandContext,
	one: KvStore,
	other: KvStore,
): Promise<void> {
	const warning = await findJurisdictionWarning(one, other, signal);
	if (warning !== undefined) output.warn(warning);
}

/** Says which of two stores refused its credential: each may have its own. */
function withCredentialSide(failure: Failure, name: string, side: StoreSide): Failure {
	const variables = `LEDGE_${side.toUpperCase()}_CLOUDFLARE_…`;
	const why = `This was for ${name}; its credential and account come from ${variables}, if set.`;
	return failure.withDetails({why: [failure.details.why, why].filter(Boolean).join('\n')});
}
