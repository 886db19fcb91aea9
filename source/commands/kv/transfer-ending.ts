import {refusedFailure, transferSentence} from '../../kv/transfer/ending.ts';
import type {TransferJob, TransferProgress, TransferResult} from '../../kv/transfer/job.ts';
import {earlierSentence, type ReadyTransfer, takeUpTransfer} from '../../session/transfers.ts';
import type {ListedJob} from '../../state/jobs.ts';
import type {CommandContext} from '../shell/context.ts';
import {longWorkNotice, takesAPart} from './long-work.ts';
import {transferReport} from './progress.ts';

/**
 * Shows the progress of a transfer until it ends; `phase`: one word for the work. `start` must call `clear`
 * before it prints anything itself.
 */
export async function followed(
	context: CommandContext,
	phase: string,
	start: (tell: (progress: TransferProgress) => void, clear: () => void) => TransferJob,
): Promise<TransferResult> {
	const report = transferReport(context, phase);
	try {
		let notice: ReturnType<typeof longWorkNotice> | undefined;
		const tell = (progress: TransferProgress) => {
			notice ??= longWorkNotice(context, {...progress.work, shorter: takesAPart}, report.clear);
			notice(progress.settled, progress.total);
			report.show(progress);
		};
		const result = await start(tell, report.clear).finished;
		report.clear();
		if (result.unrecorded)
			context.output.mention(`The job could not be recorded: ${result.unrecorded.message}`);
		return result;
	} finally {
		report.clear();
	}
}

/**
 * Runs a transfer with its progress, and prints its result. Fails with `partly_failed` if keys were refused.
 */
export async function transferred(context: CommandContext, ready: ReadyTransfer): Promise<void> {
	await using transfer = ready;
	const {kind, from, to, earlier} = transfer;
	if (earlier)
		context.output.say(
			`${earlierSentence(earlier)}${earlier.is === 'resumed' ? ' Add --yes to start over.' : ''}`,
		);
	const work = () => followed(context, doing[kind], tell => transfer.start(tell, context.signal));
	const result =
		kind === 'export'
			? await work()
			: await context.audited(`${kind} from ${from}`, transfer.place, work, ended =>
					refusedFailure(kind, ended),
				);
	await context.result(
		{...transferJson(result, kind), ...(kind === 'rename' && {both: result.both}), from, to},
		transferSentence(kind, result, from, to),
	);
	const failure = refusedFailure(kind, result);
	if (failure) throw failure;
}

const doing: Readonly<Record<ReadyTransfer['kind'], string>> = {
	export: 'exporting',
	copy: 'copying',
	rename: 'renaming',
};

export async function resumeTransfer(context: CommandContext, job: ListedJob): Promise<void> {
	await transferred(context, await takeUpTransfer(context.session, job, context.signal));
}

const transferJson = (
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
