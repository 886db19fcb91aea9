import type {Configuration} from '../configuration/configuration.ts';
import {ruleInWords, ruleName} from '../configuration/difference-words.ts';
import {readSkips, skipsInWords} from '../configuration/exceptions.ts';
import type {ConfiguredRule} from '../configuration/rule-overrides.ts';
import type {Previous, PreviousBypass, PreviousPageRule} from '../zone/previous-rules.ts';
import {testsPageRule} from './expected.ts';
import {type PlanRow, unreadRow} from './row.ts';

/** The index of the rule that each old exception became; undefined if none. */
type FoundExceptions = {
	readonly bypasses: ReadonlyMap<PreviousBypass, number | undefined>;
	readonly pageRules: ReadonlyMap<PreviousPageRule, number | undefined>;
};

/** Builds the rows of old firewall rules and page rules, and of the new exceptions. */
export function exceptionRows(previous: Previous, {rules}: Configuration): readonly PlanRow[] {
	const found = findExceptions(previous, rules);
	const known = new Set([...found.bypasses.values(), ...found.pageRules.values()]);
	return [
		...unreadRow('the firewall rules', previous.unread.firewallRules),
		...unreadRow('the page rules', previous.unread.pageRules),
		...previous.bypasses.map(bypass => bypassRow(bypass, rules, found.bypasses.get(bypass))),
		...previous.pageRules.map(rule => pageRuleRow(rule, previous, rules, found.pageRules.get(rule))),
		...rules.flatMap((rule, index): PlanRow[] =>
			rule.action !== 'skip' || known.has(index)
				? []
				: [
						{
							what: ruleName(rules, index),
							now: previous.unread.firewallRules ?? previous.unread.pageRules ?? 'none',
							after: `${placeOf(index)}: ${ruleInWords(rule)}`,
						},
					],
		),
	];
}

/** Matches old exceptions to new ones. Each new exception matches at most one. */
export function findExceptions(
	{bypasses, pageRules}: Pick<Previous, 'bypasses' | 'pageRules'>,
	rules: readonly ConfiguredRule[],
): FoundExceptions {
	const taken = new Set<number>();
	const find = (isIt: (rule: ConfiguredRule) => boolean, isPaused: boolean): number | undefined => {
		const fitting = rules.flatMap((rule, index) =>
			rule.action === 'skip' && !taken.has(index) && isIt(rule) ? [index] : [],
		);
		const found = fitting.find(index => (rules[index]?.enabled === false) === isPaused) ?? fitting[0];
		if (found !== undefined) taken.add(found);
		return found;
	};
	return {
		bypasses: new Map(
			bypasses.map(bypass => [
				bypass,
				bypass.expression === undefined
					? undefined
					: find(({expression}) => expression === bypass.expression, bypass.isPaused),
			]),
		),
		pageRules: new Map(
			pageRules.map(rule => [
				rule,
				rule.does === 'waf on'
					? undefined
					: find(({expression}) => testsPageRule(expression, rule.url), !rule.isActive),
			]),
		),
	};
}

/** True if an active exception tests the URL of a page rule. */
export const isSkipped = (url: string, {rules}: Pick<Configuration, 'rules'>): boolean =>
	rules.some(
		({action, enabled, expression}) =>
			action === 'skip' && enabled !== false && testsPageRule(expression, url),
	);

function bypassRow(
	{id, description, expression, isPaused, others}: PreviousBypass,
	rules: readonly ConfiguredRule[],
	found: number | undefined,
): PlanRow {
	const row = {
		what: `firewall rule ${description ? `"${description}"` : id}`,
		now: `bypass ${['waf', ...others].join(', ')}${isPaused ? ', paused' : ''}`,
	};
	if (expression === undefined)
		return {...row, after: 'nothing: its filter is deleted, so it matches nothing', mark: 'same'};
	const rule = found === undefined ? undefined : rules[found];
	if (found === undefined || !rule)
		return isPaused
			? {...row, after: 'no exception; it is paused', mark: 'warning'}
			: {...row, after: 'no exception: managed rules will run there', mark: 'warning'};
	const stays = others.length > 0 ? `; still bypasses ${others.join(', ')}` : '';
	return {
		...row,
		after: `${exceptionAfter(rule, found)}${stays}`,
		...(isLikeBefore(rule, isPaused) ? {} : {mark: 'warning'}),
	};
}

const pageRuleWords = {
	'waf on': 'WAF on',
	'waf off': 'WAF off',
	'security disabled': 'Disable Security',
} as const satisfies Record<PreviousPageRule['does'], string>;

function pageRuleRow(
	{id, url, does, isActive}: PreviousPageRule,
	{isOn}: Previous,
	rules: readonly ConfiguredRule[],
	found: number | undefined,
): PlanRow {
	const row = {
		what: `page rule ${url || id}`,
		now: `${pageRuleWords[does]}${isActive ? '' : ', not active'}`,
	};
	const without =
		does === 'security disabled'
			? 'it no longer affects managed rules'
			: 'the page rule no longer has an effect';
	if (does === 'waf on')
		return isOn === false && isActive
			? {...row, after: `${without}; managed rules run where their rules say`, mark: 'warning'}
			: {...row, after: without, mark: 'same'};
	const rule = found === undefined ? undefined : rules[found];
	if (found !== undefined && rule)
		return {
			...row,
			after: `${exceptionAfter(rule, found)}; ${without}`,
			...(isLikeBefore(rule, !isActive) ? {} : {mark: 'warning'}),
		};
	return isActive
		? {...row, after: `no exception, and ${without}: managed rules will run there`, mark: 'warning'}
		: {...row, after: 'no exception; it is not active', mark: 'same'};
}

/** True if an exception skips all managed rules and is on exactly if its old rule was. */
const isLikeBefore = (rule: ConfiguredRule, wasOff: boolean): boolean =>
	(rule.enabled === false) === wasOff && readSkips(rule)?.kind === 'all';

function exceptionAfter(rule: ConfiguredRule, index: number): string {
	const skips = readSkips(rule);
	const what =
		skips?.kind === 'all'
			? ''
			: ` ${skips ? skipsInWords(skips) : JSON.stringify(rule.action_parameters)} only`;
	return `skip${what}, ${placeOf(index)}${rule.enabled === false ? ', off' : ''}`;
}

const placeOf = (index: number): string => (index === 0 ? 'first in order' : `rule ${index + 1}`);
