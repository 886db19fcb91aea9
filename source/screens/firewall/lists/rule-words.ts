import type {Rule} from '../../../firewall/rules/rule.ts';
import {toDrawable} from '../../../text/columns.ts';
import {cutEnd} from '../../../text/cut.ts';
import {formatInteger} from '../../../text/figures.ts';
import {cutToLine, listFirst} from '../../rows/dialog-lines.ts';
import {getListedExpression, getRulePosition} from '../list.ts';
import type {FirewallState} from '../state.ts';

/** Names a rule by its number in the list: "rule 3". */
export function formatRulePosition(state: Pick<FirewallState, 'rules'>, rule: Rule): string {
	const position = getRulePosition(state, rule);
	return position === 0 ? 'this rule' : `rule ${formatInteger(position)}`;
}

/** Describes a rule unmistakably: "rule 3 (block): ip.src eq 192.0.2.1"; without a number if it is not listed. */
export function describeRule(state: FirewallState, rule: Rule): string {
	const text = rule.description || getListedExpression(rule) || `its filter ${rule.filter.id} was deleted`;
	const isListed = getRulePosition(state, rule) > 0;
	const name = isListed ? `${formatRulePosition(state, rule)} (${rule.action})` : rule.action;
	return `${name}: ${cutEnd(toDrawable(text), 160)}`;
}

/** Describes a rule for a dialog, with its expression below a description. */
export function describeRuleFully(state: FirewallState, rule: Rule): readonly string[] {
	const expression = getListedExpression(rule);
	const isFullyDescribed = !rule.description || !expression;
	return [describeRule(state, rule), ...(isFullyDescribed ? [] : [cutEnd(toDrawable(expression), 400)])];
}

/** Describes the rules that a dialog is about: one fully, of several the first ones in a line each. */
export function describeRules(state: FirewallState, rules: readonly Rule[]): readonly string[] {
	const [only] = rules;
	return only && rules.length === 1
		? describeRuleFully(state, only)
		: listFirst(rules.map(rule => cutToLine(describeRule(state, rule))));
}
