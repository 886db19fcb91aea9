import {isFailure} from '../../failure.ts';
import {compareKeys} from '../key-order.ts';
import {keyPages} from '../keys.ts';
import type {KeyEntry, KvStore} from '../store.ts';

/** Where a walk through the keys of a namespace stands. */
export type Place = {
	/** The last key that is behind it. */
	readonly after: string;
	/** The cursor of the page in which that key stood; none: the first page. */
	readonly cursor?: string | undefined;
};

export type Walk = {
	readonly prefix?: string | undefined;
	/** Goes on from there. */
	readonly from?: Place | undefined;
};

/** Keys of one page, and the cursor that page was asked for with. */
export type ListedKeys = {readonly keys: readonly KeyEntry[]; readonly cursor: string | undefined};

/**
 * The keys of a namespace in the order of their bytes, page after page. A walk that goes on asks for the page it stood
 * in; a cursor that the service does not know any more only costs the pages before it once more.
 */
export async function* listedKeys(
	store: KvStore,
	{prefix, from}: Walk,
	signal: AbortSignal,
): AsyncGenerator<ListedKeys> {
	const behind = (keys: readonly KeyEntry[]) =>
		from === undefined ? keys : keys.filter(({name}) => compareKeys(name, from.after) > 0);
	async function* pages(cursor: string | undefined): AsyncGenerator<ListedKeys> {
		let asked = cursor;
		for await (const page of keyPages(store, {prefix, cursor}, signal)) {
			yield {keys: behind(page.entries), cursor: asked};
			asked = page.cursor;
		}
	}
	if (from?.cursor === undefined) return yield* pages(undefined);
	let isKnown = false;
	try {
		for await (const page of pages(from.cursor)) {
			isKnown = true;
			yield page;
		}
	} catch (error) {
		if (isKnown || !isCursorRefused(error)) throw error;
		yield* pages(undefined);
	}
}

/** "Invalid list cursor" (service-contract.md 8). */
const isCursorRefused = (error: unknown): boolean =>
	isFailure(error) && (error.details.service ?? []).includes(10_041);
