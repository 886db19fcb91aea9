import type {Marks} from '../../components/theme.ts';
import {formatCustomRuleAction, formatCustomRuleResponse} from '../../firewall/rules/custom-rule-words.ts';
import {hasEnded} from '../../firewall/rules/end-time.ts';
import {formatSkippedName, listSkippedNames} from '../../firewall/rules/skip.ts';
import {customPhase, pickUnknownFields, type RulesetRule} from '../../rulesets/ruleset.ts';
import {toDrawable} from '../../text/columns.ts';
import {formatInteger} from '../../text/figures.ts';
import {buildExpressionRows, buildHeadingRow} from '../firewall/expression-rows.ts';
import {buildNamedRows, type Row} from '../rows/rows.ts';
import {findRulePosition, getListedRules, type RuleListState} from '../rulesets/rule-list.ts';
import {customRuleList} from './state.ts';

/**
 * Builds the details of the custom rule under the cursor, wrapped to `columns`: its effect, the expression
 * with its problems, ids.
 */
export function buildCustomRuleRows(
	state: RuleListState,
	columns: number,
	marks: Pick<Marks, 'warning' | 'dot'>,
): readonly Row[] {
	const rule = customRuleList.getSelectedRule(state);
	if (!rule) return [];
	const {id, description, ref, expression, enabled, logging} = rule;
	const unknownFields = pickUnknownFields(rule);
	const rules = getListedRules(state);
	const heading = [
		`rule ${formatInteger(findRulePosition(rules, rule))} of ${formatInteger(rules.length)}`,
		toDrawable(rule.action === 'skip' ? 'skip' : formatCustomRuleAction(rule)),
	];
	const context = {plan: state.zone.plan, phase: customPhase, letsThrough: rule.action === 'skip'} as const;
	return [
		buildHeadingRow(
			heading,
			enabled === false ? ['paused: has no effect'] : hasEnded(expression) ? ['ended: has no effect'] : [],
			columns,
			marks,
		),
		...buildExpressionRows(expression, context, columns, marks),
		...buildNamedRows('description', description, columns),
		...buildNamedRows('skips', rule.action === 'skip' ? formatSkippedParts(rule) : undefined, columns),
		...buildNamedRows('response', formatCustomRuleResponse(rule), columns),
		...buildNamedRows('logged', logging && (logging.enabled ? 'yes' : 'no'), columns),
		...buildNamedRows(
			'others',
			Object.keys(unknownFields).length > 0 ? JSON.stringify(unknownFields) : undefined,
			columns,
		),
		...buildNamedRows('rule id', id, columns),
		...buildNamedRows('reference', ref === id ? undefined : ref, columns),
	];
}

const formatSkippedParts = (rule: RulesetRule): string =>
	listSkippedNames(rule).map(formatSkippedName).join(', ') || 'nothing';
