/** A limit of requests per period. */
export type RateRule = {readonly requests: number; readonly seconds: number};

/** Whether a request is refused, and the headers for its answer, refused or not. */
type Allowance = {readonly isRefused: boolean; readonly headers: Readonly<Record<string, string>>};

/** Counts the requests of the only user; beyond the limit, refuses all of them for another period. */
export class RateLimit {
	readonly #rule: RateRule;
	#count = 0;
	#periodEnd = 0;
	#isRefusing = false;

	constructor(rule: RateRule) {
		this.#rule = rule;
	}

	/** Counts a request at `now`, in milliseconds. */
	countRequest(now: number): Allowance {
		const period = this.#rule.seconds * 1000;
		if (now >= this.#periodEnd) {
			this.#count = 0;
			this.#periodEnd = now + period;
			this.#isRefusing = false;
		}
		this.#count += 1;
		if (!this.#isRefusing && this.#count > this.#rule.requests) {
			this.#isRefusing = true;
			this.#periodEnd = now + period;
		}
		const remaining = this.#isRefusing ? 0 : this.#rule.requests - this.#count;
		return {
			isRefused: this.#isRefusing,
			headers: {
				'x-ratelimit-limit': String(this.#rule.requests),
				'x-ratelimit-remaining': String(remaining),
				'x-ratelimit-reset': new Date(this.#periodEnd).toUTCString(),
				...(this.#isRefusing && {'retry-after': String(Math.ceil((this.#periodEnd - now) / 1000))}),
			},
		};
	}

	clear(): void {
		this.#periodEnd = 0;
	}
}
