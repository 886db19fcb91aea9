import {Failure} from '../../failure.ts';
import type {Client} from '../../service/client.ts';
import type {PageInfo} from '../../service/envelope.ts';
import {getPageSize, isLastPage} from '../../service/paging.ts';
import {readList, requireText} from '../../service/response-fields.ts';
import type {JsonObject} from '../../text/json.ts';
import {readConcurrently} from './concurrent.ts';

/** Page size for the lists of the previous managed rules, of filters and of firewall rules. */
const perPage = 100;

/** A list that is read page by page until it is complete. */
export type PagedListing = {
	readonly path: string;
	readonly query?: Readonly<Record<string, string | number | undefined>>;
	/** Describes one item in messages, such as "a package". */
	readonly itemName: string;
	/**
	 * Set if no paging is documented: a response that repeats the first page without paging information is
	 * then the whole list.
	 */
	readonly unpaged?: true;
};

/**
 * Reads all objects of a list, in the service's order. Unlike `listPagedItems` it reads several pages ahead,
 * as the client's concurrency allows; the total in the first response only avoids unnecessary requests. Ends
 * at the last page, or at a page without new items. Throws `answer_malformed` instead of returning a partial
 * list: if the service reports more items than it returned, or repeated a full page.
 */
export async function readAllPages(
	client: Client,
	{path, query, itemName, unpaged}: PagedListing,
	signal: AbortSignal,
): Promise<readonly JsonObject[]> {
	const itemsById = new Map<string, JsonObject>();
	/**
	 * The largest total that was reported. If an item is deleted during the read, those behind it move up, so
	 * that one may be skipped, while later pages report a lower total.
	 */
	let reportedTotal: number | undefined;
	let isRepeated = false;
	/** True if paging is documented, or a response reports it. */
	let isPaged = unpaged !== true;
	const readListPage = async (pageNumber: number, childSignal: AbortSignal) => {
		const {result, info} = await client.call(
			{
				method: 'GET',
				path,
				query: {...query, page: pageNumber, per_page: perPage},
				repeat: 'always',
				writes: false,
				responseLimit: 'listing',
			},
			childSignal,
		);
		return {items: readList(result, itemName, item => item as JsonObject), info};
	};
	/** Adds a page. Returns true if more pages may follow: if the page had new items and was not the last. */
	const addPage = ({
		items,
		info,
	}: {
		readonly items: readonly JsonObject[];
		readonly info: PageInfo;
	}): boolean => {
		const sizeBefore = itemsById.size;
		for (const item of items) {
			const id = requireText(item, 'id', itemName);
			if (!itemsById.has(id)) itemsById.set(id, item);
		}
		isPaged ||= Object.keys(info).length > 0;
		if (info.totalCount !== undefined) reportedTotal = Math.max(reportedTotal ?? 0, info.totalCount);
		const hasNewItems = itemsById.size > sizeBefore;
		// A page without new items is a normal end if it is not full or, in an unpaged list, if it repeats the
		// whole list.
		const isNormalEnd =
			items.length !== getPageSize(info, perPage) || (!isPaged && items.length === itemsById.size);
		if (!hasNewItems && !isNormalEnd) isRepeated = true;
		const isLast = isPaged
			? isLastPage(info, {itemCount: items.length, requestedSize: perPage})
			: items.length < perPage;
		return hasNewItems && !isLast;
	};
	const firstPage = await readListPage(1, signal);
	let hasMore = addPage(firstPage);
	const expectedPages = Math.ceil((firstPage.info.totalCount ?? 0) / getPageSize(firstPage.info, perPage));
	for (let nextPage = 2; hasMore; ) {
		const pageCount = Math.max(1, Math.min(client.concurrency, expectedPages - nextPage + 1));
		const pageNumbers = Array.from({length: pageCount}, (_, index) => nextPage + index);
		const pages = await readConcurrently(
			signal,
			pageNumbers.map(number => (childSignal: AbortSignal) => readListPage(number, childSignal)),
		);
		for (const page of pages) hasMore = addPage(page);
		nextPage += pageCount;
	}
	if (reportedTotal === undefined ? isRepeated : itemsById.size < reportedTotal)
		throw createIncompleteFailure(itemName, itemsById.size, reportedTotal);
	return [...itemsById.values()];
}

const createIncompleteFailure = (
	itemName: string,
	foundCount: number,
	reportedTotal: number | undefined,
): Failure =>
	new Failure(
		'answer_malformed',
		`The service did not return the complete list of ${itemName.replace(/^an? /, '')}s.`,
		{
			why:
				reportedTotal === undefined
					? `It repeated a page after the first ${foundCount}, so there may be more.`
					: `It reports ${reportedTotal}, but returned ${foundCount}.`,
			next: 'Try again: the list may have changed while it was being read. ledge never treats a partial list as complete.',
		},
	);
