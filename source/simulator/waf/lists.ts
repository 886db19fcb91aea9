import type {JsonObject} from '../../text/json.ts';
import {type Answer, isEnvelope} from '../http/answer.ts';
import {pageOf} from '../http/pages.ts';
import type {Ask} from '../http/route.ts';
import {type Fits, selected} from '../http/selection.ts';

const sizes = {least: 5, most: 100, usual: 50};

/** A page of the items that fit, in the order that was asked for. */
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

/** Exactly the text, whatever its case. */
export const is =
	(name: string): Fits =>
	(item, wanted) =>
		String(item[name]).toLowerCase() === wanted.toLowerCase();

/** Somewhere in it, whatever its case. */
export const holds =
	(name: string): Fits =>
	(item, wanted) =>
		String(item[name]).toLowerCase().includes(wanted.toLowerCase());

/** The id of the group that a rule belongs to. */
export const groupIdOf = ({group}: JsonObject): string =>
	typeof group === 'object' && group !== null && 'id' in group ? String(group.id) : '';

/** These lists do not say how many pages there are. */
function withoutTotalPages(answer: Answer): Answer {
	if (!isEnvelope(answer.body) || !answer.body.result_info) return answer;
	const {total_pages: _, ...info} = answer.body.result_info;
	return {...answer, body: {...answer.body, result_info: info}};
}
