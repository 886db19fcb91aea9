import {isJsonObject, type JsonObject, type JsonValue} from '../../text/json.ts';
import {requirePlan} from '../accounts/missing-features.ts';
import type {Plan} from '../accounts/plan.ts';
import {getRequestedZone} from '../accounts/zone-routes.ts';
import {StoredFilters} from '../firewall/stored-filters.ts';
import {buildRuleResult, getStoredRules} from '../firewall/stored-rules.ts';
import type {RequestContext} from '../http/route.ts';
import {PreviousWaf} from '../waf/previous-waf.ts';
import {readSeed, type SeededZone} from '../waf/seeded.ts';
import {getStoredOverrides} from '../waf/stored-overrides.ts';
import {getStoredPageRules} from '../waf/stored-page-rules.ts';
import {getServiceStage, readStageRecord, type ServiceStage, type StageRecord} from '../waf/stored-stage.ts';

/** The state of a zone that its migration depends on, at the time of the request. */
export type MigratingZone = {
	readonly id: string;
	readonly plan: Plan;
	readonly stage: ServiceStage;
	readonly record: StageRecord | undefined;
	readonly previousWaf: PreviousWaf;
	readonly overrides: readonly JsonObject[];
	/** Firewall rules that bypass managed rules, with their filters; including paused ones. */
	readonly bypassRules: readonly JsonObject[];
	readonly pageRules: readonly JsonObject[];
	readonly seed: SeededZone | undefined;
};

/** Returns the zone in the path; refuses the Free plan, which has nothing to migrate. */
export function getMigratingZone(context: RequestContext): MigratingZone {
	const {id, plan} = getRequestedZone(context);
	requirePlan(plan, 'pro', 'managed rules');
	const record = readStageRecord(context.world, id);
	const filters = new StoredFilters(context.world, id, plan);
	return {
		id,
		plan,
		stage: getServiceStage(record, context.now),
		record,
		previousWaf: new PreviousWaf(context.world, id),
		overrides: getStoredOverrides(context.world, id).list(),
		bypassRules: getStoredRules(context.world, id)
			.list()
			.filter(({action, products}) => action === 'bypass' && products?.includes('waf'))
			.map(rule => buildRuleResult(rule, filters)),
		pageRules: getStoredPageRules(context.world, id).list().filter(hasWafSetting),
		seed: readSeed(context.world, id),
	};
}

/** Returns the effect of a page rule on managed rules, if any. */
export function getWafSetting({actions}: JsonObject): 'disable_security' | 'on' | 'off' | undefined {
	const items: readonly JsonValue[] = Array.isArray(actions) ? actions : [];
	for (const action of items) {
		if (!isJsonObject(action)) continue;
		if (action.id === 'disable_security') return 'disable_security';
		if (action.id === 'waf') return action.value === 'off' ? 'off' : 'on';
	}
	return undefined;
}

const hasWafSetting = (rule: JsonObject): boolean => getWafSetting(rule) !== undefined;

/** Returns the package that scores requests; its settings are the sensitivity and the action. */
export const getOwaspPackage = ({previousWaf}: MigratingZone): JsonObject | undefined =>
	previousWaf.listPackages().find(({detection_mode: mode}) => mode === 'anomaly');
