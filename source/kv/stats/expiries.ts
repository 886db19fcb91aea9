const [hour, day] = [3600, 86_400];

/**
 * Consecutive time spans from the start of the reading; `until` in seconds, undefined for everything later.
 */
export const expirySpans = [
	{name: 'within an hour', until: hour},
	{name: 'within a day', until: day},
	{name: 'within a week', until: 7 * day},
	{name: 'within 30 days', until: 30 * day},
	{name: 'within a year', until: 365 * day},
	{name: 'later', until: undefined},
] as const;

/** When keys expire. Times in UNIX seconds. */
export type Expiries = {
	/** Keys that do not expire. */
	readonly never: number;
	/** Number of keys per entry of `expirySpans`. */
	readonly spans: readonly number[];
	readonly earliest: number | undefined;
	readonly latest: number | undefined;
};

/** Counts keys by time until expiry, relative to `now` in UNIX seconds. */
export class ExpiryCounts {
	readonly #now: number;
	readonly #spans: number[] = expirySpans.map(() => 0);
	#never = 0;
	#earliest: number | undefined;
	#latest: number | undefined;

	constructor(now: number) {
		this.#now = now;
	}

	add(expiration: number | undefined): void {
		if (expiration === undefined) {
			this.#never++;
			return;
		}
		const secondsLeft = expiration - this.#now;
		const span = expirySpans.findIndex(({until}) => until === undefined || secondsLeft <= until);
		this.#spans[span] = (this.#spans[span] ?? 0) + 1;
		this.#earliest = Math.min(this.#earliest ?? expiration, expiration);
		this.#latest = Math.max(this.#latest ?? expiration, expiration);
	}

	get counts(): Expiries {
		return {
			never: this.#never,
			spans: [...this.#spans],
			earliest: this.#earliest,
			latest: this.#latest,
		};
	}
}
