import {Failure} from '../../failure.ts';
import type {Client} from '../../service/client.ts';
import type {PageInfo} from '../../service/envelope.ts';
import {getPageSize, isLastPage} from '../../service/paging.ts';
import {readList, text} from '../../service/reading.ts';
import type {JsonObject} from '../../text/json.ts';
import {together} from './concurrent.ts';

/** As many as the lists of the previous managed rules, of filters and of firewall rules return in one page. */
const perPage = 100;

/** A listing in pages of which everything is wanted. */
export type Listing = {
	readonly path: string;
	readonly query?: Readonly<Record<string, string | number | undefined>>;
	/** One of what is listed, in words: "a package". */
	readonly one: string;
	/** No pages of it are documented: the same once more, with no word about pages, is then all that there is. */
	readonly unpaged?: true;
};

/**
 * All objects of a listing, each as the service gave it, in its order. Unlike `pagedItems` it reads ahead, as many
 * pages at once as the client lets through: how many there are is taken from the first one only to not ask in vain,
 * and it still ends on nothing but the last page, or a page that brings nothing new. A part must
 * never pass for all of it: fails with `answer_malformed` where the service reports more than it returned, and
 * where a full page came twice and whether there are more is unknown.
 */
export async function allPages(
	client: Client,
	{path, query, one, unpaged}: Listing,
	signal: AbortSignal,
): Promise<readonly JsonObject[]> {
	const found = new Map<string, JsonObject>();
	/** How many there are, by the page that says the most: what goes while it is read may hide what moved up. */
	let said: number | undefined;
	let isRepeated = false;
	/** Whether it has pages, by what is documented or by any word about them in an answer. */
	let isPaged = unpaged !== true;
	const page = async (number: number, within: AbortSignal) => {
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
	/** Whether it brought anything new and was full: then there may be more behind it. */
	const take = ({items, info}: {readonly items: readonly JsonObject[]; readonly info: PageInfo}): boolean => {
		const before = found.size;
		for (const item of items) {
			const id = text(item, 'id', one);
			if (!found.has(id)) found.set(id, item);
		}
		isPaged ||= Object.keys(info).length > 0;
		if (info.totalCount !== undefined) said = Math.max(said ?? 0, info.totalCount);
		const isNew = found.size > before;
		// More than was asked for is everything, of a listing that knows no pages; so is the same again, all of it.
		const isWhole = items.length !== getPageSize(info, perPage) || (!isPaged && items.length === found.size);
		if (!isNew && !isWhole) isRepeated = true;
		const isLast = isPaged ? isLastPage(info, {items: items.length, asked: perPage}) : items.length < perPage;
		return isNew && !isLast;
	};
	const first = await page(1, signal);
	let goesOn = take(first);
	const expected = Math.ceil((first.info.totalCount ?? 0) / getPageSize(first.info, perPage));
	for (let next = 2; goesOn; ) {
		const ahead = Math.max(1, Math.min(client.concurrency, expected - next + 1));
		const numbers = Array.from({length: ahead}, (_, index) => next + index);
		const pages = await together(
			signal,
			numbers.map(number => (within: AbortSignal) => page(number, within)),
		);
		for (const one of pages) goesOn = take(one);
		next += ahead;
	}
	if (said === undefined ? isRepeated : found.size < said) throw cutShort(one, found.size, said);
	return [...found.values()];
}

const cutShort = (one: string, found: number, said: number | undefined): Failure =>
	new Failure('answer_malformed', `The service did not return the whole listing with ${one}.`, {
		why:
			said === undefined
				? `It gave the same page again behind the first ${found}: whether there are more, nobody can tell.`
				: `It reports ${said}, and gave ${found}.`,
		next: 'Read it again: it may have been changed meanwhile. Part of it is never taken for all of it.',
	});
