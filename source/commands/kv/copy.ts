import {Failure} from '../../failure.ts';
import {checkFailedFile} from '../../kv/bulk/failed-file.ts';
import {openKeyNamesInput} from '../../kv/bulk/names-input.ts';
import {walkKeys} from '../../kv/transfer/listing.ts';
import {readKeyNames} from '../../kv/transfer/names.ts';
import {listExtraKeys} from '../../kv/transfer/pairing.ts';
import {parseStoreName} from '../../kv/transfer/store-name.ts';
import type {OpenedNamespace} from '../../session/namespaces.ts';
import {prepareCopy} from '../../session/transfers.ts';
import type {CommandContext} from '../shell/context.ts';
import {
	createNumberOption,
	createSwitchOption,
	createValueOption,
	defineCommand,
	type OptionValues,
} from '../shell/declare.ts';
import {deleteListedKeys, withListingCount} from './delete.ts';
import {exportStore} from './export.ts';
import {openStoreBySide, storeNamesHelp, warnAboutJurisdictions} from './open-by-side.ts';
import {createPrefixOption} from './options.ts';
import {runTransfer} from './transfer-run.ts';
import {
	announceTrashCost,
	formatRestoreHint,
	keepKeysInTrash,
	withRestoreAdvice,
} from './trash-before-write.ts';

const buildCopyOptions = () => [
	createPrefixOption(),
	createSwitchOption('--only-missing', 'skip keys that TO already has'),
	createSwitchOption(
		'--delete-extra',
		'delete keys in TO that are not in FROM; rechecks FROM before each batch',
	),
	createNumberOption('--confirm <count>', 'expected number of keys', 0),
	createValueOption('--failed <file>', 'file for keys that TO rejects (copy.failed.ndjson)'),
	createSwitchOption('--trash', 'also keep overwritten values in the trash; reads TO first'),
	createSwitchOption('--no-trash', 'delete the extra keys without keeping them in the trash'),
];

type CopyingOptions = OptionValues<typeof buildCopyOptions>;

export const kvCopyCommand = defineCommand({
	usage: 'copy <FROM> <TO>',
	summary: `copy keys from one store to another; ${storeNamesHelp}`,
	example: 'kv copy remote:SESSIONS local:SESSIONS --prefix user:',
	refusedByReadOnly: true,
	sampleArguments: 'file:put.json remote:{namespace}',
	options: buildCopyOptions,
	run: copyKeys,
});

/**
 * `kv copy`: copies keys between stores; a copy into a file is an export. Extra keys are deleted last, after
 * the user confirms their number.
 */
async function copyKeys(context: CommandContext, options: CopyingOptions, from = '', to = ''): Promise<void> {
	const destination = parseStoreName(to);
	if (destination.kind === 'file') return copyIntoFile(context, options, from, destination.path);
	context.refuseWhenReadOnly('kv copy');
	const {prefix, onlyMissing = false} = options;
	const failedFilePath = options.failed === undefined ? undefined : context.resolve(options.failed);
	if (failedFilePath !== undefined && !context.options.dryRun) checkFailedFile(failedFilePath, true);
	const source = await openStoreBySide(context, from, 'from');
	using _source = source.store;
	const target = await openStoreBySide(context, to, 'to', {write: true});
	using _target = target.store;
	await warnAboutJurisdictions(context, source.store, target.store);
	const transferOptions = {onlyMissing, failed: failedFilePath, ...(prefix !== undefined && {prefix})};
	if (options.trash && !onlyMissing) await copyWithTrash(context, source, target, transferOptions);
	else await runTransfer(context, prepareCopy(context.session, source, target, transferOptions));
	if (options.deleteExtra) await deleteExtra(context, source, target, options);
}

/** Copies to the trash the values that will be overwritten, then copies the keys. */
async function copyWithTrash(
	context: CommandContext,
	source: OpenedNamespace,
	target: OpenedNamespace,
	transferOptions: {
		readonly onlyMissing: boolean;
		readonly failed: string | undefined;
		readonly prefix?: string;
	},
): Promise<void> {
	const {env: environment, signal, session} = context;
	const {store} = source;
	async function* listSourceNames() {
		for await (const {keys} of walkKeys(store, {prefix: transferOptions.prefix}, signal))
			yield keys.map(({name}) => name);
	}
	using input = await openKeyNamesInput(withListingCount(context, store, listSourceNames()), {
		environment,
		signal,
		label: `keys of ${store.label}`,
	});
	const checkedNames = await readKeyNames(input, signal);
	// Only called with --trash.
	const trashChoice = true;
	announceTrashCost(context, target, checkedNames.validCount, 'overwritten', trashChoice);
	const trashCause = {reason: 'overwritten', command: 'kv copy'} as const;
	using heldBatch = await keepKeysInTrash(context, target, checkedNames, trashCause, trashChoice);
	await withRestoreAdvice(heldBatch, () =>
		runTransfer(context, prepareCopy(session, source, target, transferOptions, checkedNames)),
	);
	if (heldBatch) context.output.say(formatRestoreHint(context, heldBatch));
}

async function copyIntoFile(
	context: CommandContext,
	{prefix, onlyMissing, deleteExtra: deletesExtra}: CopyingOptions,
	from: string,
	path: string,
): Promise<void> {
	if (onlyMissing || deletesExtra)
		throw new Failure('usage', 'A copy to a file always writes the whole file.', {
			next: 'Leave out --only-missing and --delete-extra.',
		});
	await exportStore(context, await openStoreBySide(context, from, 'from'), {output: path, prefix});
}

async function deleteExtra(
	context: CommandContext,
	from: OpenedNamespace,
	to: OpenedNamespace,
	{prefix, confirm, trash}: CopyingOptions,
): Promise<void> {
	await deleteListedKeys(context, to, listExtraKeys(from.store, to.store, prefix, context.signal), {
		confirm,
		command: 'kv copy --delete-extra',
		trash,
		which: `keys in ${to.store.label} that are not in ${from.store.label}`,
		source: from,
	});
}
