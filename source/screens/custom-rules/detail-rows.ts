import type {Marks} from '../../components/theme.ts';
import {answerOf, doing} from '../../firewall/rules/custom-rule-words.ts';
import {skippedBy} from '../../firewall/rules/skip.ts';
import {customPhase, type RulesetRule, unknownFields} from '../../rulesets/ruleset.ts';
import {drawable} from '../../text/columns.ts';
import {grouped} from '../../text/figures.ts';
import {headed, rowsOfExpression} from '../firewall/expression-rows.ts';
import {fact, type Row} from '../rows/rows.ts';
import {type CustomRulesState, customRuleUnderCursor, placeOfRule, rulesOf} from './state.ts';

/**
 * Builds the details of the custom rule under the cursor, wrapped to `columns`: its effect, the expression
 * with its problems, ids.
 */
export function customRuleRows(
	state: CustomRulesState,
	columns: number,
	marks: Pick<Marks, 'warning' | 'dot'>,
): readonly Row[] {
	const rule = customRuleUnderCursor(state);
	if (!rule) return [];
	const {id, description, ref, expression, enabled, logging} = rule;
	const others = unknownFields(rule);
	const rules = rulesOf(state);
	const heading = [
		`rule ${grouped(placeOfRule(rules, rule))} of ${grouped(rules.length)}`,
		drawable(rule.action === 'skip' ? 'skip' : doing(rule)),
	];
	const place = {plan: state.zone.plan, phase: customPhase, letsThrough: rule.action === 'skip'} as const;
	return [
		headed(heading, enabled === false ? ['paused: it does nothing'] : [], columns, marks),
		...rowsOfExpression(expression, place, columns, marks),
		...fact('description', description, columns),
		...fact('skips', rule.action === 'skip' ? skippedWords(rule) : undefined, columns),
		...fact('answer', answerOf(rule), columns),
		...fact('logged', logging && (logging.enabled ? 'yes' : 'no'), columns),
		...fact('others', Object.keys(others).length > 0 ? JSON.stringify(others) : undefined, columns),
		...fact('rule id', id, columns),
		...fact('reference', ref === id ? undefined : ref, columns),
	];
}

const skippedWords = (rule: RulesetRule): string =>
	skippedBy(rule)
		.map(name => (name === 'remaining' ? 'the custom rules after it' : name))
		.join(', ') || 'nothing';
