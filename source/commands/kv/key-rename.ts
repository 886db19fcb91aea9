import {Failure} from '../../failure.ts';
import {expiryText} from '../../kv/change/lifetime-input.ts';
import {
	carryOutRename,
	overOf,
	type PossibleRename,
	planRename,
	type RenameEnd,
	type RenamePlan,
	type Renaming,
	readBothNames,
	renameProblem,
} from '../../kv/change/rename.ts';
import type {WholeKey} from '../../kv/change/whole-key.ts';
import {checkKey, keyNeedsWarning, refuse, unixSeconds} from '../../kv/limits.ts';
import {storeClock} from '../../session/store-clock.ts';
import {keptText} from '../../session/trash.ts';
import {placeOfStore} from '../../session/write-place.ts';
import {counted, quantity} from '../../text/figures.ts';
import type {CommandContext} from '../shell/context.ts';
import {keepKey, wayBack} from './keep-in-trash.ts';
import {keyNotFound} from './key-get.ts';
import {keepsKey, namespaceCalled, type TargetOptions, type TrashOptions} from './options.ts';
import {openStore} from './stores.ts';

type RenameOptions = TargetOptions & TrashOptions & {overwrite?: boolean};

/** `kv key rename`: writes the new name and reads it back before it deletes the old one. */
export const renameKey = (context: CommandContext, options: RenameOptions, from = '', to = '') =>
	underNewName(context, options, {kind: 'rename', from, to});

/** `kv key copy`: the same, but keeps the old name. */
export const copyKey = (context: CommandContext, options: RenameOptions, from = '', to = '') =>
	underNewName(context, options, {kind: 'copy', from, to});

async function underNewName(
	context: CommandContext,
	options: RenameOptions,
	renaming: Renaming,
): Promise<void> {
	const {kind, from, to} = renaming;
	checkKey(from);
	refuse(renameProblem(renaming));
	if (keyNeedsWarning(to)) context.output.warn(`The key "${to}" holds whitespace or control characters.`);
	const {signal} = context;
	const opened = await openStore(context, options, {write: true});
	const {store, target} = opened;
	using _open = store;
	const now = unixSeconds(context.now());
	const plan = possible(
		planRename(renaming, await readBothNames(store, renaming, signal), now),
		renaming,
		namespaceCalled(options, store),
	);
	const over = overOf(plan);
	if (over && !options.overwrite) throw nameTaken(to, over, now);
	const clock = storeClock(context.session, target);
	const isPlanned = context.options.dryRun === true;
	const loss = {reason: 'overwritten', command: `kv key ${kind}`} as const;
	using kept = over && (await keepKey(context, opened, {key: to, whole: over}, loss, options));
	const what = `${kind} ${from} to ${to}${keptText(kept)}`;
	const end = await context.audited(what, placeOfStore(store), () =>
		carryOutRename(store, renaming, plan, {clock, signal, isPlanned}),
	);
	const {namespace} = store;
	const bytes = plan.source.bytes.length;
	await context.result(
		{
			from,
			to,
			namespace,
			bytes,
			written: end.written,
			deleted: end.deleted,
			overwritten: over !== undefined,
			...(over && keepsKey(context, options) && {trash: kept?.batch.id ?? null}),
		},
		sentenceOf(renaming, plan, end, namespaceCalled(options, store)),
	);
	if (kept) context.output.say(wayBack(context, kept));
}

/** Returns the plan if it can run. Fails with `key_not_found` and `limit`. */
function possible(plan: RenamePlan, {kind, from, to}: Renaming, namespace: string): PossibleRename {
	if (plan.type === 'refused') throw new Failure('limit', plan.what, {why: plan.why});
	if (plan.type !== 'absent') return plan;
	const missing = keyNotFound(from, namespace);
	throw plan.target && kind === 'rename' ? missing.with({why: foundUnderNew(to)}) : missing;
}

const foundUnderNew = (to: string): string =>
	`There is a key ${JSON.stringify(to)}: if it was renamed before, that is done.`;

const nameTaken = (to: string, over: WholeKey, now: number): Failure =>
	new Failure('already_exists', `The key ${JSON.stringify(to)} exists already, and holds something else.`, {
		why: `It has ${[
			quantity(over.bytes.length, 'byte'),
			over.metadata === null ? 'no metadata' : `metadata ${JSON.stringify(over.metadata)}`,
			over.expiration === undefined ? 'no expiry' : `expiry ${expiryText(over.expiration, now)}`,
		].join(', ')}.`,
		next: 'Choose another name, or add --overwrite to replace it.',
	});

function sentenceOf(
	{kind, from, to}: Renaming,
	{type, source}: PossibleRename,
	{deleted, lost}: RenameEnd,
	namespace: string,
): string {
	const [old, now] = [JSON.stringify(from), JSON.stringify(to)];
	const bytes = counted(source.bytes.length, 'byte');
	const doubt = lost ? ' An answer was lost; the current state shows that it was done.' : '';
	if (kind === 'copy')
		return type === 'already'
			? `${now} holds the same as ${old} already in namespace ${namespace}.`
			: `Copied ${old} to ${now} (${bytes}) in namespace ${namespace}.${doubt}`;
	const rest =
		type === 'finish' ? ` ${now} held the same already.` : deleted ? '' : ` ${old} was gone already.`;
	return `Renamed ${old} to ${now} (${bytes}) in namespace ${namespace}.${rest}${doubt}`;
}
