import type {ListedJob} from '../../state/jobs.ts';
import type {LedgeState, StateWith} from '../../store/ledge-store.ts';
import {toDrawable} from '../../text/columns.ts';
import {type createActionFactory, withSelection} from '../shell/action.ts';
import type {Action} from '../shell/app.ts';
import {askToConfirm} from '../shell/confirmation.ts';
import {goBack} from '../shell/global-actions.ts';
import {listUnfinishedJobs} from './slice.ts';

/** Describes a screen whose work is a job. */
type SteeringOptions = {
	readonly id: 'bulk' | 'transfer';
	readonly defineAction: ReturnType<typeof createActionFactory>;
	getStage(state: LedgeState): JobStage | undefined;
	/** True if paused; undefined if not running. */
	isPaused(state: LedgeState): boolean | undefined;
	/** Why pausing is unavailable while the job does not run. */
	readonly idleReason: string;
	setPaused(state: LedgeState, isPaused: boolean): void;
	/** Describes what cancelling leaves. */
	listCancelEffects(state: LedgeState): readonly string[];
	cancel(state: LedgeState): void;
};

type JobStage = {readonly state: string; readonly id?: string | undefined};

/** True if a job was started and stopped before its end. */
export const isStoppedJob = (stage: JobStage | undefined): boolean =>
	stage?.state === 'stopped' && stage.id !== undefined;

const endStates: ReadonlySet<string | undefined> = new Set(['done', 'failed', 'stopped']);

/** Returns the job of a stopped stage if it is recorded. */
export const findStoppedJob = (
	state: StateWith<'jobs' | 'migration' | 'bulk' | 'transfer'> & StateWith<'navigation', 'screens'>,
	stage: JobStage | undefined,
): ListedJob | undefined =>
	stage?.state === 'stopped' ? listUnfinishedJobs(state).find(({id}) => id === stage.id)?.job : undefined;

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

/** Creates the actions that pause, resume and cancel the job of a screen, and leave it when it has ended. */
export const createSteeringActions = ({
	id,
	defineAction,
	getStage,
	isPaused,
	idleReason,
	setPaused,
	listCancelEffects,
	cancel,
}: SteeringOptions): readonly Action[] => [
	defineAction(`${id}.back`, ['esc'], 'go back', {
		paletteMode: 'never',
		hint: 'back',
		getHintPlace: state => (isStoppedJob(getStage(state)) ? undefined : 'first'),
		isActive: state => endStates.has(getStage(state)?.state),
		run: goBack,
	}),
	defineAction(`${id}.close`, ['enter'], 'go back when it has ended', {
		paletteMode: 'never',
		isActive: state => endStates.has(getStage(state)?.state) && !isStoppedJob(getStage(state)),
		run: goBack,
	}),
	defineAction(`${id}.pause`, ['p'], 'pause', {
		hint: 'pause',
		getUnavailableReason: state => (isPaused(state) === false ? undefined : idleReason),
		run: ({state}) => setPaused(state(), true),
	}),
	defineAction(`${id}.resume`, ['p'], 'resume after a pause', {
		effect: 'writes',
		hint: 'resume',
		searchTerms: ['continue', 'unpause'],
		getUnavailableReason: state => (isPaused(state) ? undefined : 'not paused'),
		run: ({state}) => setPaused(state(), false),
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
				confirm: () => cancel(state()),
			}),
		),
	}),
];
