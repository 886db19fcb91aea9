import {Failure, type FailureCode} from '../failure.ts';
import {
	analyse,
	type ExpressionContext,
	type ExpressionProblem,
	isTableError,
} from '../firewall/expression/expressions.ts';
import {checkQuota, type DraftFinding} from '../firewall/rules/checks.ts';
import {checkCustomRule, checkRateLimit} from '../firewall/rules/custom-checks.ts';
import type {ManagedProposal} from '../managed/proposal.ts';
import type {RuleChange} from '../rulesets/difference.ts';
import {customPhase, type RulesetRule, rateLimitPhase} from '../rulesets/ruleset.ts';
import type {ZonePlan} from '../service/plan.ts';
import {formatExpressionProblem} from '../terminal/expression-problems.ts';
import type {RulesFile} from './parse.ts';
import type {SectionKey} from './sections.ts';

/** A problem of a rule in a file. */
export type FileFinding = {
	readonly severity: 'error' | 'warning';
	readonly code: FailureCode;
	/** Position and description, and for an expression the marked place; one or more lines. */
	readonly lines: readonly string[];
	/** True if `--allow-unknown` makes the error a warning. */
	readonly isAllowable?: boolean;
};

type CheckOptions = {
	readonly plan: ZonePlan | undefined;
	/** Reports fields and functions that ledge does not know as warnings. */
	readonly allowUnknown?: boolean | undefined;
};

/**
 * Checks the custom rules or rate limits that a file adds or changes. What the service accepted before, in the
 * same rule, is not reported.
 */
export function checkFileRules(
	file: RulesFile,
	section: 'custom_rules' | 'rate_limits',
	changes: readonly RuleChange[],
	options: CheckOptions,
): readonly FileFinding[] {
	return changes.flatMap(change => {
		if (change.kind !== 'added' && change.kind !== 'changed') return [];
		const index = change.position - 1;
		const previous = change.kind === 'changed' ? change.before : undefined;
		return [
			...checkFileExpression(file, section, index, change.rule, previous, options),
			...(section === 'rate_limits' ? checkCounting(file, index, change.rule, previous, options) : []),
			...findNewFindings(section, change.rule, previous, options).map(
				({severity, about, sentence, failure: {code, details}}): FileFinding => ({
					severity,
					code,
					lines: [
						`${file.formatPosition(section, index, getField(about))}: ${[sentence, details.why].filter(Boolean).join(' ')}`,
					],
				}),
			),
		];
	});
}

const getField = (about: DraftFinding['about']): string =>
	about === 'products' || about === 'response' ? 'action_parameters' : about;

/** Finds problems of a rule, except its expression, that the previous version did not have. */
function findNewFindings(
	section: 'custom_rules' | 'rate_limits',
	rule: RulesetRule,
	previous: RulesetRule | undefined,
	options: CheckOptions,
): readonly DraftFinding[] {
	const check = section === 'custom_rules' ? checkCustomRule : checkRateLimit;
	const known = new Set(previous && check(previous, options).map(({sentence}) => sentence));
	return check(rule, options).filter(({about, sentence}) => about !== 'expression' && !known.has(sentence));
}

function checkFileExpression(
	file: RulesFile,
	section: 'custom_rules' | 'rate_limits',
	index: number,
	{expression, action}: RulesetRule,
	previous: RulesetRule | undefined,
	options: CheckOptions,
): readonly FileFinding[] {
	if (previous?.expression === expression) return [];
	const phase = section === 'custom_rules' ? customPhase : rateLimitPhase;
	return analyseExpression(expression, {phase, letsThrough: action === 'skip', ...options}, ({line}) =>
		file.formatExpressionPosition(section, index, line),
	);
}

function checkCounting(
	file: RulesFile,
	index: number,
	rule: RulesetRule,
	previous: RulesetRule | undefined,
	options: CheckOptions,
): readonly FileFinding[] {
	const counting = getCountingExpression(rule);
	if (!counting || counting === (previous && getCountingExpression(previous))) return [];
	return analyseExpression(counting, {phase: 'http_ratelimit.counting_expression', ...options}, () =>
		file.formatPosition('rate_limits', index, 'ratelimit', 'counting_expression'),
	);
}

function getCountingExpression({ratelimit}: RulesetRule): string | undefined {
	const {counting_expression: counting} = Object(ratelimit) as {readonly counting_expression?: unknown};
	return typeof counting === 'string' ? counting : undefined;
}

function analyseExpression(
	expression: string,
	context: ExpressionContext,
	formatPosition: (problem: ExpressionProblem) => string,
): readonly FileFinding[] {
	const {errors, warnings} = analyse(expression, context);
	const isInvalidAnywhere = analyse(expression, {...context, plan: undefined}).errors.length > 0;
	// What each plan allows in rate limits is less certain: the service decides.
	const isUncertain = context.phase !== customPhase && !isInvalidAnywhere;
	const toFinding = (problem: ExpressionProblem, severity: FileFinding['severity']): FileFinding => {
		const [first = '', ...marked] = formatExpressionProblem(expression, problem);
		return {
			severity,
			code: isInvalidAnywhere ? 'expression_invalid' : 'plan_lacks',
			lines: [`${formatPosition(problem)}: expression, ${first}`, ...marked],
			isAllowable: isTableError(problem),
		};
	};
	return [
		...errors.map(problem => toFinding(problem, isUncertain ? 'warning' : 'error')),
		...warnings.map(problem => toFinding(problem, 'warning')),
	];
}

/** Checks that the plan of the zone allows the number of custom rules, if there will be more than before. */
export const checkRuleCount = (
	file: RulesFile,
	section: SectionKey,
	countBefore: number,
	countAfter: number,
	plan: ZonePlan | undefined,
): readonly FileFinding[] =>
	section === 'custom_rules' && countAfter > countBefore
		? checkQuota(countAfter - 1, plan, 'custom rule').map(({severity}) => ({
				severity,
				code: 'plan_lacks',
				lines: [
					`${file.name}: ${countAfter} custom rules are more than the zone can have, including paused ones.`,
				],
			}))
		: [];

/** Converts the problems that a change of managed rules introduces. */
export const toManagedFindings = (file: RulesFile, {findings}: ManagedProposal): readonly FileFinding[] =>
	findings.map(({severity, rule, sentence, isAllowable = false}) => ({
		severity: severity === 'error' ? 'error' : 'warning',
		code: 'input_malformed',
		lines: [`${rule === undefined ? file.name : file.formatPosition('managed_rules', rule)}: ${sentence}`],
		isAllowable,
	}));

/** Fails if there are errors, and names each with its position in the file. */
export function throwIfFileErrors(file: RulesFile, findings: readonly FileFinding[]): void {
	const errors = findings.filter(({severity}) => severity === 'error');
	const [first] = errors.toSorted((one, other) => getRank(one) - getRank(other));
	if (!first) return;
	throw new Failure(first.code, `${file.name} contains rules that the service would refuse.`, {
		why: errors.flatMap(({lines}) => lines).join('\n'),
		left: 'Nothing was sent.',
		next: errors.every(({isAllowable}) => isAllowable)
			? 'Correct the rules in the file, or add --allow-unknown to send them: the service may be newer than the tables of ledge.'
			: 'Correct the rules in the file.',
	});
}

/** What the plan lacks comes last: it is no mistake in the file. */
const getRank = ({code}: FileFinding): number => (code === 'plan_lacks' ? 1 : 0);
