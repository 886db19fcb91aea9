import type {JsonValue} from '../../text/json.ts';
import {type Answer, done, refuse} from './answer.ts';
import type {Ask} from './route.ts';

/** Range and default of the page size. */
type PageSizes = {readonly least: number; readonly most: number; readonly usual: number};

/** Reads the requested page. Calls `refusePage` if a number is malformed or out of range. */
export function readPage(
	{query, quirks}: Ask,
	sizes: PageSizes,
	wrong: (name: 'page' | 'per_page') => never,
): {page: number; perPage: number} {
	const page = whole(query.get('page'), 1);
	const perPage = whole(query.get('per_page'), sizes.usual);
	if (page === undefined || page < 1) return wrong('page');
	if (perPage === undefined || perPage < sizes.least || perPage > sizes.most) return wrong('per_page');
	return {page: quirks.ignorePage() ? 1 : page, perPage};
}

/** Builds an answer with one page of `items`; empty beyond the end. */
export function pageOf(ask: Ask, items: readonly JsonValue[], sizes: PageSizes): Answer {
	const {page, perPage} = readPage(ask, sizes, name =>
		refuse(400, {
			message: `${name} must be ${name === 'page' ? 'at least 1' : `${sizes.least} to ${sizes.most}`}`,
		}),
	);
	const shown = items.slice((page - 1) * perPage, page * perPage);
	return done(shown, {
		info: {
			page,
			per_page: perPage,
			count: shown.length,
			total_count: items.length,
			total_pages: Math.ceil(items.length / perPage),
		},
	});
}

/** Parses a whole number of a query: `fallback` if null, undefined if malformed. */
export function whole(text: string | null, usual: number): number | undefined {
	if (text === null) return usual;
	return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
