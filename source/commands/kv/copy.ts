import {Failure} from '../../failure.ts';
import {checkFailedFile} from '../../kv/bulk/failed-file.ts';
import {namesInput} from '../../kv/bulk/names-input.ts';
import {listedKeys} from '../../kv/transfer/listing.ts';
import {keyNames} from '../../kv/transfer/names.ts';
import {extraKeys} from '../../kv/transfer/pairing.ts';
import {parseStoreName} from '../../kv/transfer/store-name.ts';
import type {OpenedNamespace} from '../../session/namespaces.ts';
import {readyCopy} from '../../session/transfers.ts';
import type {CommandContext} from '../shell/context.ts';
import {defineCommand, numberOption, type OptionValues, switchOption, valueOption} from '../shell/declare.ts';
import {deleteListed, showCount} from './delete.ts';
import {exportInto} from './export.ts';
import {announceKeeping, keepKeys, tellingWayBack, wayBack} from './keep-in-trash.ts';
import {namedStore, storeNames} from './named-store.ts';
import {prefixOption} from './options.ts';
import {transferred} from './transfer-ending.ts';

const copyOptions = () => [
	prefixOption(),
	switchOption('--only-missing', 'skip keys that TO already has'),
	switchOption(
		'--delete-extra',
		'delete keys of TO that FROM does not have; FROM is read again before each batch',
	),
	numberOption('--confirm <count>', 'expected number of keys', 0),
	valueOption('--failed <file>', 'file for what the other store refuses (copy.failed.ndjson)'),
	switchOption('--trash', 'keep overwritten values in the trash, too; TO is read first'),
	switchOption('--no-trash', 'delete the extra keys without keeping them in the trash'),
];

type CopyingOptions = OptionValues<typeof copyOptions>;

export const kvCopyCommand = defineCommand({
	usage: 'copy <FROM> <TO>',
	summary: `write the keys of one store into another one; ${storeNames}`,
	example: 'kv copy remote:SESSIONS local:SESSIONS --prefix user:',
	writes: true,
	sample: 'file:put.json remote:{namespace}',
	options: copyOptions,
	run: copyKeys,
});

/** `kv copy`: into a file, it is an export. Extra keys are deleted last, after their number is confirmed. */
async function copyKeys(context: CommandContext, options: CopyingOptions, from = '', to = ''): Promise<void> {
	const there = parseStoreName(to);
	if (there.kind === 'file') return intoFile(context, options, from, there.path);
	context.refuseWhenReadOnly('kv copy');
	const {prefix, onlyMissing = false} = options;
	const failed = options.failed === undefined ? undefined : context.resolve(options.failed);
	if (failed !== undefined && !context.options.dryRun) checkFailedFile(failed, true);
	const source = await namedStore(context, from, 'from');
	using _source = source.store;
	const target = await namedStore(context, to, 'to', {write: true});
	using _target = target.store;
	const copying = {onlyMissing, failed, ...(prefix !== undefined && {prefix})};
	if (options.trash && !onlyMissing) await copyKeeping(context, source, target, copying);
	else await transferred(context, readyCopy(context.session, source, target, copying));
	if (options.deleteExtra) await deleteExtra(context, source, target, options);
}

/** Copies keys, after keeping the values they overwrite in the trash. */
async function copyKeeping(
	context: CommandContext,
	source: OpenedNamespace,
	target: OpenedNamespace,
	copying: {readonly onlyMissing: boolean; readonly failed: string | undefined; readonly prefix?: string},
): Promise<void> {
	const {env: environment, signal, session} = context;
	const {store} = source;
	async function* names() {
		for await (const {keys} of listedKeys(store, {prefix: copying.prefix}, signal))
			yield keys.map(({name}) => name);
	}
	using input = await namesInput(showCount(context, store, names()), {
		environment,
		signal,
		label: `keys of ${store.label}`,
	});
	const listed = await keyNames(input, signal);
	announceKeeping(context, target, listed.valid, 'overwritten', true);
	const loss = {reason: 'overwritten', command: 'kv copy'} as const;
	using kept = await keepKeys(context, target, listed, loss, true);
	await tellingWayBack(kept, () => transferred(context, readyCopy(session, source, target, copying, listed)));
	if (kept) context.output.say(wayBack(context, kept));
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
	from: OpenedNamespace,
	to: OpenedNamespace,
	{prefix, confirm, trash}: CopyingOptions,
): Promise<void> {
	await deleteListed(context, to, extraKeys(from.store, to.store, prefix, context.signal), {
		confirm,
		command: 'kv copy --delete-extra',
		trash,
		which: `keys of ${to.store.label} that are not in ${from.store.label}`,
		source: from,
	});
}
