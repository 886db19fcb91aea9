import type {JsonValue} from '../../text/json.ts';
import {isJsonObject} from '../../text/json.ts';
import {buildSuccessAnswer, refuseRequest, type ServiceAnswer} from '../http/answer.ts';
import {readJsonBody} from '../http/json-request.ts';
import {buildPageAnswer} from '../http/pages.ts';
import type {RequestContext, Route} from '../http/route.ts';
import {refuseEmbeddedFilters} from './embedded-filters.ts';
import {createCommonPredicate, createEqualsPredicate, firewallPageSizes} from './queries.ts';
import {
	getFirewall,
	getPathId,
	getStoredRule,
	getWritableFirewall,
	type ZoneFirewall,
} from './requested-firewall.ts';
import {createFirewallRules} from './rule-creation.ts';
import {
	patchFirewallRule,
	patchFirewallRules,
	updateFirewallRule,
	updateFirewallRules,
} from './rule-updates.ts';
import {buildRuleResult, listRulesByFilter} from './stored-rules.ts';

const rulesPath = '/zones/:zone/firewall/rules';
const rulePath = `${rulesPath}/:rule`;

export const firewallRuleRoutes: readonly Route[] = [
	{method: 'GET', path: rulesPath, grant: 'firewall:read', answer: listRules},
	{method: 'POST', path: rulesPath, grant: 'firewall:write', answer: createFirewallRules},
	{method: 'PUT', path: rulesPath, grant: 'firewall:write', answer: updateFirewallRules},
	{method: 'PATCH', path: rulesPath, grant: 'firewall:write', answer: patchFirewallRules},
	{method: 'DELETE', path: rulesPath, grant: 'firewall:write', answer: deleteRulesById},
	{method: 'GET', path: rulePath, grant: 'firewall:read', answer: getRule},
	{method: 'PUT', path: rulePath, grant: 'firewall:write', answer: updateFirewallRule},
	{method: 'PATCH', path: rulePath, grant: 'firewall:write', answer: patchFirewallRule},
	{method: 'DELETE', path: rulePath, grant: 'firewall:write', answer: deleteRule},
];

function listRules(context: RequestContext): ServiceAnswer {
	const {rules, filters} = getFirewall(context);
	const matchesCommon = createCommonPredicate(context.query);
	const matchesAction = createEqualsPredicate(context.query.get('action'));
	const matchingRules = rules.list().filter(rule => matchesCommon(rule) && matchesAction(rule.action));
	return buildPageAnswer(
		context,
		matchingRules.map(rule => buildRuleResult(rule, filters)),
		firewallPageSizes,
	);
}

function getRule(context: RequestContext): ServiceAnswer {
	const firewall = getFirewall(context);
	return buildSuccessAnswer(buildRuleResult(getStoredRule(firewall, getPathId(context)), firewall.filters));
}

/** Deletes the rules in the query or the body; ignores missing ones. */
async function deleteRulesById(context: RequestContext): Promise<ServiceAnswer> {
	const body = await readJsonBody(context);
	refuseEmbeddedFilters(body, 'DELETE');
	const firewall = getWritableFirewall(context);
	const ids = new Set([...context.query.getAll('id'), ...collectBodyIds(body)]);
	const deletesFilter = readDeleteFilterFlag(body, context.query);
	return context.world.runTransaction(() =>
		buildSuccessAnswer([...ids].flatMap(id => deleteStoredRule(firewall, id, deletesFilter))),
	);
}

async function deleteRule(context: RequestContext): Promise<ServiceAnswer> {
	const body = await readJsonBody(context);
	refuseEmbeddedFilters(body, 'DELETE');
	const firewall = getWritableFirewall(context);
	const deletesFilter = readDeleteFilterFlag(body, context.query);
	return context.world.runTransaction(() =>
		buildSuccessAnswer(
			deleteStoredRule(firewall, getStoredRule(firewall, getPathId(context)).id, deletesFilter),
		),
	);
}

/** Returns the ids of `{id}` or `[{id}, …]`. */
function collectBodyIds(body: JsonValue | undefined): readonly string[] {
	const items: readonly JsonValue[] = Array.isArray(body) ? body : body === undefined ? [] : [body];
	return items.flatMap(item => (isJsonObject(item) && typeof item.id === 'string' ? [item.id] : []));
}

function readDeleteFilterFlag(body: JsonValue | undefined, query: URLSearchParams): boolean {
	const value =
		(isJsonObject(body) ? body.delete_filter_if_unused : undefined) ??
		query.get('delete_filter_if_unused') ??
		false;
	if (value === true || value === 'true') return true;
	if (value === false || value === 'false') return false;
	return refuseRequest(400, {message: 'delete_filter_if_unused must be true or false'});
}

function deleteStoredRule(
	{rules, filters}: ZoneFirewall,
	id: string,
	deletesFilter: boolean,
): readonly {id: string}[] {
	const rule = rules.get(id);
	if (!rule) return [];
	rules.delete(id);
	if (deletesFilter && listRulesByFilter(rules, rule.filter).length === 0) filters.delete(rule.filter);
	return [{id}];
}
