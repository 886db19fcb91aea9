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
 * What the proposal should be by the documented mapping. It is never sent: it is compared with what the service proposes, and differences are shown to a person.
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

/** What a firewall rule that bypasses managed rules becomes; without its filter it becomes nothing. */
export const bypassException = ({
	expression,
	description,
	isPaused,
}: PreviousBypass): ExceptionDraft | undefined =>
	expression === undefined ? undefined : {expression, description, skips: {kind: 'all'}, enabled: !isPaused};

/** What a page rule that turns managed rules off becomes; a page rule that turns them on becomes nothing. */
export function pageRuleException({url, does, isActive}: PreviousPageRule): ExceptionDraft | undefined {
	if (does === 'waf on' || url === '') return undefined;
	return {
		expression: pageRuleExpression(url),
		description: `Page rule ${url}`,
		skips: {kind: 'all'},
		enabled: isActive,
	};
}

/** What tests the URL of a page rule: any scheme unless it names one, and `*` for any text. */
export function pageRuleExpression(url: string): string {
	const pattern = /^[a-z*]+:\/\//.test(url) ? url : `*://${url}`;
	return `http.request.full_uri wildcard "${writtenUrl(pattern)}"`;
}

/** Whether an expression tests the whole address against the URL of a page rule, however else it is written. */
export const testsPageRule = (expression: string, url: string): boolean =>
	url !== '' &&
	expression.includes('http.request.full_uri') &&
	[`"${writtenUrl(url)}"`, `//${writtenUrl(url)}"`].some(part => expression.includes(part));

const writtenUrl = (url: string): string => url.replace(/\*{2,}/g, '*').replace(/["\\]/g, String.raw`\$&`);

/** With the switch of the zone off, nothing is to be on afterwards either. */
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

/** Whether the group of a rule is off, and the rule with it. */
export const isInGroupOff = ({groups}: PreviousPackage, {group}: PreviousRule): boolean =>
	groups.some(({id, isOn}) => id === group?.id && !isOn);

/** The override that makes a new managed rule do what the old one does; `undefined` where it does so by default. */
export function expectedOverride(rule: PreviousRule, groupIsOff: boolean): JsonObject | undefined {
	const {id, mode, defaultMode} = rule;
	if (groupIsOff || mode === 'disable' || mode === 'off')
		return defaultMode === 'disable' ? undefined : {id, enabled: false};
	const action = newActions[mode];
	return action === undefined || mode === defaultMode ? undefined : {id, action, enabled: true};
}

/** The level of the new OWASP ruleset for an old sensitivity; `undefined` for `off` and what the table lacks. */
export function expectedLevel({sensitivity}: PreviousPackage): OwaspLevel | undefined {
	const known = sensitivities.find(one => one === (sensitivity ?? 'default').toLowerCase());
	return known && owaspLevels[known];
}

/** Where nothing is said, the previous OWASP package challenged. */
export const expectedAction = ({actionMode = 'challenge'}: PreviousPackage) =>
	newActions[actionMode.toLowerCase()];

/** Whether an old action becomes another one. `Simulate` becomes `Log`, which is another name for the same. */
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
