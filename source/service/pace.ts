import {interrupted} from '../failure.ts';

/** Time as the client sees it, so that tests can set clocks and back-off (decision 46). */
export type Pace = {
	/** Milliseconds since the epoch. */
	now(): number;
	/** Ends after so many milliseconds, or fails with `interrupted` at once when the signal is aborted. */
	wait(milliseconds: number, signal: AbortSignal): Promise<void>;
	/** Between 0 and 1. */
	random(): number;
	/** What the client multiplies each of its durations by (time-out, back-off, Retry-After); 1 but for tests. */
	readonly scale: number;
};

export function realPace(scale = 1): Pace {
	return {
		now: Date.now,
		random: Math.random,
		scale,
		wait: (milliseconds, signal) =>
			new Promise((resolve, reject) => {
				const stop = () => {
					clearTimeout(timer);
					reject(interrupted());
				};
				if (signal.aborted) return reject(interrupted());
				const timer = setTimeout(() => {
					signal.removeEventListener('abort', stop);
					resolve();
				}, milliseconds);
				signal.addEventListener('abort', stop, {once: true});
			}),
	};
}

/** Real time; `LEDGE_TIME_SCALE` makes time-outs and waits shorter, so that tests of them need no patience (decision 46). */
export function paceOf({LEDGE_TIME_SCALE}: NodeJS.ProcessEnv): Pace {
	const scale = Number(LEDGE_TIME_SCALE || 1);
	return realPace(scale > 0 && scale <= 1 ? scale : 1);
}
