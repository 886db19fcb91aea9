import {type CheckedInput, listInputWarnings, refuseProblems} from '../../kv/bulk/check.ts';
import {formatEntryProblem} from '../../kv/bulk/entries.ts';
import {type BulkInput, openInput} from '../../kv/bulk/input.ts';
import type {BulkResult, BulkSource, StartBulkOptions} from '../../kv/bulk/job.ts';
import {
	type BulkKind,
	bulkKinds,
	findBulkRefusedFailure,
	formatBulkResult,
	type PreparedBulk,
	withAbsentKeyCount,
} from '../../kv/bulk/prepared.ts';
import {toEpochSeconds} from '../../kv/limits.ts';
import type {KvStore} from '../../kv/store.ts';
import type {TrashBatch} from '../../kv/trash/batch.ts';
import {describeTrashOutcome} from '../../kv/trash/limits.ts';
import {holdResumedBatch} from '../../kv/trash/trash.ts';
import {reopenSource} from '../../session/stores.ts';
import {formatTrashNote} from '../../session/trash.ts';
import {toStorePlace} from '../../session/write-place.ts';
import type {JobTarget} from '../../state/job-record.ts';
import {confirmAction} from '../../terminal/prompt.ts';
import {buildAdvice, buildKeysCommand} from '../../text/advice.ts';
import {formatInteger, formatPlainQuantity} from '../../text/figures.ts';
import type {CommandContext} from '../shell/context.ts';
import {defineCommand} from '../shell/declare.ts';
import {
	buildBulkWriteOptions,
	createOverwriteTrashOption,
	getNamespaceName,
	type TargetOptions,
	type TrashOptions,
} from './options.ts';
import {createBulkReport} from './progress.ts';
import {openTargetNamespace, reopenJobNamespace} from './stores.ts';
import {
	announceTrashCost,
	formatRestoreHint,
	keepKeysInTrash,
	withRestoreAdvice,
} from './trash-before-write.ts';

type BulkWriteOptions = TargetOptions & TrashOptions & {skipInvalid?: boolean; failed?: string};

/** `kv bulk put`: checks the whole file, then sends it. */
export const runBulkPut = (context: CommandContext, options: BulkWriteOptions, file = ''): Promise<void> =>
	writeBulkFile(context, options, file, 'bulk-put');

/** `kv bulk delete`: asks after the file is checked, so that the question names the number of keys. */
export const runBulkDelete = (context: CommandContext, options: BulkWriteOptions, file = ''): Promise<void> =>
	writeBulkFile(context, options, file, 'bulk-delete');

/** `kv import`: like `kv bulk put`, but accepts an export, whose keys may have expired. */
const importKeys = (context: CommandContext, options: BulkWriteOptions, file = ''): Promise<void> =>
	writeBulkFile(context, options, file, 'import');

export const kvImportCommand = defineCommand({
	usage: 'import <FILENAME>',
	summary: 'import the keys of an export; skips keys that have expired since',
	example: 'kv import sessions.ndjson.gz --binding SESSIONS',
	refusedByReadOnly: true,
	sampleArguments: 'put.json --namespace-id {namespace}',
	options: () => [createOverwriteTrashOption(), ...buildBulkWriteOptions()],
	run: importKeys,
});

async function writeBulkFile(
	context: CommandContext,
	options: BulkWriteOptions,
	file: string,
	kind: BulkKind,
): Promise<void> {
	const openedNamespace = await openTargetNamespace(context, options, {
		write: true,
		createsNamespace: kind !== 'bulk-delete',
	});
	const {store, target} = openedNamespace;
	using _open = store;
	const {env: environment, signal} = context;
	using input = await openInput(context.resolve(file), {
		environment,
		stdin: context.host.stdin,
		signal,
		mayBeEmpty: kind === 'import',
	});
	const prepared = await prepareInput(context, input, kind);
	const {checked} = prepared;
	if (!options.skipInvalid) refuseProblems(checked);
	for (const problem of options.skipInvalid ? checked.problems : [])
		context.output.warn(`skipped: ${formatEntryProblem(problem)}`);
	const reason = kind === 'bulk-delete' ? 'deleted' : 'overwritten';
	announceTrashCost(context, openedNamespace, checked.validCount, reason, options.trash);
	if (kind === 'bulk-delete' && checked.validCount > 0)
		await confirmDelete(context, checked, store, options.trash);
	const trashCause = {reason, command: `kv ${bulkKinds[kind].command}`} as const;
	using heldBatch = await keepKeysInTrash(context, openedNamespace, checked, trashCause, options.trash);
	await runBulk(context, store, prepared, {
		target: context.options.dryRun ? undefined : target,
		skipInvalid: options.skipInvalid,
		failed: options.failed === undefined ? undefined : context.resolve(options.failed),
		trashBatch: heldBatch?.batch,
		namespaceName: getNamespaceName(options, store),
	});
}

/** Resumes an interrupted bulk job: sends only what was not acknowledged. */
export async function resumeBulk(
	context: CommandContext,
	id: string,
	kind: BulkKind,
	jobRecord: {readonly target: JobTarget; readonly title: string},
): Promise<void> {
	const {store, target} = await reopenJobNamespace(context, jobRecord);
	using _open = store;
	const report = createBulkReport(context);
	const {env: environment, signal} = context;
	const now = toEpochSeconds(context.now());
	const prepared = await bulkKinds[kind].resume(id, {
		environment,
		target,
		now,
		signal,
		progress: report.showChecking,
	});
	report.clear();
	using _input = prepared.checked.input;
	using heldBatch =
		prepared.trash === undefined ? undefined : holdResumedBatch(environment, prepared.trash, context.now());
	if (prepared.trash !== undefined && !heldBatch)
		context.output.warn(
			`The trash no longer contains the keys that this job ${kind === 'bulk-delete' ? 'deletes' : 'overwrites'} (${prepared.trash}).`,
		);
	const source = prepared.source && (await reopenSource(context.session, prepared.source, signal));
	using _source = source?.store;
	await runBulk(context, store, prepared, {target, trashBatch: heldBatch?.batch, source});
}

