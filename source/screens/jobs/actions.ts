import type {LedgeState} from '../../store/ledge-store.ts';
import {forgetFilter} from '../list/screen.ts';
import {preloadNamespaces} from '../namespaces/actions.ts';
import {createActionFactory, defineGlobalAction, filterBehavior, withSelection} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {formatFilterCount, type ScreenDefinition} from '../shell/screen.ts';
import {getCurrentScreen} from '../shell/screen-name.ts';
import type {JobRow} from './row.ts';
import {
	buildJobRows,
	findJobMatches,
	getNamespaceGoneReason,
	getSelectedJob,
	listUnfinishedJobs,
	listVisibleJobs,
} from './slice.ts';

const defineJobsAction = createActionFactory('Jobs', ['jobs']);

function readJobs({state}: App): void {
	void state().work.run(readingLabel, 'read', signal => state().jobs.load(signal), jobsSubject);
}

const readingLabel = 'loading jobs';
const jobsSubject = {kind: 'jobs'} as const;

/** Reads the jobs in the background, unless they are being read already. */
export async function refreshJobs({state}: App): Promise<void> {
	if (state().work.list.some(work => work.subject?.kind === 'jobs')) return;
	await state().work.run(readingLabel, 'background', signal => state().jobs.load(signal), jobsSubject);
}

export function openJobs(app: App): void {
	const {go} = app.state().navigation;
	const {run} = app.state().work;
	const loadJobList = app.state().jobs.open;
	go('jobs');
	void run(readingLabel, 'read', loadJobList, jobsSubject).then(() => {
		// A job whose namespace is not listed cannot be resumed.
		if (listUnfinishedJobs(app.state()).some(({job}) => job)) preloadNamespaces(app);
	});
}

function getNotResumableReason(state: LedgeState): string | undefined {
	const job = getSelectedJob(state);
	switch (job?.state) {
		case undefined:
			return 'no job selected';
		case 'running':
			// Another process holds its journal: it can only be viewed.
			return job.zone ? undefined : job.about;
		case 'done':
			return 'the job is already done';
		case 'damaged':
			return `${job.title} ${job.about}`;
		case 'here':
			return undefined;
		case 'unfinished':
			if (job.zone) return undefined;
			if (buildJobRows(state).some(other => other.state === 'here' && !other.zone))
				return 'another job is running in this session; only one can run at a time';
			return (
				getNamespaceGoneReason(state, job) ??
				state.navigation.screens[job.screen].job?.getUnavailableReason?.(state, job)
			);
	}
}

/** True if enter only opens the screen of the job: it is of this session, or a migration. */
const opensOnly = (job: JobRow | undefined): boolean => job?.state === 'here' || job?.zone !== undefined;

function resumeSelectedJob(app: App): void {
	const {state} = app;
	const selectedJob = getSelectedJob(state());
	if (selectedJob?.state === 'here') state().navigation.go(selectedJob.screen);
	else if (selectedJob) state().navigation.screens[selectedJob.screen].job?.resume(app, selectedJob);
}

function confirmForgetJob(app: App): void {
	const selectedJob = getSelectedJob(app.state());
	if (!selectedJob) return;
	const {state} = app;
	state().dialog.open({
		kind: 'confirm',
		title: `Forget job ${selectedJob.id}?`,
		lines: [
			selectedJob.title,
			selectedJob.state === 'done'
				? 'The job is done; only its record is deleted.'
				: 'Changes made so far are kept, but the job can no longer be resumed.',
		],
		actionLabel: 'forget the job',
		confirm: () =>
			void state().work.run(`forgetting job ${selectedJob.id}`, 'write', signal =>
				state().jobs.forget(selectedJob.id, signal),
			),
	});
}

/** Checks whether the job's process has ended. If so, calls `onReleased`. */
async function recheckJob(app: App, id: string, onReleased: (app: App) => void): Promise<void> {
	const {state} = app;
	await state().work.run(readingLabel, 'read', signal => state().jobs.load(signal), jobsSubject);
	const selectedJob = getSelectedJob(state());
	if (selectedJob?.id !== id || getCurrentScreen(state()) !== 'jobs' || state().dialog.current) return;
	if (selectedJob.state === 'running') state().messages.warn(`Still running: ${selectedJob.about}.`);
	else if (getNotResumableReason(state()) === undefined || onReleased === confirmForgetJob) onReleased(app);
}

