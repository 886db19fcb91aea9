import {buildSuccessAnswer, isEnvelope, Refusal, refuseRequest, type ServiceAnswer} from '../http/answer.ts';
import {readJsonBody, requireObjects} from '../http/json-request.ts';
import {buildPageAnswer} from '../http/pages.ts';
import type {RequestContext, Route} from '../http/route.ts';
import {type BodyItem, readItemsWithIds, readPathItem} from './body-fields.ts';
import {
	createCommonPredicate,
	createContainsPredicate,
	createEqualsPredicate,
	firewallPageSizes,
} from './queries.ts';
import {
	getFirewall,
	getPathId,
	getStoredFilter,
	getWritableFirewall,
	type ZoneFirewall,
} from './requested-firewall.ts';
import {readFilterInput} from './stored-filters.ts';
import {listRulesByFilter} from './stored-rules.ts';

const filtersPath = '/zones/:zone/filters';
const filterPath = `${filtersPath}/:filter`;

export const filterRoutes: readonly Route[] = [
	{method: 'GET', path: filtersPath, grant: 'firewall:read', answer: withNullMessages(listFilters)},
	{method: 'POST', path: filtersPath, grant: 'firewall:write', answer: withNullMessages(createFilters)},
	{method: 'PUT', path: filtersPath, grant: 'firewall:write', answer: withNullMessages(updateFilters)},
	{
		method: 'DELETE',
		path: filtersPath,
		grant: 'firewall:write',
		answer: withNullMessages(deleteFiltersById),
	},
	{method: 'GET', path: filterPath, grant: 'firewall:read', answer: withNullMessages(getFilter)},
	{method: 'PUT', path: filterPath, grant: 'firewall:write', answer: withNullMessages(updateFilter)},
	{method: 'DELETE', path: filterPath, grant: 'firewall:write', answer: withNullMessages(deleteFilter)},
];

/** Sends null instead of an empty list of messages, as answers about filters do in the documentation. */
export function withNullMessages(answer: Route['answer']): Route['answer'] {
	const withNullList = (serviceAnswer: ServiceAnswer): ServiceAnswer =>
		isEnvelope(serviceAnswer.body) && !serviceAnswer.body.messages?.length
			? {...serviceAnswer, body: {...serviceAnswer.body, messages: null}}
			: serviceAnswer;
	return async context => {
		try {
			return withNullList(await answer(context));
		} catch (error) {
			throw error instanceof Refusal ? new Refusal(withNullList(error.answer)) : error;
		}
	};
}

function listFilters(context: RequestContext): ServiceAnswer {
	const {query} = context;
	const matchesCommon = createCommonPredicate(query);
	const matchesExpression = createContainsPredicate(query.get('expression'));
	const matchesRef = createEqualsPredicate(query.get('ref'));
	const storedFilters = getFirewall(context).filters.list();
	return buildPageAnswer(
		context,
		storedFilters.filter(
			filter => matchesCommon(filter) && matchesExpression(filter.expression) && matchesRef(filter.ref),
		),
		firewallPageSizes,
	);
}

function getFilter(context: RequestContext): ServiceAnswer {
	return buildSuccessAnswer(getStoredFilter(getFirewall(context), getPathId(context)));
}

async function createFilters(context: RequestContext): Promise<ServiceAnswer> {
	const {filters} = getWritableFirewall(context);
	const items = requireObjects(await readJsonBody(context), 'filters');
	const inputs = items.map((item, index) => readFilterInput(item, `filter at index ${index}`));
	return context.world.runTransaction(() => buildSuccessAnswer(inputs.map(input => filters.add(input))));
}

async function updateFilters(context: RequestContext): Promise<ServiceAnswer> {
	const firewall = getWritableFirewall(context);
	const updates = readItemsWithIds(await readJsonBody(context), 'filters', 'filter').map(readFilterUpdate);
	return context.world.runTransaction(() =>
		buildSuccessAnswer(updates.map(update => updateStoredFilter(firewall, update))),
	);
}

async function updateFilter(context: RequestContext): Promise<ServiceAnswer> {
	const firewall = getWritableFirewall(context);
	const update = readFilterUpdate(readPathItem(context, await readJsonBody(context), 'a filter', 'filter'));
	return context.world.runTransaction(() => buildSuccessAnswer(updateStoredFilter(firewall, update)));
}

const readFilterUpdate = ({id, item, itemName}: BodyItem) => ({id, input: readFilterInput(item, itemName)});

const updateStoredFilter = (firewall: ZoneFirewall, {id, input}: ReturnType<typeof readFilterUpdate>) =>
	firewall.filters.put(getStoredFilter(firewall, id).id, input);

/** Deletes the filters in the query; ignores missing ones. */
function deleteFiltersById(context: RequestContext): ServiceAnswer {
	const firewall = getWritableFirewall(context);
	return context.world.runTransaction(() =>
		buildSuccessAnswer(
			context.query
				.getAll('id')
				.flatMap(id => (firewall.filters.get(id) ? [deleteStoredFilter(firewall, id)] : [])),
		),
	);
}

function deleteFilter(context: RequestContext): ServiceAnswer {
	const firewall = getWritableFirewall(context);
	return context.world.runTransaction(() =>
		buildSuccessAnswer([deleteStoredFilter(firewall, getStoredFilter(firewall, getPathId(context)).id)]),
	);
}

/** Deletes a filter; refuses if a rule uses it. */
function deleteStoredFilter({filters, rules}: ZoneFirewall, id: string) {
	const ruleIds = listRulesByFilter(rules, id).map(rule => rule.id);
	if (ruleIds.length > 0) {
		return refuseRequest(400, {
			message: `filter ${id} is used by the firewall ${ruleIds.length === 1 ? 'rule' : 'rules'} ${ruleIds.join(', ')}`,
		});
	}
	filters.delete(id);
	return {id};
}
