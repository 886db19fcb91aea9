import {type Advice, Failure} from '../../failure.ts';
import type {JobTarget} from '../../state/job-record.ts';
import type {ListedJob} from '../../state/jobs.ts';
import {formatInteger, formatQuantity} from '../../text/figures.ts';
import {formatExpiredCount} from '../expired-count.ts';
import type {KvStore} from '../store.ts';
import type {TrashBatch} from '../trash/batch.ts';
import {type CheckedInput, type CheckOptions, checkInput} from './check.ts';
import {type BulkInput, readElements} from './input.ts';
import {type BulkJob, type BulkResult, type ResumedBulk, type StartBulkOptions, startBulk} from './job.ts';
import {type ResumeBulkOptions, reopenBulkJob} from './resume.ts';
import {type BulkWork, deleteWork, importWork, putWork} from './work.ts';

export type BulkKind = BulkWork<unknown>['kind'];

/** A bulk job with a checked input, before anything is sent. */
export type PreparedBulk = {
	readonly kind: BulkKind;
	readonly checked: CheckedInput<unknown>;
	/** The journal of the job to resume. */
	readonly resumed: ResumedBulk | undefined;
	/** The trash batch of the interrupted deletion. */
	readonly trash?: string | undefined;
	/** The store whose keys the interrupted deletion must keep; the caller opens it. */
	readonly source?: JobTarget | undefined;
	start(store: KvStore, options: Omit<StartBulkOptions, 'resumed'>): BulkJob;
};

type BulkWording = Pick<BulkWork<unknown>, 'kind' | 'command' | 'isOrdered' | 'pastVerb'>;

/**
 * A kind of bulk job: its wording, how to check its input (see `checkInput`), and how to resume it (see
 * `reopenBulkJob`).
 */
type BulkKindActions = BulkWording & {
	prepare(input: BulkInput, options: CheckOptions): Promise<PreparedBulk>;
	resume(id: string, options: ResumeBulkOptions): Promise<PreparedBulk>;
};

const createBulkKind = <Content>(work: BulkWork<Content>): BulkKindActions => ({
	...work,
	async prepare(input, options) {
		const checked = await checkInput(input, work.format, options);
		const {kind} = work;
		return {
			kind,
			checked,
			resumed: undefined,
			start: (store, startOptions) => startBulk(work, store, checked, startOptions),
		};
	},
	async resume(id, options) {
		const {checked, resumed} = await reopenBulkJob(work, id, options);
		const {skipInvalid, failed} = resumed.record.header.options;
		return {
			kind: work.kind,
			checked,
			resumed,
			trash: resumed.record.header.options.trash,
			source: resumed.record.header.options.source,
			start: (store, startOptions) =>
				startBulk(work, store, checked, {...startOptions, resumed, skipInvalid, failed}),
		};
	},
});

export const bulkKinds: Readonly<Record<BulkKind, BulkKindActions>> = {
	'bulk-put': createBulkKind(putWork),
	'bulk-delete': createBulkKind(deleteWork),
	import: createBulkKind(importWork),
};

export const isBulkKind = (kind: string): kind is BulkKind => Object.hasOwn(bulkKinds, kind);

/** Returns the kind of a recorded bulk job. Fails with `journal_invalid` for a damaged or unknown one. */
export function getBulkKind(job: ListedJob): BulkKind {
	if (!('record' in job)) throw job.failure;
	const {kind} = job.record.header;
	if (isBulkKind(kind)) return kind;
	throw new Failure('journal_invalid', `This version of ledge can't resume a job of the kind "${kind}".`, {
		next: 'Use the version that started it.',
	});
}

/** Lists the keys of finished entries by reading the input again. Fails as `readElements` does. */
export async function* listDoneKeys(
	{input, format, now}: CheckedInput<unknown>,
	job: BulkJob,
	signal: AbortSignal,
): AsyncGenerator<string[]> {
	for await (const group of readElements(input, format, signal)) {
		const items = group.filter(({number}) => job.isDone(number)).map(element => format.parse(element, now));
		yield items.flatMap(item => ('problem' in item ? [] : [item.key]));
	}
}

