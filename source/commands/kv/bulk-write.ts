import {type CheckedInput, refuseProblems, warningsOf} from '../../kv/bulk/check.ts';
import {problemText} from '../../kv/bulk/entries.ts';
import {type BulkInput, openInput} from '../../kv/bulk/input.ts';
import type {BulkResult, BulkSource, StartOptions} from '../../kv/bulk/job.ts';
import {type BulkKind, bulkDone, bulkKinds, bulkRefused, type PreparedBulk} from '../../kv/bulk/prepared.ts';
import {unixSeconds} from '../../kv/limits.ts';
import type {KvStore} from '../../kv/store.ts';
import type {TrashBatch} from '../../kv/trash/batch.ts';
import {wayBackText} from '../../kv/trash/limits.ts';
import {holdAgain} from '../../kv/trash/trash.ts';
import {reopenSource} from '../../session/stores.ts';
import {keptText} from '../../session/trash.ts';
import {placeOfStore} from '../../session/write-place.ts';
import type {JobTarget} from '../../state/job-record.ts';
import {confirm} from '../../terminal/prompt.ts';
import {advice, onKeys} from '../../text/advice.ts';
import {grouped, quantity} from '../../text/figures.ts';
import type {CommandContext} from '../shell/context.ts';
import {defineCommand} from '../shell/declare.ts';
import {announceKeeping, keepKeys, tellingWayBack, wayBack} from './keep-in-trash.ts';
import {
	namespaceCalled,
	overwriteTrashOption,
	type TargetOptions,
	type TrashOptions,
	writingOptions,
} from './options.ts';
import {bulkReport} from './progress.ts';
import {openStore, reopenStore} from './stores.ts';

type BulkWriteOptions = TargetOptions & TrashOptions & {skipInvalid?: boolean; failed?: string};

/** `kv bulk put`: checks the whole file, then sends it. */
export const bulkPut = (context: CommandContext, options: BulkWriteOptions, file = ''): Promise<void> =>
	write(context, options, file, 'bulk-put');

/** `kv bulk delete`: asks after the file is checked, so that the question names the number of keys. */
export const bulkDelete = (context: CommandContext, options: BulkWriteOptions, file = ''): Promise<void> =>
	write(context, options, file, 'bulk-delete');

/** `kv import`: the same for an export, whose keys may have expired. */
const importKeys = (context: CommandContext, options: BulkWriteOptions, file = ''): Promise<void> =>
	write(context, options, file, 'import');

export const kvImportCommand = defineCommand({
	usage: 'import <FILENAME>',
	summary: 'write the keys of an export; those that have expired since are left out',
	example: 'kv import sessions.ndjson.gz --binding SESSIONS',
	writes: true,
	sample: 'put.json --namespace-id {namespace}',
	options: () => [overwriteTrashOption(), ...writingOptions()],
	run: importKeys,
});

async function write(
	context: CommandContext,
	options: BulkWriteOptions,
	file: string,
	kind: BulkKind,
): Promise<void> {
	const opened = await openStore(context, options, {write: true, creates: kind !== 'bulk-delete'});
	const {store, target} = opened;
	using _open = store;
	const {env: environment, signal} = context;
	using input = await openInput(context.resolve(file), {
		environment,
		stdin: context.host.stdin,
		signal,
		mayBeEmpty: kind === 'import',
	});
	const prepared = await check(context, input, kind);
	const {checked} = prepared;
	if (!options.skipInvalid) refuseProblems(checked);
	for (const problem of options.skipInvalid ? checked.problems : [])
		context.output.warn(`skipped: ${problemText(problem)}`);
	const reason = kind === 'bulk-delete' ? 'deleted' : 'overwritten';
	announceKeeping(context, opened, checked.valid, reason, options.trash);
	if (kind === 'bulk-delete' && checked.valid > 0)
		await confirmDelete(context, checked, store, options.trash);
	const loss = {reason, command: `kv ${bulkKinds[kind].command}`} as const;
	using kept = await keepKeys(context, opened, checked, loss, options.trash);
	await workBulk(context, store, prepared, {
		target: context.options.dryRun ? undefined : target,
		skipInvalid: options.skipInvalid,
		failed: options.failed === undefined ? undefined : context.resolve(options.failed),
		kept: kept?.batch,
		called: namespaceCalled(options, store),
	});
}

