import {randomInt} from 'node:crypto';
import {existsSync, rmSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {Failure, isFailure, toFailure} from '../failure.ts';
import {buildAdvice, buildCommand} from '../text/advice.ts';
import type {JsonValue} from '../text/json.ts';
import {type Environment, getStateDirectory, listFolder, openStateDirectory} from './directory.ts';
import type {Holder} from './holder.ts';
import {anyJobCodec, type JobCodec, type JobRecord, type JournalHeader} from './job-record.ts';
import {Journal, readJournal} from './journal.ts';
import {findLockHolder, takeLock} from './lock.ts';

/** A listed job: its journal's content, or why it cannot be read. */
export type ListedJob = {
	readonly id: string;
	readonly path: string;
	readonly holder: Holder | undefined;
} & ({readonly record: JobRecord<JsonValue, JsonValue>} | {readonly failure: Failure});

export type JobState = 'running' | 'unfinished' | 'done' | 'damaged';

export function getJobState(job: ListedJob): JobState {
	if (!('record' in job)) return 'damaged';
	if (job.holder) return 'running';
	return job.record.status === 'done' ? 'done' : 'unfinished';
}

/** Retention of finished jobs and unused inputs, in milliseconds. */
const retentionMs = 7 * 24 * 60 * 60 * 1000;

/** Creates a job id: short enough to type, without look-alike letters. */
export const createJobId = (): string =>
	Array.from({length: 8}, () => 'abcdefghjkmnpqrstuvwxyz23456789'.charAt(randomInt(31))).join('');

/** Creates a job's journal in the state directory; also removes expired jobs. */
export async function createJob(
	environment: Environment,
	header: JournalHeader<JsonValue>,
	events: Parameters<typeof Journal.create>[2] = [],
): Promise<Journal> {
	const directory = openStateDirectory(environment, 'jobs');
	await cleanJobs(environment);
	return Journal.create(join(directory, `${header.id}.ndjson`), header, events);
}

/** Opens a job by its id. Fails with `journal_invalid` if it does not exist, and with `job_running`. */
export async function openJob<Options, Position>(
	environment: Environment,
	id: string,
	codec: JobCodec<Options, Position>,
): Promise<{journal: Journal; record: JobRecord<Options, Position>}> {
	return Journal.open(getJobPath(environment, id), codec);
}

/** Lists all recorded jobs: unfinished first, then latest first. */
export async function listJobs(environment: Environment): Promise<ListedJob[]> {
	const directory = getJobsDirectory(environment);
	const jobs: ListedJob[] = [];
	for (const {name} of directory === undefined ? [] : listFolder(directory)) {
		if (!name.endsWith('.ndjson')) continue;
		const path = join(directory ?? '', name);
		const listing = {id: name.slice(0, -'.ndjson'.length), path, holder: findLockHolder(path)};
		try {
			jobs.push({...listing, record: await readJournal(path, anyJobCodec)});
		} catch (error) {
			jobs.push({...listing, failure: toFailure(error)});
		}
	}
	const getRank = (job: ListedJob) => ('record' in job ? (job.record.status === 'done' ? 1 : 0) : 2);
	const getTime = (job: ListedJob) => ('record' in job ? job.record.updated : 0);
	return jobs.sort((one, other) => getRank(one) - getRank(other) || getTime(other) - getTime(one));
}

/** Removes a job's journal, and its input if stored by ledge. Fails with `job_running`. */
export async function forgetJob(environment: Environment, id: string): Promise<void> {
	const path = getJobPath(environment, id);
	using _lock = takeLock(path);
	try {
		const {header} = await readJournal(path, anyJobCodec);
		if (header.input?.kept) rmSync(header.input.path, {force: true});
	} catch (error) {
		// A damaged journal is removed too; `cleanJobs` removes its input.
		if (!isFailure(error, 'journal_invalid')) throw error;
	}
	rmSync(path, {force: true});
}

/** Removes finished jobs and unused inputs older than seven days. */
export async function cleanJobs(environment: Environment, now: number = Date.now()): Promise<void> {
	const jobs = await listJobs(environment);
	const usedInputs = new Set<string>();
	for (const job of jobs) {
		if (!('record' in job)) continue;
		const {status, updated, header} = job.record;
		if (status === 'done' && now - updated > retentionMs && !job.holder) await forgetJob(environment, job.id);
		else if (header.input?.kept) usedInputs.add(header.input.path);
	}
	const directory = getStateDirectory(environment);
	const inputs = directory === undefined ? '' : join(directory, inputFolder);
	for (const {name} of directory === undefined ? [] : listFolder(inputs)) {
		const path = join(inputs, name);
		if (!usedInputs.has(path) && now - getModifiedTime(path) > retentionMs) rmSync(path, {force: true});
	}
}

/** Folder of stored inputs in the state directory. */
export const inputFolder = 'inputs';

const getJobsDirectory = (environment: Environment): string | undefined => {
	const directory = getStateDirectory(environment);
	return directory === undefined ? undefined : join(directory, 'jobs');
};

function getJobPath(environment: Environment, id: string): string {
	const directory = getJobsDirectory(environment);
	const path = join(directory ?? '', `${id}.ndjson`);
	if (directory === undefined || !/^[a-z0-9]+$/.test(id) || !existsSync(path)) {
		throw new Failure('journal_invalid', `There is no job "${id}".`, {
			next: buildAdvice`\`${buildCommand('jobs list')}\` lists the jobs.`,
		});
	}
	return path;
}

/** Milliseconds since the epoch; infinity for a file that no longer exists. */
function getModifiedTime(path: string): number {
	return statSync(path, {throwIfNoEntry: false})?.mtimeMs ?? Number.POSITIVE_INFINITY;
}
