import {isJsonObject, type JsonObject, type JsonValue} from '../../text/json.ts';
import {getRequestedZone} from '../accounts/zone-routes.ts';
import {buildSuccessAnswer, refuseRequest, type ServiceAnswer} from '../http/answer.ts';
import {readJsonBody, requireObject} from '../http/json-request.ts';
import type {RequestContext, Route} from '../http/route.ts';
import type {Collection} from '../world/resources.ts';
import {getStoredPageRules} from './stored-page-rules.ts';

const pageRulesPath = '/zones/:zone/pagerules';
const pageRulePath = `${pageRulesPath}/:pageRule`;

/** Routes for page rules, including those without an effect on managed rules. */
export const pageRuleRoutes: readonly Route[] = [
	{method: 'GET', path: pageRulesPath, grant: 'settings:read', answer: listPageRules},
	{method: 'POST', path: pageRulesPath, grant: 'settings:write', answer: createPageRule},
	{
		method: 'GET',
		path: pageRulePath,
		grant: 'settings:read',
		answer: context => buildSuccessAnswer(getRequestedPageRule(context)),
	},
	{method: 'DELETE', path: pageRulePath, grant: 'settings:write', answer: deletePageRule},
];

const getPageRules = (context: RequestContext): Collection<JsonObject> =>
	getStoredPageRules(context.world, getRequestedZone(context).id);

/** Lists all page rules; this list has no pages. */
function listPageRules(context: RequestContext): ServiceAnswer {
	const status = context.query.get('status');
	return buildSuccessAnswer(
		getPageRules(context)
			.list()
			.filter(rule => status === null || rule.status === status),
	);
}

function getRequestedPageRule(context: RequestContext): JsonObject {
	const {pageRule: id = ''} = context.parameters;
	return getPageRules(context).get(id) ?? refuseRequest(404, {code: 1002, message: `no page rule ${id}`});
}

async function createPageRule(context: RequestContext): Promise<ServiceAnswer> {
	const pageRule = requireObject(await readJsonBody(context), 'a page rule');
	const {targets, actions, status = 'disabled', priority = 1} = pageRule;
	if (!isObjectList(targets)) return refuseRequest(400, {message: 'targets must be an array of targets'});
	if (!isObjectList(actions)) return refuseRequest(400, {message: 'actions must be an array of actions'});
	if (status !== 'active' && status !== 'disabled')
		return refuseRequest(400, {message: 'status must be active or disabled'});
	return buildSuccessAnswer(getPageRules(context).add({targets, actions, status, priority}));
}

function deletePageRule(context: RequestContext): ServiceAnswer {
	return context.world.runTransaction(() => {
		const id = String(getRequestedPageRule(context).id);
		getPageRules(context).delete(id);
		return buildSuccessAnswer({id});
	});
}

const isObjectList = (value: JsonValue | undefined): value is readonly JsonObject[] =>
	Array.isArray(value) && value.length > 0 && value.every(isJsonObject);
