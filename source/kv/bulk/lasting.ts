import {isFailure} from '../../failure.ts';
import {limits, unixSeconds} from '../limits.ts';
import {partOf, type SendEvents, sendBatch} from '../send.ts';
import type {Batch} from './batches.ts';
import type {Item} from './entries.ts';

type Send<Content> = Parameters<typeof sendBatch<Content>>[1];

/** Most seconds for clock difference and transit together. */
const mostAhead = 64;

/**
 * Sends batches without entries that have expired, or will within a minute: one of them makes the service
 * refuse the whole batch. If it still refuses one, because its clock is ahead or the request took long, later
 * entries need a larger margin.
 */
export class LastingEntries<Content> {
	readonly #now: () => number;
	readonly #expirationOf: (content: Content) => number | undefined;
	/** Extra margin in seconds, learned from refusals. */
	#ahead = 0;

	/** `now` in milliseconds since the epoch, expirations in UNIX seconds. */
	constructor(now: () => number, expirationOf: (content: Content) => number | undefined) {
		this.#now = now;
		this.#expirationOf = expirationOf;
	}

	/** As `sendBatch`; calls `onExpired` with entries that are left out. */
	async send(
		{items}: Batch<Content>,
		send: Send<Content>,
		events: SendEvents<Content> & {expired(items: readonly Item<Content>[]): void},
	): Promise<void> {
		const soonest = unixSeconds(this.#now()) + limits.minimumTtl + this.#ahead;
		const lasts = (item: Item<Content>) => (this.#expirationOf(item.content) ?? soonest) >= soonest;
		const expired = items.filter(item => !lasts(item));
		if (expired.length > 0) events.expired(expired);
		const open = new Map(items.filter(lasts).map(item => [item.number, item]));
		if (open.size === 0) return;
		try {
			await sendBatch(partOf([...open.values()]), send, {
				...events,
				acknowledged(taken) {
					for (const {number} of taken) open.delete(number);
					events.acknowledged(taken);
				},
				refused(entries) {
					for (const {entry} of entries) open.delete(entry);
					events.refused(entries);
				},
			});
		} catch (error) {
			const left = partOf([...open.values()]);
			const mayBeLeftOut = left.items.some(({content}) => this.#expirationOf(content) !== undefined);
			if (!isExpirationRefused(error) || !mayBeLeftOut || this.#ahead >= mostAhead) throw error;
			this.#ahead = Math.max(1, this.#ahead * 2);
			await this.send(left, send, events);
		}
	}
}

/** "Invalid expiration". */
const isExpirationRefused = (error: unknown): boolean =>
	isFailure(error) && (error.details.service ?? []).includes(10_033);
