const [hour, day] = [3600, 86_400];

/** Spans of time from the beginning of the reading on, each behind the one before; seconds, `undefined` for all that is later. */
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
	/** Keys for each of `expirySpans`. */
	readonly spans: readonly number[];
	readonly earliest: number | undefined;
	readonly latest: number | undefined;
};

/** Counts when keys expire, as seen from one moment in UNIX seconds. */
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
		const left = expiration - this.#now;
		const span = expirySpans.findIndex(({until}) => until === undefined || left <= until);
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
