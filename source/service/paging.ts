import type {Call} from './call.ts';
import type {Client} from './client.ts';
import type {PageInfo} from './envelope.ts';
import {malformed, readList} from './reading.ts';

/** A listing in pages of a number: `page` from 1, `per_page`. */
type PageListing<T> = {
	readonly path: string;
	readonly query?: Readonly<Record<string, string | number | undefined>>;
	readonly perPage: number;
	/** One of them, in words: "a zone". */
	readonly one: string;
	/** An item in a type of ours; what does not fit fails there. */
	read(item: Readonly<Record<string, unknown>>): T;
};

/**
 * All items of a paged listing, page after page, as the consumer takes them. Ends on the last page (`isLastPage`), or on
 * one that brings nothing new.
 */
export async function* pagedItems<T extends {readonly id: string}>(
	client: Client,
	listing: PageListing<T>,
	signal: AbortSignal,
): AsyncGenerator<T> {
	const seen = new Set<string>();
	for (let page = 1; ; page++) {
		const call: Call = {
			method: 'GET',
			path: listing.path,
			query: {...listing.query, page, per_page: listing.perPage},
			repeat: 'always',
			writes: false,
			answers: 'listing',
		};
		const {result, info} = await client.call(call, signal);
		const items = readList(result, listing.one, listing.read);
		const isLast = isLastPage(info, {items: items.length, asked: listing.perPage});
		let fresh = 0;
		for (const item of items) {
			if (seen.has(item.id)) continue;
			seen.add(item.id);
			fresh++;
			yield item;
		}
		if (isLast || fresh === 0) return;
	}
}

/**
 * True if nothing follows a page: it is empty, or shorter than was asked for and the service states its `count` or the
 * total of the listing, whatever else it leaves out. Without either, a short page may be one that was cut. Fails with
 * `answer_malformed` as `checkPageCount` does.
 */
export function isLastPage(
	info: PageInfo,
	{items, asked}: {readonly items: number; readonly asked: number},
): boolean {
	checkPageCount(info, items);
	if (items === 0) return true;
	const isConfirmed = info.count !== undefined || info.totalCount !== undefined;
	return isConfirmed && items < getPageSize(info, asked);
}

/** Fails with `answer_malformed` if the service counts more or fewer items on a page than it holds. */
export function checkPageCount({count}: PageInfo, items: number): void {
	if (count === undefined || count === items) return;
	throw malformed('page of a listing').with({why: `Its count is ${count}, but it holds ${items}.`});
}

/** How many items a full page has: the service may return fewer than was asked for, and says so. */
export const getPageSize = ({perPage}: PageInfo, asked: number): number =>
	perPage !== undefined && perPage > 0 ? Math.min(perPage, asked) : asked;
