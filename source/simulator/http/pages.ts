import type {JsonValue} from '../../text/json.ts';
import {buildSuccessAnswer, refuseRequest, type ServiceAnswer} from './answer.ts';
import type {RequestContext} from './route.ts';

/** Range and default of the page size. */
type PageSizes = {readonly minSize: number; readonly maxSize: number; readonly defaultSize: number};

/** Reads the requested page. Calls `refusePage` if a number is malformed or out of range. */
export function readPage(
	{query, quirks}: RequestContext,
	sizes: PageSizes,
	refusePage: (name: 'page' | 'per_page') => never,
): {page: number; perPage: number} {
	const page = parseQueryInteger(query.get('page'), 1);
	const perPage = parseQueryInteger(query.get('per_page'), sizes.defaultSize);
	if (page === undefined || page < 1) return refusePage('page');
	if (perPage === undefined || perPage < sizes.minSize || perPage > sizes.maxSize)
		return refusePage('per_page');
	return {page: quirks.ignoresPage() ? 1 : page, perPage};
}

/** Builds an answer with one page of `items`; empty beyond the end. */
export function buildPageAnswer(
	context: RequestContext,
	items: readonly JsonValue[],
	sizes: PageSizes,
): ServiceAnswer {
	const {page, perPage} = readPage(context, sizes, name =>
		refuseRequest(400, {
			message: `${name} must be ${name === 'page' ? 'at least 1' : `${sizes.minSize} to ${sizes.maxSize}`}`,
		}),
	);
	const pageItems = items.slice((page - 1) * perPage, page * perPage);
	return buildSuccessAnswer(pageItems, {
		info: {
			page,
			per_page: perPage,
			count: pageItems.length,
			total_count: items.length,
			total_pages: Math.ceil(items.length / perPage),
		},
	});
}

/** Parses a whole number of a query: `fallback` if null, undefined if malformed. */
export function parseQueryInteger(text: string | null, fallback: number): number | undefined {
	if (text === null) return fallback;
	return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
