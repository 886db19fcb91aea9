import {isJsonObject, type JsonObject, type JsonValue} from '../../text/json.ts';
import {buildSuccessAnswer, refuseRequest, type ServiceAnswer} from '../http/answer.ts';
import {readJsonBody, requireObject} from '../http/json-request.ts';
import type {RequestContext, Route} from '../http/route.ts';
import type {Collection} from '../world/resources.ts';
import {buildListAnswer} from './list-responses.ts';
import {getPreviousWafZone} from './previous-waf-zone.ts';
import {getStoredOverrides} from './stored-overrides.ts';

const overridesPath = '/zones/:zone/firewall/waf/overrides';
const overridePath = `${overridesPath}/:override`;

/** URI-based overrides of the previous managed rules, Enterprise only. */
export const overrideRoutes: readonly Route[] = [
	{method: 'GET', path: overridesPath, grant: 'firewall:read', answer: listOverrides},
	{method: 'POST', path: overridesPath, grant: 'firewall:write', answer: createOverride},
	{
		method: 'GET',
		path: overridePath,
		grant: 'firewall:read',
		answer: context => buildSuccessAnswer(getRequestedOverride(context)),
	},
	{method: 'PUT', path: overridePath, grant: 'firewall:write', answer: changeOverride},
	{method: 'DELETE', path: overridePath, grant: 'firewall:write', answer: deleteOverride},
];

const getOverrides = (context: RequestContext): Collection<JsonObject> =>
	getStoredOverrides(
		context.world,
		getPreviousWafZone(context, 'overrides of managed rules', 'enterprise').id,
	);

function listOverrides(context: RequestContext): ServiceAnswer {
	return buildListAnswer(context, getOverrides(context).list(), {}, ['priority']);
}

function getRequestedOverride(context: RequestContext): JsonObject {
	const {override: id = ''} = context.parameters;
	return getOverrides(context).get(id) ?? refuseRequest(404, {code: 1005, message: `no WAF override ${id}`});
}

async function createOverride(context: RequestContext): Promise<ServiceAnswer> {
	const override = readOverride(await readJsonBody(context));
	return context.world.runTransaction(() => buildSuccessAnswer(getOverrides(context).add(override)));
}

async function changeOverride(context: RequestContext): Promise<ServiceAnswer> {
	const override = readOverride(await readJsonBody(context));
	return context.world.runTransaction(() =>
		buildSuccessAnswer(getOverrides(context).put({id: getRequestedOverride(context).id ?? '', ...override})),
	);
}

function deleteOverride(context: RequestContext): ServiceAnswer {
	return context.world.runTransaction(() => {
		const id = String(getRequestedOverride(context).id);
		getOverrides(context).delete(id);
		return buildSuccessAnswer({id});
	});
}

const ruleActions = ['challenge', 'block', 'simulate', 'disable', 'default'];
const maxPriority = 1_000_000_000;

function readOverride(body: JsonValue | undefined): JsonObject {
	const override = requireObject(body, 'an override');
	const {urls, groups, rules, rewrite_action, paused = false, priority = 0, description = ''} = override;
	if (!Array.isArray(urls) || urls.length === 0 || urls.some(url => typeof url !== 'string' || url === ''))
		refuseRequest(400, {message: 'urls must be an array of addresses'});
	if (typeof paused !== 'boolean') refuseRequest(400, {message: 'paused must be true or false'});
	if (typeof description !== 'string') refuseRequest(400, {message: 'description must be a text'});
	if (typeof priority !== 'number' || !Number.isInteger(priority) || Math.abs(priority) > maxPriority)
		refuseRequest(400, {message: `priority must be a whole number from -${maxPriority} to ${maxPriority}`});
	const actionSets = {
		...readActions('groups', groups),
		...readActions('rules', rules),
		...readActions('rewrite_action', rewrite_action),
	};
	if (!('groups' in actionSets || 'rules' in actionSets))
		refuseRequest(400, {message: 'an override needs groups or rules'});
	return {urls: urls ?? [], ...actionSets, paused, priority, description};
}

function readActions(name: string, actions: JsonValue | undefined): JsonObject {
	if (actions === undefined || actions === null) return {};
	const isInvalid =
		!isJsonObject(actions) ||
		(name === 'rewrite_action' && Object.keys(actions).some(key => !ruleActions.includes(key))) ||
		Object.values(actions).some(action => typeof action !== 'string' || !ruleActions.includes(action));
	if (isInvalid) refuseRequest(400, {message: `${name} must give each an action: ${ruleActions.join(', ')}`});
	return {[name]: actions};
}
