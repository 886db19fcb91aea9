import {isJsonObject, type JsonObject, type JsonValue} from '../../text/json.ts';
import {buildSuccessAnswer, refuseRequest, type ServiceAnswer} from '../http/answer.ts';
import {readJsonBody} from '../http/json-request.ts';
import type {RequestContext} from '../http/route.ts';
import {getFirewall, getStoredRule, type ZoneFirewall} from './addressed.ts';
import {refuseCombinedForm} from './combined.ts';
import {rulesPerCall} from './limits.ts';
import {getPlanLack, readPriority, readRuleSettings} from './rule-settings.ts';
import {buildRuleResult} from './stored-rules.ts';
import {type BodyItem, readHexId, readItemsById, readPathItem, refuseInvalid} from './texts.ts';

type Change = (firewall: ZoneFirewall, given: BodyItem) => JsonObject;

/** Replaces all rules of the body or none; reads only the id of a filter. */
export async function updateFirewallRules(context: RequestContext): Promise<ServiceAnswer> {
	const body = await readJsonBody(context);
	refuseCombinedForm(body, 'PUT');
	if (Array.isArray(body) && body.length > rulesPerCall)
		return refuseRequest(400, {
			message: `At most ${rulesPerCall} rules can be updated in one call, not ${body.length}.`,
		});
	return changeEach(context, body, replaceRule);
}

/** Replaces the rule in the path. */
export async function updateFirewallRule(context: RequestContext): Promise<ServiceAnswer> {
	const body = await readJsonBody(context);
	refuseCombinedForm(body, 'PUT');
	return changeOne(context, body, replaceRule);
}

/** Changes the priority of the rules in the body, all or none. */
export const patchFirewallRules = async (context: RequestContext): Promise<ServiceAnswer> =>
	changeEach(context, await readJsonBody(context), changePriority);

/** Changes the priority of the rule in the path. */
export const patchFirewallRule = async (context: RequestContext): Promise<ServiceAnswer> =>
	changeOne(context, await readJsonBody(context), changePriority);

function changeEach(context: RequestContext, body: JsonValue | undefined, change: Change): ServiceAnswer {
	const firewall = getFirewall(context);
	const given = readItemsById(body, 'firewall rules', 'rule');
	return context.world.transaction(() => buildSuccessAnswer(given.map(one => change(firewall, one))));
}

function changeOne(context: RequestContext, body: JsonValue | undefined, change: Change): ServiceAnswer {
	const firewall = getFirewall(context);
	const given = readPathItem(context, body, 'a firewall rule', 'rule');
	return context.world.transaction(() => buildSuccessAnswer(change(firewall, given)));
}

const replaceRule: Change = (firewall, {id: ruleId, item: given, where}) => {
	const {id} = getStoredRule(firewall, ruleId);
	const settings = readRuleSettings(given, where);
	if (!isJsonObject(given.filter)) return refuseInvalid(where, 'filter is required');
	const filter = readHexId(given.filter.id, `filter of the ${where}`);
	if (!firewall.filters.get(filter)) return refuseInvalid(where, `there is no filter ${filter}`);
	const lack = getPlanLack(settings, firewall.plan);
	if (lack !== undefined) return refuseRequest(403, {message: lack});
	return buildRuleResult(firewall.rules.put({...settings, id, filter}), firewall.filters);
};

const changePriority: Change = (firewall, {id: ruleId, item: given, where}) => {
	const rule = getStoredRule(firewall, ruleId);
	const other = Object.keys(given).find(name => name !== 'id' && name !== 'priority');
	if (other !== undefined) return refuseInvalid(where, `PATCH changes the priority only, not ${other}`);
	if (given.priority === undefined) return refuseInvalid(where, 'priority is required');
	const priority = readPriority(given.priority, where);
	return buildRuleResult(firewall.rules.put({...rule, priority}), firewall.filters);
};
