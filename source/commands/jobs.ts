import type {Command} from 'commander';
import {jobState, type ListedJob} from '../config/jobs.ts';
import {Failure} from '../failure.ts';
import {confirm} from '../terminal/prompt.ts';
import type {CommandContext} from './context.ts';
import {declareCommand, declareGroup} from './declare.ts';

/** `ledge jobs`: long work with a journal (decision 44). */
export function declareJobsCommands(program: Command): void {
	const group = declareGroup(
		program,
		'jobs',
		'long work that was interrupted, and how to go on with it',
		'jobs resume k3v9x2mp',
	);
	declareCommand(group, {
		usage: 'list',
		summary: 'list jobs, the unfinished ones first',
		isDefault: true,
		example: 'jobs list',
		run: list,
	});
	declareCommand(group, {
		usage: 'resume <JOB>',
		summary: 'go on with a job that was interrupted',
		example: 'jobs resume k3v9x2mp',
		run: (context, _options, id) => resume(context, id ?? ''),
	});
	declareCommand(group, {
		usage: 'forget <JOB>',
		summary: 'give a job up; what it has done stays done',
		example: 'jobs forget k3v9x2mp',
		run: (context, _options, id) => forget(context, id ?? ''),
	});
}

async function list(context: CommandContext): Promise<void> {
	const {listJobs} = await import('../config/jobs.ts');
	const jobs = await listJobs(context.env);
	if (context.output.json) return context.output.value(jobs.map(jobJson));
	if (jobs.length === 0) return context.output.text('No jobs.\n');
	const {table} = await import('../terminal/table.ts');
	await context.output.text(
		table(
			[
				{title: 'JOB', cell: job => job.id},
				{title: 'STATE', cell: jobState},
				{title: 'DONE', align: 'right', cell: doneOf},
				{title: 'WHAT', cell: job => ('record' in job ? job.record.header.title : job.failure.message)},
			],
			jobs,
		),
	);
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
	const {listJobs} = await import('../config/jobs.ts');
	const job = (await listJobs(context.env)).find(one => one.id === id);
	if (!job)
		throw new Failure('journal_invalid', `There is no job "${id}".`, {
			next: '`ledge jobs` lists the jobs there are.',
		});
	if (!('record' in job)) throw job.failure;
	if (context.options.dryRun) return shownResume(context, job);
	const {isTransfer} = await import('../session/transfers.ts');
	if (isTransfer(job)) return (await import('./transfer-ending.ts')).resumeTransfer(context, job);
	const {bulkKindOf} = await import('../kv/bulk/prepared.ts');
	const {resumeBulk} = await import('./kv-bulk-write.ts');
	await resumeBulk(context, id, bulkKindOf(job), job.record.header.target);
}

/** What going on would do. It does nothing of it: what is not written must not be recorded as done (decision 20). */
async function shownResume({output}: CommandContext, job: ListedJob): Promise<void> {
	if (output.json) return output.value([jobJson(job)]);
	const what = 'record' in job ? job.record.header.title : job.id;
	await output.text(
		jobState(job) === 'done'
			? `Nothing would be written: the job ${job.id} is done.\n`
			: `Would go on with ${what}; done so far: ${doneOf(job)}.\n`,
	);
}

async function forget(context: CommandContext, id: string): Promise<void> {
	const {forgetJob} = await import('../config/jobs.ts');
	await confirm(`Give up the job ${id}? It cannot be resumed then.`, context.confirmation(), context.signal);
	if (!context.options.dryRun) await forgetJob(context.env, id);
	await context.result({job: id, forgotten: true}, `Forgot the job ${id}. What it has done stays done.`);
}
