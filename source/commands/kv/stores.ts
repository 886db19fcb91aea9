import {Failure} from '../../failure.ts';
import type {KvStore} from '../../kv/store.ts';
import {
	type NamespaceUse,
	type OpenedNamespace,
	openLocalNamespace,
	openRemoteNamespace,
	reopenNamespace,
} from '../../session/namespaces.ts';
import {getSessionTarget} from '../../session/target.ts';
import {toStorePlace, withPlaceName} from '../../session/write-place.ts';
import type {JobTarget} from '../../state/job-record.ts';
import type {CommandContext} from '../shell/context.ts';
import {buildExclusionFailure} from '../shell/declare.ts';
import type {TargetOptions} from './options.ts';

/** Opens the namespace that the options name, and prints where a write goes. */
export async function openTargetNamespace(
	context: CommandContext,
	options: TargetOptions,
	use: NamespaceUse = {},
): Promise<OpenedNamespace> {
	const {session} = context;
	if (use.write) context.refuseWhenReadOnly('this command');
	const where = getSessionTarget(session, options).value;
	if (where === 'remote' && options.persistTo !== undefined) {
		throw new Failure('usage', '--persist-to applies only to local data.', {
			next: 'Add --local, or leave out --persist-to.',
		});
	}
	const namespaceName = getNamespaceOption(options);
	if (namespaceName !== undefined) {
		const {preview = false} = options;
		const {openNamespaceByName} = await import('../../session/stores.ts');
		return announceNamespace(
			context,
			await openNamespaceByName(session, namespaceName, {...use, where, preview}, context.signal),
			use,
		);
	}
	const choice = await context.chooseNamespace(options, where);
	if (where === 'local')
		return openLocalNamespace(session, choice.id, {...use, isConfigured: choice.binding !== undefined});
	const {id, binding, from} = choice;
	const namespace = {id, name: binding ?? id, boundAs: binding && `${binding} (${from})`};
	return announceNamespace(context, await openRemoteNamespace(session, namespace, use, context.signal), use);
}

/** Returns the name given with `--namespace`. Fails if another option names a namespace, too. */
function getNamespaceOption({namespace, binding, namespaceId}: TargetOptions): string | undefined {
	if (namespace === undefined) return undefined;
	const conflictingOption =
		binding !== undefined ? '--binding' : namespaceId !== undefined ? '--namespace-id' : undefined;
	if (conflictingOption !== undefined) throw buildExclusionFailure('--namespace', conflictingOption);
	if (namespace === '')
		throw new Failure('usage', '--namespace is empty.', {next: 'Specify a binding, an id or a title.'});
	return namespace;
}

/** Opens a namespace and returns only its store, for commands without a journal. */
export const openNamespaceStore = async (
	context: CommandContext,
	options: TargetOptions,
	use: NamespaceUse = {},
): Promise<KvStore> => (await openTargetNamespace(context, options, use)).store;

/**
 * Reopens the namespace of an interrupted job, in the place where it was started. `title`: the job's title,
 * printed as its name.
 */
export async function reopenJobNamespace(
	context: CommandContext,
	{target, title}: {readonly target: JobTarget; readonly title: string},
): Promise<OpenedNamespace> {
	const use = {write: true, called: title};
	return announceNamespace(context, await reopenNamespace(context.session, target, use, context.signal), use);
}

/** Prints where a write goes, and in production asks for confirmation. Returns the namespace. */
export async function announceNamespace(
	context: CommandContext,
	openedNamespace: OpenedNamespace,
	{write, called}: Pick<NamespaceUse, 'write'> & {readonly called?: string},
): Promise<OpenedNamespace> {
	const {store} = openedNamespace;
	const {kind} = store;
	if (!write || kind === 'local' || kind === 'file') return openedNamespace;
	const place = toStorePlace(store);
	await context.announceWrite(called === undefined ? place : withPlaceName(called, place), kind);
	return openedNamespace;
}
