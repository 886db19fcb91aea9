import {customPhase} from '../../rulesets/ruleset.ts';
import type {ZonePlan} from '../../service/plan.ts';
import {
	analyse,
	type ExpressionContext,
	type ExpressionProblem,
	type KnownList,
} from '../expression/expressions.ts';
import {checkCustomRule, checkRateLimit} from '../rules/custom-checks.ts';
import {parseRateLimit} from '../rules/rate-limit.ts';
import {findRuleProblems} from './across-rules.ts';
import type {ExpressionField, LintedRule, LintPosition, RuleGroup} from './rule-group.ts';
import type {RuleLintCode} from './rule-lints.ts';

export const lintLevels = ['error', 'warning', 'hint'] as const;
export type LintLevel = (typeof lintLevels)[number];

/** A problem of a rule. */
export type LintFinding = {
	readonly level: LintLevel;
	/** Its code in the catalogue. */
	readonly code: string;
	readonly sentence: string;
	readonly group: RuleGroup;
	readonly rule: LintedRule;
	/** Where it is in the file; undefined for rules of a zone, and for formats without lines. */
	readonly position: LintPosition | undefined;
	/** The problem of an expression, with its text. */
	readonly inExpression?: {readonly text: string; readonly problem: ExpressionProblem};
};

const settingCode = 'E200' satisfies RuleLintCode;

type LintOptions = {
	readonly plan?: ZonePlan | undefined;
	readonly allowUnknown?: boolean | undefined;
	/** The lists of the account; undefined if they are unknown. */
	readonly lists?: readonly KnownList[] | undefined;
	/** Seconds since 1970. */
	readonly now: number;
};

/** Checks the rules of a group: each by itself, and all in order. The findings are in the order of the rules. */
export function lintRules(group: RuleGroup, options: LintOptions): readonly LintFinding[] {
	const acrossRules = Map.groupBy(findRuleProblems(group, options.now), ({rule}) => rule);
	return group.rules.flatMap(linted => [
		...lintSettings(group, linted, options),
		...lintExpression(group, linted, 'expression', options),
		...lintExpression(group, linted, 'counting_expression', options),
		...(acrossRules.get(linted) ?? []).map(problem => ({
			...problem,
			group,
			position: linted.locate?.(),
		})),
	]);
}

/** Checks action and parameters of custom rules and rate limits. Without a plan, its limits are not mentioned. */
function lintSettings(group: RuleGroup, linted: LintedRule, {plan}: LintOptions): readonly LintFinding[] {
	const check =
		group.noun === 'custom rule' ? checkCustomRule : group.noun === 'rate limit' ? checkRateLimit : undefined;
	return (check?.(linted.rule, {plan}) ?? [])
		.filter(({about, failure}) => about !== 'expression' && (plan || failure.code !== 'plan_lacks'))
		.map(({severity, sentence, failure: {details}}) => ({
			level: severity,
			code: settingCode,
			sentence: [sentence, details.why].filter(Boolean).join(' '),
			group,
			rule: linted,
			position: linted.locate?.(),
		}));
}

function lintExpression(
	group: RuleGroup,
	linted: LintedRule,
	field: ExpressionField,
	options: LintOptions,
): readonly LintFinding[] {
	const text = getExpression(linted, field);
	if (text === undefined) return [];
	const {plan, allowUnknown, lists} = options;
	const context: ExpressionContext = {
		allowUnknown,
		lists,
		letsThrough: linted.rule.action === 'skip',
		phase: field === 'expression' ? group.phase : 'http_ratelimit.counting_expression',
	};
	const {errors, warnings, hints} = analyse(text, {...context, plan});
	// What each plan allows is certain for custom rules only; the rules of a zone were accepted by the service.
	const isUncertain = plan !== undefined && group.phase !== customPhase;
	const planless = isUncertain ? new Set(analyse(text, context).errors.map(getProblemKey)) : undefined;
	const isPlanProblem = (problem: ExpressionProblem): boolean =>
		planless !== undefined && !planless.has(getProblemKey(problem));
	const toFinding =
		(level: LintLevel) =>
		(problem: ExpressionProblem): LintFinding => ({
			level,
			code: problem.code ?? settingCode,
			sentence: problem.sentence,
			group,
			rule: linted,
			position: linted.locate?.({field, offset: problem.span.start}),
			inExpression: {text, problem},
		});
	const planProblems = group.source.kind === 'zone' ? [] : errors.filter(isPlanProblem);
	return [
		...errors.filter(problem => !isPlanProblem(problem)).map(toFinding('error')),
		...planProblems.map(toFinding('hint')),
		...warnings.filter(problem => !isAboutZoneField(group, text, problem)).map(toFinding('warning')),
		...hints.map(toFinding('hint')),
	];
}

/** True for a warning that a field which chooses zones is not documented for the phase. */
const isAboutZoneField = ({isOfAccount}: RuleGroup, text: string, {span}: ExpressionProblem): boolean =>
	isOfAccount === true && text.slice(span.start, span.end).startsWith('cf.zone.');

const getProblemKey = ({span, sentence}: ExpressionProblem): string => `${span.start} ${sentence}`;

function getExpression({rule, unknownReason}: LintedRule, field: ExpressionField): string | undefined {
	if (unknownReason !== undefined) return undefined;
	// Rules that execute a managed ruleset may have an empty expression.
	return (field === 'expression' ? rule.expression : parseRateLimit(rule).countingExpression) || undefined;
}
