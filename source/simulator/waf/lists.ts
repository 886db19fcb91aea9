import type {JsonObject} from '../../text/json.ts';
import {type Answer, isEnvelope} from '../http/answer.ts';
import {pageOf} from '../http/pages.ts';
import type {Ask} from '../http/route.ts';
import {type Fits, selected} from '../http/selection.ts';

const sizes = {least: 5, most: 100, usual: 50};

/** Answers with a page of the items that match, in the requested order. */
export function listOf(
	ask: Ask,
	items: readonly JsonObject[],
	fits: Readonly<Record<string, Fits>>,
	orders: readonly string[],
): Answer {
	const rank = (item: JsonObject, by: string) =>
		String((by === 'group_id' ? groupIdOf(item) : item[by]) ?? '');
	return withoutTotalPages(pageOf(ask, selected(ask.query, items, fits, orders, rank), sizes));
}

/** Matches the whole text, ignoring case. */
export const is =
	(name: string): Fits =>
	(item, wanted) =>
		String(item[name]).toLowerCase() === wanted.toLowerCase();

/** Matches a part of the text, ignoring case. */
export const holds =
	(name: string): Fits =>
	(item, wanted) =>
		String(item[name]).toLowerCase().includes(wanted.toLowerCase());

/** Returns the id of a rule's group. */
export const groupIdOf = ({group}: JsonObject): string =>
	typeof group === 'object' && group !== null && 'id' in group ? String(group.id) : '';

/** Removes `total_pages`, which these lists do not have. */
function withoutTotalPages(answer: Answer): Answer {
	if (!isEnvelope(answer.body) || !answer.body.result_info) return answer;
	const {total_pages: _, ...info} = answer.body.result_info;
	return {...answer, body: {...answer.body, result_info: info}};
}
