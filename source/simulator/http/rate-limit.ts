/** A limit of requests per period. */
export type RateRule = {readonly requests: number; readonly seconds: number};

/** Whether a request is refused; the answer has the headers either way. */
type Allowance = {readonly refused: boolean; readonly headers: Readonly<Record<string, string>>};

/** Counts the requests of the only user; beyond the limit, refuses all of them for another period. */
export class RateLimit {
	readonly #rule: RateRule;
	#count = 0;
	#ends = 0;
	#refusing = false;

	constructor(rule: RateRule) {
		this.#rule = rule;
	}

	/** Counts a request at `now`, in milliseconds. */
	take(now: number): Allowance {
		const period = this.#rule.seconds * 1000;
		if (now >= this.#ends) {
			this.#count = 0;
			this.#ends = now + period;
			this.#refusing = false;
		}
		this.#count += 1;
		if (!this.#refusing && this.#count > this.#rule.requests) {
			this.#refusing = true;
			this.#ends = now + period;
		}
		const left = this.#refusing ? 0 : this.#rule.requests - this.#count;
		return {
			refused: this.#refusing,
			headers: {
				'x-ratelimit-limit': String(this.#rule.requests),
				'x-ratelimit-remaining': String(left),
				'x-ratelimit-reset': new Date(this.#ends).toUTCString(),
				...(this.#refusing && {'retry-after': String(Math.ceil((this.#ends - now) / 1000))}),
			},
		};
	}

	clear(): void {
		this.#ends = 0;
	}
}
