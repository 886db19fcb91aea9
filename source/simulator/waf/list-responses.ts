import type {JsonObject} from '../../text/json.ts';
import {isEnvelope, type ServiceAnswer} from '../http/answer.ts';
import {buildPageAnswer} from '../http/pages.ts';
import type {RequestContext} from '../http/route.ts';
import {type ItemPredicate, selectItems} from '../http/selection.ts';

const listSizes = {minSize: 5, maxSize: 100, defaultSize: 50};

/** Answers with a page of the items that match, in the requested order. */
export function buildListAnswer(
	context: RequestContext,
	items: readonly JsonObject[],
	predicates: Readonly<Record<string, ItemPredicate>>,
	sortFields: readonly string[],
): ServiceAnswer {
	const getSortValue = (item: JsonObject, field: string) =>
		String((field === 'group_id' ? getGroupId(item) : item[field]) ?? '');
	return omitTotalPages(
		buildPageAnswer(
			context,
			selectItems(context.query, items, predicates, sortFields, getSortValue),
			listSizes,
		),
	);
}

/** Creates a predicate that compares a field with the whole search text, ignoring case. */
export const createExactMatch =
	(name: string): ItemPredicate =>
	(item, searchText) =>
		String(item[name]).toLowerCase() === searchText.toLowerCase();

/** Creates a predicate that finds the search text in a field, ignoring case. */
export const createSubstringMatch =
	(name: string): ItemPredicate =>
	(item, searchText) =>
		String(item[name]).toLowerCase().includes(searchText.toLowerCase());

/** Returns the id of a rule's group. */
export const getGroupId = ({group}: JsonObject): string =>
	typeof group === 'object' && group !== null && 'id' in group ? String(group.id) : '';

/** Removes `total_pages`, which these lists do not have. */
function omitTotalPages(answer: ServiceAnswer): ServiceAnswer {
	if (!isEnvelope(answer.body) || !answer.body.result_info) return answer;
	const {total_pages: _, ...info} = answer.body.result_info;
	return {...answer, body: {...answer.body, result_info: info}};
}
