import type {JsonObject} from '../../text/json.ts';
import type {ManagedConfiguration} from '../configuration/configuration.ts';
import {buildExceptionRule, type ExceptionDraft} from '../configuration/exceptions.ts';
import {
	getParanoiaCategory,
	managedRulesets,
	migratedActions,
	type OwaspLevel,
	owaspLevels,
	paranoiaLevels,
	sensitivities,
	thresholdRuleId,
} from '../configuration/mapping.ts';
import type {ConfiguredRule} from '../configuration/rule-overrides.ts';
import {
	type PreviousBypass,
	type PreviousManagedRules,
	type PreviousPackage,
	type PreviousPageRule,
	type PreviousRule,
	parsePreviousRules,
} from '../zone/previous-rules.ts';
import type {Snapshot} from '../zone/snapshot.ts';

/**
 * Builds the proposal that the documented mapping predicts. It is never sent, only compared with the
 * service's proposal to show the differences.
 */
export function buildExpectedConfiguration(snapshot: Snapshot): ManagedConfiguration {
	const previous = parsePreviousRules(snapshot);
	return {
		name: 'default',
		rules: [
			...previous.bypasses.flatMap(one => buildExceptionRules(toBypassException(one))),
			...previous.pageRules.flatMap(one => buildExceptionRules(toPageRuleException(one))),
			buildExecuteRule(previous, managedRulesets.platform.id, buildPlatformOverrides(previous)),
			...previous.packages.flatMap(one => buildOwaspRules(previous, one)),
		],
	};
}

const buildExceptionRules = (draft: ExceptionDraft | undefined): readonly ConfiguredRule[] =>
	draft ? [buildExceptionRule(draft)] : [];

/** Converts a firewall rule that bypasses managed rules to an exception. Undefined without a filter. */
export const toBypassException = ({
	expression,
	description,
	isPaused,
}: PreviousBypass): ExceptionDraft | undefined =>
	expression === undefined ? undefined : {expression, description, skips: {kind: 'all'}, enabled: !isPaused};

/**
 * Converts a page rule that turns managed rules off to an exception. Undefined if the page rule turns them
 * on.
 */
export function toPageRuleException({url, effect, isActive}: PreviousPageRule): ExceptionDraft | undefined {
	if (effect === 'waf on' || url === '') return undefined;
	return {
		expression: buildPageRuleExpression(url),
		description: `Page rule ${url}`,
		skips: {kind: 'all'},
		enabled: isActive,
	};
}

/**
 * Builds an expression that tests the URL of a page rule. If the URL has no scheme, any scheme matches; `*`
 * matches any text.
 */
export function buildPageRuleExpression(url: string): string {
	const pattern = /^[a-z*]+:\/\//.test(url) ? url : `*://${url}`;
	return `http.request.full_uri wildcard "${escapeUrl(pattern)}"`;
}

/** True if an expression tests the full URI against the URL of a page rule, with or without a scheme. */
export const matchesPageRule = (expression: string, url: string): boolean =>
	url !== '' &&
	expression.includes('http.request.full_uri') &&
	[`"${escapeUrl(url)}"`, `//${escapeUrl(url)}"`].some(part => expression.includes(part));

const escapeUrl = (url: string): string => url.replace(/\*{2,}/g, '*').replace(/["\\]/g, String.raw`\$&`);

/** Builds an execute rule. If the zone's switch is off, the rule is off, too. */
const buildExecuteRule = (
	{isOn}: PreviousManagedRules,
	id: string,
	overrides: JsonObject,
): ConfiguredRule => ({
	action: 'execute',
	action_parameters: {id, ...(Object.keys(overrides).length > 0 && {overrides})},
	expression: 'true',
	description: '',
	enabled: isOn !== false,
});

function buildPlatformOverrides({packages}: PreviousManagedRules): JsonObject {
	const rules = packages
		.filter(({kind}) => kind !== 'owasp')
		.flatMap(one => one.rules.flatMap(rule => buildExpectedOverride(rule, isGroupOff(one, rule)) ?? []));
	return rules.length > 0 ? {rules} : {};
}

/** True if the group of a rule is off, which turns off the rule. */
export const isGroupOff = ({groups}: PreviousPackage, {group}: PreviousRule): boolean =>
	groups.some(({id, isOn}) => id === group?.id && !isOn);

/**
 * Builds the override that makes a new managed rule act like the old one. Undefined if no override is needed.
 */
export function buildExpectedOverride(rule: PreviousRule, isOffByGroup: boolean): JsonObject | undefined {
	const {id, mode, defaultMode} = rule;
	if (isOffByGroup || mode === 'disable' || mode === 'off')
		return defaultMode === 'disable' ? undefined : {id, enabled: false};
	const action = migratedActions[mode];
	return action === undefined || mode === defaultMode ? undefined : {id, action, enabled: true};
}

/** Finds the new OWASP level for an old sensitivity. Undefined for `off` and for unknown sensitivities. */
export function findExpectedLevel({sensitivity}: PreviousPackage): OwaspLevel | undefined {
	const knownSensitivity = sensitivities.find(one => one === (sensitivity ?? 'default').toLowerCase());
	return knownSensitivity && owaspLevels[knownSensitivity];
}

/**
 * Finds the new action of the OWASP ruleset. The default action of the previous OWASP package was challenge.
 */
export const findExpectedAction = ({actionMode = 'challenge'}: PreviousPackage) =>
	migratedActions[actionMode.toLowerCase()];

/** True if the new action differs from the old one. `simulate` and `log` count as the same action. */
export const isActionChanged = (mode: string | undefined, action: string): boolean => {
	const oldAction = (mode ?? 'challenge').toLowerCase();
	return oldAction !== 'simulate' && oldAction !== action;
};

function buildOwaspRules(
	previous: PreviousManagedRules,
	oldPackage: PreviousPackage,
): readonly ConfiguredRule[] {
	const expectedLevel = oldPackage.kind === 'owasp' ? findExpectedLevel(oldPackage) : undefined;
	if (expectedLevel === undefined) return [];
	const action = findExpectedAction(oldPackage);
	const overrides = {
		categories: paranoiaLevels
			.filter(paranoiaLevel => paranoiaLevel > expectedLevel.paranoia)
			.map(paranoiaLevel => ({category: getParanoiaCategory(paranoiaLevel), enabled: false})),
		rules: [{id: thresholdRuleId, score_threshold: expectedLevel.threshold, ...(action && {action})}],
	};
	return [buildExecuteRule(previous, managedRulesets.owasp.id, overrides)];
}
