import {findQuotaError} from '../../firewall/rules/checks.ts';
import {
	findEquivalentCustomRule,
	formatEquivalentRuleWarning,
} from '../../firewall/rules/custom-rule-settings.ts';
import {formatCustomRuleAction, formatCustomRuleResponse} from '../../firewall/rules/custom-rule-words.ts';
import {formatRate, formatRateLimitTimeout, parseRateLimit} from '../../firewall/rules/rate-limit.ts';
import type {RulesetRule} from '../../rulesets/ruleset.ts';
import {describeQuota} from '../stepped-form/descriptions.ts';
import {describeMakingRoom} from '../stepped-form/full-zone.ts';
import type {AnyRuleKind} from '../stepped-form/rule-form.ts';
import {buildFormRule, findFormNeighbours, getZoneRules, listFormFindings} from './draft.ts';
import type {RulesetForm} from './state.ts';

/** Builds the text of the review, apart from findings and requests. */
export function describeFormReview(form: RulesetForm): ReturnType<AnyRuleKind['describeReview']> {
	const {purpose} = form;
	const rule = buildFormRule(form);
	const duplicate =
		purpose.kind === 'new' && rule ? findEquivalentCustomRule(rule, getZoneRules(form)) : undefined;
	const isFull = findQuotaError(listFormFindings(form)) !== undefined;
	return {
		summary:
			rule && purpose.kind === 'new'
				? [`${form.type.formatAction(rule)}, ${formatRuleState(rule)}: ${rule.expression}`]
				: [],
		changes: rule && purpose.kind === 'change' ? listRuleChanges(purpose.rule, rule) : [],
		warnings: [
			...(isFull ? [describeMakingRoom(form.ruleset)] : []),
			...(duplicate ? [formatEquivalentRuleWarning(duplicate, form.type.sentenceNoun)] : []),
		],
		concerns: isFull ? [] : listPositionConcerns(form),
	};
}

const formatRuleState = ({enabled}: RulesetRule): string => (enabled === false ? 'paused' : 'active');

/** Lists the changes, one line each with its name. Raw text. */
function listRuleChanges(oldRule: RulesetRule, newRule: RulesetRule): readonly string[] {
	const formatDifference = (name: string, oldText: string | undefined, newText: string | undefined) =>
		oldText === newText ? [] : [`${name.padEnd(13)}from ${oldText || 'none'} to ${newText || 'none'}`];
	return [
		...(oldRule.expression === newRule.expression
			? []
			: [`before       ${oldRule.expression}`, `after        ${newRule.expression}`]),
		...formatDifference('action', formatCustomRuleAction(oldRule), formatCustomRuleAction(newRule)),
		...listRateLimitChanges(oldRule, newRule).flatMap(([name, oldText, newText]) =>
			formatDifference(name, oldText, newText),
		),
		...formatDifference('response', formatCustomRuleResponse(oldRule), formatCustomRuleResponse(newRule)),
		...formatDifference('state', formatRuleState(oldRule), formatRuleState(newRule)),
		...formatDifference('logged', formatLogging(oldRule), formatLogging(newRule)),
		...formatDifference('description', oldRule.description, newRule.description),
	];
}

/** Lists the fields of a rate limit with their old and new texts; all undefined for custom rules. */
function listRateLimitChanges(oldRule: RulesetRule, newRule: RulesetRule) {
	const [oldLimit, newLimit] = [parseRateLimit(oldRule), parseRateLimit(newRule)];
	return [
		['limit', formatRate(oldLimit), formatRate(newLimit)],
		['counted per', oldLimit.characteristics.join(', '), newLimit.characteristics.join(', ')],
		['action for', formatRateLimitTimeout(oldLimit), formatRateLimitTimeout(newLimit)],
		['counts', oldLimit.countingExpression, newLimit.countingExpression],
	] as const;
}

const formatLogging = ({action, logging}: RulesetRule): string | undefined =>
	action === 'skip' ? ((logging?.enabled ?? true) ? 'yes' : 'no') : undefined;

/** Describes the rule's position, and the limit of the plan. */
function listPositionConcerns(form: RulesetForm): readonly string[] {
	const {purpose, zone} = form;
	const {position, count} = findFormNeighbours(form);
	const quota =
		purpose.kind === 'new' && form.type.hasPlanLimit && describeQuota(zone, count, 'custom rules');
	return [[`It will run at position ${position} of ${count}.`, quota].filter(Boolean).join(' ')];
}
