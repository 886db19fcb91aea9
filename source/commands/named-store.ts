import {parseStoreName} from '../kv/transfer/store-name.ts';
import type {OpenedNamespace} from '../session/namespaces.ts';
import {openNamedStore, type Side} from '../session/stores.ts';
import type {CommandContext} from './context.ts';

/** Opens a store that the command line names (decision 22), on one side of a copy or comparison. */
export async function namedStore(
	context: CommandContext,
	name: string,
	side: Side,
	{write = false}: {readonly write?: boolean} = {},
): Promise<OpenedNamespace> {
	const parsed = parseStoreName(name);
	const place = parsed.kind === 'file' ? {...parsed, path: context.resolve(parsed.path)} : parsed;
	const opened = await openNamedStore(
		context.session,
		place,
		{side, write, stdin: process.stdin},
		context.signal,
	);
	const {kind, label} = opened.store;
	if (write && kind !== 'local' && kind !== 'file') context.announceWrite(label, kind);
	return opened;
}
