import {Failure} from '../../failure.ts';
import {openKeyNamesInput} from '../../kv/bulk/names-input.ts';
import {type KeyNames, readKeyNames, readNames} from '../../kv/transfer/names.ts';
import {
	buildNewName,
	type CollisionMode,
	type PrefixChange,
	type RenameCount,
} from '../../kv/transfer/renamed-names.ts';
import type {HeldBatch} from '../../kv/trash/trash.ts';
import type {OpenedNamespace} from '../../session/namespaces.ts';
import {createNamesTakenFailure, listRename} from '../../session/renames.ts';
import {prepareRename} from '../../session/transfers.ts';
import {askQuestion} from '../../terminal/prompt.ts';
import {formatInteger, formatQuantity, isTypedNumber} from '../../text/figures.ts';
import type {CommandContext} from '../shell/context.ts';
import {
	buildExclusionFailure,
	createNumberOption,
	createSwitchOption,
	createValueOption,
	defineCommand,
	type OptionValues,
} from '../shell/declare.ts';
import {mustConfirmCount, withListingCount} from './delete.ts';
import {buildTargetOptions, createOverwriteTrashOption} from './options.ts';
import {openTargetNamespace} from './stores.ts';
import {runTransfer} from './transfer-run.ts';
import {
	announceTrashCost,
	formatRestoreHint,
	keepKeysInTrash,
	withRestoreAdvice,
} from './trash-before-write.ts';

const buildRenamePrefixOptions = () => [
	createSwitchOption('--overwrite', 'replace existing keys that have the new names'),
	createOverwriteTrashOption(),
	createSwitchOption('--only-missing', 'skip keys whose new name already exists'),
	createNumberOption('--confirm <count>', 'expected number of keys', 0),
	createValueOption('--failed <file>', 'file for the names of keys left behind (rename.left.ndjson)'),
	...buildTargetOptions(),
];

type RenamePrefixOptions = OptionValues<typeof buildRenamePrefixOptions>;

export const kvRenamePrefixCommand = defineCommand({
	usage: 'rename-prefix <OLD> <NEW>',
	summary: 'rename all keys with prefix OLD to prefix NEW, after you confirm how many',
	example: 'kv rename-prefix user: account: --binding SESSIONS --confirm 1240',
	refusedByReadOnly: true,
	sampleArguments: 'features renamed --namespace-id {namespace} --confirm 1',
	options: buildRenamePrefixOptions,
	run: renamePrefix,
});

/**
 * `kv rename-prefix`: lists the keys, shows their number and samples, and renames once the number is
 * confirmed.
 */
async function renamePrefix(
	context: CommandContext,
	options: RenamePrefixOptions,
	from = '',
	to = '',
): Promise<void> {
	const collisions = getCollisionMode(options);
	const openedNamespace = await openTargetNamespace(context, options, {write: true});
	using store = openedNamespace.store;
	const {output, signal, session} = context;
	using listing = await listRename(session, openedNamespace, {from, to}, signal, names =>
		withListingCount(context, store, names),
	);
	const {names, count} = listing;
	const {keyCount, samples, takenCount} = count;
	if (keyCount === 0) {
		const {namespace} = store;
		await context.printResult(
			{command: 'rename', namespace, done: 0},
			`No keys to rename begin with ${JSON.stringify(from)} in ${store.label}.`,
		);
		return;
	}
	output.say(`${formatQuantity(keyCount, 'key')} would be renamed in ${store.label}.`);
	for (const [oldName, newName] of samples)
		output.say(`  ${JSON.stringify(oldName)} → ${JSON.stringify(newName)}`);
	if (keyCount > samples.length) output.say(`  and ${formatInteger(keyCount - samples.length)} more`);
	if (takenCount > 0 && collisions === 'refuse') throw createNamesTakenFailure(count);
	if (takenCount > 0)
		output.warn(
			`${formatQuantity(takenCount, 'new name')} already taken: ${collisions === 'overwrite' ? 'the existing keys are replaced' : 'these keys are not renamed'}.`,
		);
	await confirmRenameCount(context, count, options.confirm);
	const failed = options.failed === undefined ? undefined : context.resolve(options.failed);
	const usesTrash = options.trash === true && collisions === 'overwrite' && takenCount > 0;
	using heldBatch = usesTrash
		? await backUpTakenKeys(context, openedNamespace, {from, to}, names)
		: undefined;
	await withRestoreAdvice(heldBatch, () =>
		runTransfer(context, prepareRename(session, openedNamespace, {from, to, collisions, failed}, names)),
	);
	if (heldBatch) output.say(formatRestoreHint(context, heldBatch));
}

/** Copies to the trash the existing keys that the rename overwrites. */
async function backUpTakenKeys(
	context: CommandContext,
	openedNamespace: OpenedNamespace,
	change: PrefixChange,
	names: KeyNames,
): Promise<HeldBatch | undefined> {
	const {env: environment, signal} = context;
	async function* listNewNames() {
		for await (const group of readNames(names, undefined, signal))
			yield group.map(name => buildNewName(change, name));
	}
	using input = await openKeyNamesInput(listNewNames(), {
		environment,
		signal,
		label: `keys under ${change.to}`,
	});
	const checkedNames = await readKeyNames(input, signal);
	announceTrashCost(context, openedNamespace, checkedNames.validCount, 'overwritten', true);
	const trashCause = {reason: 'overwritten', command: 'kv rename-prefix'} as const;
	return await keepKeysInTrash(context, openedNamespace, checkedNames, trashCause, true);
}

function getCollisionMode({overwrite, onlyMissing}: RenamePrefixOptions): CollisionMode {
	if (overwrite && onlyMissing) throw buildExclusionFailure('--overwrite', '--only-missing');
	return overwrite ? 'overwrite' : onlyMissing ? 'only-missing' : 'refuse';
}

/** Confirms the number of keys: typed, or given with `--confirm`. */
async function confirmRenameCount(
	context: CommandContext,
	{keyCount}: RenameCount,
	expected: number | undefined,
): Promise<void> {
	if (!mustConfirmCount(context, keyCount, expected, {done: 'written'})) return;
	const answer = (
		await askQuestion(
			`Type ${keyCount} to rename ${keyCount === 1 ? 'it' : 'them'}: `,
			context.host,
			context.signal,
		)
	).trim();
	if (!isTypedNumber(answer, keyCount)) throw new Failure('declined', 'Nothing was written.');
}
