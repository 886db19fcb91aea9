import {Failure} from '../../failure.ts';
import {
	digestKey,
	isSameExpiry,
	isSameMetadata,
	isSameValue,
	type KeyDigest,
	readWholeKey,
	type WholeKey,
} from '../../kv/change/whole-key.ts';
import {formatExpiration} from '../../kv/keys.ts';
import {checkKey} from '../../kv/limits.ts';
import type {EntryPart} from '../../kv/transfer/entry.ts';
import {countDaysLeft, trashLimits} from '../../kv/trash/limits.ts';
import {type KeyVersion, listKeyVersions, readKeyVersion} from '../../session/key-history.ts';
import {formatTable, type TextColumn} from '../../terminal/table.ts';
import {buildAdvice, buildCommand} from '../../text/advice.ts';
import {formatInteger, formatQuantity} from '../../text/figures.ts';
import type {CommandContext} from '../shell/context.ts';
import {buildKeyNotFoundFailure, printValue, toValueJson} from './key-get.ts';
import {getNamespaceName, type TargetOptions} from './options.ts';
import {openTargetNamespace} from './stores.ts';

type HistoryOptions = TargetOptions & {show?: string};

/** `kv key history`: lists what the trash has of a key, compared with what is stored now, or prints a version. */
export async function showKeyHistory(
	context: CommandContext,
	options: HistoryOptions,
	key = '',
): Promise<void> {
	checkKey(key);
	if (options.show !== undefined) return printVersion(context, options.show, key);
	const {output, session, signal} = context;
	const {store: openedStore, target} = await openTargetNamespace(context, options);
	using store = openedStore;
	const stored = await readWholeKey(store, key, signal);
	const versions = await listKeyVersions(session, target, key, signal);
	const namespaceName = getNamespaceName(options, store);
	if (!stored && versions.length === 0) throw buildKeyNotFoundFailure(key, namespaceName);
	if (output.json)
		return output.writeJson(
			context.markSimulated({
				key,
				namespace: store.namespace,
				now: stored ? toStateJson(digestKey(stored), stored.bytes.length) : null,
				versions: versions.map(version => toVersionJson(version, stored, context.now())),
			}),
		);
	if (versions.length === 0) {
		output.say(`The trash has no earlier version of the key "${key}" in namespace ${namespaceName}.`);
		return;
	}
	const rows: readonly HistoryRow[] = [
		...(stored ? [{state: digestKey(stored), size: stored.bytes.length}] : []),
		...versions.map(version => ({...version, parts: listDifferences(version.state, stored)})),
	];
	await output.writeText(formatTable([...buildColumns(context.now())], rows));
	const [{batch}] = versions as [KeyVersion];
	const {qualifyAdvice} = await import('../../session/qualify-commands.ts');
	const restoreCommand = buildCommand('kv trash restore', batch.id, '--key', key, '--overwrite');
	output.sayIfInteractive(`To restore: ${qualifyAdvice(restoreCommand, context.options)}`);
}

/** A version, or what is stored now. */
type HistoryRow = Pick<KeyVersion, 'state' | 'size'> & {
	readonly batch?: KeyVersion['batch'];
	/** What differs from what is stored now. */
	readonly parts?: readonly EntryPart[] | undefined;
};

const buildColumns = (now: number): readonly TextColumn<HistoryRow>[] => [
	{title: 'ID', cell: ({batch}) => batch?.id ?? '–'},
	{
		title: 'UNTIL',
		cell: ({batch}) =>
			batch ? `${new Date(batch.deleted).toISOString().slice(0, 16).replace('T', ' ')} UTC` : 'now',
	},
	{title: 'THEN', cell: ({batch}) => batch?.reason ?? ''},
	{title: 'BYTES', align: 'right', cell: ({size}) => formatInteger(size)},
	{
		title: 'EXPIRES',
		cell: ({state: {expiration}}) => (expiration === undefined ? '–' : formatExpiration(expiration)),
	},
	{
		title: 'DIFFERS FROM NOW',
		cell: ({batch, parts}) => (batch ? (parts?.join(', ') ?? 'deleted now') || 'no' : ''),
	},
	{
		title: 'KEPT FOR',
		align: 'right',
		cell: ({batch}) => (batch ? formatQuantity(countDaysLeft(batch, now), 'day') : ''),
	},
	{title: 'BY', cell: ({batch}) => batch?.command ?? ''},
];

/** Lists what differs between a version and what is stored; undefined if the key does not exist now. */
function listDifferences(state: KeyDigest, stored: WholeKey | undefined): readonly EntryPart[] | undefined {
	if (!stored) return undefined;
	return [
		...(isSameValue(state, stored) ? [] : ['value' as const]),
		...(isSameMetadata(state.metadata, stored.metadata) ? [] : ['metadata' as const]),
		...(isSameExpiry(state, stored) ? [] : ['expiration' as const]),
	];
}

const toStateJson = ({expiration, metadata}: KeyDigest, size: number) => ({
	bytes: size,
	expiration: expiration === undefined ? null : formatExpiration(expiration),
	metadata,
});

const toVersionJson = ({batch, state, size}: KeyVersion, stored: WholeKey | undefined, now: number) => ({
	id: batch.id,
	reason: batch.reason,
	until: new Date(batch.deleted).toISOString(),
	keptUntil: new Date(batch.deleted + trashLimits.retentionMs).toISOString(),
	daysLeft: countDaysLeft(batch, now),
	...toStateJson(state, size),
	differs: listDifferences(state, stored) ?? null,
	command: batch.command,
});

/** Prints the value of a version as `kv key get` prints that of a key. */
async function printVersion(context: CommandContext, id: string, key: string): Promise<void> {
	const {output, session, signal} = context;
	const version = await readKeyVersion(session, id, key, signal);
	if (!version)
		throw new Failure('input_missing', `The trash entry ${id} has no key ${JSON.stringify(key)}.`, {
			next: buildAdvice`\`${buildCommand('kv trash list')}\` lists the entries.`,
		});
	if (output.json)
		return output.writeJson(
			context.markSimulated({
				key,
				id,
				...toValueJson(version.bytes),
				...toStateJson(digestKey(version), version.bytes.length),
			}),
		);
	await printValue(context, version.bytes);
}