/** Creates an action that pauses or resumes this session's work under the cursor. */
const createPauseAction = (id: string, title: string, hint: string, whenPaused: boolean): Action =>
	defineJobsAction(id, ['p'], title, {
		...(whenPaused && {effect: 'writes'}),
		hint,
		...withSelection(
			state => (getSelectedJob(state)?.isPaused === whenPaused ? getSelectedJob(state) : undefined),
			'not a job of this session',
			({state}, {screen}) => state().navigation.screens[screen].job?.pause?.(state(), !whenPaused),
		),
	});

export const jobsActions: readonly Action[] = [
	defineGlobalAction('go.jobs', ['7'], 'go to jobs: running and interrupted work', {
		searchTerms: [
			'tasks',
			'progress',
			'transfers',
			'background jobs',
			'running jobs',
			'resume job',
			'resume',
		],
		run: openJobs,
	}),
	defineJobsAction('jobs.resume', ['enter'], 'resume the job and show it', {
		effect: 'writes',
		hint: 'resume',
		searchTerms: ['go on', 'continue', 'retry', 'resume job', 'continue job', 'restart job'],
		isActive: state => !opensOnly(getSelectedJob(state)),
		getUnavailableReason: getNotResumableReason,
		run: resumeSelectedJob,
	}),
	defineJobsAction('jobs.show', ['enter'], 'open the job', {
		hint: 'open',
		searchTerms: ['show job', 'view job', 'job progress'],
		opensRow: true,
		isActive: state => opensOnly(getSelectedJob(state)),
		run: resumeSelectedJob,
	}),
	defineJobsAction('jobs.forget', ['d'], 'forget the job; changes made so far are kept', {
		searchTerms: ['delete job', 'remove job'],
		hint: 'forget',
		isDestructive: true,
		getUnavailableReason(state) {
			const job = getSelectedJob(state);
			if (!job) return 'no job selected';
			if (job.state === 'running' || job.state === 'here') return 'the job is running';
			return job.job === undefined ? "the journal of a migration can't be forgotten" : undefined;
		},
		run: confirmForgetJob,
	}),
	createPauseAction('jobs.pause', 'pause the job of this session', 'pause', false),
	createPauseAction('jobs.unpause', 'resume the paused job', 'resume', true),
	defineJobsAction(
		'jobs.cancel',
		['ctrl-x'],
		'cancel the job of this session; changes made so far are kept',
		{
			hint: 'cancel',
			searchTerms: ['kill', 'kill it', 'kill job', 'stop'],
			...withSelection(
				state => {
					const job = getSelectedJob(state);
					return job?.isPaused === undefined ? undefined : job;
				},
				'not a job of this session',
				(app, {screen}, key) => app.actions.find(({id}) => id === `${screen}.cancel`)?.run(app, key),
			),
		},
	),
	defineJobsAction(
		'jobs.look-again',
		['enter', 'd'],
		'check whether another process is still running the job',
		{
			searchTerms: ['check job'],
			getUnavailableReason: state =>
				getSelectedJob(state)?.state === 'running' ? undefined : 'no other process is running it',
			run(app, key) {
				const selectedJob = getSelectedJob(app.state());
				if (selectedJob)
					void recheckJob(app, selectedJob.id, key.name === 'd' ? confirmForgetJob : resumeSelectedJob);
			},
		},
	),
	defineJobsAction('jobs.filter', ['/'], 'filter jobs by title, state or id', filterBehavior),
];

export const jobsScreen: ScreenDefinition = {
	group: 'Jobs',
	buildPath: before => [...before, 'jobs'],
	reload: readJobs,
	move: (state, by) => state.jobs.move(by),
	onOpen: ({jobs}) => forgetFilter(jobs.data, jobs),
	filter: {
		getText: ({jobs: {data: jobs}}) => jobs.filter,
		setText: (state, text) => state.jobs.filter(text),
		formatCounts: state => formatFilterCount(listVisibleJobs(state), buildJobRows(state)),
		hasSplitWords: state => findJobMatches(state).hasSplitWords,
	},
};
