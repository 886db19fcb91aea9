import {Failure} from '../../failure.ts';
import {formatExpiry} from '../../kv/change/lifetime-input.ts';
import {
	findRenameProblem,
	getOverwrittenKey,
	type PossibleRename,
	performRename,
	planRename,
	type RenamePlan,
	type RenameResult,
	type Renaming,
	readBothNames,
} from '../../kv/change/rename.ts';
import type {WholeKey} from '../../kv/change/whole-key.ts';
import {checkKey, shouldWarnAboutKey, throwIfProblem, toEpochSeconds} from '../../kv/limits.ts';
import {getStoreClock} from '../../session/store-clock.ts';
import {formatTrashNote} from '../../session/trash.ts';
import {toStorePlace} from '../../session/write-place.ts';
import {formatPlainQuantity, formatQuantity} from '../../text/figures.ts';
import type {CommandContext} from '../shell/context.ts';
import {buildKeyNotFoundFailure} from './key-get.ts';
import {getNamespaceName, shouldUseTrashForKey, type TargetOptions, type TrashOptions} from './options.ts';
import {openTargetNamespace} from './stores.ts';
import {formatRestoreHint, keepKeyInTrash} from './trash-before-write.ts';

type RenameOptions = TargetOptions & TrashOptions & {overwrite?: boolean};

/** `kv key rename`: writes the new name and reads it back before it deletes the old one. */
export const renameKey = (context: CommandContext, options: RenameOptions, from = '', to = '') =>
	writeUnderNewName(context, options, {kind: 'rename', from, to});

/** `kv key copy`: writes the new name and keeps the old one. */
export const copyKey = (context: CommandContext, options: RenameOptions, from = '', to = '') =>
	writeUnderNewName(context, options, {kind: 'copy', from, to});

async function writeUnderNewName(
	context: CommandContext,
	options: RenameOptions,
	renaming: Renaming,
): Promise<void> {
	const {kind, from, to} = renaming;
	checkKey(from);
	throwIfProblem(findRenameProblem(renaming));
	if (shouldWarnAboutKey(to))
		context.output.warn(`The key "${to}" contains whitespace or control characters.`);
	const {signal} = context;
	const openedNamespace = await openTargetNamespace(context, options, {write: true});
	const {store, target} = openedNamespace;
	using _open = store;
	const now = toEpochSeconds(context.now());
	const plan = checkRenamePlan(
		planRename(renaming, await readBothNames(store, renaming, signal), now),
		renaming,
		getNamespaceName(options, store),
	);
	const replacedKey = getOverwrittenKey(plan);
	if (replacedKey && !options.overwrite) throw buildNameTakenFailure(to, replacedKey, now);
	const clock = getStoreClock(context.session, target);
	const isDryRun = context.options.dryRun === true;
	const trashCause = {reason: 'overwritten', command: `kv key ${kind}`} as const;
	using heldBatch =
		replacedKey &&
		(await keepKeyInTrash(context, openedNamespace, {key: to, wholeKey: replacedKey}, trashCause, options));
	const auditText = `${kind} ${from} to ${to}${formatTrashNote(heldBatch)}`;
	const renameResult = await context.auditWrite(auditText, toStorePlace(store), () =>
		performRename(store, renaming, plan, {clock, signal, isDryRun}),
	);
	const {namespace} = store;
	const bytes = plan.source.bytes.length;
	await context.printResult(
		{
			from,
			to,
			namespace,
			bytes,
			written: renameResult.written,
			deleted: renameResult.deleted,
			overwritten: replacedKey !== undefined,
			...(replacedKey && shouldUseTrashForKey(context, options) && {trash: heldBatch?.batch.id ?? null}),
		},
		formatRenameResult(renaming, plan, renameResult, getNamespaceName(options, store)),
	);
	if (heldBatch) context.output.say(formatRestoreHint(context, heldBatch));
}

/** Returns the plan if it can run. Fails with `key_not_found` and `limit`. */
function checkRenamePlan(plan: RenamePlan, {kind, from, to}: Renaming, namespace: string): PossibleRename {
	if (plan.type === 'refused') throw new Failure('limit', plan.what, {why: plan.why});
	if (plan.type !== 'absent') return plan;
	const notFoundFailure = buildKeyNotFoundFailure(from, namespace);
	throw plan.target && kind === 'rename'
		? notFoundFailure.withDetails({why: formatAlreadyRenamed(to)})
		: notFoundFailure;
}

const formatAlreadyRenamed = (to: string): string =>
	`The key ${JSON.stringify(to)} exists: the rename may already be done.`;

const buildNameTakenFailure = (to: string, existingKey: WholeKey, now: number): Failure =>
	new Failure('already_exists', `The key ${JSON.stringify(to)} already exists with different content.`, {
		why: `It has ${[
			formatPlainQuantity(existingKey.bytes.length, 'byte'),
			existingKey.metadata === null ? 'no metadata' : `metadata ${JSON.stringify(existingKey.metadata)}`,
			existingKey.expiration === undefined
				? 'no expiration'
				: `expiration ${formatExpiry(existingKey.expiration, now)}`,
		].join(', ')}.`,
		next: 'Choose another name, or add --overwrite to replace it.',
	});

function formatRenameResult(
	{kind, from, to}: Renaming,
	{type, source}: PossibleRename,
	{deleted, hasLostResponse}: RenameResult,
	namespace: string,
): string {
	const [oldName, newName] = [JSON.stringify(from), JSON.stringify(to)];
	const bytes = formatQuantity(source.bytes.length, 'byte');
	const lostResponseNote = hasLostResponse
		? ' A response was lost, but the current state shows that it succeeded.'
		: '';
	if (kind === 'copy')
		return type === 'already'
			? `${newName} is already identical to ${oldName} in namespace ${namespace}.`
			: `Copied ${oldName} to ${newName} (${bytes}) in namespace ${namespace}.${lostResponseNote}`;
	const remark =
		type === 'finish'
			? ` ${newName} was already identical.`
			: deleted
				? ''
				: ` ${oldName} no longer existed.`;
	return `Renamed ${oldName} to ${newName} (${bytes}) in namespace ${namespace}.${remark}${lostResponseNote}`;
}
