import {Failure} from '../../failure.ts';
import {checkFailedFile} from '../../kv/bulk/failed-file.ts';
import type {KvStore} from '../../kv/store.ts';
import {extraKeys} from '../../kv/transfer/pairing.ts';
import {parseStoreName} from '../../kv/transfer/store-name.ts';
import type {OpenedNamespace} from '../../session/namespaces.ts';
import {readyCopy} from '../../session/transfers.ts';
import type {CommandContext} from '../shell/context.ts';
import {deleteListed} from './delete.ts';
import {exportInto} from './export.ts';
import {namedStore} from './named-store.ts';
import {transferred} from './transfer-ending.ts';

export type CopyingOptions = {
	prefix?: string;
	onlyMissing?: boolean;
	deleteExtra?: boolean;
	confirm?: number;
	failed?: string;
	trash?: boolean;
};

/** `kv copy`: into a file it is an export. Extra keys are deleted last, and only once their number was confirmed. */
export async function copyKeys(
	context: CommandContext,
	options: CopyingOptions,
	from = '',
	to = '',
): Promise<void> {
	const there = parseStoreName(to);
	if (there.kind === 'file') return intoFile(context, options, from, there.path);
	context.refuseWhenReadOnly('kv copy');
	const {prefix, onlyMissing = false} = options;
	const failed = options.failed === undefined ? undefined : context.resolve(options.failed);
	if (failed !== undefined && !context.options.dryRun) checkFailedFile(failed, true);
	const source = await namedStore(context, from, 'from');
	using one = source.store;
	const target = await namedStore(context, to, 'to', {write: true});
	using _other = target.store;
	await transferred(
		context,
		readyCopy(context.session, source, target, {
			onlyMissing,
			failed,
			...(prefix !== undefined && {prefix}),
		}),
	);
	if (options.deleteExtra) await deleteExtra(context, one, target, options);
}

async function intoFile(
	context: CommandContext,
	{prefix, onlyMissing, deleteExtra: deletes}: CopyingOptions,
	from: string,
	path: string,
): Promise<void> {
	if (onlyMissing || deletes)
		throw new Failure('usage', 'A copy into a file writes the whole file.', {
			next: 'Leave out --only-missing and --delete-extra.',
		});
	await exportInto(context, await namedStore(context, from, 'from'), {output: path, prefix});
}

async function deleteExtra(
	context: CommandContext,
	from: KvStore,
	to: OpenedNamespace,
	{prefix, confirm, trash}: CopyingOptions,
): Promise<void> {
	await deleteListed(context, to, extraKeys(from, to.store, prefix, context.signal), {
		confirm,
		command: 'kv copy --delete-extra',
		trash,
		which: `keys of ${to.store.label} that are not in ${from.label}`,
	});
}
