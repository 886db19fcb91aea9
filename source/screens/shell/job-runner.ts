import type {Job} from '../../kv/job/job.ts';
import {createEnvironmentClock} from '../../service/clock.ts';
import type {Environment} from '../../state/directory.ts';
import {createUpdateThrottle} from './update-throttle.ts';
import {withTimeout} from './with-timeout.ts';

/** Milliseconds between progress updates, slow enough for a slow line. */
const progressIntervalMs = 1000;
/** Milliseconds that ledge waits for a job to end before it quits: a disk may hang. */
const maxEndWaitMs = 2000;

export const getProgressInterval = (env: Environment): number =>
	progressIntervalMs * createEnvironmentClock(env).scale;

/** Creates the runner of a screen's jobs, one at a time; `drawProgress` is called with their progress. */
export function createJobRunner<Progress, Result, Running extends Job<Progress, Result>>(
	env: Environment,
	elapsed: () => number,
	drawProgress: (job: Running, progress: Progress) => void,
) {
	const interval = getProgressInterval(env);
	let currentJob: Running | undefined;
	/** Settles when the last job has ended and is recorded. */
	let lastEnd: Promise<unknown> = Promise.resolve();

	return {
		/** Starts a job and shows its progress until it ends. */
		run(start: (report: (progress: Progress) => void) => Running): Promise<Result> {
			const throttle = createUpdateThrottle(
				interval,
				elapsed,
				(progress: Progress) => currentJob && drawProgress(currentJob, progress),
			);
			const job = start(throttle.update);
			currentJob = job;
			drawProgress(job, job.getProgress());
			// Keeps the rate and the journal up to date while no responses arrive.
			const timer = setInterval(() => throttle.update(job.getProgress()), interval).unref();
			const finished = job.finished.finally(() => {
				clearInterval(timer);
				throttle.stop();
				currentJob = undefined;
			});
			lastEnd = finished.catch(() => {});
			return finished;
		},
		/** Pauses or resumes, and shows it at once. */
		pause(isPaused: boolean): void {
			if (!currentJob) return;
			if (isPaused) currentJob.pause();
			else currentJob.resume();
			drawProgress(currentJob, currentJob.getProgress());
		},
		cancel: () => currentJob?.cancel(),
		/** Resolves when the last job is recorded, or after two seconds; for quitting. */
		waitForEnd: () => withTimeout(maxEndWaitMs, lastEnd),
	};
}
