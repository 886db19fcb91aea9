import {interrupted} from '../failure.ts';
import {isLoopback} from '../settings/base-url.ts';

/** Time as the client sees it, so that tests can set clocks and back-off (decision 46). */
export type Pace = {
	/** Milliseconds since the epoch, for what people read and for what has a date. It may be set, back too. */
	now(): number;
	/** Milliseconds of a clock that nobody can set, for limits and durations; only differences mean anything. */
	elapsed(): number;
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
		elapsed: () => performance.now(),
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

/**
 * The pace for what is at a place: the address of a service, or none. Only one on this machine may be hurried; for any
 * other, five minutes of looking are five minutes, whatever the environment says.
 */
export const paceAt = (place: string, environment: NodeJS.ProcessEnv): Pace =>
	/^https?:/.test(place) && !isLoopback(new URL(place).hostname) ? realPace() : paceOf(environment);

/** Real time; `LEDGE_TIME_SCALE` makes time-outs and waits shorter, so that tests of them need no patience (decision 46). */
export function paceOf({LEDGE_TIME_SCALE}: NodeJS.ProcessEnv): Pace {
	const scale = Number(LEDGE_TIME_SCALE || 1);
	return realPace(scale > 0 && scale <= 1 ? scale : 1);
}
