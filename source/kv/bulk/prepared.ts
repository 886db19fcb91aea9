import {type Advice, Failure} from '../../failure.ts';
import type {JobTarget} from '../../state/job-record.ts';
import type {ListedJob} from '../../state/jobs.ts';
import {counted, grouped} from '../../text/figures.ts';
import type {KvStore} from '../store.ts';
import {type CheckedInput, type CheckOptions, checkInput} from './check.ts';
import {type BulkInput, elementsOf} from './input.ts';
import {type BulkJob, type BulkResult, type ResumedBulk, type StartOptions, startBulk} from './job.ts';
import {type TakeUpOptions, takeUpBulk} from './resume.ts';
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
	start(store: KvStore, options: Omit<StartOptions, 'resumed'>): BulkJob;
};

type BulkWords = Pick<BulkWork<unknown>, 'kind' | 'command' | 'ordered' | 'did'>;

/**
 * A kind of bulk job: its wording, how to check its input (see `checkInput`), and how to resume it (see
 * `reopenBulkJob`).
 */
type BulkKinds = BulkWords & {
	prepare(input: BulkInput, options: CheckOptions): Promise<PreparedBulk>;
	takeUp(id: string, options: TakeUpOptions): Promise<PreparedBulk>;
};

const kindOf = <Content>(work: BulkWork<Content>): BulkKinds => ({
	...work,
	async prepare(input, options) {
		const checked = await checkInput(input, work.format, options);
		const {kind} = work;
		return {
			kind,
			checked,
			resumed: undefined,
			start: (store, given) => startBulk(work, store, checked, given),
		};
	},
	async takeUp(id, options) {
		const {checked, resumed} = await takeUpBulk(work, id, options);
		const {skipInvalid, failed} = resumed.record.header.options;
		return {
			kind: work.kind,
			checked,
			resumed,
			trash: resumed.record.header.options.trash,
			source: resumed.record.header.options.source,
			start: (store, given) => startBulk(work, store, checked, {...given, resumed, skipInvalid, failed}),
		};
	},
});

export const bulkKinds: Readonly<Record<BulkKind, BulkKinds>> = {
	'bulk-put': kindOf(putWork),
	'bulk-delete': kindOf(deleteWork),
	import: kindOf(importWork),
};

export const isBulkKind = (kind: string): kind is BulkKind => Object.hasOwn(bulkKinds, kind);

/** Returns the kind of a recorded bulk job. Fails with `journal_invalid` for a damaged or unknown one. */
export function bulkKindOf(job: ListedJob): BulkKind {
	if (!('record' in job)) throw job.failure;
	const {kind} = job.record.header;
	if (isBulkKind(kind)) return kind;
	throw new Failure(
		'journal_invalid',
		`This ledge does not know how to resume a job of the kind "${kind}".`,
		{
			next: 'Use the version that began it.',
		},
	);
}

/** Lists the keys of finished entries by reading the input again. Fails as `readElements` does. */
export async function* doneKeys(
	{input, format, now}: CheckedInput<unknown>,
	job: BulkJob,
	signal: AbortSignal,
): AsyncGenerator<string[]> {
	for await (const group of elementsOf(input, format.holds, signal)) {
		const items = group.filter(({number}) => job.isDone(number)).map(element => format.parse(element, now));
		yield items.flatMap(item => ('problem' in item ? [] : [item.key]));
	}
}

export function bulkDone(
	result: BulkResult,
	{kind, did}: Pick<BulkWords, 'kind' | 'did'>,
	namespace: string,
): string {
	const {doneBefore, absent, kept, skipped, expired, refused} = result;
	const doubt = kind === 'bulk-delete' && absent === undefined ? ', as far as they existed' : '';
	const beside = [
		...(doneBefore > 0 ? [`${grouped(doneBefore)} before it was interrupted`] : []),
		...(absent ? [`${grouped(absent)} did not exist`] : []),
		...(kept > 0 ? [`${grouped(kept)} kept, now in the source`] : []),
		...(expired > 0 ? [`${grouped(expired)} expired and left out`] : []),
		...(skipped > 0 ? [`${grouped(skipped)} skipped`] : []),
		...(refused > 0 ? [`${grouped(refused)} refused by the service`] : []),
	];
	return `${did} ${bulkAmount(result)} in namespace ${namespace}${doubt}${beside.length > 0 ? ` (${beside.join(', ')})` : ''}.`;
}

/** Formats what a job has done: "5 keys", "4 of 5 keys", or "3 keys (5 entries)" with repeated keys. */
export function bulkAmount(result: BulkResult): string {
	const {entries, done, keys, absent} = result;
	const acted = done - (absent ?? 0);
	if (acted < entries) return `${grouped(acted)} of ${countEntries(result)}`;
	return keys === undefined || keys === done
		? countEntries(result)
		: `${counted(keys, 'key')} (${countEntries(result)})`;
}

/** Formats the number of entries; calls them keys if none is repeated. */
const countEntries = ({entries, done, keys}: BulkResult): string =>
	keys === done ? counted(entries, 'key') : counted(entries, 'entry', 'entries');

/** Creates the failure for finally refused entries, if any; `again` advises how to retry just these. */
export function bulkRefused(result: BulkResult, again: (failedFile: string) => Advice): Failure | undefined {
	const {refused, refusedSamples, failedFile, failedFileTrouble} = result;
	if (refused === 0) return undefined;
	return new Failure(
		'partly_failed',
		`${grouped(refused)} of ${countEntries(result)} ${refused === 1 ? 'was' : 'were'} refused by the service repeatedly.`,
		{
			why: [
				...refusedSamples.map(
					({entry, key, why}) => `entry ${entry}: ${JSON.stringify(key)}${why ? `: ${why}` : ''}`,
				),
				...(refused > refusedSamples.length ? [`and ${refused - refusedSamples.length} more`] : []),
			].join('\n'),
			left: failedFile ? `What failed is in ${failedFile}` : failedFileTrouble?.message,
			next: failedFile ? again(failedFile) : undefined,
		},
	);
}
