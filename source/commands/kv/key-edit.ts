import {Failure} from '../../failure.ts';
import {
	checkProposal,
	findExpiryQuestion,
	findProposalProblem,
	type ProposalCheck,
	type PutProposal,
	writeProposal,
} from '../../kv/change/proposal.ts';
import {readWholeKey} from '../../kv/change/whole-key.ts';
import {listWriteWarnings} from '../../kv/change/write-warnings.ts';
import {checkKey, throwIfProblem, toEpochSeconds} from '../../kv/limits.ts';
import type {TrashBatch} from '../../kv/trash/batch.ts';
import {formatTrashNote, writeOrDropBatch} from '../../session/trash.ts';
import {toStorePlace} from '../../session/write-place.ts';
import {saveDraftBytes} from '../../state/drafts.ts';
import {editBytes} from '../../terminal/editor.ts';
import {confirmAction} from '../../terminal/prompt.ts';
import {buildAdvice, buildKeysCommand} from '../../text/advice.ts';
import {formatPlainQuantity} from '../../text/figures.ts';
import {runSteps} from '../../text/steps.ts';
import type {CommandContext} from '../shell/context.ts';
import {buildKeyNotFoundFailure} from './key-get.ts';
import {getNamespaceName, shouldUseTrashForKey, type TargetOptions, type TrashOptions} from './options.ts';
import {openTargetNamespace} from './stores.ts';
import {formatRestoreHint, keepKeyInTrash} from './trash-before-write.ts';

type EditOptions = TargetOptions & TrashOptions;

/**
 * `kv key edit`: edits the value in `$EDITOR`; metadata and expiry stay. The key is read again before the
 * write: if it changed in the meantime, nothing is written and the edited text is kept in a file.
 */
export async function editKey(context: CommandContext, options: EditOptions, key = ''): Promise<void> {
	checkKey(key);
	const {signal} = context;
	const openedNamespace = await openTargetNamespace(context, options, {write: true});
	using store = openedNamespace.store;
	const original = await readWholeKey(store, key, signal);
	if (!original) throw buildKeyNotFoundFailure(key, getNamespaceName(options, store));
	const saveEditAndDescribe = (content: Uint8Array) =>
		`Your edit is saved in ${saveDraftBytes(content, context.env)}`;
	const editedBytes = await editBytes(original.bytes, context.env, {
		cwd: context.host.cwd(),
		signal,
		keepSaved: saveEditAndDescribe,
	});
	if (Buffer.compare(editedBytes, original.bytes) === 0) {
		await context.printResult(
			{key, namespace: store.namespace, written: false},
			'No changes; nothing was written.',
		);
		return;
	}
	const proposal: PutProposal = {
		kind: 'put',
		key,
		base: original,
		mine: {bytes: editedBytes, metadata: original.metadata},
		lifetime: 'keep',
		origin: 'edit',
	};
	let batch: TrashBatch | undefined;
	try {
		throwIfProblem(findProposalProblem(proposal, toEpochSeconds(context.now())));
		const checkedProposal = await checkProposal(store, proposal, signal);
		if (checkedProposal.type !== 'unchanged') throw buildEditConflictFailure(key, checkedProposal);
		await confirmWarnings(context, proposal, checkedProposal);
		const confirmedProposal = await confirmExpiry(context, proposal);
		using heldBatch = await keepKeyInTrash(
			context,
			openedNamespace,
			{key, wholeKey: checkedProposal.stored},
			{reason: 'overwritten', command: 'kv key edit'},
			options,
		);
		await writeOrDropBatch(context, heldBatch, () =>
			context.auditWrite(`edit ${key}${formatTrashNote(heldBatch)}`, toStorePlace(store), () =>
				writeProposal(store, confirmedProposal, checkedProposal.stored, signal),
			),
		);
		batch = heldBatch?.batch;
	} catch (error) {
		if (!(error instanceof Failure)) throw error;
		throw error.withDetails({left: saveEditAndDescribe(editedBytes)});
	}
	await context.printResult(
		{
			key,
			namespace: store.namespace,
			bytes: editedBytes.length,
			written: true,
			...(shouldUseTrashForKey(context, options) && {trash: batch?.id ?? null}),
		},
		`Wrote ${formatPlainQuantity(editedBytes.length, 'byte')} to the key "${key}" in namespace ${getNamespaceName(options, store)}.`,
	);
	if (batch) context.output.say(formatRestoreHint(context, {batch}));
}

function buildEditConflictFailure(key: string, {stored}: ProposalCheck): Failure {
	return new Failure(
		'changed_meanwhile',
		`The key "${key}" was ${stored ? 'changed' : 'deleted'} while you edited it.`,
		{
			why: 'Nothing was written, so the other change stands.',
			next: buildAdvice`Get the current value with \`${buildKeysCommand('kv key get')}\`, then write your version with \`${buildKeysCommand('kv key put --path')}\`.`,
		},
	);
}

/** Asks for confirmation if the edit looks like a mistake. */
async function confirmWarnings(
	context: CommandContext,
	proposal: PutProposal,
	{stored}: ProposalCheck,
): Promise<void> {
	const warnings = runSteps(listWriteWarnings(proposal, stored));
	if (warnings.length > 0)
		await confirmAction(`${warnings.join(' ')} Write it anyway?`, context.getConfirmation(), context.signal);
}

/** Returns the proposal with an expiry that the service accepts; asks if the key's own is too soon. */
async function confirmExpiry(context: CommandContext, proposal: PutProposal): Promise<PutProposal> {
	const question = findExpiryQuestion(proposal, toEpochSeconds(context.now()));
	if (!question) return proposal;
	// The first answer is the cautious one; to cancel, the user declines.
	const [{label, lifetime}] = question.answers;
	await confirmAction(`${question.why} ${label}?`, context.getConfirmation(), context.signal);
	return {...proposal, lifetime};
}
