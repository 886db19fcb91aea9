import {answerOf, doing} from '../../firewall/rules/custom-rule-words.ts';
import {rateLimitOf, rateWords, timeoutWords} from '../../firewall/rules/rate-limit.ts';
import {type RulesetRule, unknownFields} from '../../rulesets/ruleset.ts';
import type {Output} from '../../terminal/output.ts';
import type {Column} from '../../terminal/table.ts';
import {facts, withExpressionColumn} from '../firewall/text.ts';

type Placed = {readonly rule: RulesetRule; readonly place: number};

const placed = (rules: readonly RulesetRule[]): readonly Placed[] =>
	rules.map((rule, index) => ({rule, place: index + 1}));

/** Formats custom rules as a table, in evaluation order. */
export function customRuleTable(rules: readonly RulesetRule[], output: Output): string {
	const columns: Column<Placed>[] = [
		{title: 'PLACE', align: 'right', cell: ({place}) => String(place)},
		{title: 'ID', cell: ({rule}) => rule.id ?? '-'},
		{title: 'ACTION', cell: ({rule}) => doing(rule)},
		{title: 'PAUSED', cell: ({rule}) => (rule.enabled === false ? 'paused' : '-')},
		{title: 'DESCRIPTION', cell: ({rule}) => rule.description || '-'},
	];
	return withExpressionColumn(columns, placed(rules), ({rule}) => rule.expression, output);
}

/** Formats rate limits as a table, in evaluation order. */
export function rateLimitTable(rules: readonly RulesetRule[], output: Output): string {
	const columns: Column<Placed>[] = [
		{title: 'PLACE', align: 'right', cell: ({place}) => String(place)},
		{title: 'ID', cell: ({rule}) => rule.id ?? '-'},
		{title: 'STATE', cell: ({rule}) => (rule.enabled === false ? 'off' : 'on')},
		{title: 'ACTION', cell: ({rule}) => doing(rule)},
		{title: 'LIMIT', cell: ({rule}) => rateWords(rateLimitOf(rule)) ?? '-'},
		{title: 'BY', cell: ({rule}) => rateLimitOf(rule).characteristics.join(', ') || '-'},
		{title: 'FOR', cell: ({rule}) => timeoutWords(rateLimitOf(rule)) ?? '-'},
		{title: 'DESCRIPTION', cell: ({rule}) => rule.description || '-'},
	];
	return withExpressionColumn(columns, placed(rules), ({rule}) => rule.expression, output);
}

/** Formats one rate limit, one line per known value. */
export function rateLimitText(rule: RulesetRule, place: number, of: number): string {
	const {id, ref, description, expression, enabled} = rule;
	const {ratelimit: _, ...unknown} = unknownFields(rule);
	const limit = rateLimitOf(rule);
	const others = {...unknown, ...limit.others};
	return facts([
		['id', id],
		['place', `${place} of ${of} rate limits`],
		['state', enabled === false ? 'off' : 'on'],
		['action', doing(rule)],
		['limit', rateWords(limit)],
		['counted by', limit.characteristics.join(', ') || undefined],
		['action for', timeoutWords(limit)],
		['description', description || undefined],
		['ref', ref === id ? undefined : ref],
		['expression', expression],
		['counts', limit.counting],
		['answer', answerOf(rule)],
		['others', Object.keys(others).length > 0 ? JSON.stringify(others) : undefined],
	]);
}

/** Formats one custom rule, one line per known value. */
export function customRuleText(rule: RulesetRule, place: number, of: number): string {
	const {id, ref, description, expression, enabled, logging} = rule;
	const others = unknownFields(rule);
	return facts([
		['id', id],
		['place', `${place} of ${of}`],
		['action', doing(rule)],
		['paused', enabled === false ? 'yes' : 'no'],
		['description', description || undefined],
		['ref', ref === id ? undefined : ref],
		['expression', expression],
		['answer', answerOf(rule)],
		['logged', logging ? (logging.enabled ? 'yes' : 'no') : undefined],
		['others', Object.keys(others).length > 0 ? JSON.stringify(others) : undefined],
	]);
}

/** Converts a rule to the JSON of `--json`: as the service returns it, with its place. */
export const ruleValue = (rule: RulesetRule, place: number) => ({place, ...rule});

/** Formats a rule on one line, for the order shown before a move. */
export const lineOf = (rule: RulesetRule, place: number): string =>
	`${String(place).padStart(4)}  ${rule.id ?? 'new'}  ${doing(rule)}${rule.enabled === false ? ' (paused)' : ''}  ${rule.description || rule.expression}`;
