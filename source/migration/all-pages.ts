import type {JsonObject} from '../json.ts';
import type {Client} from '../service/client.ts';
import type {PageInfo} from '../service/envelope.ts';
import {readList, text} from '../service/reading.ts';
import {together} from './together.ts';

/** As many as the lists of the previous managed rules, of filters and of firewall rules give in one page. */
const perPage = 100;

/** A listing in pages of which everything is wanted. */
export type Listing = {
	readonly path: string;
	readonly query?: Readonly<Record<string, string | number | undefined>>;
	/** One of what is listed, in words: "a package". */
	readonly one: string;
};

/**
 * All objects of a listing, each as the service gave it, in its order. Unlike `pagedItems` it reads ahead, as many
 * pages at once as the client lets through: how many there are is taken from the first one only to not ask in vain,
 * and it still ends on nothing but an empty or short page, or one that brings nothing new (decision 6).
 */
export async function allPages(
	client: Client,
	{path, query, one}: Listing,
	signal: AbortSignal,
): Promise<readonly JsonObject[]> {
	const found = new Map<string, JsonObject>();
	const page = async (number: number, within: AbortSignal) => {
		const {result, info} = await client.call(
			{
				method: 'GET',
				path,
				query: {...query, page: number, per_page: perPage},
				repeat: 'always',
				writes: false,
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
		return found.size > before && items.length >= fullPage(info);
	};
	const first = await page(1, signal);
	let goesOn = take(first);
	const expected = Math.ceil((first.info.totalCount ?? 0) / fullPage(first.info));
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
	return [...found.values()];
}

/** How many items a full page has: the service may give fewer than was asked for, and says so. */
const fullPage = ({perPage: said}: PageInfo): number =>
	said !== undefined && said > 0 ? Math.min(said, perPage) : perPage;