async function prepareInput(
	context: CommandContext,
	input: BulkInput,
	kind: BulkKind,
): Promise<PreparedBulk> {
	const report = createBulkReport(context);
	try {
		const prepared = await bulkKinds[kind].prepare(input, {
			now: toEpochSeconds(context.now()),
			signal: context.signal,
			progress: report.showChecking,
		});
		report.clear();
		for (const warning of listInputWarnings(prepared.checked, bulkKinds[kind])) context.output.warn(warning);
		return prepared;
	} finally {
		report.clear();
	}
}

const confirmDelete = (
	context: CommandContext,
	{input, validCount}: CheckedInput<unknown>,
	store: KvStore,
	trash: boolean | undefined,
): Promise<void> =>
	confirmAction(
		`Delete ${formatPlainQuantity(validCount, 'key')} listed in ${input.label} from namespace ${store.namespace} (${store.label})? ${describeTrashOutcome(validCount, trash)}`,
		context.getConfirmation(),
		context.signal,
	);

/** Runs a checked bulk job, shows its progress, and prints the result. */
export async function runBulk(
	context: CommandContext,
	store: KvStore,
	prepared: PreparedBulk,
	{
		namespaceName = store.namespace,
		trashBatch,
		...jobOptions
	}: Pick<StartBulkOptions, 'target' | 'skipInvalid' | 'failed' | 'source'> & {
		/** The trash batch with the keys that the job deletes or overwrites. */
		readonly trashBatch?: TrashBatch | undefined;
		/** The namespace as the user named it. */
		readonly namespaceName?: string;
	},
): Promise<void> {
	const report = createBulkReport(context);
	const {env: environment, cwd, signal, host} = context;
	const {checked, kind} = prepared;
	const options = {...jobOptions, trash: trashBatch?.id};
	const auditText = `${bulkKinds[kind].command} ${formatPlainQuantity(checked.validCount, 'entry', 'entries')} of ${checked.input.label}${formatTrashNote(trashBatch && {batch: trashBatch})}`;
	const runJob = async () => {
		try {
			const progress = report.showWork;
			const job = prepared.start(store, {...options, ...host.clock, environment, cwd, signal, progress});
			progress(job.getProgress());
			const result = await job.finished;
			return kind === 'bulk-delete' ? withAbsentKeyCount(result, trashBatch) : result;
		} finally {
			report.clear();
		}
	};
	await withRestoreAdvice(trashBatch && {batch: trashBatch}, async () => {
		const result = await context.auditWrite(auditText, toStorePlace(store), runJob, bulkResult =>
			findBulkRefusedFailure(bulkResult, () => ''),
		);
		await printBulkResult(
			context,
			{namespace: store.namespace, namespaceName, source: jobOptions.source},
			result,
			kind,
			trashBatch,
		);
	});
}

async function printBulkResult(
	context: CommandContext,
	{
		namespace,
		namespaceName,
		source,
	}: {readonly namespace: string; readonly namespaceName: string; readonly source: BulkSource | undefined},
	result: BulkResult,
	kind: BulkKind,
	trashBatch: TrashBatch | undefined,
): Promise<void> {
	if (result.recordingFailure)
		context.output.sayIfInteractive(`The job could not be recorded: ${result.recordingFailure.message}`);
	const kindTexts = bulkKinds[kind];
	await context.printResult(
		{
			job: result.id,
			command: kind,
			namespace,
			entries: result.entries,
			done: result.done,
			doneBefore: result.doneBefore,
			keys: result.distinctKeyCount ?? null,
			...(kind === 'bulk-delete' && {absent: result.absent ?? null}),
			...((kind === 'bulk-delete' || trashBatch) && {trash: trashBatch?.id ?? null}),
			...(source && {kept: result.protectedCount, keptKeys: result.protectedSamples}),
			skipped: result.skipped,
			expired: result.expired,
			refused: result.refused,
			failedFile: result.failedFile ?? null,
			requests: result.requests,
			milliseconds: Math.round(result.milliseconds),
		},
		formatBulkResult(result, kindTexts, namespaceName),
	);
	if (source && result.protectedCount > 0) printProtectedKeys(context, source, result);
	const formatRetryAdvice = (file: string) =>
		buildAdvice`\`${buildKeysCommand(`kv ${kindTexts.command}`, file)}\` retries only these.`;
	const failure = findBulkRefusedFailure(result, formatRetryAdvice);
	if (failure) throw failure;
	if (trashBatch) context.output.say(formatRestoreHint(context, {batch: trashBatch}));
}

function printProtectedKeys(
	{output}: CommandContext,
	{store}: BulkSource,
	{protectedCount, protectedSamples}: BulkResult,
): void {
	if (output.json) return;
	output.say(`Kept because ${store.label} has ${protectedCount === 1 ? 'it' : 'them'} now:`);
	for (const key of protectedSamples) output.say(`  ${JSON.stringify(key)}`);
	if (protectedCount > protectedSamples.length)
		output.say(`  and ${formatInteger(protectedCount - protectedSamples.length)} more`);
}
