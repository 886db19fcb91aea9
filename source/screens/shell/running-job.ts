import type {Job} from '../../kv/job/job.ts';
import {clockOf} from '../../service/clock.ts';
import type {Environment} from '../../state/directory.ts';
import {atMost} from './at-most.ts';
import {paced} from './paced.ts';

/** Milliseconds between progress updates, slow enough for a slow line. */
const showEvery = 1000;
/** Milliseconds that ledge waits for a job to end before it quits: a disk may hang. */
const longestEnd = 2000;

export const progressEvery = (env: Environment): number => showEvery * clockOf(env).scale;

/** Runs one job of a screen at a time; `show` draws its progress. */
export function runningJob<Progress, Result, Running extends Job<Progress, Result>>(
	env: Environment,
	elapsed: () => number,
	show: (job: Running, progress: Progress) => void,
) {
	const every = progressEvery(env);
	let running: Running | undefined;
	/** Settles when the last job has ended and is recorded. */
	let ended: Promise<unknown> = Promise.resolve();

	return {
		/** Starts a job and shows its progress until it ends. */
		follow(start: (report: (progress: Progress) => void) => Running): Promise<Result> {
			const shown = paced(every, elapsed, (progress: Progress) => running && show(running, progress));
			const job = start(shown.tell);
			running = job;
			show(job, job.progress());
			// // The rate falls, and the journal is written, even while nothing is answered.
			const timer = setInterval(() => shown.tell(job.progress()), every).unref();
			const finished = job.finished.finally(() => {
				clearInterval(timer);
				shown.stop();
				running = undefined;
			});
			ended = finished.catch(() => {});
			return finished;
		},
		/** Pauses or resumes, and shows it at once. */
		pause(isPaused: boolean): void {
			if (!running) return;
			if (isPaused) running.pause();
			else running.resume();
			show(running, running.progress());
		},
		cancel: () => running?.cancel(),
		/** Resolves when the last job is recorded, or after two seconds; for quitting. */
		ended: () => atMost(longestEnd, ended),
	};
}
