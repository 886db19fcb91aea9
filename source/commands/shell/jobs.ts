import {asFailure, Failure} from '../../failure.ts';
import type {UnfinishedMigration} from '../../migration/journal/unfinished.ts';
import {titleWithWorld} from '../../session/place.ts';
import {type JobState, jobState, type ListedJob} from '../../state/jobs.ts';
import {confirm} from '../../terminal/prompt.ts';
import {advice, ledge} from '../../text/advice.ts';
import type {CommandContext} from './context.ts';
import {defineCommand} from './declare.ts';

export const jobsCommands = [
	defineCommand({
		usage: 'list',
		summary: 'list jobs, the unfinished ones first',
		isDefault: true,
		example: 'jobs list',
		isOffline: true,
		run: list,
	}),
	defineCommand({
		usage: 'resume <JOB>',
		summary: 'resume a job that was interrupted',
		example: 'jobs resume k3v9x2mp',
		writes: true,
		isOffline: true,
		sample: 'any',
		run: (context, _options, id) => resume(context, id ?? ''),
	}),
	defineCommand({
		usage: 'forget <JOB>',
		summary: 'give a job up; what it has done stays done',
		example: 'jobs forget k3v9x2mp',
		isOffline: true,
		sample: 'any',
		run: (context, _options, id) => forget(context, id ?? ''),
	}),
];

async function list(context: CommandContext): Promise<void> {
	const {listJobs} = await import('../../state/jobs.ts');
	const jobs = await listJobs(context.env);
	const migrations = await migrationsHere(context);
	const {cwd} = context.session;
	const rows = [...(await Promise.all(migrations.map(migrationRow))), ...jobs.map(job => jobRow(job, cwd))];
	if (context.output.json) return context.output.value(rows.map(({json}) => json));
	if (rows.length === 0) return context.output.text('No jobs.\n');
	const {table} = await import('../../terminal/table.ts');
	await context.output.text(
		table(
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
type ListedRow = {
	readonly id: string;
	readonly state: JobState;
	readonly done: string;
	readonly what: string;
	readonly json: object;
};

const jobRow = (job: ListedJob, cwd: string): ListedRow => ({
	id: job.id,
	state: jobState(job),
	done: doneOf(job),
	what: 'record' in job ? titleWithWorld(job.record.header, cwd) : job.failure.message,
	json: jobJson(job),
});

async function migrationRow(one: UnfinishedMigration): Promise<ListedRow> {
	const {id} = one;
	if (!('record' in one)) {
		const {message} = one.failure;
		return {id, state: 'damaged', done: '', what: message, json: {job: id, state: 'damaged', why: message}};
	}
	const {standingInWords} = await import('../../migration/journal/unfinished.ts');
	const {header, record, updated, holder} = one;
	const state = holder ? 'running' : 'unfinished';
	const why = `${record.state}: ${standingInWords(record)}`;
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
async function migrationsHere({
	session,
	env,
	output,
}: CommandContext): Promise<readonly UnfinishedMigration[]> {
	const {placeOfMigrations} = await import('../../session/place.ts');
	let place: string;
	try {
		place = placeOfMigrations(session);
	} catch (error) {
		output.warn(`Migrations are not listed: ${asFailure(error).message}`);
		return [];
	}
	const {unfinishedMigrations} = await import('../../migration/journal/unfinished.ts');
	return unfinishedMigrations(env, place);
}

/** Lists jobs and migrations that are not done. */
export async function unfinishedRows(context: CommandContext): Promise<readonly ListedRow[]> {
	const {listJobs} = await import('../../state/jobs.ts');
	const migrations = await Promise.all((await migrationsHere(context)).map(migrationRow));
	const rows = [...migrations, ...(await listJobs(context.env)).map(job => jobRow(job, context.session.cwd))];
	return rows.filter(({state}) => state !== 'done');
}

function doneOf(job: ListedJob): string {
	if (!('record' in job)) return '';
	const {done, header} = job.record;
	return header.total === undefined ? `${done}` : `${done} of ${header.total}`;
}

function jobJson(job: ListedJob) {
	if (!('record' in job)) return {job: job.id, state: 'damaged', why: job.failure.message};
	const {header, done, updated, why} = job.record;
	return {
		job: job.id,
		state: jobState(job),
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

async function resume(context: CommandContext, id: string): Promise<void> {
	const {listJobs} = await import('../../state/jobs.ts');
	const migration = (await migrationsHere(context)).find(one => one.id === id);
	if (migration) return resumeListed(context, migration);
	const job = (await listJobs(context.env)).find(one => one.id === id);
	if (!job)
		throw new Failure('journal_invalid', `There is no job "${id}".`, {
			next: advice`\`${ledge('jobs')}\` lists the jobs there are.`,
		});
	if (!('record' in job)) throw job.failure;
	if (context.options.dryRun) return shownResume(context, job);
	const {isTransfer} = await import('../../session/transfers.ts');
	if (isTransfer(job)) return (await import('../kv/transfer-ending.ts')).resumeTransfer(context, job);
	const {bulkKindOf} = await import('../../kv/bulk/prepared.ts');
	const {resumeBulk} = await import('../kv/bulk-write.ts');
	await resumeBulk(context, id, bulkKindOf(job), job.record.header);
}

/** Resumes a migration as `migration resume` does, in the zone of its journal. */
async function resumeListed(context: CommandContext, migration: UnfinishedMigration): Promise<void> {
	if (!('record' in migration)) throw migration.failure;
	const {resumeMigration} = await import('../migration/resume.ts');
	await resumeMigration(context, {}, migration.zone.id);
}

/** Prints what resuming would do, without running it: a job must not record keys that were not written. */
async function shownResume({output, session}: CommandContext, job: ListedJob): Promise<void> {
	if (output.json) return output.value([jobJson(job)]);
	const what = 'record' in job ? titleWithWorld(job.record.header, session.cwd) : job.id;
	await output.text(
		jobState(job) === 'done'
			? `Nothing would be written: the job ${job.id} is done.\n`
			: `Would resume ${what}; done so far: ${doneOf(job)}.\n`,
	);
}

async function forget(context: CommandContext, id: string): Promise<void> {
	const migration = (await migrationsHere(context)).find(one => one.id === id);
	if (migration) {
		const refusal = new Failure('usage', 'The journal of a migration cannot be forgotten.');
		if (!('record' in migration)) throw refusal.with({why: migration.failure.message});
		const {id: zoneId, name} = migration.zone;
		throw refusal.with({
			why: `It records what was sent to the zone ${name}.`,
			next: advice`\`${ledge('migration status', '--zone-id', zoneId)}\` shows how the zone stands.`,
		});
	}
	const {forgetJob} = await import('../../state/jobs.ts');
	await confirm(`Give up the job ${id}? It cannot be resumed then.`, context.confirmation(), context.signal);
	if (!context.options.dryRun) await forgetJob(context.env, id);
	await context.result({job: id, forgotten: true}, `Forgot the job ${id}. What it has done stays done.`);
}
