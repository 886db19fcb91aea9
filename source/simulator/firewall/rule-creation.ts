import type {JsonObject} from '../../text/json.ts';
import {isJsonObject} from '../../text/json.ts';
import {planNames} from '../accounts/plan.ts';
import {buildErrorAnswer, buildSuccessAnswer, type ServiceAnswer} from '../http/answer.ts';
import {readJsonBody, requireObjects} from '../http/json-request.ts';
import type {RequestContext} from '../http/route.ts';
import {readHexId, refuseInvalid} from './body-fields.ts';
import {hasEmbeddedFilter} from './embedded-filters.ts';
import {ruleQuotaByPlan} from './limits.ts';
import {getWritableFirewall, type ZoneFirewall} from './requested-firewall.ts';
import {getUnavailableSettingReason, type RequestedSettings, readRuleSettings} from './rule-settings.ts';
import {readFilterInput, type StoredFilter} from './stored-filters.ts';
import {buildRuleResult} from './stored-rules.ts';

/**
 * A rule of a request, with the existing filter that it names, or the new filter that was created for it.
 */
type ResolvedRule = {
	readonly settings: RequestedSettings;
	readonly filter: StoredFilter;
	readonly isNewFilter: boolean;
};

/**
 * Creates all rules of the body or none. Invalid input changes nothing. But filters are created before rules:
 * if the plan lacks the action or the rule quota is reached, the new filters remain.
 */
export async function createFirewallRules(context: RequestContext): Promise<ServiceAnswer> {
	const items = requireObjects(await readJsonBody(context), 'firewall rules');
	const allSettings = items.map((item, index) => readRuleSettings(item, `rule at index ${index}`));
	const firewall = getWritableFirewall(context);
	return context.world.runTransaction(() => {
		const resolvedRules = allSettings.map((ruleSettings, index) => ({
			settings: ruleSettings,
			...resolveFilter(firewall, items[index] ?? {}, index),
		}));
		const obstacle =
			findPlanObstacle(firewall, resolvedRules) ?? findQuotaObstacle(firewall, resolvedRules.length);
		if (obstacle !== undefined)
			return buildErrorAnswer(403, {message: obstacle}, {}, listLeftoverFilters(resolvedRules));
		return buildSuccessAnswer(
			resolvedRules.map(({settings: ruleSettings, filter}) =>
				buildRuleResult(firewall.rules.add({...ruleSettings, filter: filter.id}), firewall.filters),
			),
		);
	});
}

function resolveFilter(
	{filters}: ZoneFirewall,
	rule: JsonObject,
	index: number,
): Omit<ResolvedRule, 'settings'> {
	const itemName = `rule at index ${index}`;
	const {filter: filterField} = rule;
	if (!isJsonObject(filterField)) return refuseInvalid(itemName, 'filter is required');
	if (hasEmbeddedFilter(rule)) {
		const filter = filters.add(readFilterInput(filterField, `filter at index ${index}`), {
			code: 10202,
			message: `config duplicates an already existing config: filter at index ${index}`,
		});
		return {filter, isNewFilter: true};
	}
	const id = readHexId(filterField.id, `filter of the ${itemName}`);
	const filter = filters.get(id) ?? refuseInvalid(itemName, `there is no filter ${id}`);
	return {filter, isNewFilter: false};
}

function findPlanObstacle({plan}: ZoneFirewall, resolvedRules: readonly ResolvedRule[]): string | undefined {
	for (const {settings} of resolvedRules) {
		const unavailableReason = getUnavailableSettingReason(settings, plan);
		if (unavailableReason !== undefined) return unavailableReason;
	}
	return undefined;
}

function findQuotaObstacle({plan, rules}: ZoneFirewall, addedCount: number): string | undefined {
	const existingCount = rules.list().length;
	const maxRules = ruleQuotaByPlan[plan];
	if (existingCount + addedCount <= maxRules) return undefined;
	return `The ${planNames[plan]} plan allows ${maxRules} firewall rules in a zone: there are ${existingCount}, and ${addedCount} more were asked for.`;
}

const listLeftoverFilters = (resolvedRules: readonly ResolvedRule[]) =>
	resolvedRules
		.filter(({isNewFilter}) => isNewFilter)
		.map(({filter}) => ({
			message: `The filter ${filter.id} was created, its firewall rule was not.`,
			meta: {id: filter.id},
		}));
