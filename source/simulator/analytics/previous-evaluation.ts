import {isJsonObject, type JsonObject} from '../../text/json.ts';
import {getSampleCatalogue, packageIds} from '../waf/catalogue.ts';
import {getGroupId} from '../waf/list-responses.ts';
import type {Deviations} from '../waf/previous-waf.ts';
import type {RuleHit} from './managed-evaluation.ts';
import type {TrippedRules} from './traffic.ts';

/** Points per rule of the previous OWASP package, and the threshold of each sensitivity. */
const pointsPerRule = 20;
const thresholds: Readonly<Record<string, number>> = {high: 25, medium: 40, default: 40, low: 60};

/** The rule that acts if the sum of the points reaches the threshold; the package does not list it. */
const scoreRule = {id: '981176', description: 'Inbound Anomaly Score Exceeded'};

const actionNames: Readonly<Record<string, string>> = {simulate: 'log', on: 'block'};

/**
 * Applies the previous managed rules to a request that trips some of them. Returns the hits in order,
 * including those after one that ends the request.
 */
export function applyPreviousRules(
	deviations: Deviations,
	overrides: readonly JsonObject[],
	trippedRules: TrippedRules,
): RuleHit[] {
	if (deviations.waf === 'off') return [];
	return [
		...applyTraditionalRules(deviations, overrides, trippedRules),
		...applyOwaspPackage(deviations, trippedRules),
	];
}

function applyTraditionalRules(
	deviations: Deviations,
	overrides: readonly JsonObject[],
	trippedRules: TrippedRules,
): RuleHit[] {
	const {groups = {}, rules = {}} = deviations;
	const hits: RuleHit[] = [];
	for (const wafPackage of getSampleCatalogue())
		for (const id of trippedRules.rules ?? []) {
			const rule = wafPackage.rules.find(candidate => candidate.id === id);
			const group = wafPackage.groups.find(candidate => rule && candidate.id === getGroupId(rule));
			if (!rule || !group || (groups[String(group.id)] ?? group.mode) === 'off') continue;
			const storedMode = rules[id] ?? String(rule.mode);
			const ruleMode = storedMode === 'default' ? String(rule.default_mode) : storedMode;
			const mode = resolveOverriddenMode(overrides, rule, group, ruleMode);
			if (mode === 'disable' || mode === 'off') continue;
			hits.push({
				action: actionNames[mode] ?? mode,
				source: 'waf',
				ruleId: id,
				rulesetId: String(wafPackage.package.id),
				description: String(rule.description),
			});
		}
	return hits;
}

/**
 * Returns the mode of a rule after URI-based overrides: the mode of the first override that names the rule or
 * its group, after that override's rewriting of actions.
 */
function resolveOverriddenMode(
	overrides: readonly JsonObject[],
	rule: JsonObject,
	group: JsonObject,
	mode: string,
): string {
	for (const {rules, groups, rewrite_action: rewrites} of overrides) {
		const overrideMode =
			(isJsonObject(rules) && rules[String(rule.id)]) || (isJsonObject(groups) && groups[String(group.id)]);
		if (typeof overrideMode !== 'string') continue;
		const newMode = overrideMode === 'default' ? mode : overrideMode;
		const rewrittenMode = isJsonObject(rewrites) ? rewrites[newMode] : undefined;
		return typeof rewrittenMode === 'string' && rewrittenMode !== 'default' ? rewrittenMode : newMode;
	}
	return mode;
}

function applyOwaspPackage(
	{packages = {}, groups = {}, rules = {}}: Deviations,
	trippedRules: TrippedRules,
): RuleHit[] {
	const owasp = getSampleCatalogue().find(wafPackage => wafPackage.package.id === packageIds.owasp);
	if (!owasp) return [];
	const {sensitivity, action_mode: action} = {...owasp.package, ...packages[packageIds.owasp]};
	const scoringIds = (trippedRules.previousScoringRules ?? []).filter(id => {
		const rule = owasp.rules.find(candidate => candidate.id === id);
		const group = owasp.groups.find(candidate => rule && candidate.id === getGroupId(rule));
		if (!rule || !group || (groups[String(group.id)] ?? group.mode) === 'off') return false;
		return (rules[id] ?? rule.mode) === 'on';
	});
	const threshold = thresholds[String(sensitivity)];
	if (threshold === undefined || scoringIds.length * pointsPerRule < threshold) return [];
	return [
		{
			action: actionNames[String(action)] ?? String(action),
			source: 'waf',
			ruleId: scoreRule.id,
			rulesetId: packageIds.owasp,
			description: scoreRule.description,
		},
	];
}
