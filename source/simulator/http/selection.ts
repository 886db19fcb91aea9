import type {JsonObject} from '../../text/json.ts';
import {refuse} from './answer.ts';

/** Tests an item against a parameter of a query. */
export type Fits = (item: JsonObject, wanted: string) => boolean;

/** Selects the items that match all or any of the query's parameters, in the requested order. */
export function selected(
	query: URLSearchParams,
	items: readonly JsonObject[],
	fits: Readonly<Record<string, Fits>>,
	orders: readonly string[],
	rank: (item: JsonObject, by: string) => string,
): readonly JsonObject[] {
	const wanted = Object.entries(fits).flatMap(([name, one]) => {
		const text = query.get(name);
		return text === null ? [] : [(item: JsonObject) => one(item, text)];
	});
	const any = oneOf(query, 'match', ['all', 'any']) === 'any' && wanted.length > 0;
	const found = items.filter(item => (any ? wanted.some(one => one(item)) : wanted.every(one => one(item))));
	const order = oneOf(query, 'order', orders);
	const down = oneOf(query, 'direction', ['asc', 'desc']) === 'desc' ? -1 : 1;
	if (order === undefined) return found;
	return found.toSorted((a, b) => down * compared(rank(a, order), rank(b, order)));
}

/** Compares numbers by value, anything else as text. */
function compared(one: string, other: string): number {
	if (/^\d+$/.test(one) && /^\d+$/.test(other)) return Number(one) - Number(other);
	return one < other ? -1 : one > other ? 1 : 0;
}

function oneOf(query: URLSearchParams, name: string, allowed: readonly string[]): string | undefined {
	const given = query.get(name);
	if (given === null || allowed.includes(given)) return given ?? undefined;
	return refuse(400, {message: `${name} must be one of ${allowed.join(', ')}`});
}