export function formatBulkResult(
	result: BulkResult,
	{kind, pastVerb}: Pick<BulkWording, 'kind' | 'pastVerb'>,
	namespace: string,
): string {
	const {doneBefore, absent, protectedCount, skipped, expired, refused} = result;
	const caveat = kind === 'bulk-delete' && absent === undefined ? ', if they existed' : '';
	const extras = [
		...(doneBefore > 0 ? [`${formatInteger(doneBefore)} before it was interrupted`] : []),
		...(absent ? [`${formatInteger(absent)} did not exist`] : []),
		...(protectedCount > 0 ? [`${formatInteger(protectedCount)} kept, now in the source`] : []),
		...(expired > 0 ? [`${formatExpiredCount(expired)}, left out`] : []),
		...(skipped > 0 ? [`${formatInteger(skipped)} skipped`] : []),
		...(refused > 0 ? [`${formatInteger(refused)} rejected by the service`] : []),
	];
	return `${pastVerb} ${formatBulkAmount(result)} in namespace ${namespace}${caveat}${extras.length > 0 ? ` (${extras.join(', ')})` : ''}.`;
}

/**
 * Counts the deleted keys that did not exist by what the trash has of them: it read every key, while a list
 * still names keys that have expired.
 */
export function withAbsentKeyCount(result: BulkResult, batch: TrashBatch | undefined): BulkResult {
	const {done, doneBefore, distinctKeyCount, refused, protectedCount, absent = 0} = result;
	if (!batch || doneBefore > 0 || refused > 0 || protectedCount > 0) return result;
	return {...result, absent: Math.max(absent, (distinctKeyCount ?? done) - batch.keys)};
}

/** Formats what a job has done: "5 keys", "4 of 5 keys", or "3 keys (5 entries)" with repeated keys. */
export function formatBulkAmount(result: BulkResult): string {
	const {entries, done, distinctKeyCount, absent} = result;
	const affectedCount = done - (absent ?? 0);
	if (affectedCount < entries) return `${formatInteger(affectedCount)} of ${formatEntryCount(result)}`;
	return distinctKeyCount === undefined || distinctKeyCount === done
		? formatEntryCount(result)
		: `${formatQuantity(distinctKeyCount, 'key')} (${formatEntryCount(result)})`;
}

/** Formats the number of entries; calls them keys if none is repeated. */
const formatEntryCount = ({entries, done, distinctKeyCount}: BulkResult): string =>
	distinctKeyCount === done ? formatQuantity(entries, 'key') : formatQuantity(entries, 'entry', 'entries');

/**
 * Returns the failure for finally refused entries; undefined if there are none. `adviseRetry` says how to
 * retry just these.
 */
export function findBulkRefusedFailure(
	result: BulkResult,
	adviseRetry: (failedFile: string) => Advice,
): Failure | undefined {
	const {refused, refusedSamples, failedFile, failedFileFailure} = result;
	if (refused === 0) return undefined;
	return new Failure(
		'partly_failed',
		`${formatInteger(refused)} of ${formatEntryCount(result)} ${refused === 1 ? 'was' : 'were'} rejected by the service repeatedly.`,
		{
			why: [
				...refusedSamples.map(
					({entry, key, why}) => `entry ${entry}: ${JSON.stringify(key)}${why ? `: ${why}` : ''}`,
				),
				...(refused > refusedSamples.length ? [`and ${refused - refusedSamples.length} more`] : []),
			].join('\n'),
			left: failedFile ? `The failed entries are in ${failedFile}` : failedFileFailure?.message,
			next: failedFile ? adviseRetry(failedFile) : undefined,
		},
	);
}
