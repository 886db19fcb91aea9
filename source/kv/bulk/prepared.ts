import {type Advice, Failure} from '../../failure.ts';
import type {Environment} from '../../state/directory.ts';
import type {JobTarget} from '../../state/job-record.ts';
import type {ListedJob} from '../../state/jobs.ts';
import {counted, grouped, quantity} from '../../text/figures.ts';
import type {KvStore} from '../store.ts';
import {type CheckedInput, type CheckOptions, checkInput} from './check.ts';
import {startBulkDelete} from './delete-job.ts';
import {type BulkFormat, importFormat, keysFormat, writesFormat} from './entries.ts';
import {type BulkInput, elementsOf} from './input.ts';
import type {BulkJob, BulkResult, ResumedBulk, StartOptions} from './job.ts';
import type {BulkWork} from './passes.ts';
import {startBulkPut, startImport} from './put-job.ts';
import {takeUpBulk} from './resume.ts';

export type BulkKind = BulkWork<unknown>['kind'];

/** What bulk put and bulk delete differ in, as far as a person sees it. */
type BulkWords = {
	readonly command: 'bulk put' | 'bulk delete' | 'import';
	/** Whether the order of entries with one key matters. */
	readonly ordered: boolean;
	readonly did: 'Wrote' | 'Deleted' | 'Imported';
};

export const bulkWords: Readonly<Record<BulkKind, BulkWords>> = {
	'bulk-put': {command: 'bulk put', ordered: true, did: 'Wrote'},
	'bulk-delete': {command: 'bulk delete', ordered: false, did: 'Deleted'},
	import: {command: 'import', ordered: true, did: 'Imported'},
};

/** A bulk job whose input was checked, before anything is sent. */
export type PreparedBulk = {
	readonly kind: BulkKind;
	readonly checked: CheckedInput<unknown>;
	/** The journal of the interrupted job that it resumes. */
	readonly resumed: ResumedBulk | undefined;
	start(store: KvStore, options: Omit<StartOptions, 'resumed'>): BulkJob;
};

type TakeUpOptions = Omit<CheckOptions, 'sent'> & {
	readonly environment: Environment;
	readonly target: JobTarget;
};

/** How a kind of bulk job is checked, or resumed. */
type Preparer = {
	check(input: BulkInput, options: CheckOptions): Promise<PreparedBulk>;
	takeUp(id: string, options: TakeUpOptions): Promise<PreparedBulk>;
};

function preparer<Content>(kind: BulkKind, format: BulkFormat<Content>, start: Start<Content>): Preparer {
	return {
		check: (input, options) => checkedFor(kind, input, format, start, options),
		takeUp: (id, options) => takenUp(id, kind, format, start, options),
	};
}

const preparers: Readonly<Record<BulkKind, Preparer>> = {
	'bulk-put': preparer('bulk-put', writesFormat, startBulkPut),
	import: preparer('import', importFormat, startImport),
	'bulk-delete': preparer('bulk-delete', keysFormat, startBulkDelete),
};

/** Checks the whole input of a bulk job: see `checkInput`. */
export const prepareBulk = (kind: BulkKind, input: BulkInput, options: CheckOptions): Promise<PreparedBulk> =>
	preparers[kind].check(input, options);

/** Resumes an interrupted bulk job: see `takeUpBulk`. */
export const prepareAgain = (id: string, kind: BulkKind, options: TakeUpOptions): Promise<PreparedBulk> =>
	preparers[kind].takeUp(id, options);

type Start<Content> = (store: KvStore, checked: CheckedInput<Content>, options: StartOptions) => BulkJob;

async function checkedFor<Content>(
	kind: BulkKind,
	input: BulkInput,
	format: BulkFormat<Content>,
	start: Start<Content>,
	options: CheckOptions,
): Promise<PreparedBulk> {
	const checked = await checkInput(input, format, options);
	return {kind, checked, resumed: undefined, start: (store, given) => start(store, checked, given)};
}

async function takenUp<Content>(
	id: string,
	kind: BulkKind,
	format: BulkFormat<Content>,
	start: Start<Content>,
	options: TakeUpOptions,
): Promise<PreparedBulk> {
	const {checked, resumed} = await takeUpBulk(id, kind, format, options);
	const {skipInvalid, failed} = resumed.record.header.options;
	return {
		kind,
		checked,
		resumed,
		start: (store, given) => start(store, checked, {...given, resumed, skipInvalid, failed}),
	};
}

export const isBulkKind = (kind: string): kind is BulkKind => Object.hasOwn(bulkWords, kind);

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

/** The end of a bulk job as a sentence. */
export function bulkDone(result: BulkResult, {did}: BulkWords, namespace: string): string {
	const {entries, done, absent, skipped, expired, refused} = result;
	const acted = done - (absent ?? 0);
	const doubt = did === 'Deleted' && absent === undefined ? ', as far as they existed' : '';
	const beside = [
		...(absent ? [`${grouped(absent)} did not exist`] : []),
		...(expired > 0 ? [`${grouped(expired)} expired and left out`] : []),
		...(skipped > 0 ? [`${grouped(skipped)} skipped`] : []),
		...(refused > 0 ? [`${grouped(refused)} refused by the service`] : []),
	];
	const count = beside.length > 0 ? `${grouped(acted)} of ${counted(entries, 'key')}` : counted(acted, 'key');
	return `${did} ${count} in namespace ${namespace}${doubt}${beside.length > 0 ? ` (${beside.join(', ')})` : ''}.`;
}

/** What became of the keys that were refused to the end, if there are any; `again` names how to try just these. */
export function bulkRefused(
	{entries, refused, refusedSamples, failedFile, failedFileTrouble}: BulkResult,
	again: (failedFile: string) => Advice,
): Failure | undefined {
	if (refused === 0) return undefined;
	return new Failure(
		'partly_failed',
		`${refused} of ${quantity(entries, 'key')} ${refused === 1 ? 'was' : 'were'} refused by the service, again and again.`,
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
