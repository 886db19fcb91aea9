import {isJsonObject, type JsonObject} from '../../text/json.ts';
import {groupIdOf} from '../waf/lists.ts';
import {managedRulesets, thresholdRule} from '../waf/managed-ids.ts';
import {newActions, owaspLevels} from './documented-mapping.ts';
import {expressionOf} from './eligibility.ts';
import {type MigratingZone, owaspPackage, wafSetting} from './migrating-zone.ts';

/**
 * Builds the configuration that expresses a zone's old settings in new rules: exceptions first, then the
 * managed rulesets. Ids, versions and refs are empty.
 */
export const proposal = (zone: MigratingZone): JsonObject => ({
	name: 'default',
	rules: [
		...zone.bypasses.flatMap(bypassRule),
		...zone.pageRules.flatMap(pageRuleException),
		executeRule(zone, managedRulesets.platform.id, platformOverrides(zone)),
		...owaspRule(zone),
	].map(rule => ({id: '', version: '', ref: '', ...rule})),
});

function skipRule(expression: string, description: string, enabled: boolean): JsonObject {
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
 * Converts a firewall rule that bypasses managed rules; nothing if its filter is missing, because it matches
 * nothing.
 */
function bypassRule(rule: JsonObject): readonly JsonObject[] {
	const expression = expressionOf(rule);
	if (expression === undefined) return [];
	const filter = isJsonObject(rule.filter) ? rule.filter : {};
	const description = String(rule.description ?? filter.description ?? '');
	return [skipRule(expression, description, rule.paused !== true && filter.paused !== true)];
}

/** Converts a page rule that turns managed rules off; nothing if it turns them on. */
function pageRuleException(rule: JsonObject): readonly JsonObject[] {
	if (wafSetting(rule) === 'on') return [];
	const [target] = Array.isArray(rule.targets) ? rule.targets : [];
	const constraint = isJsonObject(target) ? target.constraint : undefined;
	const url = isJsonObject(constraint) ? constraint.value : undefined;
	if (typeof url !== 'string') return [];
	return [skipRule(urlExpression(url), `Page rule ${url}`, rule.status === 'active')];
}

/** Matches the URLs of a page rule: any scheme unless it names one; an asterisk matches anything. */
export function urlExpression(url: string): string {
	const pattern = /^[a-z*]+:\/\//.test(url) ? url : `*://${url}`;
	const written = pattern.replace(/\*{2,}/g, '*').replace(/["\\]/g, String.raw`\$&`);
	return `http.request.full_uri wildcard "${written}"`;
}

const executeRule = (zone: MigratingZone, id: string, overrides: JsonObject): JsonObject => ({
	action: 'execute',
	action_parameters: {id, ...(Object.keys(overrides).length > 0 && {overrides})},
	expression: 'true',
	description: '',
	enabled: zone.waf.isOn,
});

/** Overrides every rule whose mode differs from its default. */
function platformOverrides({waf}: MigratingZone): JsonObject {
	const rules = waf
		.packages()
		.filter(({detection_mode: mode}) => mode !== 'anomaly')
		.flatMap(one => {
			const off = new Set(
				waf.groups(String(one.id)).flatMap(group => (group.mode === 'off' ? [String(group.id)] : [])),
			);
			return waf.rules(String(one.id)).flatMap(rule => overrideOf(rule, off.has(groupIdOf(rule))));
		});
	return rules.length > 0 ? {rules} : {};
}

function overrideOf(
	{id, mode, default_mode: byDefault}: JsonObject,
	groupIsOff: boolean,
): readonly JsonObject[] {
	const isOff = groupIsOff || mode === 'disable' || mode === 'off';
	if (isOff) return byDefault === 'disable' ? [] : [{id: id ?? '', enabled: false}];
	if (mode === 'default' || mode === 'on' || mode === byDefault) return [];
	return [{id: id ?? '', action: newActions[String(mode)] ?? 'log', enabled: true}];
}

/** Executes the new OWASP ruleset at the level of the old sensitivity; empty if the package is off. */
function owaspRule(zone: MigratingZone): readonly JsonObject[] {
	const {sensitivity = 'off', action_mode: action} = owaspPackage(zone) ?? {};
	const level = owaspLevels[String(sensitivity)];
	if (level === undefined) return [];
	const overrides = {
		categories: level.disabled.map(category => ({category, enabled: false})),
		rules: [
			{
				id: thresholdRule,
				score_threshold: level.threshold,
				action: newActions[String(action)] ?? 'managed_challenge',
			},
		],
	};
	return [executeRule(zone, managedRulesets.owasp.id, overrides)];
}
