import {Failure} from '../../failure.ts';
import type {BulkSource} from '../../kv/bulk/job.ts';
import {openKeyNamesInput} from '../../kv/bulk/names-input.ts';
import {bulkKinds} from '../../kv/bulk/prepared.ts';
import {describeSourceCheck} from '../../kv/bulk/source-keys.ts';
import {toEpochSeconds} from '../../kv/limits.ts';
import type {KvStore} from '../../kv/store.ts';
import {walkKeys} from '../../kv/transfer/listing.ts';
import {describeTrashOutcome, shouldUseTrash} from '../../kv/trash/limits.ts';
import type {OpenedNamespace} from '../../session/namespaces.ts';
import {canAsk, confirmAction} from '../../terminal/prompt.ts';
import {buildAdvice, buildKeysCommand} from '../../text/advice.ts';
import {formatInteger, formatPlainQuantity, formatQuantity} from '../../text/figures.ts';
import type {CommandContext} from '../shell/context.ts';
import {
	buildExclusionFailure,
	createNumberOption,
	createSwitchOption,
	createValueOption,
	defineCommand,
	type OptionValues,
} from '../shell/declare.ts';
import {runBulk} from './bulk-write.ts';
import {buildConditionOptions, parseConditions} from './conditions.ts';
import {createLongWorkNotice} from './long-work.ts';
import {
	buildDeletionTrashOptions,
	buildTargetOptions,
	createPrefixOption,
	getNamespaceName,
} from './options.ts';
import {createWalkReport} from './progress.ts';
import {openTargetNamespace} from './stores.ts';
import {announceTrashCost, confirmCount, keepKeysInTrash} from './trash-before-write.ts';

const buildDeleteOptions = () => [
	createPrefixOption(),
	...buildConditionOptions(),
	createSwitchOption('--all', 'every key in the namespace'),
	createNumberOption('--confirm <count>', 'expected number of keys', 0),
	createValueOption('--failed <file>', 'file for keys the service rejects'),
	...buildDeletionTrashOptions(),
	...buildTargetOptions(),
];

type DeleteKeysOptions = OptionValues<typeof buildDeleteOptions>;

export const kvDeleteCommand = defineCommand({
	usage: 'delete',
	summary: 'delete keys by prefix, expiration or metadata, after you confirm how many',
	example: 'kv delete --binding SESSIONS --prefix tmp: --confirm 1240',
	refusedByReadOnly: true,
	sampleArguments: '--namespace-id {namespace} --prefix features --confirm 1',
	options: buildDeleteOptions,
	run: deleteKeys,
});

/** `kv delete`: lists the keys, shows their number and samples, and deletes once the number is confirmed. */
async function deleteKeys(context: CommandContext, options: DeleteKeysOptions): Promise<void> {
	const {prefix} = options;
	const condition = parseConditions(options);
	const hasPrefix = prefix !== undefined && prefix !== '';
	if (options.all && (hasPrefix || condition !== undefined))
		throw buildExclusionFailure(
			'--all',
			'filters',
			'Leave out --all, or leave out --prefix, --expiring-before and --where.',
		);
	if (!hasPrefix && condition === undefined && !options.all)
		throw new Failure('usage', 'Specify which keys to delete.', {
			next: 'Use --prefix, --expiring-before or --where, or use --all for every key in the namespace.',
		});
	const openedNamespace = await openTargetNamespace(context, options, {write: true});
	using store = openedNamespace.store;
	const {signal} = context;
	async function* listMatchingNames() {
		for await (const {keys} of walkKeys(store, {prefix, condition}, signal)) yield keys.map(({name}) => name);
	}
	await deleteListedKeys(context, openedNamespace, listMatchingNames(), {
		confirm: options.confirm,
		command: 'kv delete',
		trash: options.trash,
		which: `keys in ${store.label}`,
		namespaceName: getNamespaceName(options, store),
		failed: options.failed === undefined ? undefined : context.resolve(options.failed),
	});
}

/**
 * Deletes keys after the user confirms their number by typing it or with `confirm`, which must match. The
 * names are stored until the job is done, so that an interrupted run can be resumed.
 */