/** Resumes an interrupted bulk job: sends only what was not acknowledged. */
export async function resumeBulk(
	context: CommandContext,
	id: string,
	kind: BulkKind,
	recorded: {readonly target: JobTarget; readonly title: string},
): Promise<void> {
	const {store, target} = await reopenStore(context, recorded);
	using _open = store;
	const report = bulkReport(context);
	const {env: environment, signal} = context;
	const now = unixSeconds(context.now());
	const prepared = await bulkKinds[kind].takeUp(id, {
		environment,
		target,
		now,
		signal,
		progress: report.checking,
	});
	report.clear();
	using _input = prepared.checked.input;
	using kept =
		prepared.trash === undefined ? undefined : holdAgain(environment, prepared.trash, context.now());
	if (prepared.trash !== undefined && !kept)
		context.output.warn(
			`The trash no longer has what this job ${kind === 'bulk-delete' ? 'deletes' : 'overwrites'} (${prepared.trash}).`,
		);
	const source = prepared.source && (await reopenSource(context.session, prepared.source, signal));
	using _source = source?.store;
	await workBulk(context, store, prepared, {target, kept: kept?.batch, source});
}

async function check(context: CommandContext, input: BulkInput, kind: BulkKind): Promise<PreparedBulk> {
	const report = bulkReport(context);
	try {
		const prepared = await bulkKinds[kind].prepare(input, {
			now: unixSeconds(context.now()),
			signal: context.signal,
			progress: report.checking,
		});
		report.clear();
		for (const warning of warningsOf(prepared.checked, bulkKinds[kind].ordered)) context.output.warn(warning);
		return prepared;
	} finally {
		report.clear();
	}
}

const confirmDelete = (
	context: CommandContext,
	{input, valid}: CheckedInput<unknown>,
	store: KvStore,
	trash: boolean | undefined,
): Promise<void> =>
	confirm(
		`Delete ${valid === 1 ? 'the key' : `the ${valid} keys`} read from ${input.label} from namespace ${store.namespace} (${store.label})? ${wayBackText(valid, trash)}`,
		context.confirmation(),
		context.signal,
	);

/** Runs a checked bulk job, with its progress, and prints the result. */
export async function workBulk(
	context: CommandContext,
	store: KvStore,
	prepared: PreparedBulk,
	{
		called = store.namespace,
		kept,
		...given
	}: Pick<StartOptions, 'target' | 'skipInvalid' | 'failed' | 'source'> & {
		/** The trash batch of what it deletes or overwrites. */
		readonly kept?: TrashBatch | undefined;
		/** The namespace as the user named it. */
		readonly called?: string;
	},
): Promise<void> {
	const report = bulkReport(context);
	const {env: environment, cwd, signal, host} = context;
	const {checked, kind} = prepared;
	const options = {...given, trash: kept?.id};
	const what = `${bulkKinds[kind].command} ${quantity(checked.valid, 'entry', 'entries')} of ${checked.input.label}${keptText(kept && {batch: kept})}`;
	const work = async () => {
		try {
			const progress = report.working;
			const job = prepared.start(store, {...options, ...host.clock, environment, cwd, signal, progress});
			progress(job.progress());
			return await job.finished;
		} finally {
			report.clear();
		}
	};
	await tellingWayBack(kept && {batch: kept}, async () => {
		const result = await context.audited(what, placeOfStore(store), work, ended =>
			bulkRefused(ended, () => ''),
		);
		await tell(context, {namespace: store.namespace, called, source: given.source}, result, kind, kept);
	});
}

async function tell(
	context: CommandContext,
	{
		namespace,
		called,
		source,
	}: {readonly namespace: string; readonly called: string; readonly source: BulkSource | undefined},
	result: BulkResult,
	kind: BulkKind,
	kept: TrashBatch | undefined,
): Promise<void> {
	if (result.unrecorded)
		context.output.mention(`The job could not be recorded: ${result.unrecorded.message}`);
	const words = bulkKinds[kind];
	await context.result(
		{
			job: result.id,
			command: kind,
			namespace,
			entries: result.entries,
			done: result.done,
			doneBefore: result.doneBefore,
			keys: result.keys ?? null,
			...(kind === 'bulk-delete' && {absent: result.absent ?? null}),
			...((kind === 'bulk-delete' || kept) && {trash: kept?.id ?? null}),
			...(source && {kept: result.kept, keptKeys: result.keptSamples}),
			skipped: result.skipped,
			expired: result.expired,
			refused: result.refused,
			failedFile: result.failedFile ?? null,
			requests: result.requests,
			milliseconds: Math.round(result.milliseconds),
		},
		bulkDone(result, words, called),
	);
	if (source && result.kept > 0) listKept(context, source, result);
	const again = (file: string) => advice`\`${onKeys(`kv ${words.command}`, file)}\` tries just these again.`;
	const failure = bulkRefused(result, again);
	if (failure) throw failure;
	if (kept) context.output.say(wayBack(context, {batch: kept}));
}

function listKept({output}: CommandContext, {store}: BulkSource, {kept, keptSamples}: BulkResult): void {
	if (output.json) return;
	output.say(`Kept, because ${store.label} has ${kept === 1 ? 'it' : 'them'} now:`);
	for (const key of keptSamples) output.say(`  ${JSON.stringify(key)}`);
	if (kept > keptSamples.length) output.say(`  and ${grouped(kept - keptSamples.length)} more`);
}
