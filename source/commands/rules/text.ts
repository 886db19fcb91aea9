import {formatCustomRuleAction, formatCustomRuleResponse} from '../../firewall/rules/custom-rule-words.ts';
import {formatRate, formatRateLimitTimeout, parseRateLimit} from '../../firewall/rules/rate-limit.ts';
import {pickUnknownFields, type RulesetRule} from '../../rulesets/ruleset.ts';
import type {Output} from '../../terminal/output.ts';
import type {TextColumn} from '../../terminal/table.ts';
import {buildEndColumn, formatExpressionTable, formatFacts} from '../firewall/text.ts';

type PlacedRule = {readonly rule: RulesetRule; readonly position: number};

const toPlacedRules = (rules: readonly RulesetRule[]): readonly PlacedRule[] =>
	rules.map((rule, index) => ({rule, position: index + 1}));

/** Formats custom rules as a table, in evaluation order. */
export function formatCustomRuleTable(rules: readonly RulesetRule[], output: Output): string {
	const columns: TextColumn<PlacedRule>[] = [
		{title: 'POSITION', align: 'right', cell: ({position}) => String(position)},
		{title: 'ID', cell: ({rule}) => rule.id ?? '-'},
		{title: 'ACTION', cell: ({rule}) => formatCustomRuleAction(rule)},
		{title: 'PAUSED', cell: ({rule}) => (rule.enabled === false ? 'paused' : '-')},
		...buildEndColumn(toPlacedRules(rules), ({rule}) => rule.expression),
		{title: 'DESCRIPTION', cell: ({rule}) => rule.description || '-'},
	];
	return formatExpressionTable(columns, toPlacedRules(rules), ({rule}) => rule.expression, output);
}

/** Formats rate limits as a table, in evaluation order. */
export function formatRateLimitTable(rules: readonly RulesetRule[], output: Output): string {
	const columns: TextColumn<PlacedRule>[] = [
		{title: 'POSITION', align: 'right', cell: ({position}) => String(position)},
		{title: 'ID', cell: ({rule}) => rule.id ?? '-'},
		{title: 'STATE', cell: ({rule}) => (rule.enabled === false ? 'off' : 'on')},
		{title: 'ACTION', cell: ({rule}) => formatCustomRuleAction(rule)},
		{title: 'LIMIT', cell: ({rule}) => formatRate(parseRateLimit(rule)) ?? '-'},
		{title: 'BY', cell: ({rule}) => parseRateLimit(rule).characteristics.join(', ') || '-'},
		{title: 'FOR', cell: ({rule}) => formatRateLimitTimeout(parseRateLimit(rule)) ?? '-'},
		{title: 'DESCRIPTION', cell: ({rule}) => rule.description || '-'},
	];
	return formatExpressionTable(columns, toPlacedRules(rules), ({rule}) => rule.expression, output);
}

/** Formats one rate limit, one line per known value. */
export function formatRateLimit(rule: RulesetRule, position: number, count: number): string {
	const {id, ref, description, expression, enabled} = rule;
	const {ratelimit: _, ...unknown} = pickUnknownFields(rule);
	const rateLimit = parseRateLimit(rule);
	const otherFields = {...unknown, ...rateLimit.unknownFields};
	return formatFacts([
		['id', id],
		['position', `${position} of ${count} rate limits`],
		['state', enabled === false ? 'off' : 'on'],
		['action', formatCustomRuleAction(rule)],
		['limit', formatRate(rateLimit)],
		['counted per', rateLimit.characteristics.join(', ') || undefined],
		['action for', formatRateLimitTimeout(rateLimit)],
		['description', description || undefined],
		['ref', ref === id ? undefined : ref],
		['expression', expression],
		['counts', rateLimit.countingExpression],
		['response', formatCustomRuleResponse(rule)],
		['other', Object.keys(otherFields).length > 0 ? JSON.stringify(otherFields) : undefined],
	]);
}

/** Formats one custom rule, one line per known value. */
export function formatCustomRule(rule: RulesetRule, position: number, count: number): string {
	const {id, ref, description, expression, enabled, logging} = rule;
	const otherFields = pickUnknownFields(rule);
	return formatFacts([
		['id', id],
		['position', `${position} of ${count}`],
		['action', formatCustomRuleAction(rule)],
		['paused', enabled === false ? 'yes' : 'no'],
		['description', description || undefined],
		['ref', ref === id ? undefined : ref],
		['expression', expression],
		['response', formatCustomRuleResponse(rule)],
		['logged', logging ? (logging.enabled ? 'yes' : 'no') : undefined],
		['other', Object.keys(otherFields).length > 0 ? JSON.stringify(otherFields) : undefined],
	]);
}

/**
 * Converts a rule to the JSON of `--json`: as the service returns it, with its position from 1 as `place`.
 */
export const toCustomRuleJson = (rule: RulesetRule, place: number) => ({place, ...rule});

/** Formats a rule on one line, for the order shown before a move. */
export const formatCustomRuleLine = (rule: RulesetRule, position: number): string =>
	`${String(position).padStart(4)}  ${rule.id ?? 'new'}  ${formatCustomRuleAction(rule)}${rule.enabled === false ? ' (paused)' : ''}  ${rule.description || rule.expression}`;
