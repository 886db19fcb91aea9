import type {TransferJob, TransferProgress, TransferResult} from '../../kv/transfer/job.ts';
import {describeTransfer, findRefusedFailure} from '../../kv/transfer/result.ts';
import {describeEarlierExport, prepareResume, type ReadyTransfer} from '../../session/transfers.ts';
import type {ListedJob} from '../../state/jobs.ts';
import type {CommandContext} from '../shell/context.ts';
import {createLongWorkNotice, prefixHint} from './long-work.ts';
import {createTransferReport} from './progress.ts';

/**
 * Starts a transfer and shows its progress until it ends; `phase` is one word for the work. `start` must call
 * `clear` before it prints anything itself.
 */
export async function followTransfer(
	context: CommandContext,
	phase: string,
	start: (onProgress: (progress: TransferProgress) => void, clear: () => void) => TransferJob,
): Promise<TransferResult> {
	const report = createTransferReport(context, phase);
	try {
		let warnIfLong: ReturnType<typeof createLongWorkNotice> | undefined;
		const showProgress = (progress: TransferProgress) => {
			warnIfLong ??= createLongWorkNotice(context, {...progress.work, hint: prefixHint}, report.clear);
			warnIfLong(progress.settled, progress.total);
			report.show(progress);
		};
		const result = await start(showProgress, report.clear).finished;
		report.clear();
		if (result.recordingFailure)
			context.output.sayIfInteractive(`The job could not be recorded: ${result.recordingFailure.message}`);
		return result;
	} finally {
		report.clear();
	}
}

/**
 * Runs a transfer, shows its progress, and prints its result. Fails with `partly_failed` if keys were
 * refused.
 */
export async function runTransfer(context: CommandContext, readyTransfer: ReadyTransfer): Promise<void> {
	await using transfer = readyTransfer;
	const {kind, from, to, earlier} = transfer;
	if (earlier)
		context.output.say(
			`${describeEarlierExport(earlier)}${earlier.fate === 'resumed' ? ' Add --yes to start over.' : ''}`,
		);
	const runAndFollow = () =>
		followTransfer(context, phaseWords[kind], onProgress => transfer.start(onProgress, context.signal));
	const result =
		kind === 'export'
			? await runAndFollow()
			: await context.auditWrite(`${kind} from ${from}`, transfer.place, runAndFollow, transferResult =>
					findRefusedFailure(kind, transferResult),
				);
	await context.printResult(
		{...toTransferJson(result, kind), ...(kind === 'rename' && {both: result.both}), from, to},
		describeTransfer(kind, result, from, to),
	);
	const failure = findRefusedFailure(kind, result);
	if (failure) throw failure;
}

const phaseWords: Readonly<Record<ReadyTransfer['kind'], string>> = {
	export: 'exporting',
	copy: 'copying',
	rename: 'renaming',
};

export async function continueTransfer(context: CommandContext, job: ListedJob): Promise<void> {
	await runTransfer(context, await prepareResume(context.session, job, context.signal));
}

const toTransferJson = (
	{id, done, doneBefore, bytes, gone, expired, kept, refused, failedFile, milliseconds}: TransferResult,
	command: ReadyTransfer['kind'],
) => ({
	job: id,
	command,
	done,
	doneBefore,
	bytes,
	gone,
	expired,
	kept,
	refused,
	failedFile: failedFile ?? null,
	milliseconds: Math.round(milliseconds),
});
