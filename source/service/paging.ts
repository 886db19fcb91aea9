import type {Call} from './call.ts';
import type {Client} from './client.ts';
import type {PageInfo} from './envelope.ts';
import {createMalformedFailure, readList} from './response-fields.ts';

/** A listing in numbered pages: `page` from 1, `per_page`. */
type PageListing<T> = {
	readonly path: string;
	readonly query?: Readonly<Record<string, string | number | undefined>>;
	readonly perPage: number;
	/** Noun for one item: "a zone". */
	readonly itemNoun: string;
	/** Converts an item; fails if it is malformed. */
	read(item: Readonly<Record<string, unknown>>): T;
};

/**
 * Yields all items of a paged listing as the consumer takes them. Ends on the last page (`isLastPage`), or on
 * one without new items.
 */
export async function* listPagedItems<T extends {readonly id: string}>(
	client: Client,
	listing: PageListing<T>,
	signal: AbortSignal,
): AsyncGenerator<T> {
	const seenIds = new Set<string>();
	for (let page = 1; ; page++) {
		const call: Call = {
			method: 'GET',
			path: listing.path,
			query: {...listing.query, page, per_page: listing.perPage},
			repeat: 'always',
			writes: false,
			responseLimit: 'listing',
		};
		const {result, info} = await client.call(call, signal);
		const items = readList(result, listing.itemNoun, listing.read);
		const isLast = isLastPage(info, {itemCount: items.length, requestedSize: listing.perPage});
		let newCount = 0;
		for (const item of items) {
			if (seenIds.has(item.id)) continue;
			seenIds.add(item.id);
			newCount++;
			yield item;
		}
		if (isLast || newCount === 0) return;
	}
}

/**
 * True if a page is the last: it is empty, or shorter than requested while the service states its `count` or
 * the total. Without either, a short page may be cut. Fails with `answer_malformed` like `checkPageCount`.
 */
export function isLastPage(
	info: PageInfo,
	{itemCount, requestedSize}: {readonly itemCount: number; readonly requestedSize: number},
): boolean {
	checkPageCount(info, itemCount);
	if (itemCount === 0) return true;
	const isConfirmed = info.count !== undefined || info.totalCount !== undefined;
	return isConfirmed && itemCount < getPageSize(info, requestedSize);
}

/** Fails with `answer_malformed` if the service's count of a page differs from its items. */
export function checkPageCount({count}: PageInfo, itemCount: number): void {
	if (count === undefined || count === itemCount) return;
	throw createMalformedFailure('page of a listing').withDetails({
		why: `Its count is ${count}, but it contains ${itemCount}.`,
	});
}

/** Returns the size of a full page: the service may state a smaller one than requested. */
export const getPageSize = ({perPage}: PageInfo, requestedSize: number): number =>
	perPage !== undefined && perPage > 0 ? Math.min(perPage, requestedSize) : requestedSize;
