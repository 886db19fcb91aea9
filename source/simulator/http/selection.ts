import type {JsonObject} from '../../text/json.ts';
import {refuseRequest} from './answer.ts';

/** Tests an item against a parameter of a query. */
export type ItemPredicate = (item: JsonObject, searchText: string) => boolean;

/**
 * Selects the items that match all or any of the query's parameters, in the requested order. `predicates`:
 * by parameter name; `sortFields`: the values that the parameter `order` allows.
 */
export function selectItems(
	query: URLSearchParams,
	items: readonly JsonObject[],
	predicates: Readonly<Record<string, ItemPredicate>>,
	sortFields: readonly string[],
	getSortKey: (item: JsonObject, sortField: string) => string,
): readonly JsonObject[] {
	const conditions = Object.entries(predicates).flatMap(([name, predicate]) => {
		const text = query.get(name);
		return text === null ? [] : [(item: JsonObject) => predicate(item, text)];
	});
	const matchesAny = readChoice(query, 'match', ['all', 'any']) === 'any' && conditions.length > 0;
	const matchingItems = items.filter(item =>
		matchesAny
			? conditions.some(condition => condition(item))
			: conditions.every(condition => condition(item)),
	);
	const sortField = readChoice(query, 'order', sortFields);
	const direction = readChoice(query, 'direction', ['asc', 'desc']) === 'desc' ? -1 : 1;
	if (sortField === undefined) return matchingItems;
	return matchingItems.toSorted(
		(a, b) => direction * compareSortKeys(getSortKey(a, sortField), getSortKey(b, sortField)),
	);
}

/** Compares numbers by value, anything else as text. */
function compareSortKeys(left: string, right: string): number {
	if (/^\d+$/.test(left) && /^\d+$/.test(right)) return Number(left) - Number(right);
	return left < right ? -1 : left > right ? 1 : 0;
}

function readChoice(query: URLSearchParams, name: string, allowed: readonly string[]): string | undefined {
	const choice = query.get(name);
	if (choice === null || allowed.includes(choice)) return choice ?? undefined;
	return refuseRequest(400, {message: `${name} must be one of ${allowed.join(', ')}`});
}
