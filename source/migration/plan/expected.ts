import type {JsonObject} from '../../text/json.ts';
import type {Configuration} from '../configuration/configuration.ts';
import {type ExceptionDraft, exceptionRule} from '../configuration/exceptions.ts';
import {
	managedRulesets,
	newActions,
	type OwaspLevel,
	owaspLevels,
	paranoiaCategory,
	paranoiaLevels,
	sensitivities,
	thresholdRule,
} from '../configuration/mapping.ts';
import type {ConfiguredRule} from '../configuration/rule-overrides.ts';
import {
	type Previous,
	type PreviousBypass,
	type PreviousPackage,
	type PreviousPageRule,
	type PreviousRule,
	previousOf,
} from '../zone/previous-rules.ts';
import type {Snapshot} from '../zone/snapshot.ts';

/**
 * Builds the proposal that the documented mapping predicts. Never sent: it is compared with the service's
 * proposal, and differences are shown.
 */
export function expectedConfiguration(snapshot: Snapshot): Configuration {
	const previous = previousOf(snapshot);
	return {
		name: 'default',
		rules: [
			...previous.bypasses.flatMap(one => ruleOf(bypassException(one))),
			...previous.pageRules.flatMap(one => ruleOf(pageRuleException(one))),
			executeRule(previous, managedRulesets.platform.id, platformOverrides(previous)),
			...previous.packages.flatMap(one => expectedOwasp(previous, one)),
		],
	};
}

const ruleOf = (draft: ExceptionDraft | undefined): readonly ConfiguredRule[] =>
	draft ? [exceptionRule(draft)] : [];

/** Converts a firewall rule that bypasses managed rules to an exception. Undefined without a filter. */
export const bypassException = ({
	expression,
	description,
	isPaused,
}: PreviousBypass): ExceptionDraft | undefined =>
	expression === undefined ? undefined : {expression, description, skips: {kind: 'all'}, enabled: !isPaused};

/**
 * Converts a page rule that turns managed rules off to an exception. Undefined for one that turns them on.
 */
export function pageRuleException({url, does, isActive}: PreviousPageRule): ExceptionDraft | undefined {
	if (does === 'waf on' || url === '') return undefined;
	return {
		expression: pageRuleExpression(url),
		description: `Page rule ${url}`,
		skips: {kind: 'all'},
		enabled: isActive,
	};
}

/**
 * Builds an expression that tests the URL of a page rule: any scheme if it names none; `*` matches any text.
 */
export function pageRuleExpression(url: string): string {
	const pattern = /^[a-z*]+:\/\//.test(url) ? url : `*://${url}`;
	return `http.request.full_uri wildcard "${writtenUrl(pattern)}"`;
}

/** True if an expression tests the full URI against the URL of a page rule, in any form. */
export const testsPageRule = (expression: string, url: string): boolean =>
	url !== '' &&
	expression.includes('http.request.full_uri') &&
	[`"${writtenUrl(url)}"`, `//${writtenUrl(url)}"`].some(part => expression.includes(part));

const writtenUrl = (url: string): string => url.replace(/\*{2,}/g, '*').replace(/["\\]/g, String.raw`\$&`);

/** If the zone's switch is off, the rule is off, too. */
const executeRule = ({isOn}: Previous, id: string, overrides: JsonObject): ConfiguredRule => ({
	action: 'execute',
	action_parameters: {id, ...(Object.keys(overrides).length > 0 && {overrides})},
	expression: 'true',
	description: '',
	enabled: isOn !== false,
});

function platformOverrides({packages}: Previous): JsonObject {
	const rules = packages
		.filter(({kind}) => kind !== 'owasp')
		.flatMap(one => one.rules.flatMap(rule => expectedOverride(rule, isInGroupOff(one, rule)) ?? []));
	return rules.length > 0 ? {rules} : {};
}

/** True if the group of a rule is off, which turns off the rule. */
export const isInGroupOff = ({groups}: PreviousPackage, {group}: PreviousRule): boolean =>
	groups.some(({id, isOn}) => id === group?.id && !isOn);

/**
 * Builds the override that makes a new managed rule act like the old one. Undefined if it does so by default.
 */
export function expectedOverride(rule: PreviousRule, groupIsOff: boolean): JsonObject | undefined {
	const {id, mode, defaultMode} = rule;
	if (groupIsOff || mode === 'disable' || mode === 'off')
		return defaultMode === 'disable' ? undefined : {id, enabled: false};
	const action = newActions[mode];
	return action === undefined || mode === defaultMode ? undefined : {id, action, enabled: true};
}

/** Finds the new OWASP level for an old sensitivity. Undefined for `off` and unknown sensitivities. */
export function expectedLevel({sensitivity}: PreviousPackage): OwaspLevel | undefined {
	const known = sensitivities.find(one => one === (sensitivity ?? 'default').toLowerCase());
	return known && owaspLevels[known];
}

/** The default action of the previous OWASP package was challenge. */
export const expectedAction = ({actionMode = 'challenge'}: PreviousPackage) =>
	newActions[actionMode.toLowerCase()];

/** True if the new action differs from the old one. `simulate` and `log` are the same action. */
export const changesAction = (mode: string | undefined, action: string): boolean => {
	const before = (mode ?? 'challenge').toLowerCase();
	return before !== 'simulate' && before !== action;
};

function expectedOwasp(previous: Previous, one: PreviousPackage): readonly ConfiguredRule[] {
	const level = one.kind === 'owasp' ? expectedLevel(one) : undefined;
	if (level === undefined) return [];
	const action = expectedAction(one);
	const overrides = {
		categories: paranoiaLevels
			.filter(paranoia => paranoia > level.paranoia)
			.map(paranoia => ({category: paranoiaCategory(paranoia), enabled: false})),
		rules: [{id: thresholdRule, score_threshold: level.threshold, ...(action && {action})}],
	};
	return [executeRule(previous, managedRulesets.owasp.id, overrides)];
}
