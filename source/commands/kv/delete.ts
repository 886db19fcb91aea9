import {Failure} from '../../failure.ts';
import type {BulkSource} from '../../kv/bulk/job.ts';
import {namesInput} from '../../kv/bulk/names-input.ts';
import {bulkKinds} from '../../kv/bulk/prepared.ts';
import {sourceCheckText} from '../../kv/bulk/source-keys.ts';
import {unixSeconds} from '../../kv/limits.ts';
import type {KvStore} from '../../kv/store.ts';
import {listedKeys} from '../../kv/transfer/listing.ts';
import {type Condition, expiringBefore, parseWhere} from '../../kv/transfer/where.ts';
import {goesToTrash, wayBackText} from '../../kv/trash/limits.ts';
import type {OpenedNamespace} from '../../session/namespaces.ts';
import {canAsk, confirm} from '../../terminal/prompt.ts';
import {advice, onKeys} from '../../text/advice.ts';
import {counted, grouped, isOrAre, quantity} from '../../text/figures.ts';
import {unixTimeOf} from '../../text/time-input.ts';
import type {CommandContext} from '../shell/context.ts';
import {
	defineCommand,
	excludesOther,
	numberOption,
	type OptionValues,
	switchOption,
	valueOption,
} from '../shell/declare.ts';
import {workBulk} from './bulk-write.ts';
import {announceKeeping, confirmCount, keepKeys} from './keep-in-trash.ts';
import {longWorkNotice} from './long-work.ts';
import {deletionTrashOptions, namespaceCalled, prefixOption, targetOptions} from './options.ts';
import {walkReport} from './progress.ts';
import {openStore} from './stores.ts';

const deleteOptions = () => [
	prefixOption(),
	valueOption('--expiring-before <time>', 'only keys that expire before: UNIX seconds or ISO 8601'),
	valueOption('--where <condition>', 'only keys with that metadata: metadata.path=value'),
	switchOption('--all', 'every key of the namespace'),
	numberOption('--confirm <count>', 'expected number of keys', 0),
	valueOption('--failed <file>', 'file for what the service refuses'),
	...deletionTrashOptions(),
	...targetOptions(),
];

type DeletingOptions = OptionValues<typeof deleteOptions>;

export const kvDeleteCommand = defineCommand({
	usage: 'delete',
	summary: 'delete keys by prefix, expiry or metadata, once they were counted and that count confirmed',
	example: 'kv delete --binding SESSIONS --prefix tmp: --confirm 1240',
	writes: true,
	sample: '--namespace-id {namespace} --prefix features --confirm 1',
	options: deleteOptions,
	run: deleteKeys,
});

/** `kv delete`: lists the keys, shows their number and samples, and deletes once the number is confirmed. */
async function deleteKeys(context: CommandContext, options: DeletingOptions): Promise<void> {
	const {prefix} = options;
	const conditions = conditionsOf(options);
	const isNarrowed = prefix !== undefined && prefix !== '';
	if (options.all && (isNarrowed || conditions.length > 0))
		throw excludesOther(
			'--all',
			'what narrows it',
			'Leave --all out, or else --prefix, --expiring-before and --where.',
		);
	if (!isNarrowed && conditions.length === 0 && !options.all)
		throw new Failure('usage', 'Specify which keys to delete.', {
			next: 'Give --prefix, --expiring-before or --where; --all for every key of the namespace.',
		});
	const opened = await openStore(context, options, {write: true});
	using store = opened.store;
	const {signal} = context;
	async function* names() {
		for await (const {keys} of listedKeys(store, {prefix}, signal))
			yield keys.filter(key => conditions.every(condition => condition(key))).map(({name}) => name);
	}
	await deleteListed(context, opened, names(), {
		confirm: options.confirm,
		command: 'kv delete',
		trash: options.trash,
		which: `keys of ${store.label}`,
		called: namespaceCalled(options, store),
		failed: options.failed === undefined ? undefined : context.resolve(options.failed),
	});
}

/**
 * Deletes keys after their number is confirmed: typed, or given as `confirm`, which must match. Their names
 * are stored until the job is done, so that an interrupted run can be resumed.
 */
