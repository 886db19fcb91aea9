import {isFailure} from '../../failure.ts';
import {limits, toEpochSeconds} from '../limits.ts';
import {createBatch, type SendEvents, sendBatch} from '../send.ts';
import type {Batch} from './batches.ts';
import type {Item} from './entries.ts';

type SendFunction<Content> = Parameters<typeof sendBatch<Content>>[1];

/** Maximum seconds for clock difference and transit together. */
const maxExtraMargin = 64;

/**
 * Sends batches without entries that have expired, or will within a minute: one of them makes the service
 * refuse the whole batch. If it still refuses one, because its clock is ahead or the request took long, later
 * entries need a larger margin.
 */
export class ExpiryFilter<Content> {
	readonly #now: () => number;
	readonly #getExpiration: (content: Content) => number | undefined;
	/** Extra margin in seconds, learned from refusals. */
	#extraMargin = 0;

	/** `now` in milliseconds since the epoch, expirations in UNIX seconds. */
	constructor(now: () => number, getExpiration: (content: Content) => number | undefined) {
		this.#now = now;
		this.#getExpiration = getExpiration;
	}

	/** Works like `sendBatch`; calls `onExpired` with entries that are left out. */
	async send(
		{items}: Batch<Content>,
		send: SendFunction<Content>,
		events: SendEvents<Content> & {onExpired(items: readonly Item<Content>[]): void},
	): Promise<void> {
		const minExpiration = toEpochSeconds(this.#now()) + limits.minimumTtl + this.#extraMargin;
		const isUnexpired = (item: Item<Content>) =>
			(this.#getExpiration(item.content) ?? minExpiration) >= minExpiration;
		const expired = items.filter(item => !isUnexpired(item));
		if (expired.length > 0) events.onExpired(expired);
		const pendingItems = new Map(items.filter(isUnexpired).map(item => [item.number, item]));
		if (pendingItems.size === 0) return;
		try {
			await sendBatch(createBatch([...pendingItems.values()]), send, {
				...events,
				onAcknowledged(acknowledgedItems) {
					for (const {number} of acknowledgedItems) pendingItems.delete(number);
					events.onAcknowledged(acknowledgedItems);
				},
				onRefused(entries) {
					for (const {entry} of entries) pendingItems.delete(entry);
					events.onRefused(entries);
				},
			});
		} catch (error) {
			const remainingBatch = createBatch([...pendingItems.values()]);
			const hasExpiringItems = remainingBatch.items.some(
				({content}) => this.#getExpiration(content) !== undefined,
			);
			if (!isExpirationRefused(error) || !hasExpiringItems || this.#extraMargin >= maxExtraMargin)
				throw error;
			this.#extraMargin = Math.max(1, this.#extraMargin * 2);
			await this.send(remainingBatch, send, events);
		}
	}
}

/** True for the service code 10033, "Invalid expiration". */
const isExpirationRefused = (error: unknown): boolean =>
	isFailure(error) && (error.details.service ?? []).includes(10_033);
