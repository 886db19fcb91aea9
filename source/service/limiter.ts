import type {Clock} from './clock.ts';
import type {ResponseHeaders} from './http-fetch.ts';
import {type Quota, quotas} from './quotas.ts';
import {getMsUntilDate, maxWaitMs} from './retries.ts';

/** Minimum duration of a call in milliseconds, and the default number of concurrent calls. */
const [minCallMs, defaultConcurrency] = [200, 6];

/** Remaining quota: no call for `waitSeconds`, then `calls` without waiting. */
export type QuotaLeft = {readonly calls: number; readonly waitSeconds: number};

/** The unused quota of calls. */
export const fullQuota: QuotaLeft = {calls: quotas.calls.burst, waitSeconds: 0};

/**
 * Estimates the minimum number of seconds that a number of calls takes, six at a time, within the remaining
 * quota.
 */
export const estimateCallSeconds = (calls: number, quotaLeft: QuotaLeft): number =>
	calls <= 0
		? 0
		: quotaLeft.waitSeconds +
			Math.max(
				(calls / defaultConcurrency) * (minCallMs / 1000),
				(calls - quotaLeft.calls) / quotas.calls.perSecond,
			);

type Limiter = {
	/** Waits for a free slot and a quota token; disposing of the result frees the slot. */
	enter(signal: AbortSignal): Promise<Disposable>;
	/** Updates the quota from a response, since others may share it. */
	observe(headers: ResponseHeaders): void;
	/** Blocks all calls for `milliseconds`, after a 429. */
	hold(milliseconds: number): void;
	/** Returns the remaining quota, from the calls made and the service's responses. */
	getQuotaLeft(): QuotaLeft;
};

/**
 * Creates a token bucket for a quota, whose refill follows the scale of the clock, with at most `concurrency`
 * concurrent calls. Reports each wait of more than a second once, however many calls wait; again if the call
 * that was reported has been cancelled.
 */
export function createLimiter(
	concurrency: number,
	clock: Clock,
	{burst, perSecond}: Quota,
	onWait: (milliseconds: number, signal: AbortSignal) => void = () => {},
): Limiter {
	let tokens: number = burst;
	let refilledAt = clock.elapsed();
	let heldUntil = 0;
	let reported: {readonly hold: number; readonly signal: AbortSignal} | undefined;
	let activeCount = 0;
	const queue: (() => void)[] = [];

	const refill = () => {
		const now = clock.elapsed();
		tokens = Math.min(burst, tokens + ((now - refilledAt) / 1000 / clock.scale) * perSecond);
		refilledAt = now;
	};

	const releaseSlot = () => {
		activeCount--;
		queue.shift()?.();
	};

	async function waitForSlot(signal: AbortSignal): Promise<void> {
		while (activeCount >= concurrency) {
			signal.throwIfAborted();
			await new Promise<void>((resolve, reject) => {
				const stop = () => {
					queue.splice(queue.indexOf(proceed), 1);
					reject(signal.reason);
				};
				const proceed = () => {
					signal.removeEventListener('abort', stop);
					resolve();
				};
				signal.addEventListener('abort', stop, {once: true});
				queue.push(proceed);
			});
		}
		activeCount++;
	}

	const hold = (milliseconds: number) => {
		heldUntil = Math.max(heldUntil, clock.elapsed() + milliseconds);
	};

	async function waitForToken(signal: AbortSignal): Promise<void> {
		for (;;) {
			refill();
			const heldMs = heldUntil - clock.elapsed();
			if (heldMs <= 0 && tokens >= 1) break;
			if (heldMs > 1000 && (reported?.hold !== heldUntil || reported.signal.aborted)) {
				reported = {hold: heldUntil, signal};
				onWait(heldMs, signal);
			}
			await clock.wait(heldMs > 0 ? heldMs : ((1 - tokens) / perSecond) * 1000 * clock.scale, signal);
		}
		tokens--;
	}

	return {
		async enter(signal) {
			await waitForSlot(signal);
			try {
				await waitForToken(signal);
			} catch (error) {
				releaseSlot();
				throw error;
			}
			return {[Symbol.dispose]: releaseSlot};
		},
		observe(headers) {
			const remaining = Number.parseInt(headers.get('x-ratelimit-remaining') ?? '', 10);
			if (!Number.isSafeInteger(remaining) || remaining < 0) return;
			refill();
			tokens = Math.min(tokens, remaining);
			const resetMs = getMsUntilDate(headers, 'x-ratelimit-reset', clock) ?? 0;
			// A later reset may be a wrong clock: the following 429 states the wait.
			if (remaining === 0 && resetMs > 0 && resetMs <= maxWaitMs) hold(resetMs * clock.scale);
		},
		hold,
		getQuotaLeft() {
			refill();
			const waitSeconds = Math.max(0, heldUntil - clock.elapsed()) / 1000 / clock.scale;
			const calls = Math.floor(Math.min(burst, tokens + waitSeconds * perSecond));
			return {calls: Math.max(0, calls), waitSeconds};
		},
	};
}
