import type {Job} from '../../kv/job/job.ts';
import {clockOf} from '../../service/clock.ts';
import type {Environment} from '../../state/directory.ts';
import {atMost} from './at-most.ts';
import {paced} from './paced.ts';

/** Milliseconds between two pictures of the progress: what a slow line can bear. */
const showEvery = 1000;
/** Milliseconds that the end of ledge waits for the end of a job: a disk may hang, too. */
const longestEnd = 2000;

export const progressEvery = (env: Environment): number => showEvery * clockOf(env).scale;

/** The one job of a screen that is under way; `show` draws how far it is. */
export function runningJob<Progress, Result, Running extends Job<Progress, Result>>(
	env: Environment,
	elapsed: () => number,
	show: (job: Running, progress: Progress) => void,
) {
	const every = progressEvery(env);
	let running: Running | undefined;
	/** Settles when the last job is over and recorded. */
	let ended: Promise<unknown> = Promise.resolve();

	return {
		/** Starts a job, and shows how far it is until it ends. */
		follow(start: (report: (progress: Progress) => void) => Running): Promise<Result> {
			const shown = paced(every, elapsed, (progress: Progress) => running && show(running, progress));
			const job = start(shown.tell);
			running = job;
			show(job, job.progress());
			// The rate falls, and the journal is made, while nothing is answered, too.
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
		/** For whoever leaves ledge: settles when what is done is recorded, or after two seconds. */
		ended: () => atMost(longestEnd, ended),
	};
}
