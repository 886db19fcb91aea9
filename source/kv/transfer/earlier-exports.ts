import type {Environment} from '../../state/directory.ts';
import {isSameTarget, type JobRecord, type JobTarget} from '../../state/job-record.ts';
import {forgetJob, type ListedJob, listJobs} from '../../state/jobs.ts';
import {isJsonObject, type JsonValue} from '../../text/json.ts';
import type {ExportOptions} from './export-file.ts';

export type EarlierExport = ListedJob & {readonly record: JobRecord<JsonValue, JsonValue>};

/** Lists recorded unfinished exports into a file, latest first. */
export async function listEarlierExports(path: string, environment: Environment): Promise<EarlierExport[]> {
	const jobs = await listJobs(environment);
	return jobs.filter((job): job is EarlierExport => {
		if (!('record' in job)) return false;
		const {status, header} = job.record;
		return status !== 'done' && header.kind === 'export' && getExportOptions(job).path === path;
	});
}

/** True if an earlier export had the same keys, store and file. */
export function isSameExport(
	earlierExport: EarlierExport,
	target: JobTarget,
	wantedOptions: ExportOptions,
	names: {readonly digest: string} | undefined,
): boolean {
	const {prefix, digest} = getExportOptions(earlierExport);
	const {header} = earlierExport.record;
	return (
		isSameTarget(header.target, target) &&
		(prefix ?? '') === (wantedOptions.prefix ?? '') &&
		digest === wantedOptions.digest &&
		header.input?.digest === names?.digest
	);
}

/**
 * Forgets earlier exports into a file that is started over: what they would resume is gone. Fails with
 * `job_running`.
 */
export async function forgetEarlierExports(path: string, environment: Environment): Promise<void> {
	for (const {id} of await listEarlierExports(path, environment)) await forgetJob(environment, id);
}

const getExportOptions = ({record}: EarlierExport): {readonly [name: string]: JsonValue | undefined} =>
	isJsonObject(record.header.options) ? record.header.options : {};
