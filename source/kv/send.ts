import {Failure, isFailure} from '../failure.ts';
import {getOutcome, isOutcomeUnknown} from '../service/outcome.ts';
import type {Batch} from './bulk/batches.ts';
import type {Item} from './bulk/entries.ts';
import type {BatchOutcome} from './store.ts';

/** An entry that failed, with the reason if the service gave one. */
export type RefusedEntry = {
	readonly entry: number;
	readonly key: string;
	readonly why: string | undefined;
	/** True if a retry is pointless, because the entry was too large even when sent alone. */
	readonly final: boolean;
};

export type SendEvents<Content> = {
	/** Called once these entries are durable, before anything else is sent. */
	onAcknowledged(items: readonly Item<Content>[]): void;
	onRefused(entries: readonly RefusedEntry[]): void;
	/** Called when a batch is too large and is sent again in two halves. */
	onHalved(batch: Batch<Content>): void;
};

/**
 * Sends a batch. If the service cannot take it at once (413, 524, timeout), sends its halves one after the
 * other, down to single entries, which then count as refused. Throws any other failure; entries acknowledged
 * before it were reported.
 */
export async function sendBatch<Content>(
	batch: Batch<Content>,
	send: (items: readonly Item<Content>[]) => Promise<BatchOutcome>,
	events: SendEvents<Content>,
): Promise<void> {
	let outcome: BatchOutcome;
	try {
		outcome = await send(batch.items);
	} catch (error) {
		if (!isRequestTooLarge(error)) throw error;
		const [onlyItem, ...otherItems] = batch.items;
		if (onlyItem && otherItems.length === 0) {
			// The entry is too large even alone. It may have taken effect, unless the service refused it.
			const why = mayHaveTakenEffect(error)
				? `${error.message} It may have taken effect anyway.`
				: error.message;
			events.onRefused([{entry: onlyItem.number, key: onlyItem.key, why, final: true}]);
			return;
		}
		events.onHalved(batch);
		const middle = Math.ceil(batch.items.length / 2);
		await sendBatch(createBatch(batch.items.slice(0, middle)), send, events);
		await sendBatch(createBatch(batch.items.slice(middle)), send, events);
		return;
	}
	const refusalReasons = new Map(outcome.refused.map(({key, why}) => [key, why]));
	if (refusalReasons.size === 0) return events.onAcknowledged(batch.items);
	const refusedItems = batch.items.filter(({key}) => refusalReasons.has(key));
	checkRefusedKeys(refusalReasons, refusedItems);
	// Refusals first: a journal must never contain the success without the refusal before it.
	events.onRefused(
		refusedItems.map(({number, key}) => ({entry: number, key, why: refusalReasons.get(key), final: false})),
	);
	const acceptedItems = batch.items.filter(({key}) => !refusalReasons.has(key));
	if (acceptedItems.length > 0) events.onAcknowledged(acceptedItems);
}

/** True if the request was too large or too slow for the service: smaller pieces may pass. */
export const isRequestTooLarge = (error: unknown): error is Failure =>
	isFailure(error) &&
	((error.code === 'timed_out' && getOutcome(error) !== 'not sent') ||
		error.details.http === 413 ||
		error.details.http === 524 ||
		error.details.tooMuch === true);

/**
 * True if the write may have taken effect without acknowledgement: it was sent, and no response rules it out.
 */
export const mayHaveTakenEffect = (error: unknown): boolean =>
	isFailure(error) &&
	(error.details.outcomeUnknown === true ||
		(error.code === 'interrupted' && getOutcome(error) !== 'not sent') ||
		isOutcomeUnknown(error));

export const createBatch = <Content>(items: readonly Item<Content>[]): Batch<Content> => ({
	items,
	bytes: items.reduce((sum, item) => sum + item.bytes + 1, 2),
});

/** Fails if the service refuses a key that was not sent: nothing is known of the batch then. */
function checkRefusedKeys(
	refusalReasons: ReadonlyMap<string, unknown>,
	refusedItems: readonly {readonly key: string}[],
): void {
	const sentKeys = new Set(refusedItems.map(({key}) => key));
	const unknownKey = refusalReasons.keys().find(key => !sentKeys.has(key));
	if (unknownKey === undefined) return;
	throw new Failure('answer_malformed', 'The service rejected a key that was not sent to it.', {
		why: `It is ${JSON.stringify(unknownKey)}.`,
	});
}
