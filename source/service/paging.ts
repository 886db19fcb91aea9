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
 * All items of a paged listing, page after page, as the consumer takes them. Ends on an empty or short page, or
 * a page that brings nothing new, never on the totals that the service reports.
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
		refuseCutPage(info, items.length);
		let fresh = 0;
		for (const item of items) {
			if (seen.has(item.id)) continue;
			seen.add(item.id);
			fresh++;
			yield item;
		}
		if (fresh === 0 || items.length < fullPage(info, listing.perPage)) return;
	}
}

/**
 * Fails where a page lacks what paging needs, or its count differs from its items: what comes
 * after it could not be told from nothing.
 */
export function refuseCutPage(info: PageInfo, items: number): void {
	const why =
		info.count !== undefined && info.count !== items
			? `It reports ${info.count}, and holds ${items}.`
			: info.perPage === undefined && info.totalCount === undefined
				? 'It does not say how many items a page has, nor how many there are.'
				: undefined;
	if (why !== undefined) throw malformed('page of a listing').with({why});
}

/** How many items a full page has: the service may give fewer than was asked for, and says so. */
const fullPage = (info: PageInfo, asked: number): number =>
	info.perPage !== undefined && info.perPage > 0 ? Math.min(info.perPage, asked) : asked;
