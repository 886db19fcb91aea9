import {isJsonObject, type JsonObject} from '../../text/json.ts';
import {getGroupId} from '../waf/list-responses.ts';
import {newManagedRulesets, owaspThresholdRuleId} from '../waf/managed-ids.ts';
import {newActions, newOwaspLevels} from './documented-mapping.ts';
import {getBypassExpression} from './eligibility.ts';
import {getOwaspPackage, getWafSetting, type MigratingZone} from './migrating-zone.ts';

/**
 * Builds the configuration that expresses a zone's old settings in new rules: exceptions first, then the
 * managed rulesets. Ids, versions and refs are empty.
 */
export const buildProposal = (zone: MigratingZone): JsonObject => ({
	name: 'default',
	rules: [
		...zone.bypassRules.flatMap(convertBypassRule),
		...zone.pageRules.flatMap(convertPageRule),
		buildExecuteRule(zone, newManagedRulesets.platform.id, buildPlatformOverrides(zone)),
		...buildOwaspRule(zone),
	].map(rule => ({id: '', version: '', ref: '', ...rule})),
});

function buildSkipRule(expression: string, description: string, enabled: boolean): JsonObject {
	return {
		action: 'skip',
		action_parameters: {ruleset: 'current'},
		expression,
		description,
		enabled,
		logging: {enabled: true},
	};
}

/**
 * Converts a firewall rule that bypasses managed rules; empty if its filter is missing, because such a rule
 * matches nothing.
 */
function convertBypassRule(rule: JsonObject): readonly JsonObject[] {
	const expression = getBypassExpression(rule);
	if (expression === undefined) return [];
	const filter = isJsonObject(rule.filter) ? rule.filter : {};
	const description = String(rule.description ?? filter.description ?? '');
	return [buildSkipRule(expression, description, rule.paused !== true && filter.paused !== true)];
}

/** Converts a page rule that turns managed rules off; empty if it turns them on. */
function convertPageRule(rule: JsonObject): readonly JsonObject[] {
	if (getWafSetting(rule) === 'on') return [];
	const [target] = Array.isArray(rule.targets) ? rule.targets : [];
	const constraint = isJsonObject(target) ? target.constraint : undefined;
	const url = isJsonObject(constraint) ? constraint.value : undefined;
	if (typeof url !== 'string') return [];
	return [buildSkipRule(buildUrlExpression(url), `Page rule ${url}`, rule.status === 'active')];
}

/**
 * Builds an expression that matches the URLs of a pattern of a page rule or override: with any scheme unless
 * the pattern names one; an asterisk matches any text.
 */
export function buildUrlExpression(url: string): string {
	const pattern = /^[a-z*]+:\/\//.test(url) ? url : `*://${url}`;
	const escapedPattern = pattern.replace(/\*{2,}/g, '*').replace(/["\\]/g, String.raw`\$&`);
	return `http.request.full_uri wildcard "${escapedPattern}"`;
}

const buildExecuteRule = (zone: MigratingZone, id: string, overrides: JsonObject): JsonObject => ({
	action: 'execute',
	action_parameters: {id, ...(Object.keys(overrides).length > 0 && {overrides})},
	expression: 'true',
	description: '',
	enabled: zone.previousWaf.isOn,
});

/** Overrides every rule whose mode differs from its default. */
function buildPlatformOverrides({previousWaf}: MigratingZone): JsonObject {
	const rules = previousWaf
		.listPackages()
		.filter(({detection_mode: mode}) => mode !== 'anomaly')
		.flatMap(wafPackage => {
			const offGroupIds = new Set(
				previousWaf
					.listGroups(String(wafPackage.id))
					.flatMap(group => (group.mode === 'off' ? [String(group.id)] : [])),
			);
			return previousWaf
				.listRules(String(wafPackage.id))
				.flatMap(rule => buildRuleOverride(rule, offGroupIds.has(getGroupId(rule))));
		});
	return rules.length > 0 ? {rules} : {};
}

function buildRuleOverride(
	{id, mode, default_mode: defaultMode}: JsonObject,
	isGroupOff: boolean,
): readonly JsonObject[] {
	const isOff = isGroupOff || mode === 'disable' || mode === 'off';
	if (isOff) return defaultMode === 'disable' ? [] : [{id: id ?? '', enabled: false}];
	if (mode === 'default' || mode === 'on' || mode === defaultMode) return [];
	return [{id: id ?? '', action: newActions[String(mode)] ?? 'log', enabled: true}];
}

/** Executes the new OWASP ruleset at the level of the old sensitivity; empty if the package is off. */
function buildOwaspRule(zone: MigratingZone): readonly JsonObject[] {
	const {sensitivity = 'off', action_mode: action} = getOwaspPackage(zone) ?? {};
	const owaspLevel = newOwaspLevels[String(sensitivity)];
	if (owaspLevel === undefined) return [];
	const overrides = {
		categories: owaspLevel.disabledCategories.map(category => ({category, enabled: false})),
		rules: [
			{
				id: owaspThresholdRuleId,
				score_threshold: owaspLevel.threshold,
				action: newActions[String(action)] ?? 'managed_challenge',
			},
		],
	};
	return [buildExecuteRule(zone, newManagedRulesets.owasp.id, overrides)];
}
