import type {JsonObject} from '../../text/json.ts';
import {refuseRequest} from './answer.ts';

/** Tests an item against a parameter of a query. */
export type ItemPredicate = (item: JsonObject, wanted: string) => boolean;

/** Selects the items that match all or any of the query's parameters, in the requested order. */
export function selectItems(
	query: URLSearchParams,
	items: readonly JsonObject[],
	predicates: Readonly<Record<string, ItemPredicate>>,
	orders: readonly string[],
	getSortKey: (item: JsonObject, by: string) => string,
): readonly JsonObject[] {
	const conditions = Object.entries(predicates).flatMap(([name, one]) => {
		const text = query.get(name);
		return text === null ? [] : [(item: JsonObject) => one(item, text)];
	});
	const matchesAny = readChoice(query, 'match', ['all', 'any']) === 'any' && conditions.length > 0;
	const found = items.filter(item =>
		matchesAny ? conditions.some(one => one(item)) : conditions.every(one => one(item)),
	);
	const order = readChoice(query, 'order', orders);
	const sign = readChoice(query, 'direction', ['asc', 'desc']) === 'desc' ? -1 : 1;
	if (order === undefined) return found;
	return found.toSorted((a, b) => sign * compareSortKeys(getSortKey(a, order), getSortKey(b, order)));
}

/** Compares numbers by value, anything else as text. */
function compareSortKeys(one: string, other: string): number {
	if (/^\d+$/.test(one) && /^\d+$/.test(other)) return Number(one) - Number(other);
	return one < other ? -1 : one > other ? 1 : 0;
}

function readChoice(query: URLSearchParams, name: string, allowed: readonly string[]): string | undefined {
	const given = query.get(name);
	if (given === null || allowed.includes(given)) return given ?? undefined;
	return refuseRequest(400, {message: `${name} must be one of ${allowed.join(', ')}`});
}
