import type {JobTarget} from '../config/job-record.ts';
import {Failure} from '../failure.ts';
import {type CheckedInput, checkInput, refuseProblems, warningsOf} from '../kv/bulk/check.ts';
import {startBulkDelete} from '../kv/bulk/delete-job.ts';
import {type BulkFormat, keysFormat, problemText, writesFormat} from '../kv/bulk/entries.ts';
import {type BulkInput, openInput} from '../kv/bulk/input.ts';
import type {BulkJob, BulkResult, StartOptions} from '../kv/bulk/job.ts';
import {startBulkPut} from '../kv/bulk/put-job.ts';
import {takeUpBulk} from '../kv/bulk/resume.ts';
import {unixSeconds} from '../kv/limits.ts';
import type {BulkEntry, KvStore} from '../kv/store.ts';
import {paceOf} from '../service/pace.ts';
import {confirm} from '../terminal/prompt.ts';
import type {CommandContext} from './context.ts';
import type {TargetOptions} from './kv-options.ts';
import {bulkReport} from './progress.ts';
import {openStore, reopenStore} from './stores.ts';

export type BulkWriteOptions = TargetOptions & {skipInvalid?: boolean; failed?: string};

export type BulkKind = 'bulk-put' | 'bulk-delete';

/** What bulk put and bulk delete differ in, as far as a person sees it. */
type Words<Content> = {
	readonly command: 'bulk put' | 'bulk delete';
	readonly format: BulkFormat<Content>;
	readonly ordered: boolean;
	/** "Wrote", "Deleted". */
	readonly did: string;
	start(store: KvStore, checked: CheckedInput<Content>, options: StartOptions): BulkJob;
};

const puts: Words<BulkEntry> = {
	command: 'bulk put',
	format: writesFormat,
	ordered: true,
	did: 'Wrote',
	start: startBulkPut,
};
const deletes: Words<string> = {
	command: 'bulk delete',
	format: keysFormat,
	ordered: false,
	did: 'Deleted',
	start: startBulkDelete,
};

/** `kv bulk put`: the whole file is checked, then sent (decision 13). */
export const bulkPut = (context: CommandContext, options: BulkWriteOptions, file = ''): Promise<void> =>
	write(context, options, file, puts);

/** `kv bulk delete`: asks once the file has been checked, so that the question can say how many keys there are. */
export const bulkDelete = (context: CommandContext, options: BulkWriteOptions, file = ''): Promise<void> =>
	write(context, options, file, deletes);

async function write<Content>(
	context: CommandContext,
	options: BulkWriteOptions,
	file: string,
	words: Words<Content>,
): Promise<void> {
	const {store, target} = await openStore(context, options, {write: true});
	using _open = store;
	const {env: environment, signal} = context;
	using input = await openInput(context.resolve(file), {environment, stdin: process.stdin, signal});
	const checked = await check(context, input, words);
	if (!options.skipInvalid) refuseProblems(checked);
	for (const problem of options.skipInvalid ? checked.problems : [])
		context.output.warn(`skipped: ${problemText(problem)}`);
	if (words === deletes && checked.valid > 0) await confirmDelete(context, checked, store);
	await work(context, store, checked, words, {
		target: context.options.dryRun ? undefined : target,
		skipInvalid: options.skipInvalid,
		failed: options.failed === undefined ? undefined : context.resolve(options.failed),
	});
}

/** Goes on with a bulk job that was interrupted: only what was not acknowledged is sent. */
export async function resumeBulk(
	context: CommandContext,
	id: string,
	kind: BulkKind,
	recorded: JobTarget,
): Promise<void> {
	const {store, target} = await reopenStore(context, recorded);
	using _open = store;
	const go = async <Content>(words: Words<Content>) => {
		const report = bulkReport(context);
		const {env: environment, signal} = context;
		const now = unixSeconds(Date.now());
		const {checked, resumed} = await takeUpBulk(id, kind, words.format, {
			environment,
			target,
			now,
			signal,
			progress: report.checking,
		});
		report.clear();
		using _input = checked.input;
		const {skipInvalid, failed} = resumed.record.header.options;
		await work(context, store, checked, words, {target, resumed, skipInvalid, failed});
	};
	await (kind === 'bulk-put' ? go(puts) : go(deletes));
}

