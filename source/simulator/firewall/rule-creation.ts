import type {JsonObject} from '../../text/json.ts';
import {isJsonObject} from '../../text/json.ts';
import {planNames} from '../accounts/plan.ts';
import {buildErrorAnswer, buildSuccessAnswer, type ServiceAnswer} from '../http/answer.ts';
import {readJsonBody, requireObjects} from '../http/json-request.ts';
import type {RequestContext} from '../http/route.ts';
import {getFirewall, type ZoneFirewall} from './addressed.ts';
import {isCombined} from './combined.ts';
import {rulesByPlan} from './limits.ts';
import {type GivenSettings, getPlanLack, readRuleSettings} from './rule-settings.ts';
import {readFilterDraft, type StoredFilter} from './stored-filters.ts';
import {buildRuleResult} from './stored-rules.ts';
import {readHexId, refuseInvalid} from './texts.ts';

/** A rule of a request, with the existing filter it names or the new one created for it. */
type ResolvedRule = {readonly settings: GivenSettings; readonly filter: StoredFilter; readonly made: boolean};

/**
 * Creates all rules of the body or none. Invalid input changes nothing; but filters are created before rules,
 * so if the plan lacks the action or has no room for the rules, the new filters remain.
 */
export async function createFirewallRules(context: RequestContext): Promise<ServiceAnswer> {
	const given = requireObjects(await readJsonBody(context), 'firewall rules');
	const settings = given.map((item, index) => readRuleSettings(item, `rule at index ${index}`));
	const firewall = getFirewall(context);
	return context.world.transaction(() => {
		const resolved = settings.map((one, index) => ({
			settings: one,
			...resolveFilter(firewall, given[index] ?? {}, index),
		}));
		const obstacle = findPlanObstacle(firewall, resolved) ?? findQuotaObstacle(firewall, resolved.length);
		if (obstacle !== undefined)
			return buildErrorAnswer(403, {message: obstacle}, {}, listLeftoverFilters(resolved));
		return buildSuccessAnswer(
			resolved.map(({settings: one, filter}) =>
				buildRuleResult(firewall.rules.add({...one, filter: filter.id}), firewall.filters),
			),
		);
	});
}

function resolveFilter(
	{filters}: ZoneFirewall,
	rule: JsonObject,
	index: number,
): Omit<ResolvedRule, 'settings'> {
	const where = `rule at index ${index}`;
	const {filter: given} = rule;
	if (!isJsonObject(given)) return refuseInvalid(where, 'filter is required');
	if (isCombined(rule)) {
		const filter = filters.add(readFilterDraft(given, `filter at index ${index}`), {
			code: 10202,
			message: `config duplicates an already existing config: filter at index ${index}`,
		});
		return {filter, made: true};
	}
	const id = readHexId(given.id, `filter of the ${where}`);
	const filter = filters.get(id) ?? refuseInvalid(where, `there is no filter ${id}`);
	return {filter, made: false};
}

function findPlanObstacle({plan}: ZoneFirewall, resolved: readonly ResolvedRule[]): string | undefined {
	for (const {settings} of resolved) {
		const lack = getPlanLack(settings, plan);
		if (lack !== undefined) return lack;
	}
	return undefined;
}

function findQuotaObstacle({plan, rules}: ZoneFirewall, added: number): string | undefined {
	const existing = rules.list().length;
	const most = rulesByPlan[plan];
	if (existing + added <= most) return undefined;
	return `The ${planNames[plan]} plan allows ${most} firewall rules in a zone: there are ${existing}, and ${added} more were asked for.`;
}

const listLeftoverFilters = (resolved: readonly ResolvedRule[]) =>
	resolved
		.filter(({made}) => made)
		.map(({filter}) => ({
			message: `The filter ${filter.id} was created, its firewall rule was not.`,
			meta: {id: filter.id},
		}));
