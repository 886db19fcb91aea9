import {customPhase} from '../../rulesets/ruleset.ts';
import {isJsonObject, type JsonObject} from '../../text/json.ts';
import {parseRulesExport, readExportedFirewall} from '../export/read-export.ts';
import {toCustomRule} from '../rules/custom-rule.ts';
import type {Filter} from '../rules/filter.ts';
import {getRuleOrdering, sortForEvaluation} from '../rules/order.ts';
import type {Rule} from '../rules/rule.ts';
import type {LintedRule, LintInput, RuleGroup} from './rule-group.ts';

type FirewallSource = {
	readonly source: RuleGroup['source'];
	/** True if the rules are in the order of the service. */
	readonly isListOrder: boolean;
	/** Returns what a file says about a rule or filter. */
	describe?(item: Rule | Filter): Pick<LintedRule, 'address' | 'unknownReason'>;
};

/** Groups the firewall rules of a zone in order of evaluation, and the filters that none of them uses. */
export function groupFirewallRules(
	rules: readonly Rule[],
	filters: readonly Filter[],
	{source, isListOrder, describe}: FirewallSource,
): readonly RuleGroup[] {
	const isOrderCertain = getRuleOrdering(rules) === 'priority';
	const usedFilterIds = new Set(rules.map(({filter}) => filter.id));
	const toLintedRule = (rule: Rule, index: number): LintedRule => ({
		position: index + 1,
		action: rule.action,
		...('deleted' in rule.filter
			? {rule: {id: rule.id, action: rule.action, expression: ''}, unknownReason: 'its filter was deleted'}
			: {rule: {...toCustomRule(rule), id: rule.id}}),
		...(!isOrderCertain && {listIndex: isListOrder ? rules.indexOf(rule) : 'unknown'}),
		...describe?.(rule),
	});
	const unusedFilters = filters.filter(({id}) => !usedFilterIds.has(id));
	const common = {source, phase: customPhase} as const;
	return [
		{...common, noun: 'firewall rule', rules: sortForEvaluation(rules).map(toLintedRule)},
		{
			...common,
			noun: 'filter',
			rules: unusedFilters.map((filter, index) => {
				const {id, expression, description, ref} = filter;
				return {
					position: index + 1,
					action: '',
					rule: {id, action: '', expression, ...(description && {description}), ...(ref && {ref})},
					...describe?.(filter),
				};
			}),
		},
	];
}

/** True for the JSON of `firewall export`, with filters and rules or with custom rules only. */
export const isFirewallExport = (value: unknown): value is JsonObject =>
	isJsonObject(value) && Array.isArray(value.rules);

/** Groups the rules of a firewall export. Fails with `input_malformed` if it is not one. */
export function groupFirewallExport(json: JsonObject, fileName: string): LintInput {
	const source = {kind: 'file', name: fileName} as const;
	// Fails for an export that cannot be read.
	const {rules: customRules} = parseRulesExport(JSON.stringify(json), fileName);
	if (Array.isArray(json.filters) && Array.isArray(json.rules)) {
		const {rules, filters} = readExportedFirewall(json.filters, json.rules);
		return {groups: groupFirewallRules(rules, filters, {source, isListOrder: true}), leftOut: []};
	}
	const rules = customRules.map((rule, index) => ({position: index + 1, rule, action: rule.action}));
	return {groups: [{source, noun: 'custom rule', phase: customPhase, rules}], leftOut: []};
}
