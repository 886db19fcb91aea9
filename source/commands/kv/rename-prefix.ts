import {Failure} from '../../failure.ts';
import {namesInput} from '../../kv/bulk/names-input.ts';
import {type KeyNames, keyNames, namesBehind} from '../../kv/transfer/names.ts';
import {
	type Collisions,
	type PrefixChange,
	type RenameCount,
	renamedTo,
} from '../../kv/transfer/renamed-names.ts';
import type {HeldBatch} from '../../kv/trash/trash.ts';
import type {OpenedNamespace} from '../../session/namespaces.ts';
import {listRename, namesTaken} from '../../session/renames.ts';
import {readyRename} from '../../session/transfers.ts';
import {ask} from '../../terminal/prompt.ts';
import {counted, grouped} from '../../text/figures.ts';
import {isTypedNumber} from '../../text/typed-number.ts';
import type {CommandContext} from '../shell/context.ts';
import {
	defineCommand,
	excludesOther,
	numberOption,
	type OptionValues,
	switchOption,
	valueOption,
} from '../shell/declare.ts';
import {isCountAsked, showCount} from './delete.ts';
import {announceKeeping, keepKeys, tellingWayBack, wayBack} from './keep-in-trash.ts';
import {overwriteTrashOption, targetOptions} from './options.ts';
import {openStore} from './stores.ts';
import {transferred} from './transfer-ending.ts';

const renameOptions = () => [
	switchOption('--overwrite', 'replace other keys that have the new names'),
	overwriteTrashOption(),
	switchOption('--only-missing', 'skip keys whose new name already exists'),
	numberOption('--confirm <count>', 'expected number of keys', 0),
	valueOption('--failed <file>', 'file for the names of keys that are left (rename.left.ndjson)'),
	...targetOptions(),
];

type PrefixOptions = OptionValues<typeof renameOptions>;

export const kvRenamePrefixCommand = defineCommand({
	usage: 'rename-prefix <OLD> <NEW>',
	summary: 'rename all keys that begin with OLD to begin with NEW, once they were counted',
	example: 'kv rename-prefix user: account: --binding SESSIONS --confirm 1240',
	writes: true,
	sample: 'features renamed --namespace-id {namespace} --confirm 1',
	options: renameOptions,
	run: renamePrefix,
});

/**
 * `kv rename-prefix`: lists the keys, shows their number and samples, and renames once the number is
 * confirmed.
 */
async function renamePrefix(
	context: CommandContext,
	options: PrefixOptions,
	from = '',
	to = '',
): Promise<void> {
	const collisions = collisionsOf(options);
	const opened = await openStore(context, options, {write: true});
	using store = opened.store;
	const {output, signal, session} = context;
	using listed = await listRename(session, opened, {from, to}, signal, names =>
		showCount(context, store, names),
	);
	const {names, count} = listed;
	const {keys, samples, taken} = count;
	if (keys === 0) {
		const {namespace} = store;
		await context.result(
			{command: 'rename', namespace, done: 0},
			`No key to rename begins with ${JSON.stringify(from)} in ${store.label}.`,
		);
		return;
	}
	output.say(`${counted(keys, 'key')} would be renamed in ${store.label}.`);
	for (const [old, now] of samples) output.say(`  ${JSON.stringify(old)} → ${JSON.stringify(now)}`);
	if (keys > samples.length) output.say(`  and ${grouped(keys - samples.length)} more`);
	if (taken > 0 && collisions === 'refuse') throw namesTaken(count);
	if (taken > 0)
		output.warn(
			`${counted(taken, 'new name')} taken by other keys: ${collisions === 'overwrite' ? 'those are replaced' : 'these keys stay as they are'}.`,
		);
	await confirmCount(context, count, options.confirm);
	const failed = options.failed === undefined ? undefined : context.resolve(options.failed);
	const keeps = options.trash === true && collisions === 'overwrite' && taken > 0;
	using kept = keeps ? await keepTaken(context, opened, {from, to}, names) : undefined;
	await tellingWayBack(kept, () =>
		transferred(context, readyRename(session, opened, {from, to, collisions, failed}, names)),
	);
	if (kept) output.say(wayBack(context, kept));
}

/** Keeps the keys that already have a new name in the trash. */
async function keepTaken(
	context: CommandContext,
	opened: OpenedNamespace,
	change: PrefixChange,
	names: KeyNames,
): Promise<HeldBatch | undefined> {
	const {env: environment, signal} = context;
	async function* taken() {
		for await (const group of namesBehind(names, undefined, signal))
			yield group.map(name => renamedTo(change, name));
	}
	using input = await namesInput(taken(), {environment, signal, label: `keys below ${change.to}`});
	const listed = await keyNames(input, signal);
	announceKeeping(context, opened, listed.valid, 'overwritten', true);
	const loss = {reason: 'overwritten', command: 'kv rename-prefix'} as const;
	return await keepKeys(context, opened, listed, loss, true);
}

function collisionsOf({overwrite, onlyMissing}: PrefixOptions): Collisions {
	if (overwrite && onlyMissing) throw excludesOther('--overwrite', '--only-missing');
	return overwrite ? 'overwrite' : onlyMissing ? 'only-missing' : 'refuse';
}

/** Confirms the number of keys: typed, or given with `--confirm`. */
async function confirmCount(
	context: CommandContext,
	{keys}: RenameCount,
	expected: number | undefined,
): Promise<void> {
	if (!isCountAsked(context, keys, expected, {done: 'written'})) return;
	const typed = (await ask(`Type ${keys} to rename them: `, context.host, context.signal)).trim();
	if (!isTypedNumber(typed, keys)) throw new Failure('declined', 'Nothing was written.');
}