export async function deleteListedKeys(
	context: CommandContext,
	openedNamespace: OpenedNamespace,
	keys: AsyncIterable<readonly string[]>,
	deletion: {
		/** The expected number of keys (`--confirm`); asks if undefined. */
		readonly confirm?: number | undefined;
		/** The command, as the trash lists it. */
		readonly command: string;
		/** `--trash` or `--no-trash`; undefined if neither was given. */
		readonly trash: boolean | undefined;
		/** Describes the keys: "keys in CONFIG". Raw data. */
		readonly which: string;
		/** The namespace as the user named it. */
		readonly namespaceName?: string;
		readonly failed?: string | undefined;
		/** A store whose keys are spared: a key is kept if this store has it at the time of deletion. */
		readonly source?: BulkSource | undefined;
	},
): Promise<void> {
	const {store, target} = openedNamespace;
	const {env: environment, signal, options, output} = context;
	using input = await openKeyNamesInput(withListingCount(context, store, keys), {
		label: deletion.which,
		environment,
		signal,
	});
	const prepared = await bulkKinds['bulk-delete'].prepare(input, {
		now: toEpochSeconds(context.now()),
		signal,
	});
	const {entryCount: count, samples} = prepared.checked;
	if (count === 0) return reportNothingToDelete(context, store.namespace);
	output.say(`${formatQuantity(count, 'key')} would be deleted: ${deletion.which}.`);
	for (const name of samples) output.say(`  ${JSON.stringify(name)}`);
	if (count > samples.length) output.say(`  and ${formatInteger(count - samples.length)} more`);
	if (deletion.source) output.say(describeSourceCheck(deletion.source.store, count));
	announceTrashCost(context, openedNamespace, count, 'deleted', deletion.trash);
	await confirmDeletion(context, count, deletion);
	const countToType = deletion.confirm === undefined ? count : undefined;
	const trashCause = {reason: 'deleted', command: deletion.command, countToType} as const;
	using heldBatch = await keepKeysInTrash(
		context,
		openedNamespace,
		prepared.checked,
		trashCause,
		deletion.trash,
	);
	await runBulk(context, store, prepared, {
		target: options.dryRun ? undefined : target,
		failed: deletion.failed,
		trashBatch: heldBatch?.batch,
		source: deletion.source,
		...(deletion.namespaceName !== undefined && {namespaceName: deletion.namespaceName}),
	});
}

async function reportNothingToDelete(
	{options, output, printResult}: CommandContext,
	namespace: string,
): Promise<void> {
	const sentence = 'No matching keys; nothing was deleted.';
	if (!options.dryRun) return printResult({command: 'delete', namespace, done: 0}, sentence);
	if (output.json) await output.writeJson([]);
	else output.say(sentence);
}

/** Yields the same groups of keys, and shows the number of keys so far. */
export async function* withListingCount(
	context: CommandContext,
	{quota}: KvStore,
	keys: AsyncIterable<readonly string[]>,
): AsyncGenerator<readonly string[]> {
	using report = createWalkReport(context, 'listing');
	const hint = 'Use a longer prefix for fewer keys.';
	const warnIfLong = createLongWorkNotice(context, {content: 'names', quota: quota?.(), hint}, report.clear);
	let count = 0;
	for await (const group of keys) {
		count += group.length;
		warnIfLong(count);
		report.show(count);
		yield group;
	}
}

async function confirmDeletion(
	context: CommandContext,
	count: number,
	{
		confirm: expected,
		which,
		trash,
	}: Pick<Parameters<typeof deleteListedKeys>[3], 'confirm' | 'which' | 'trash'>,
): Promise<void> {
	if (!mustConfirmCount(context, count, expected, {done: 'deleted', which: `: ${which}`})) return;
	const {output, host, signal} = context;
	const undoHint = describeTrashOutcome(count, trash);
	if (!shouldUseTrash(count, trash)) return confirmCount(undoHint, count, host, signal);
	// --yes confirms nothing here: it was given before the number of keys was known.
	const question = `${undoHint} Delete ${count === 1 ? 'it' : 'them'}?`;
	return confirmAction(question, {yes: false, json: output.json, host}, signal);
}

/**
 * Returns true if a person must confirm the number of keys; false if it is `expected`, or in a dry run. Fails
 * with `unconfirmed` if another number is expected, or if asking is impossible: --yes alone does not confirm
 * an unseen number. `done`: what happens to the keys; `which`: a description of them.
 */
export function mustConfirmCount(
	{options, output, host}: CommandContext,
	count: number,
	expected: number | undefined,
	{done, which = ''}: {readonly done: 'deleted' | 'written'; readonly which?: string},
): boolean {
	if (options.dryRun || expected === count) return false;
	if (expected !== undefined)
		throw new Failure(
			'unconfirmed',
			`Expected ${formatPlainQuantity(expected, 'key')}, found ${count}; nothing was ${done}.`,
			{
				next: buildAdvice`Check the keys with \`${buildKeysCommand('kv key list')}\`, then use --confirm ${String(count)}`,
			},
		);
	if (canAsk(host) && !output.json) return true;
	throw new Failure('unconfirmed', `Not confirmed, so nothing was ${done}.`, {
		why: `This affects ${formatQuantity(count, 'key')}${which}.`,
		next: `To continue, add --confirm ${count}.`,
	});
}
