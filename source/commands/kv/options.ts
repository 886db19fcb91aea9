import {Failure} from '../../failure.ts';
import type {TrashReason} from '../../kv/trash/batch.ts';
import {trashLimits} from '../../kv/trash/limits.ts';
import type {SessionOptions} from '../../session/parts.ts';
import type {NamespaceSelection} from '../../settings/namespace-choice.ts';
import type {ListFormat} from '../../settings/preferences/preferences.ts';
import {canAsk} from '../../terminal/prompt.ts';
import {formatInteger} from '../../text/figures.ts';
import type {CommandContext} from '../shell/context.ts';
import {createSwitchOption, createValueOption} from '../shell/declare.ts';

/** Options of commands that act on a namespace. */
export type TargetOptions = DataLocationOptions &
	NamespaceSelection & {readonly namespace?: string | undefined};

/** Returns the namespace of a store as the user named it: by binding, title or id. */
export const getNamespaceName = (
	{binding, namespace}: TargetOptions,
	store: {readonly namespace: string},
): string => binding ?? namespace ?? store.namespace;

/** Options that choose between the service and local data. */
export type DataLocationOptions = Pick<SessionOptions, 'local' | 'remote' | 'persistTo'>;

/** `--prefix`, for commands that can be limited to keys with a prefix. */
export const createPrefixOption = () => createValueOption('--prefix <text>', 'only keys with this prefix');

export const createBindingOption = () =>
	createValueOption('--binding <name>', 'namespace, by its binding in the configuration');

export const createNamespaceIdOption = () => createValueOption('--namespace-id <id>', 'namespace, by its id');

export const buildPreviewOptions = () => [
	createSwitchOption('--preview', 'the preview namespace instead of production'),
	createSwitchOption('--no-preview', 'production').hideHelp(),
];

/** `--local` of commands on namespaces, which `refuseLocalOption` refuses with the reason. */
export const createUnsupportedLocalOption = () =>
	createSwitchOption('--local', 'not supported: namespaces exist only on the service').hideHelp();

/** Fails with `usage` if `--local` was given to a command on namespaces. */
export function refuseLocalOption(options: {readonly local?: boolean | undefined}): void {
	if (!options.local) return;
	throw new Failure('usage', "Namespaces are managed on the service, so --local can't be used here.", {
		why: 'Local data needs no namespace: writing the first key to an id creates it.',
		next: 'Leave out --local, or use --simulate to try it out.',
	});
}

/**
 * Returns the format of lists that the user prefers on a terminal. Pipes and files keep the default: scripts
 * depend on it.
 */
export const getPreferredFormat = ({output, session}: CommandContext): ListFormat | undefined =>
	output.json || !output.stdoutIsTerminal ? undefined : session.preferences?.defaults.format?.value;

export const buildTargetOptions = () => [
	createBindingOption(),
	createNamespaceIdOption(),
	createValueOption('--namespace <name>', 'namespace, by its binding, id or title'),
	...buildPreviewOptions(),
	...buildDataLocationOptions(),
];

/** Options of commands that write a file into a namespace. */
export const buildBulkWriteOptions = () => [
	createSwitchOption('--skip-invalid', 'skip invalid entries and continue with the rest'),
	createValueOption('--failed <file>', 'file for entries the service rejects (FILENAME.failed.ndjson)'),
	...buildTargetOptions(),
];

/** The folder that contains `v3` with the local data. */
export const createPersistToOption = () =>
	createValueOption('--persist-to <folder>', 'folder of the local data; cf uses ~/.config/cloudflare/state');

export const buildDataLocationOptions = () => [
	createSwitchOption('--local', 'act on local data'),
	createSwitchOption('--no-local', 'act on the service').hideHelp(),
	createSwitchOption('--remote', 'act on the service (the default)'),
	createSwitchOption('--no-remote', 'act on local data').hideHelp(),
	createPersistToOption(),
];

/** `--trash` and `--no-trash`; undefined if neither was given. */
export type TrashOptions = {trash?: boolean};

/** `--trash` and `--no-trash` of commands that delete or overwrite one key. */
export const buildKeyTrashOptions = () => [
	createSwitchOption(
		'--trash',
		`keep the previous value in the trash for ${trashLimits.retentionDays} days (the default on a terminal)`,
	),
	createSwitchOption('--no-trash', 'do not keep the previous value; saves a read'),
];

/** `--trash` and `--no-trash` of commands that delete many keys. */
export const buildDeletionTrashOptions = () => [
	createSwitchOption(
		'--trash',
		`keep the keys in the trash, even if more than ${formatInteger(trashLimits.maxDefaultKeys)}`,
	),
	createSwitchOption('--no-trash', 'do not keep the keys: the deletion cannot be undone'),
];

/** `--trash` of commands that overwrite many keys. */
export const createOverwriteTrashOption = () =>
	createSwitchOption('--trash', 'keep overwritten values in the trash; reads every value once');

/**
 * True if a single key goes to the trash: in scripts only if requested, because it costs a read. `history` of
 * the preferences can turn that off for overwritten values.
 */
export const shouldUseTrashForKey = (
	{host, session}: CommandContext,
	{trash}: TrashOptions,
	reason: TrashReason = 'overwritten',
): boolean =>
	trash ?? (canAsk(host) && (reason === 'deleted' || session.preferences?.defaults.history?.value !== false));
