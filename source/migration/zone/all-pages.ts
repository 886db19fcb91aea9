import {Failure} from '../../failure.ts';
import type {Client} from '../../service/client.ts';
import type {PageInfo} from '../../service/envelope.ts';
import {getPageSize, isLastPage} from '../../service/paging.ts';
import {readList, requireText} from '../../service/reading.ts';
import type {JsonObject} from '../../text/json.ts';
import {readConcurrently} from './concurrent.ts';

/** Page size of the lists of the previous managed rules, filters and firewall rules. */
const perPage = 100;

/** A paged listing to read completely. */
export type PagedListing = {
	readonly path: string;
	readonly query?: Readonly<Record<string, string | number | undefined>>;
	/** One item in words: "a package". */
	readonly one: string;
	/**
	 * No pages are documented: an answer that repeats the first page without paging information is the whole
	 * list.
	 */
	readonly unpaged?: true;
};

/**
 * Reads all objects of a listing, in the service's order. Unlike `listPagedItems` it reads several pages
 * ahead, as the client's concurrency allows; the total of the first page only avoids unnecessary requests.
 * Ends at the last page or at one without new items. Throws `answer_malformed` rather than return a partial
 * list: if the service reports more than it returned, or if a full page was repeated.
 */
export async function readAllPages(
	client: Client,
	{path, query, one, unpaged}: PagedListing,
	signal: AbortSignal,
): Promise<readonly JsonObject[]> {
	const found = new Map<string, JsonObject>();
	/** The largest total reported: an item that is deleted while reading may hide others that moved up. */
	let reportedTotal: number | undefined;
	let isRepeated = false;
	/** True if paging is documented or reported in an answer. */
	let isPaged = unpaged !== true;
	const readListPage = async (number: number, within: AbortSignal) => {
		const {result, info} = await client.call(
			{
				method: 'GET',
				path,
				query: {...query, page: number, per_page: perPage},
				repeat: 'always',
				writes: false,
				answers: 'listing',
			},
			within,
		);
		return {items: readList(result, one, item => item as JsonObject), info};
	};
	/** Adds a page. Returns true if it was full and had new items, so that more may follow. */
	const addPage = ({
		items,
		info,
	}: {
		readonly items: readonly JsonObject[];
		readonly info: PageInfo;
	}): boolean => {
		const before = found.size;
		for (const item of items) {
			const id = requireText(item, 'id', one);
			if (!found.has(id)) found.set(id, item);
		}
		isPaged ||= Object.keys(info).length > 0;
		if (info.totalCount !== undefined) reportedTotal = Math.max(reportedTotal ?? 0, info.totalCount);
		const isNew = found.size > before;
		// A page of another size, or a repetition of everything, is the whole of an unpaged listing.
		const isWhole = items.length !== getPageSize(info, perPage) || (!isPaged && items.length === found.size);
		if (!isNew && !isWhole) isRepeated = true;
		const isLast = isPaged ? isLastPage(info, {items: items.length, asked: perPage}) : items.length < perPage;
		return isNew && !isLast;
	};
	const first = await readListPage(1, signal);
	let hasMore = addPage(first);
	const expected = Math.ceil((first.info.totalCount ?? 0) / getPageSize(first.info, perPage));
	for (let next = 2; hasMore; ) {
		const ahead = Math.max(1, Math.min(client.concurrency, expected - next + 1));
		const numbers = Array.from({length: ahead}, (_, index) => next + index);
		const pages = await readConcurrently(
			signal,
			numbers.map(number => (within: AbortSignal) => readListPage(number, within)),
		);
		for (const one of pages) hasMore = addPage(one);
		next += ahead;
	}
	if (reportedTotal === undefined ? isRepeated : found.size < reportedTotal)
		throw createIncompleteFailure(one, found.size, reportedTotal);
	return [...found.values()];
}

const createIncompleteFailure = (one: string, found: number, reportedTotal: number | undefined): Failure =>
	new Failure('answer_malformed', `The service did not return the whole listing with ${one}.`, {
		why:
			reportedTotal === undefined
				? `It gave the same page again behind the first ${found}: whether there are more, nobody can tell.`
				: `It reports ${reportedTotal}, and gave ${found}.`,
		next: 'Read it again: it may have been changed meanwhile. Part of it is never taken for all of it.',
	});
