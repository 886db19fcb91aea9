import {interrupted} from '../failure.ts';
import {isLoopback} from '../settings/base-url.ts';

/** Time as the client sees it, so that tests can set clocks and back-off. */
export type Clock = {
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

export function realClock(scale = 1): Clock {
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
 * The clock for what is at a place: the address of a service, or none. Only one on this machine may be hurried; for any
 * other, five minutes of looking are five minutes, whatever the environment says.
 */
export const clockAt = (place: string, environment: NodeJS.ProcessEnv): Clock =>
	/^https?:/.test(place) && !isLoopback(new URL(place).hostname) ? realClock() : clockOf(environment);

/** Real time; `LEDGE_TIME_SCALE` makes time-outs and waits shorter, so that tests of them need no patience. */
export function clockOf({LEDGE_TIME_SCALE}: NodeJS.ProcessEnv): Clock {
	const scale = Number(LEDGE_TIME_SCALE || 1);
	return realClock(scale > 0 && scale <= 1 ? scale : 1);
}
