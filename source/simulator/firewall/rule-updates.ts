import {isJsonObject, type JsonObject, type JsonValue} from '../../text/json.ts';
import {buildSuccessAnswer, refuseRequest, type ServiceAnswer} from '../http/answer.ts';
import {readJsonBody} from '../http/json-request.ts';
import type {RequestContext} from '../http/route.ts';
import {type BodyItem, readHexId, readItemsWithIds, readPathItem, refuseInvalid} from './body-fields.ts';
import {refuseEmbeddedFilters} from './embedded-filters.ts';
import {maxUpdatedRules} from './limits.ts';
import {getStoredRule, getWritableFirewall, type ZoneFirewall} from './requested-firewall.ts';
import {getUnavailableSettingReason, readPriority, readRuleSettings} from './rule-settings.ts';
import {buildRuleResult} from './stored-rules.ts';

type RuleChange = (firewall: ZoneFirewall, bodyItem: BodyItem) => JsonObject;

/** Replaces all rules in the body or none. Of a rule's filter it reads only the id. */
export async function updateFirewallRules(context: RequestContext): Promise<ServiceAnswer> {
	const body = await readJsonBody(context);
	refuseEmbeddedFilters(body, 'PUT');
	if (Array.isArray(body) && body.length > maxUpdatedRules)
		return refuseRequest(400, {
			message: `At most ${maxUpdatedRules} rules can be updated in one call, not ${body.length}.`,
		});
	return changeEach(context, body, replaceRule);
}

/** Replaces the rule in the path. */
export async function updateFirewallRule(context: RequestContext): Promise<ServiceAnswer> {
	const body = await readJsonBody(context);
	refuseEmbeddedFilters(body, 'PUT');
	return changeOne(context, body, replaceRule);
}

/** Changes the priority of the rules in the body, all or none. */
export const patchFirewallRules = async (context: RequestContext): Promise<ServiceAnswer> =>
	changeEach(context, await readJsonBody(context), changePriority);

/** Changes the priority of the rule in the path. */
export const patchFirewallRule = async (context: RequestContext): Promise<ServiceAnswer> =>
	changeOne(context, await readJsonBody(context), changePriority);

function changeEach(context: RequestContext, body: JsonValue | undefined, change: RuleChange): ServiceAnswer {
	const firewall = getWritableFirewall(context);
	const items = readItemsWithIds(body, 'firewall rules', 'rule');
	return context.world.runTransaction(() => buildSuccessAnswer(items.map(item => change(firewall, item))));
}

function changeOne(context: RequestContext, body: JsonValue | undefined, change: RuleChange): ServiceAnswer {
	const firewall = getWritableFirewall(context);
	const item = readPathItem(context, body, 'a firewall rule', 'rule');
	return context.world.runTransaction(() => buildSuccessAnswer(change(firewall, item)));
}

const replaceRule: RuleChange = (firewall, {id: ruleId, item: requestedRule, itemName}) => {
	const {id} = getStoredRule(firewall, ruleId);
	const settings = readRuleSettings(requestedRule, itemName);
	if (!isJsonObject(requestedRule.filter)) return refuseInvalid(itemName, 'filter is required');
	const filterId = readHexId(requestedRule.filter.id, `filter of the ${itemName}`);
	if (!firewall.filters.get(filterId)) return refuseInvalid(itemName, `there is no filter ${filterId}`);
	const unavailableReason = getUnavailableSettingReason(settings, firewall.plan);
	if (unavailableReason !== undefined) return refuseRequest(403, {message: unavailableReason});
	return buildRuleResult(firewall.rules.put({...settings, id, filter: filterId}), firewall.filters);
};

const changePriority: RuleChange = (firewall, {id: ruleId, item: requestedRule, itemName}) => {
	const rule = getStoredRule(firewall, ruleId);
	const extraField = Object.keys(requestedRule).find(name => name !== 'id' && name !== 'priority');
	if (extraField !== undefined)
		return refuseInvalid(itemName, `PATCH changes the priority only, not ${extraField}`);
	if (requestedRule.priority === undefined) return refuseInvalid(itemName, 'priority is required');
	const priority = readPriority(requestedRule.priority, itemName);
	return buildRuleResult(firewall.rules.put({...rule, priority}), firewall.filters);
};