async function check<Content>(
	context: CommandContext,
	input: BulkInput,
	{format, ordered}: Words<Content>,
): Promise<CheckedInput<Content>> {
	const report = bulkReport(context);
	try {
		const checked = await checkInput(input, format, {
			now: unixSeconds(Date.now()),
			signal: context.signal,
			progress: report.checking,
		});
		report.clear();
		for (const warning of warningsOf(checked, ordered)) context.output.warn(warning);
		return checked;
	} finally {
		report.clear();
	}
}

const confirmDelete = (
	context: CommandContext,
	{input, valid}: CheckedInput<unknown>,
	store: KvStore,
): Promise<void> =>
	confirm(
		`Delete the ${valid} keys read from ${input.label} from namespace ${store.namespace} (${store.label})? This cannot be undone.`,
		context.confirmation(),
		context.signal,
	);

type WorkOptions = Pick<StartOptions, 'resumed' | 'skipInvalid' | 'failed'> & {
	readonly target: JobTarget | undefined;
};

async function work<Content>(
	context: CommandContext,
	store: KvStore,
	checked: CheckedInput<Content>,
	words: Words<Content>,
	options: WorkOptions,
): Promise<void> {
	const report = bulkReport(context);
	const {env: environment, cwd, signal} = context;
	const pace = paceOf(environment);
	const wait = (milliseconds: number, during: AbortSignal) => pace.wait(milliseconds * pace.scale, during);
	const what = `${words.command} ${checked.valid} entries of ${checked.input.label}`;
	const result = await context.audited(what, store.label, async () => {
		try {
			const progress = report.working;
			const job = words.start(store, checked, {...options, environment, cwd, signal, wait, progress});
			progress(job.progress());
			return await job.finished;
		} finally {
			report.clear();
		}
	});
	await tell(context, store, result, words);
}

/** The end of a job: a summary, and a failure if anything was refused. */
async function tell<Content>(
	context: CommandContext,
	store: KvStore,
	result: BulkResult,
	{did, command}: Words<Content>,
): Promise<void> {
	const {entries, done, skipped, refused, refusedSamples, failedFile, requests, milliseconds, unrecorded} =
		result;
	if (unrecorded) context.output.mention(`The job could not be recorded: ${unrecorded.message}`);
	const beside = [
		...(skipped > 0 ? [`${skipped} skipped`] : []),
		...(refused > 0 ? [`${refused} refused by the service`] : []),
	];
	const count = beside.length > 0 ? `${done} of ${entries}` : `${done}`;
	await context.result(
		{
			job: result.id,
			command: command.replace(' ', '-'),
			namespace: store.namespace,
			entries,
			done,
			skipped,
			refused,
			failedFile: failedFile ?? null,
			requests,
			milliseconds: Math.round(milliseconds),
		},
		`${did} ${count} keys in namespace ${store.namespace}${beside.length > 0 ? ` (${beside.join(', ')})` : ''}.`,
	);
	if (refused === 0) return;
	throw new Failure(
		'partly_failed',
		`${refused} of ${entries} keys were refused by the service, again and again.`,
		{
			why: [
				...refusedSamples.map(
					({entry, key, why}) => `entry ${entry}: ${JSON.stringify(key)}${why ? `: ${why}` : ''}`,
				),
				...(refused > refusedSamples.length ? [`and ${refused - refusedSamples.length} more`] : []),
			].join('\n'),
			left: failedFile ? `What failed is in ${failedFile}` : result.failedFileTrouble?.message,
			next: failedFile
				? `\`ledge kv ${command} ${JSON.stringify(failedFile)}\` tries just these again.`
				: undefined,
		},
	);
}
