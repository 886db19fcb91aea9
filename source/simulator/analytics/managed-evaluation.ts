import {filterObjects, isJsonObject, type JsonObject} from '../../text/json.ts';
import type {ManagedRuleset} from '../rulesets/managed-catalogue.ts';
import {owaspThresholdRuleId} from '../waf/managed-ids.ts';
import type {TrippedRules} from './traffic.ts';

/** A rule that applied to a request, in the terms of security events. */
export type RuleHit = {
	readonly action: string;
	readonly source: string;
	readonly ruleId: string;
	readonly rulesetId: string;
	readonly description: string;
};

/** The rulesets and rules that exceptions skip for a request. */
export type SkippedRules = {readonly rulesets: ReadonlySet<string>; readonly rules: ReadonlySet<string>};

/** The settings of a managed rule under the overrides of the rule that executes its ruleset. */
type Settings = {readonly enabled: boolean; readonly action: string; readonly threshold: number};

const pointsPerRule = 5;

/**
 * Applies a managed ruleset to a request that trips some of its rules. Returns the hits in order, including
 * those after one that ends the request.
 */
export function applyManagedRuleset(
	ruleset: ManagedRuleset,
	overrides: JsonObject,
	trippedRules: TrippedRules,
	skippedRules: SkippedRules,
): RuleHit[] {
	if (skippedRules.rulesets.has(ruleset.id)) return [];
	const hits: RuleHit[] = [];
	let score = 0;
	for (const id of [...(trippedRules.rules ?? []), ...(trippedRules.scoringRules ?? [])]) {
		const rule = ruleset.rules.find(candidate => candidate.id === id);
		if (!rule || skippedRules.rules.has(id)) continue;
		const {enabled, action} = resolveRuleSettings(rule, overrides);
		if (!enabled) continue;
		if (action === 'score') score += pointsPerRule;
		else hits.push(buildManagedHit(ruleset, rule, action));
	}
	const scoreRule = ruleset.rules.find(candidate => candidate.id === owaspThresholdRuleId);
	if (score === 0 || !scoreRule || skippedRules.rules.has(owaspThresholdRuleId)) return hits;
	const {enabled, action, threshold} = resolveRuleSettings(scoreRule, overrides);
	return enabled && score >= threshold ? [...hits, buildManagedHit(ruleset, scoreRule, action)] : hits;
}

function buildManagedHit({id: rulesetId}: ManagedRuleset, rule: JsonObject, action: string): RuleHit {
	const description = String(rule.description ?? '');
	return {action, source: 'firewallManaged', ruleId: String(rule.id), rulesetId, description};
}

/**
 * Resolves the settings of a rule. Its own override wins over those of its categories, of which the last one
 * counts; these win over the override of the whole ruleset.
 */
function resolveRuleSettings(rule: JsonObject, overrides: JsonObject): Settings {
	const categories: readonly unknown[] = Array.isArray(rule.categories) ? rule.categories : [];
	const ruleOverride = filterObjects(overrides.rules).find(({id}) => id === rule.id) ?? {};
	const overrideLevels = [
		overrides,
		...filterObjects(overrides.categories).filter(({category}) => categories.includes(category)),
		ruleOverride,
	];
	const defaultAction = String(rule.action);
	// The action of a rule that only scores cannot be overridden.
	const action =
		defaultAction === 'score'
			? undefined
			: overrideLevels.findLast(({action: value}) => typeof value === 'string')?.action;
	const enabled = overrideLevels.findLast(({enabled: value}) => typeof value === 'boolean')?.enabled;
	const threshold = ruleOverride.score_threshold ?? rule.score_threshold ?? 0;
	return {
		enabled: enabled === undefined ? rule.enabled !== false : enabled === true,
		action: action === undefined ? defaultAction : String(action),
		threshold: Number(threshold),
	};
}

/** Returns what an exception skips; `all` if it skips all later rules. */
export function parseException(parameters: JsonObject): SkippedRules | 'all' {
	if (parameters.ruleset === 'current') return 'all';
	const rulesets = Array.isArray(parameters.rulesets) ? parameters.rulesets.map(String) : [];
	const rules = isJsonObject(parameters.rules) ? Object.values(parameters.rules) : [];
	return {
		rulesets: new Set(rulesets),
		rules: new Set(rules.flatMap(ids => (Array.isArray(ids) ? ids.map(String) : []))),
	};
}
