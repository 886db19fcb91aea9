import {createInterruptedFailure} from '../failure.ts';
import {isLoopback} from '../settings/base-url.ts';

/** Time for the client, replaceable by tests. */
export type Clock = {
	/** Milliseconds since the epoch, for display and dates. The system clock can be set, even back. */
	now(): number;
	/** Monotonic milliseconds, for limits and durations; only differences are meaningful. */
	elapsed(): number;
	/** Resolves after `milliseconds`; rejects with `interrupted` when the signal is aborted. */
	wait(milliseconds: number, signal: AbortSignal): Promise<void>;
	/** Between 0 and 1. */
	random(): number;
	/** Factor of the client's durations (timeout, back-off, Retry-After); 1 except in tests. */
	readonly scale: number;
};

export function createRealClock(scale = 1): Clock {
	return {
		now: Date.now,
		elapsed: () => performance.now(),
		random: Math.random,
		scale,
		wait: (milliseconds, signal) =>
			new Promise((resolve, reject) => {
				const stop = () => {
					clearTimeout(timer);
					reject(createInterruptedFailure());
				};
				if (signal.aborted) return reject(createInterruptedFailure());
				const timer = setTimeout(() => {
					signal.removeEventListener('abort', stop);
					resolve();
				}, milliseconds);
				signal.addEventListener('abort', stop, {once: true});
			}),
	};
}

/**
 * Returns the clock for the address of a service. Local data, and a service on this machine, may use the
 * environment's faster clock; with any other service, five minutes are five minutes.
 */
export const createPlaceClock = (address: string, environment: NodeJS.ProcessEnv): Clock =>
	/^https?:/.test(address) && !isLoopback(new URL(address).hostname)
		? createRealClock()
		: createEnvironmentClock(environment);

/** Returns real time, with waits and timeouts shortened by `LEDGE_TIME_SCALE` for tests. */
export function createEnvironmentClock({LEDGE_TIME_SCALE}: NodeJS.ProcessEnv): Clock {
	const scale = Number(LEDGE_TIME_SCALE || 1);
	return createRealClock(scale > 0 && scale <= 1 ? scale : 1);
}
