import {boolean, exactOptional, string} from 'valibot';
import {Failure} from '../../failure.ts';
import type {Environment} from '../../state/directory.ts';
import {type JobCodec, type JobInput, type JobTarget, jobTarget, sameTarget} from '../../state/job-record.ts';
import {openJob} from '../../state/jobs.ts';
import {advice, ledge} from '../../text/advice.ts';
import {quantity} from '../../text/figures.ts';
import {fields, lenient, parseOrUndefined} from '../../text/schema.ts';
import {type CheckedInput, type CheckOptions, checkInput, refuseProblems} from './check.ts';
import type {BulkFormat} from './entries.ts';
import {type BulkInput, reopenInput} from './input.ts';
import type {BulkOptions, ResumedBulk} from './job.ts';
import type {BulkWork} from './work.ts';

export type TakeUpOptions = Omit<CheckOptions, 'sent'> & {
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
export async function takeUpBulk<Content>(
	{kind, format}: BulkWork<Content>,
	id: string,
	options: TakeUpOptions,
): Promise<{readonly checked: CheckedInput<Content>; readonly resumed: ResumedBulk}> {
	const codec: JobCodec<BulkOptions, never> = {
		kind,
		options: json => parseOrUndefined(bulkOptions, json),
		position: () => undefined,
	};
	const {journal, record} = await openJob(options.environment, id, codec);
	try {
		const {header, status, acknowledged} = record;
		if (status === 'done') throw alreadyDone(id);
		if (!header.input || !sameTarget(header.target, options.target)) {
			throw new Failure('journal_invalid', `The job ${id} belongs to something else.`, {
				why: `It is for ${targetText(header.target)}, and this is ${targetText(options.target)}.`,
				next: 'Name the target it was begun with.',
			});
		}
		const checked = await checkAgain(id, header.input, format, {...options, sent: acknowledged});
		if (!header.options.skipInvalid) refuseProblems(checked);
		return {checked, resumed: {journal, record}};
	} catch (error) {
		await journal.close();
		throw error;
	}
}

/** Reopens and checks the input of a job. Fails with `changed_meanwhile` if its content differs. */
export async function checkAgain<Content>(
	id: string,
	recorded: JobInput,
	format: BulkFormat<Content>,
	options: CheckOptions,
): Promise<CheckedInput<Content>> {
	const input = reopenInput(recorded.path, recorded.kept);
	if (input.size !== recorded.size) throw changed(id, recorded, input);
	const checked = await checkInput(input, format, options);
	// The modification time is not compared: a file copied back has the same content, and that is what
	// counts.
	if (checked.digest !== recorded.digest) throw changed(id, recorded, input);
	return checked;
}

const changed = (id: string, then: JobInput, {label, size}: BulkInput): Failure =>
	inputChanged(
		id,
		label,
		then.size === size
			? `It has ${quantity(size, 'byte')} as before, but other content.`
			: `It had ${quantity(then.size, 'byte')} and now has ${size}.`,
	);

/** Creates the failure for a job that is already done. */
export const alreadyDone = (id: string): Failure =>
	new Failure('usage', `The job ${id} is done.`, {
		next: advice`\`${ledge('jobs list')}\` lists those that are not.`,
	});

/** Creates the failure for an input whose content changed. */
export const inputChanged = (id: string, label: string, why: string): Failure =>
	new Failure('changed_meanwhile', `${label} is not what the job began with.`, {
		why,
		next: advice`Bring back what it was, or give the job up (\`${ledge('jobs forget', id)}\`) and begin a new one.`,
	});

const bulkOptions = fields({
	skipInvalid: boolean(),
	failed: string(),
	trash: lenient(string()),
	// Without its source, the job would delete keys that it must keep.
	source: exactOptional(jobTarget),
});

const targetText = ({place, account, namespace}: JobTarget): string =>
	[place, account, namespace].filter(part => part !== undefined).join(' › ');
