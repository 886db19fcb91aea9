import {isJsonObject, type JsonObject, type JsonValue} from '../../text/json.ts';
import type {Plan} from '../accounts/plan.ts';
import {refuseBelow} from '../accounts/plan-lacks.ts';
import {zoneNamed} from '../accounts/zone-routes.ts';
import {StoredFilters} from '../firewall/stored-filters.ts';
import {shownRule, storedRules} from '../firewall/stored-rules.ts';
import type {Ask} from '../http/route.ts';
import {PreviousWaf} from '../waf/previous-waf.ts';
import {readSeed, type SeededZone} from '../waf/seeded.ts';
import {overridesOf} from '../waf/stored-overrides.ts';
import {pageRulesOf} from '../waf/stored-page-rules.ts';
import {readStage, type ServiceStage, type StageRecord, stageAt} from '../waf/stored-stage.ts';

/** What a migration needs to know about a zone, at the time of the request. */
export type MigratingZone = {
	readonly id: string;
	readonly plan: Plan;
	readonly stage: ServiceStage;
	readonly record: StageRecord | undefined;
	readonly waf: PreviousWaf;
	readonly overrides: readonly JsonObject[];
	/** Firewall rules that bypass managed rules, with their filters; including paused ones. */
	readonly bypasses: readonly JsonObject[];
	readonly pageRules: readonly JsonObject[];
	readonly seed: SeededZone | undefined;
};

/** Returns the zone in the path; refuses the Free plan, which has nothing to migrate. */
export function migratingZone(ask: Ask): MigratingZone {
	const {id, plan} = zoneNamed(ask);
	refuseBelow(plan, 'pro', 'managed rules');
	const record = readStage(ask.world, id);
	const filters = new StoredFilters(ask.world, id, plan);
	return {
		id,
		plan,
		stage: stageAt(record, ask.now),
		record,
		waf: new PreviousWaf(ask.world, id),
		overrides: overridesOf(ask.world, id).all(),
		bypasses: storedRules(ask.world, id)
			.all()
			.filter(({action, products}) => action === 'bypass' && products?.includes('waf'))
			.map(rule => shownRule(rule, filters)),
		pageRules: pageRulesOf(ask.world, id).all().filter(bearsOnWaf),
		seed: readSeed(ask.world, id),
	};
}

/** Returns the effect of a page rule on managed rules, if any. */
export function wafSetting({actions}: JsonObject): 'disable_security' | 'on' | 'off' | undefined {
	const items: readonly JsonValue[] = Array.isArray(actions) ? actions : [];
	for (const action of items) {
		if (!isJsonObject(action)) continue;
		if (action.id === 'disable_security') return 'disable_security';
		if (action.id === 'waf') return action.value === 'off' ? 'off' : 'on';
	}
	return undefined;
}

const bearsOnWaf = (rule: JsonObject): boolean => wafSetting(rule) !== undefined;

/** Returns the package that scores requests; its settings are the sensitivity and the action. */
export const owaspPackage = ({waf}: MigratingZone): JsonObject | undefined =>
	waf.packages().find(({detection_mode: mode}) => mode === 'anomaly');
