import type {Pace} from './pace.ts';

/** The public quota: 1,200 requests in five minutes, all credentials of a user together (service-contract.md 1). */
const burst = 1200;
const perSecond = 4;

export type Limiter = {
	/**
	 * Waits for a free place among the calls under way and for a token of the quota; disposing of what it gives
	 * frees the place.
	 */
	enter(signal: AbortSignal): Promise<Disposable>;
	/** Takes in what an answer says about the quota, since others may share it (decision 3). */
	observe(headers: Headers): void;
	/** Nobody enters for so many milliseconds: the service said so with a 429. */
	hold(milliseconds: number): void;
};

/** A token bucket of 1,200 that refills at 4 a second, with at most `concurrency` calls under way (decision 3). */
export function createLimiter(concurrency: number, pace: Pace): Limiter {
	let tokens = burst;
	let refilled = pace.now();
	let heldUntil = 0;
	let underWay = 0;
	const waiting: (() => void)[] = [];

	const refill = () => {
		const now = pace.now();
		tokens = Math.min(burst, tokens + ((now - refilled) / 1000) * perSecond);
		refilled = now;
	};

	const leave = () => {
		underWay--;
		waiting.shift()?.();
	};

	async function place(signal: AbortSignal): Promise<void> {
		while (underWay >= concurrency) {
			signal.throwIfAborted();
			await new Promise<void>((resolve, reject) => {
				const stop = () => {
					waiting.splice(waiting.indexOf(go), 1);
					reject(signal.reason);
				};
				const go = () => {
					signal.removeEventListener('abort', stop);
					resolve();
				};
				signal.addEventListener('abort', stop, {once: true});
				waiting.push(go);
			});
		}
		underWay++;
	}

	return {
		async enter(signal) {
			await place(signal);
			try {
				for (;;) {
					refill();
					const held = heldUntil - pace.now();
					if (held > 0) await pace.wait(held, signal);
					else if (tokens >= 1) break;
					else await pace.wait(((1 - tokens) / perSecond) * 1000, signal);
				}
				tokens--;
			} catch (error) {
				leave();
				throw error;
			}
			return {[Symbol.dispose]: leave};
		},
		observe(headers) {
			const remaining = Number.parseInt(headers.get('x-ratelimit-remaining') ?? '', 10);
			if (!Number.isSafeInteger(remaining) || remaining < 0) return;
			refill();
			tokens = Math.min(tokens, remaining);
			const reset = Date.parse(headers.get('x-ratelimit-reset') ?? '');
			if (remaining === 0 && reset > pace.now())
				heldUntil = Math.max(heldUntil, Math.min(reset, pace.now() + 330_000));
		},
		hold(milliseconds) {
			heldUntil = Math.max(heldUntil, pace.now() + milliseconds);
		},
	};
}
