import type {ListedJob} from '../../state/jobs.ts';
import type {Has, LedgeState} from '../../store/ledge-store.ts';
import {type actionsOf, withFound} from '../shell/action.ts';
import type {Action} from '../shell/app.ts';
import {unfinishedJobs} from './slice.ts';

/** The work of a screen that is a job. */
type Steered = {
	readonly id: 'bulk' | 'transfer';
	readonly action: ReturnType<typeof actionsOf>;
	/** Whether it is paused; nothing while it is not under way. */
	isPaused(state: LedgeState): boolean | undefined;
	/** Why it cannot be paused then. */
	readonly idle: string;
	steer(state: LedgeState, isPaused: boolean): void;
	/** What cancelling leaves. */
	left(state: LedgeState): readonly string[];
	cancel(state: LedgeState): void;
};

/** The job that a stage names, where it has stopped and is recorded. */
export const stoppedJob = (
	state: Has<'jobs' | 'migration' | 'bulk' | 'transfer'> & Has<'navigation', 'screens'>,
	stage: {readonly state: string; readonly id?: string | undefined} | undefined,
): ListedJob | undefined =>
	stage?.state === 'stopped' ? unfinishedJobs(state).find(({id}) => id === stage.id)?.job : undefined;

/** Pauses, resumes and cancels the job of a screen. */
export const steeringActions = ({
	id,
	action,
	isPaused,
	idle,
	steer,
	left,
	cancel,
}: Steered): readonly Action[] => [
	action(`${id}.pause`, ['p'], 'pause', {
		hint: 'pause',
		unavailable: state => (isPaused(state) === false ? undefined : idle),
		run: ({state}) => steer(state(), true),
	}),
	action(`${id}.resume`, ['p'], 'resume after a pause', {
		hint: 'resume',
		words: ['continue', 'unpause'],
		unavailable: state => (isPaused(state) ? undefined : 'it is not paused'),
		run: ({state}) => steer(state(), false),
	}),
	action(`${id}.cancel`, ['c'], 'cancel; what is done stays done', {
		hint: 'cancel',
		...withFound(isPaused, idle, ({state}) =>
			state().dialog.open({
				kind: 'confirm',
				title: 'Cancel this run?',
				lines: left(state()),
				does: 'cancel it',
				confirm: () => cancel(state()),
			}),
		),
	}),
];
