import {Failure, toFailure} from '../../failure.ts';
import type {UnfinishedMigration} from '../../migration/journal/unfinished.ts';
import {formatTitleWithSimulatedWorld} from '../../session/place.ts';
import {getJobState, type JobState, type ListedJob} from '../../state/jobs.ts';
import {confirmAction} from '../../terminal/prompt.ts';
import {buildAdvice, buildCommand} from '../../text/advice.ts';
import type {CommandContext} from './context.ts';
import {defineCommand} from './declare.ts';

export const jobsCommands = [
	defineCommand({
		usage: 'list',
		summary: 'list jobs, unfinished ones first',
		isDefault: true,
		example: 'jobs list',
		isOffline: true,
		run: printJobs,
	}),
	defineCommand({
		usage: 'resume <JOB>',
		summary: 'resume an interrupted job',
		example: 'jobs resume k3v9x2mp',
		refusedByReadOnly: true,
		isOffline: true,
		sampleArguments: 'any',
		run: (context, _options, id) => resumeById(context, id ?? ''),
	}),
	defineCommand({
		usage: 'forget <JOB>',
		summary: 'forget a job; what it has already done is not undone',
		example: 'jobs forget k3v9x2mp',
		isOffline: true,
		sampleArguments: 'any',
		run: (context, _options, id) => forgetById(context, id ?? ''),
	}),
];

async function printJobs(context: CommandContext): Promise<void> {
	const rows = await listWork(context);
	if (context.output.json) return context.output.writeJson(rows.map(({json}) => json));
	if (rows.length === 0) return context.output.writeText('No jobs.\n');
	const {formatTable} = await import('../../terminal/table.ts');
	await context.output.writeText(
		formatTable(
			[
				{title: 'JOB', cell: row => row.id},
				{title: 'STATE', cell: row => row.state},
				{title: 'DONE', align: 'right', cell: row => row.done},
				{title: 'WHAT', cell: row => row.what},
			],
			rows,
		),
	);
}

/** A job or migration as a row of the list. */
type PrintedJob = {
	readonly id: string;
	readonly state: JobState;
	readonly done: string;
	readonly what: string;
	readonly json: object;
};

const buildJobRow = (job: ListedJob, cwd: string): PrintedJob => ({
	id: job.id,
	state: getJobState(job),
	done: formatJobProgress(job),
	what: 'record' in job ? formatTitleWithSimulatedWorld(job.record.header, cwd) : job.failure.message,
	json: toJobJson(job),
});

async function buildMigrationRow(migration: UnfinishedMigration): Promise<PrintedJob> {
	const {id} = migration;
	if (!('record' in migration)) {
		const {message} = migration.failure;
		return {id, state: 'damaged', done: '', what: message, json: {job: id, state: 'damaged', why: message}};
	}
	const {describeMigrationState} = await import('../../migration/journal/unfinished.ts');
	const {header, record, updated, holder} = migration;
	const state = holder ? 'running' : 'unfinished';
	const why = `${record.state}: ${describeMigrationState(record)}`;
	const json = {
		job: id,
		state,
		kind: header.kind,
		title: header.title,
		target: header.target,
		done: 0,
		total: null,
		created: new Date(header.created).toISOString(),
		updated: new Date(updated).toISOString(),
		why,
	};
	return {id, state, done: '', what: `${header.title}, ${why}`, json};
}

/**
 * Lists migrations of the current service that are in progress or have an unknown outcome. Invalid settings
 * only warn, so that jobs are listed anyway.
 */
async function listServiceMigrations({
	session,
	env,
	output,
}: CommandContext): Promise<readonly UnfinishedMigration[]> {
	const {getMigrationPlace} = await import('../../session/place.ts');
	let place: string;
	try {
		place = getMigrationPlace(session);
	} catch (error) {
		output.warn(`Can't list migrations: ${toFailure(error).message}`);
		return [];
	}
	const {listUnfinishedMigrations} = await import('../../migration/journal/unfinished.ts');
	return listUnfinishedMigrations(env, place);
}

