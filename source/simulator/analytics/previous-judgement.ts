import {isJsonObject, type JsonObject} from '../../text/json.ts';
import {packageIds, sampleCatalogue} from '../waf/catalogue.ts';
import {groupIdOf} from '../waf/lists.ts';
import type {Deviations} from '../waf/previous-waf.ts';
import type {Hit} from './managed-judgement.ts';
import type {Trips} from './traffic.ts';

/** Points per rule of the previous OWASP package, and the threshold of each sensitivity. */
const points = 20;
const thresholds: Readonly<Record<string, number>> = {high: 25, medium: 40, default: 40, low: 60};

/** The rule that acts on the sum of the points; it is not in the package. */
const sumRule = {id: '981176', description: 'Inbound Anomaly Score Exceeded'};

const newNames: Readonly<Record<string, string>> = {simulate: 'log', on: 'block'};

/** Applies the previous managed rules to a request that trips some of them, in order. */
export function previousHits(deviations: Deviations, overrides: readonly JsonObject[], trips: Trips): Hit[] {
	if (deviations.waf === 'off') return [];
	return [...traditionalHits(deviations, overrides, trips), ...owaspHits(deviations, trips)];
}

function traditionalHits(deviations: Deviations, overrides: readonly JsonObject[], trips: Trips): Hit[] {
	const {groups = {}, rules = {}} = deviations;
	const hits: Hit[] = [];
	for (const one of sampleCatalogue())
		for (const id of trips.rules ?? []) {
			const rule = one.rules.find(known => known.id === id);
			const group = one.groups.find(known => rule && known.id === groupIdOf(rule));
			if (!rule || !group || (groups[String(group.id)] ?? group.mode) === 'off') continue;
			const set = rules[id] ?? String(rule.mode);
			const own = set === 'default' ? String(rule.default_mode) : set;
			const mode = overridden(overrides, rule, group, own);
			if (mode === 'disable' || mode === 'off') continue;
			hits.push({
				action: newNames[mode] ?? mode,
				source: 'waf',
				ruleId: id,
				rulesetId: String(one.package.id),
				description: String(rule.description),
			});
		}
	return hits;
}

/**
 * Returns the mode of a rule after URI-based overrides: of the first one that names the rule or its group;
 * then its rewritten action.
 */
function overridden(
	overrides: readonly JsonObject[],
	rule: JsonObject,
	group: JsonObject,
	mode: string,
): string {
	for (const {rules, groups, rewrite_action: rewrites} of overrides) {
		const named =
			(isJsonObject(rules) && rules[String(rule.id)]) || (isJsonObject(groups) && groups[String(group.id)]);
		if (typeof named !== 'string') continue;
		const now = named === 'default' ? mode : named;
		const rewritten = isJsonObject(rewrites) ? rewrites[now] : undefined;
		return typeof rewritten === 'string' && rewritten !== 'default' ? rewritten : now;
	}
	return mode;
}

function owaspHits({packages = {}, groups = {}, rules = {}}: Deviations, trips: Trips): Hit[] {
	const owasp = sampleCatalogue().find(one => one.package.id === packageIds.owasp);
	if (!owasp) return [];
	const {sensitivity, action_mode: action} = {...owasp.package, ...packages[packageIds.owasp]};
	const counted = (trips.previousScores ?? []).filter(id => {
		const rule = owasp.rules.find(known => known.id === id);
		const group = owasp.groups.find(known => rule && known.id === groupIdOf(rule));
		if (!rule || !group || (groups[String(group.id)] ?? group.mode) === 'off') return false;
		return (rules[id] ?? rule.mode) === 'on';
	});
	const threshold = thresholds[String(sensitivity)];
	if (threshold === undefined || counted.length * points < threshold) return [];
	return [
		{
			action: newNames[String(action)] ?? String(action),
			source: 'waf',
			ruleId: sumRule.id,
			rulesetId: packageIds.owasp,
			description: sumRule.description,
		},
	];
}
