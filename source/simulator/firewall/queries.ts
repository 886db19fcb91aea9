import {refuseRequest} from '../http/answer.ts';

type ListedItem = {
	readonly id: string;
	readonly paused: boolean;
	readonly description?: string;
};

/**
 * Creates a predicate for the query parameters of both filters and rules: `id`, `paused`, and a part of
 * `description`.
 */
export function createCommonPredicate(query: URLSearchParams): (item: ListedItem) => boolean {
	const ids = query.getAll('id');
	const paused = query.get('paused');
	if (paused !== null && paused !== 'true' && paused !== 'false')
		return refuseRequest(400, {message: 'paused must be true or false'});
	const matchesDescription = createContainsPredicate(query.get('description'));
	return item =>
		(ids.length === 0 || ids.includes(item.id)) &&
		(paused === null || item.paused === (paused === 'true')) &&
		matchesDescription(item.description);
}

/** Creates a case-insensitive predicate for texts that contain `searchText`; null matches all. */
export function createContainsPredicate(searchText: string | null): (text: string | undefined) => boolean {
	if (searchText === null) return () => true;
	const lowerCaseText = searchText.toLowerCase();
	return text => text?.toLowerCase().includes(lowerCaseText) ?? false;
}

/** Creates a predicate for texts equal to `expectedText`; null matches all. */
export const createEqualsPredicate =
	(expectedText: string | null) =>
	(text: string | undefined): boolean =>
		expectedText === null || text === expectedText;

/** Page sizes of the lists of filters and of rules. */
export const firewallPageSizes = {minSize: 5, maxSize: 100, defaultSize: 25};