async function listWork(context: CommandContext): Promise<readonly PrintedJob[]> {
	const {listJobs} = await import('../../state/jobs.ts');
	const jobs = await listJobs(context.env);
	const migrations = await listServiceMigrations(context);
	return [
		...(await Promise.all(migrations.map(buildMigrationRow))),
		...jobs.map(job => buildJobRow(job, context.session.cwd)),
	];
}

/** Lists jobs and migrations that are not done. */
export const listUnfinishedWork = async (context: CommandContext): Promise<readonly PrintedJob[]> =>
	(await listWork(context)).filter(({state}) => state !== 'done');

function formatJobProgress(job: ListedJob): string {
	if (!('record' in job)) return '';
	const {done, header} = job.record;
	return header.total === undefined ? `${done}` : `${done} of ${header.total}`;
}

function toJobJson(job: ListedJob) {
	if (!('record' in job)) return {job: job.id, state: 'damaged', why: job.failure.message};
	const {header, done, updated, why} = job.record;
	return {
		job: job.id,
		state: getJobState(job),
		kind: header.kind,
		title: header.title,
		target: header.target,
		done,
		total: header.total ?? null,
		created: new Date(header.created).toISOString(),
		updated: new Date(updated).toISOString(),
		why: why ?? null,
	};
}

async function resumeById(context: CommandContext, id: string): Promise<void> {
	const {listJobs} = await import('../../state/jobs.ts');
	const migration = (await listServiceMigrations(context)).find(one => one.id === id);
	if (migration) return resumeListedMigration(context, migration);
	const job = (await listJobs(context.env)).find(one => one.id === id);
	if (!job)
		throw new Failure('journal_invalid', `The job "${id}" does not exist.`, {
			next: buildAdvice`\`${buildCommand('jobs')}\` lists all jobs.`,
		});
	if (!('record' in job)) throw job.failure;
	if (context.options.dryRun) return printResumePlan(context, job);
	const {isTransfer} = await import('../../session/transfers.ts');
	if (isTransfer(job)) return (await import('../kv/transfer-run.ts')).continueTransfer(context, job);
	const {getBulkKind} = await import('../../kv/bulk/prepared.ts');
	const {resumeBulk} = await import('../kv/bulk-write.ts');
	await resumeBulk(context, id, getBulkKind(job), job.record.header);
}

/** Resumes a migration as `migration resume` does, in the zone of its journal. */
async function resumeListedMigration(context: CommandContext, migration: UnfinishedMigration): Promise<void> {
	if (!('record' in migration)) throw migration.failure;
	const {resumeMigration} = await import('../migration/resume.ts');
	await resumeMigration(context, {}, migration.zone.id);
}

/** Prints what resuming would do, without running it: a job must not record keys that were not written. */
async function printResumePlan({output, session}: CommandContext, job: ListedJob): Promise<void> {
	if (output.json) return output.writeJson([toJobJson(job)]);
	const jobTitle = 'record' in job ? formatTitleWithSimulatedWorld(job.record.header, session.cwd) : job.id;
	await output.writeText(
		getJobState(job) === 'done'
			? `Nothing would be written: the job ${job.id} is done.\n`
			: `Would resume ${jobTitle}; done so far: ${formatJobProgress(job)}.\n`,
	);
}

async function forgetById(context: CommandContext, id: string): Promise<void> {
	const migration = (await listServiceMigrations(context)).find(one => one.id === id);
	if (migration) {
		const refusal = new Failure('usage', 'A migration journal cannot be forgotten.');
		if (!('record' in migration)) throw refusal.withDetails({why: migration.failure.message});
		const {id: zoneId, name} = migration.zone;
		throw refusal.withDetails({
			why: `It records what was sent to the zone ${name}.`,
			next: buildAdvice`\`${buildCommand('migration status', '--zone-id', zoneId)}\` shows the status of the zone.`,
		});
	}
	const {forgetJob} = await import('../../state/jobs.ts');
	await confirmAction(
		`Forget the job ${id}? It can no longer be resumed.`,
		context.getConfirmation(),
		context.signal,
	);
	if (!context.options.dryRun) await forgetJob(context.env, id);
	await context.printResult(
		{job: id, forgotten: true},
		`Forgot the job ${id}. What it has already done is not undone.`,
	);
}
