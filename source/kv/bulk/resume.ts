import {boolean, exactOptional, string} from 'valibot';
import {Failure} from '../../failure.ts';
import type {Environment} from '../../state/directory.ts';
import {
	isSameTarget,
	type JobCodec,
	type JobInput,
	type JobTarget,
	jobTarget,
} from '../../state/job-record.ts';
import {openJob} from '../../state/jobs.ts';
import {buildAdvice, buildCommand} from '../../text/advice.ts';
import {formatPlainQuantity} from '../../text/figures.ts';
import {ignoreInvalid, parseOrUndefined, pickFields} from '../../text/schema.ts';
import {type CheckedInput, type CheckOptions, checkInput, refuseProblems} from './check.ts';
import type {BulkFormat} from './entries.ts';
import {type BulkInput, reopenInput} from './input.ts';
import type {BulkOptions, ResumedBulk} from './job.ts';
import type {BulkWork} from './work.ts';

export type ResumeBulkOptions = Omit<CheckOptions, 'sentEntries'> & {
	readonly environment: Environment;
	readonly target: JobTarget;
};

/**
 * Reopens an interrupted bulk job: opens and locks its journal, and checks that target and input are the
 * original ones; entries sent before are not checked again. Fails with `journal_invalid`, `job_running`,
 * `input_missing`; with `changed_meanwhile` if the input has other content; and with `input_malformed` if
 * entries can no longer be sent (they would have expired) and the job does not skip invalid ones. Pass the
 * result to `startBulk`, which closes the journal.
 */
export async function reopenBulkJob<Content>(
	{kind, format}: BulkWork<Content>,
	id: string,
	options: ResumeBulkOptions,
): Promise<{readonly checked: CheckedInput<Content>; readonly resumed: ResumedBulk}> {
	const codec: JobCodec<BulkOptions, never> = {
		kind,
		parseOptions: json => parseOrUndefined(bulkOptions, json),
		parsePosition: () => undefined,
	};
	const {journal, record} = await openJob(options.environment, id, codec);
	try {
		const {header, status, acknowledged} = record;
		if (status === 'done') throw createJobDoneFailure(id);
		if (!header.input || !isSameTarget(header.target, options.target)) {
			throw new Failure('journal_invalid', `The job ${id} belongs to something else.`, {
				why: `It is for ${formatTarget(header.target)}, and this is ${formatTarget(options.target)}.`,
				next: 'Specify the target it was started with.',
			});
		}
		const checked = await recheckInput(id, header.input, format, {...options, sentEntries: acknowledged});
		if (!header.options.skipInvalid) refuseProblems(checked);
		return {checked, resumed: {journal, record}};
	} catch (error) {
		await journal.close();
		throw error;
	}
}

/** Reopens and checks the input of a job. Fails with `changed_meanwhile` if its content differs. */
export async function recheckInput<Content>(
	id: string,
	recordedInput: JobInput,
	format: BulkFormat<Content>,
	options: CheckOptions,
): Promise<CheckedInput<Content>> {
	const input = reopenInput(recordedInput.path, recordedInput.kept);
	if (input.size !== recordedInput.size) throw createChangedFailure(id, recordedInput, input);
	const checked = await checkInput(input, format, options);
	// The modification time is not compared: a file copied back has the same content, and that is what
	// counts.
	if (checked.digest !== recordedInput.digest) throw createChangedFailure(id, recordedInput, input);
	return checked;
}

const createChangedFailure = (id: string, recordedInput: JobInput, {label, size}: BulkInput): Failure =>
	createInputChangedFailure(
		id,
		label,
		recordedInput.size === size
			? `It has ${formatPlainQuantity(size, 'byte')} as before, but different content.`
			: `It had ${formatPlainQuantity(recordedInput.size, 'byte')} and now has ${size}.`,
	);

/** Creates the failure for a job that is already done. */
export const createJobDoneFailure = (id: string): Failure =>
	new Failure('usage', `The job ${id} is already done.`, {
		next: buildAdvice`\`${buildCommand('jobs list')}\` lists the unfinished ones.`,
	});

/** Creates the failure for an input whose content changed. */
export const createInputChangedFailure = (id: string, label: string, why: string): Failure =>
	new Failure('changed_meanwhile', `${label} has changed since the job started.`, {
		why,
		next: buildAdvice`Restore its original content, or forget the job (\`${buildCommand('jobs forget', id)}\`) and start a new one.`,
	});

const bulkOptions = pickFields({
	skipInvalid: boolean(),
	failed: string(),
	trash: ignoreInvalid(string()),
	// An invalid source is not ignored: without it, the job would delete keys that it must keep.
	source: exactOptional(jobTarget),
});

const formatTarget = ({place, account, namespace}: JobTarget): string =>
	[place, account, namespace].filter(part => part !== undefined).join(' › ');
