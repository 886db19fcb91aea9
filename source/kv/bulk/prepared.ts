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

/** A bulk job whose input was checked, before anything is sent. */
export type PreparedBulk = {
	readonly kind: BulkKind;
	readonly checked: CheckedInput<unknown>;
	/** The journal of the interrupted job that it resumes. */
	readonly resumed: ResumedBulk | undefined;
	/** The batch of the trash that holds what the interrupted job deletes. */
	readonly trash?: string | undefined;
	/** The store whose keys the interrupted job must not delete; whoever starts it opens that. */
	readonly source?: JobTarget | undefined;
	start(store: KvStore, options: Omit<StartOptions, 'resumed'>): BulkJob;
};

type BulkWords = Pick<BulkWork<unknown>, 'kind' | 'command' | 'ordered' | 'did'>;

/** A kind of bulk job: its words, how its whole input is checked (see `checkInput`), and how it is resumed (see `takeUpBulk`). */
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

/** The kind of a recorded bulk job, to resume it. Fails with `journal_invalid` for a damaged or foreign one. */
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

/** The keys of the entries that are done, in groups as the input is read once more. Fails as `elementsOf` does. */
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

/** How much a job has done: "5 keys", "4 of 5 keys", and with repeated keys "3 keys (5 entries)". */
export function bulkAmount(result: BulkResult): string {
	const {entries, done, keys, absent} = result;
	const acted = done - (absent ?? 0);
	if (acted < entries) return `${grouped(acted)} of ${countEntries(result)}`;
	return keys === undefined || keys === done
		? countEntries(result)
		: `${counted(keys, 'key')} (${countEntries(result)})`;
}

/** All entries of an input: as keys where none is repeated. */
const countEntries = ({entries, done, keys}: BulkResult): string =>
	keys === done ? counted(entries, 'key') : counted(entries, 'entry', 'entries');

/** What became of the keys that were refused to the end, if there are any; `again` names how to try just these. */
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
