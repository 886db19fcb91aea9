import type {Failure} from '../../failure.ts';
import {canResumeAfter} from '../../kv/job/job.ts';
import type {ListedJob} from '../../state/jobs.ts';
import type {LedgeState, StateWith} from '../../store/ledge-store.ts';
import {toDrawable} from '../../text/columns.ts';
import {type createActionFactory, withSelection} from '../shell/action.ts';
import type {Action} from '../shell/app.ts';
import {askToConfirm} from '../shell/confirmation.ts';
import {goBack} from '../shell/global-actions.ts';
import type {JobRow} from './row.ts';
import {listUnfinishedJobs} from './slice.ts';

/** Describes a screen whose work is a job. */
type SteeringOptions = {
	readonly id: 'bulk' | 'transfer';
	readonly defineAction: ReturnType<typeof createActionFactory>;
	/** Why pausing is unavailable while the job does not run. */
	readonly idleReason: string;
	/** Describes what cancelling leaves. */
	listCancelEffects(state: LedgeState): readonly string[];
};

type JobStage = {
	readonly state: string;
	readonly id?: string | undefined;
	readonly failure?: Failure;
};

const endStates: ReadonlySet<string | undefined> = new Set(['done', 'failed', 'stopped']);

/** Asks before an interrupted job goes on; a job that cannot be read is tried at once, to show why. */
export function askToResumeJob(
	state: StateWith<'dialog', 'open' | 'openField'>,
	job: ListedJob,
	resume: () => void,
): void {
	if (!('record' in job)) {
		resume();
		return;
	}
	const question = {
		title: 'Resume this job?',
		lines: [toDrawable(job.record.header.title), 'It goes on where it stopped.'],
		actionLabel: 'resume the job',
	};
	askToConfirm(state, question, undefined, resume);
}

/** Creates the actions that resume, pause and cancel the job of a screen, and leave it when it has ended. */
export function createSteeringActions({
	id,
	defineAction,
	idleReason,
	listCancelEffects,
}: SteeringOptions): readonly Action[] {
	const getStage = (state: LedgeState): JobStage | undefined => state[id].data?.stage;
	const hasEnded = (state: LedgeState): boolean => endStates.has(getStage(state)?.state);
	/** True if a job was started and stopped before its end, and can go on. */
	const isStopped = (state: LedgeState): boolean => {
		const stage = getStage(state);
		return (
			stage?.state === 'stopped' &&
			stage.id !== undefined &&
			(stage.failure === undefined || canResumeAfter(stage.failure))
		);
	};
	/** Returns the stopped job if it is recorded. */
	const findStoppedJob = (state: LedgeState): JobRow | undefined =>
		isStopped(state) ? listUnfinishedJobs(state).find(job => job.id === getStage(state)?.id) : undefined;
	const getJob = (state: LedgeState) => state.navigation.screens[id].job;
	/** True if paused; undefined if not running. */
	const isPaused = (state: LedgeState): boolean | undefined => getJob(state)?.getRow(state)?.isPaused;
	return [
		defineAction(`${id}.go-on`, ['enter'], 'resume where it stopped', {
			effect: 'writes',
			hint: 'resume',
			searchTerms: ['resume', 'continue', 'retry'],
			isActive: isStopped,
			...withSelection(
				findStoppedJob,
				'no job to resume',
				(app, job) => getJob(app.state())?.resume(app, job),
				state => {
					const job = findStoppedJob(state);
					return job && getJob(state)?.getUnavailableReason?.(state, job);
				},
			),
		}),
		defineAction(`${id}.back`, ['esc'], 'go back', {
			paletteMode: 'never',
			hint: 'back',
			getHintPlace: state => (isStopped(state) ? undefined : 'first'),
			isActive: hasEnded,
			run: goBack,
		}),
		defineAction(`${id}.close`, ['enter'], 'go back when it has ended', {
			paletteMode: 'never',
			isActive: state => hasEnded(state) && !isStopped(state),
			run: goBack,
		}),
		defineAction(`${id}.pause`, ['p'], 'pause', {
			hint: 'pause',
			getUnavailableReason: state => (isPaused(state) === false ? undefined : idleReason),
			run: ({state}) => state()[id].pause(true),
		}),
		defineAction(`${id}.resume`, ['p'], 'resume after a pause', {
			effect: 'writes',
			hint: 'resume',
			searchTerms: ['continue', 'unpause'],
			getUnavailableReason: state => (isPaused(state) ? undefined : 'not paused'),
			run: ({state}) => state()[id].pause(false),
		}),
		defineAction(`${id}.cancel`, ['ctrl-x'], 'cancel; changes made so far are kept', {
			hint: 'cancel',
			searchTerms: ['kill', 'kill it', 'kill job', 'cancel it', 'stop'],
			...withSelection(isPaused, idleReason, ({state}) =>
				state().dialog.open({
					kind: 'confirm',
					title: 'Cancel this run?',
					lines: listCancelEffects(state()),
					actionLabel: 'cancel the run',
					confirm: () => state()[id].cancel(),
				}),
			),
		}),
	];
}
