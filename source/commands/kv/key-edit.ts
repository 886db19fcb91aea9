import {Failure} from '../../failure.ts';
import {alarmsOf} from '../../kv/change/alarms.ts';
import {
	type Checked,
	check,
	expiryQuestion,
	type PutProposal,
	problemOf,
	write,
} from '../../kv/change/proposal.ts';
import {readWhole} from '../../kv/change/whole-key.ts';
import {checkKey, refuse, unixSeconds} from '../../kv/limits.ts';
import type {TrashBatch} from '../../kv/trash/batch.ts';
import {keptText, writeOver} from '../../session/trash.ts';
import {placeOfStore} from '../../session/write-place.ts';
import {keepDraft} from '../../state/drafts.ts';
import {editBytes} from '../../terminal/editor.ts';
import {confirm} from '../../terminal/prompt.ts';
import {advice, onKeys} from '../../text/advice.ts';
import {quantity} from '../../text/figures.ts';
import {finish} from '../../text/steps.ts';
import type {CommandContext} from '../shell/context.ts';
import {keepKey, wayBack} from './keep-in-trash.ts';
import {keyNotFound} from './key-get.ts';
import {keepsKey, namespaceCalled, type TargetOptions, type TrashOptions} from './options.ts';
import {openStore} from './stores.ts';

type EditOptions = TargetOptions & TrashOptions;

/**
 * `kv key edit`: edits the value in `$EDITOR`; metadata and expiry stay. The key is read again before the
 * write: if it changed in the meantime, nothing is written and the edited text is kept in a file.
 */
export async function editKey(context: CommandContext, options: EditOptions, key = ''): Promise<void> {
	checkKey(key);
	const {signal} = context;
	const opened = await openStore(context, options, {write: true});
	using store = opened.store;
	const before = await readWhole(store, key, signal);
	if (!before) throw keyNotFound(key, namespaceCalled(options, store));
	const kept = (content: Uint8Array) => `What you wrote is kept in ${keepDraft(content, context.env)}`;
	const edited = await editBytes(before.bytes, context.env, {cwd: context.host.cwd(), signal, rescue: kept});
	if (Buffer.compare(edited, before.bytes) === 0) {
		await context.result(
			{key, namespace: store.namespace, written: false},
			'Nothing was changed, so nothing was written.',
		);
		return;
	}
	const proposal: PutProposal = {
		kind: 'put',
		key,
		base: before,
		mine: {bytes: edited, metadata: before.metadata},
		lifetime: 'keep',
		origin: 'edit',
	};
	let batch: TrashBatch | undefined;
	try {
		refuse(problemOf(proposal, unixSeconds(context.now())));
		const checked = await check(store, proposal, signal);
		if (checked.type !== 'unchanged') throw changedMeanwhile(key, checked);
		await alarmsAgreed(context, proposal, checked);
		const agreed = await withExpiryAgreed(context, proposal);
		using kept = await keepKey(
			context,
			opened,
			{key, whole: checked.stored},
			{reason: 'overwritten', command: 'kv key edit'},
			options,
		);
		await writeOver(context, kept, () =>
			context.audited(`edit ${key}${keptText(kept)}`, placeOfStore(store), () =>
				write(store, agreed, checked.stored, signal),
			),
		);
		batch = kept?.batch;
	} catch (error) {
		if (!(error instanceof Failure)) throw error;
		throw error.with({left: kept(edited)});
	}
	await context.result(
		{
			key,
			namespace: store.namespace,
			bytes: edited.length,
			written: true,
			...(keepsKey(context, options) && {trash: batch?.id ?? null}),
		},
		`Wrote ${quantity(edited.length, 'byte')} to the key "${key}" in namespace ${namespaceCalled(options, store)}.`,
	);
	if (batch) context.output.say(wayBack(context, {batch}));
}

function changedMeanwhile(key: string, {stored}: Checked): Failure {
	return new Failure(
		'changed_meanwhile',
		`The key "${key}" was ${stored ? 'changed' : 'deleted'} while you edited it.`,
		{
			why: 'Nothing was written, so the other change stands.',
			next: advice`Read it again with \`${onKeys('kv key get')}\`, and put your version with \`${onKeys('kv key put --path')}\`.`,
		},
	);
}

/** Asks for confirmation if the edit looks like a mistake. */
async function alarmsAgreed(
	context: CommandContext,
	proposal: PutProposal,
	{stored}: Checked,
): Promise<void> {
	const alarms = finish(alarmsOf(proposal, stored));
	if (alarms.length > 0)
		await confirm(`${alarms.join(' ')} Write it?`, context.confirmation(), context.signal);
}

/** Returns the proposal with an expiry that the service accepts; asks if the key's own is too soon. */
async function withExpiryAgreed(context: CommandContext, proposal: PutProposal): Promise<PutProposal> {
	const asked = expiryQuestion(proposal, unixSeconds(context.now()));
	if (!asked) return proposal;
	const [{label, lifetime}] = asked.answers;
	await confirm(`${asked.why} ${label}?`, context.confirmation(), context.signal);
	return {...proposal, lifetime};
}