export async function deleteListed(
	context: CommandContext,
	opened: OpenedNamespace,
	keys: AsyncIterable<readonly string[]>,
	how: {
		readonly confirm?: number | undefined;
		/** The command, as the trash lists it. */
		readonly command: string;
		/** `--trash` or `--no-trash`; undefined if neither was given. */
		readonly trash: boolean | undefined;
		readonly which: string;
		/** The namespace as the user named it. */
		readonly called?: string;
		readonly failed?: string | undefined;
		/** A store whose keys are spared: those that it has at the time of deletion. */
		readonly source?: BulkSource | undefined;
	},
): Promise<void> {
	const {store, target} = opened;
	const {env: environment, signal, options, output} = context;
	using input = await namesInput(showCount(context, store, keys), {label: how.which, environment, signal});
	const prepared = await bulkKinds['bulk-delete'].prepare(input, {now: unixSeconds(context.now()), signal});
	const {entries: count, samples} = prepared.checked;
	if (count === 0) return nothingToDelete(context, store.namespace);
	output.say(`${counted(count, 'key')} would be deleted: ${how.which}.`);
	for (const name of samples) output.say(`  ${JSON.stringify(name)}`);
	if (count > samples.length) output.say(`  and ${grouped(count - samples.length)} more`);
	if (how.source) output.say(sourceCheckText(how.source.store, count));
	announceKeeping(context, opened, count, 'deleted', how.trash);
	await confirmDeletion(context, count, how);
	const typed = how.confirm === undefined ? count : undefined;
	const loss = {reason: 'deleted', command: how.command, typed} as const;
	using kept = await keepKeys(context, opened, prepared.checked, loss, how.trash);
	await workBulk(context, store, prepared, {
		target: options.dryRun ? undefined : target,
		failed: how.failed,
		kept: kept?.batch,
		source: how.source,
		...(how.called !== undefined && {called: how.called}),
	});
}

async function nothingToDelete({options, output, result}: CommandContext, namespace: string): Promise<void> {
	const sentence = 'No key matches; nothing was deleted.';
	if (!options.dryRun) return result({command: 'delete', namespace, done: 0}, sentence);
	if (output.json) await output.value([]);
	else output.say(sentence);
}

/** Passes the keys through, and shows their number so far. */
export async function* showCount(
	context: CommandContext,
	{quota}: KvStore,
	keys: AsyncIterable<readonly string[]>,
): AsyncGenerator<readonly string[]> {
	using report = walkReport(context, 'listing');
	const shorter = 'A longer prefix takes a part of them.';
	const notice = longWorkNotice(context, {reads: 'names', quota: quota?.(), shorter}, report.clear);
	let count = 0;
	for await (const group of keys) {
		count += group.length;
		notice(count);
		report.show(count);
		yield group;
	}
}

async function confirmDeletion(
	context: CommandContext,
	count: number,
	{confirm: expected, which, trash}: Pick<Parameters<typeof deleteListed>[3], 'confirm' | 'which' | 'trash'>,
): Promise<void> {
	if (!isCountAsked(context, count, expected, {done: 'deleted', which: `: ${which}`})) return;
	const {output, host, signal} = context;
	const wayBack = wayBackText(count, trash);
	if (!goesToTrash(count, trash)) return confirmCount(wayBack, count, host, signal);
	// --yes is given before the number is known.
	const question = `${wayBack} Delete ${count === 1 ? 'it' : 'them'}?`;
	return confirm(question, {yes: false, json: output.json, host}, signal);
}

/**
 * Returns true if a person must confirm the number of keys; false if it is `expected`, or in a dry run. Fails
 * with `unconfirmed` if another number is expected, or if asking is impossible: --yes alone does not confirm
 * an unseen number. `done`: what happens to the keys; `which`: a description of them.
 */
export function isCountAsked(
	{options, output, host}: CommandContext,
	count: number,
	expected: number | undefined,
	{done, which = ''}: {readonly done: 'deleted' | 'written'; readonly which?: string},
): boolean {
	if (options.dryRun || expected === count) return false;
	if (expected !== undefined)
		throw new Failure(
			'unconfirmed',
			`There ${isOrAre(count)} ${quantity(count, 'such key')}, and not ${expected}; nothing was ${done}.`,
			{
				next: advice`Look at them (\`${onKeys('kv key list')}\`); then confirm that number: --confirm ${String(count)}`,
			},
		);
	if (canAsk(host) && !output.json) return true;
	throw new Failure('unconfirmed', `Not confirmed, so nothing was ${done}.`, {
		why: `${count === 1 ? 'This is' : 'These are'} ${counted(count, 'key')}${which}.`,
		next: `Add --confirm ${count} if that is what you want.`,
	});
}

function conditionsOf({expiringBefore: before, where}: DeletingOptions): readonly Condition[] {
	return [
		...(before === undefined ? [] : [expiringBefore(expiryOf(before))]),
		...(where === undefined ? [] : [parseWhere(where)]),
	];
}

/**
 * Parses a time as UNIX seconds: a number, or a time as the expiry editor accepts it (UTC without a time
 * zone).
 */
function expiryOf(text: string): number {
	const seconds = unixTimeOf(text.trim().toLowerCase());
	// Milliseconds by mistake would match every key that ever expires.
	if (seconds !== undefined && seconds < firstOfYear10000) return seconds;
	throw new Failure('usage', `${JSON.stringify(text)} is not a time.`, {
		next: 'Give UNIX seconds, or ISO 8601 such as 2026-12-31T00:00:00Z.',
	});
}

const firstOfYear10000 = 253_402_300_800;
