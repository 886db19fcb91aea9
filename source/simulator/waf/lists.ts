import type {JsonObject, JsonValue} from '../../text/json.ts';
import {type Answer, isEnvelope, refuse} from '../http/answer.ts';
import {pageOf} from '../http/pages.ts';
import type {Ask} from '../http/route.ts';

/** How one thing that a list can be asked for fits an item. */
export type Fits = (item: JsonObject, wanted: string) => boolean;

const sizes = {least: 5, most: 100, usual: 50};

/** A page of the items that fit, in the order that was asked for. */
export function listOf(
	ask: Ask,
	items: readonly JsonObject[],
	fits: Readonly<Record<string, Fits>>,
	orders: readonly string[],
): Answer {
	const {query} = ask;
	const wanted = Object.entries(fits).flatMap(([name, one]) => {
		const text = query.get(name);
		return text === null ? [] : [(item: JsonObject) => one(item, text)];
	});
	const any = oneOf(query, 'match', ['all', 'any']) === 'any' && wanted.length > 0;
	const found = items.filter(item => (any ? wanted.some(one => one(item)) : wanted.every(one => one(item))));
	const order = oneOf(query, 'order', orders);
	const down = oneOf(query, 'direction', ['asc', 'desc']) === 'desc' ? -1 : 1;
	const ordered = order === undefined ? found : found.toSorted((a, b) => down * ranked(a, b, order));
	return withoutTotalPages(pageOf(ask, ordered, sizes));
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

function oneOf(query: URLSearchParams, name: string, allowed: readonly string[]): string | undefined {
	const given = query.get(name);
	if (given === null || allowed.includes(given)) return given ?? undefined;
	return refuse(400, {message: `${name} must be one of ${allowed.join(', ')}`});
}

function ranked(one: JsonObject, other: JsonObject, by: string): number {
	const [a, b] = [rank(one, by), rank(other, by)];
	if (/^\d+$/.test(a) && /^\d+$/.test(b)) return Number(a) - Number(b);
	return a < b ? -1 : a > b ? 1 : 0;
}

function rank(item: JsonObject, by: string): string {
	const value: JsonValue | undefined = by === 'group_id' ? groupIdOf(item) : item[by];
	return String(value ?? '');
}

/** The id of the group that a rule belongs to. */
export const groupIdOf = ({group}: JsonObject): string =>
	typeof group === 'object' && group !== null && 'id' in group ? String(group.id) : '';

/** These lists do not say how many pages there are. */
function withoutTotalPages(answer: Answer): Answer {
	if (!isEnvelope(answer.body) || !answer.body.result_info) return answer;
	const {total_pages: _, ...info} = answer.body.result_info;
	return {...answer, body: {...answer.body, result_info: info}};
}
