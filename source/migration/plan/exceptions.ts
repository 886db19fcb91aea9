import type {ManagedConfiguration} from '../configuration/configuration.ts';
import {describeConfiguredRule, formatConfiguredRuleName} from '../configuration/difference-words.ts';
import {formatSkips, parseSkips} from '../configuration/exceptions.ts';
import type {ConfiguredRule} from '../configuration/rule-overrides.ts';
import type {PreviousBypass, PreviousManagedRules, PreviousPageRule} from '../zone/previous-rules.ts';
import {matchesPageRule} from './expected.ts';
import {buildUnreadRows, type PlanRow} from './row.ts';

/** The index of the new rule that replaces each old exception; undefined if none does. */
type ExceptionMatches = {
	readonly bypasses: ReadonlyMap<PreviousBypass, number | undefined>;
	readonly pageRules: ReadonlyMap<PreviousPageRule, number | undefined>;
};

/** Builds the rows of old firewall rules and page rules, and of the new exceptions. */
export function buildExceptionRows(
	previous: PreviousManagedRules,
	{rules}: ManagedConfiguration,
): readonly PlanRow[] {
	const matches = findExceptions(previous, rules);
	const matchedIndexes = new Set([...matches.bypasses.values(), ...matches.pageRules.values()]);
	return [
		...buildUnreadRows('the firewall rules', previous.unreadReasons.firewallRules),
		...buildUnreadRows('the page rules', previous.unreadReasons.pageRules),
		...previous.bypasses.map(bypass => buildBypassRow(bypass, rules, matches.bypasses.get(bypass))),
		...previous.pageRules.map(rule => buildPageRuleRow(rule, previous, rules, matches.pageRules.get(rule))),
		...rules.flatMap((rule, index): PlanRow[] =>
			rule.action !== 'skip' || matchedIndexes.has(index)
				? []
				: [
						{
							what: formatConfiguredRuleName(rules, index),
							now: previous.unreadReasons.firewallRules ?? previous.unreadReasons.pageRules ?? 'none',
							after: `${formatPosition(index)}: ${describeConfiguredRule(rule)}`,
						},
					],
		),
	];
}

/** Matches old exceptions to new ones. Each new exception matches at most one old one. */
export function findExceptions(
	{bypasses, pageRules}: Pick<PreviousManagedRules, 'bypasses' | 'pageRules'>,
	rules: readonly ConfiguredRule[],
): ExceptionMatches {
	const matchedIndexes = new Set<number>();
	const findMatch = (isMatch: (rule: ConfiguredRule) => boolean, isPaused: boolean): number | undefined => {
		const candidates = rules.flatMap((rule, index) =>
			rule.action === 'skip' && !matchedIndexes.has(index) && isMatch(rule) ? [index] : [],
		);
		const match = candidates.find(index => (rules[index]?.enabled === false) === isPaused) ?? candidates[0];
		if (match !== undefined) matchedIndexes.add(match);
		return match;
	};
	return {
		bypasses: new Map(
			bypasses.map(bypass => [
				bypass,
				bypass.expression === undefined
					? undefined
					: findMatch(({expression}) => expression === bypass.expression, bypass.isPaused),
			]),
		),
		pageRules: new Map(
			pageRules.map(rule => [
				rule,
				rule.effect === 'waf on'
					? undefined
					: findMatch(({expression}) => matchesPageRule(expression, rule.url), !rule.isActive),
			]),
		),
	};
}

/** True if an active exception tests the URL of the page rule. */
export const hasPageRuleException = (url: string, {rules}: Pick<ManagedConfiguration, 'rules'>): boolean =>
	rules.some(
		({action, enabled, expression}) =>
			action === 'skip' && enabled !== false && matchesPageRule(expression, url),
	);

function buildBypassRow(
	{id, description, expression, isPaused, otherProducts}: PreviousBypass,
	rules: readonly ConfiguredRule[],
	index: number | undefined,
): PlanRow {
	const row = {
		what: `firewall rule ${description ? `"${description}"` : id}`,
		now: `bypass ${['waf', ...otherProducts].join(', ')}${isPaused ? ', paused' : ''}`,
	};
	if (expression === undefined)
		return {...row, after: 'nothing: its filter was deleted, so it matches nothing', mark: 'same'};
	const rule = index === undefined ? undefined : rules[index];
	if (index === undefined || !rule)
		return isPaused
			? {...row, after: 'no exception; it is paused', mark: 'warning'}
			: {...row, after: 'no exception: managed rules will run there', mark: 'warning'};
	const remaining = otherProducts.length > 0 ? `; still bypasses ${otherProducts.join(', ')}` : '';
	return {
		...row,
		after: `${describeException(rule, index)}${remaining}`,
		...(hasSameEffect(rule, isPaused) ? {} : {mark: 'warning'}),
	};
}

const pageRuleWords = {
	'waf on': 'WAF on',
	'waf off': 'WAF off',
	'security disabled': 'Disable Security',
} as const satisfies Record<PreviousPageRule['effect'], string>;

function buildPageRuleRow(
	{id, url, effect, isActive}: PreviousPageRule,
	{isOn}: PreviousManagedRules,
	rules: readonly ConfiguredRule[],
	index: number | undefined,
): PlanRow {
	const row = {
		what: `page rule ${url || id}`,
		now: `${pageRuleWords[effect]}${isActive ? '' : ', not active'}`,
	};
	const noEffect =
		effect === 'security disabled'
			? 'it no longer affects managed rules'
			: 'the page rule no longer has an effect';
	if (effect === 'waf on')
		return isOn === false && isActive
			? {...row, after: `${noEffect}; managed rules run as their execute rules specify`, mark: 'warning'}
			: {...row, after: noEffect, mark: 'same'};
	const rule = index === undefined ? undefined : rules[index];
	if (index !== undefined && rule)
		return {
			...row,
			after: `${describeException(rule, index)}; ${noEffect}`,
			...(hasSameEffect(rule, !isActive) ? {} : {mark: 'warning'}),
		};
	return isActive
		? {...row, after: `no exception, and ${noEffect}: managed rules will run there`, mark: 'warning'}
		: {...row, after: 'no exception; it is not active', mark: 'same'};
}

/** True if an exception skips all managed rules and is on exactly when its old rule was. */
const hasSameEffect = (rule: ConfiguredRule, wasOff: boolean): boolean =>
	(rule.enabled === false) === wasOff && parseSkips(rule)?.kind === 'all';

function describeException(rule: ConfiguredRule, index: number): string {
	const skips = parseSkips(rule);
	const scope =
		skips?.kind === 'all'
			? ''
			: ` ${skips ? formatSkips(skips) : JSON.stringify(rule.action_parameters)} only`;
	return `skip${scope}, ${formatPosition(index)}${rule.enabled === false ? ', off' : ''}`;
}

const formatPosition = (index: number): string => (index === 0 ? 'first rule' : `rule ${index + 1}`);
