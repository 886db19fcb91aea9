import type {Failure} from '../../failure.ts';
import {analyse, type ExpressionContext, isTableError} from '../../firewall/expression/expressions.ts';
import {checkDraft, type DraftFinding} from '../../firewall/rules/checks.ts';
import type {FirewallZone, Rule, RuleDraft} from '../../firewall/rules/rule.ts';
import type {CommandContext} from '../shell/context.ts';
import {
	allowUnknownAdvice,
	buildExpressionFailure,
	formatProblems,
	warnAboutExpression,
} from './expression.ts';

/** A zone, and whether it accepts names that ledge does not know. */
export type ZoneToCheck = FirewallZone & {readonly allowUnknown?: boolean | undefined};

/** Stands for the zone until it is known, so that errors that apply to every zone fail without a call. */
export const anyZone: FirewallZone = {id: '', name: '', plan: undefined};

/**
 * Fails, before anything is sent, if the service would refuse the draft, and points at every error of the
 * expression. `isRelevant` limits the findings, for example to those of a filter.
 */
export function refuseInvalidDraft(
	draft: RuleDraft,
	zone: ZoneToCheck,
	zoneState?: {readonly rules: readonly Rule[]},
	isRelevant: (finding: DraftFinding) => boolean = () => true,
): void {
	throwIfErrors(checkDraft(draft, zone, zoneState).filter(isRelevant), getDraftExpression(draft), zone);
}

/** Fails if the findings contain errors. Lists errors of the expression first, and points at each of them. */
export function throwIfErrors(
	findings: readonly DraftFinding[],
	expression: string | undefined,
	expressionContext: ExpressionContext,
): void {
	const errors = findings.filter(({severity}) => severity === 'error');
	const [firstError] = errors.toSorted((one, other) => getErrorRank(one) - getErrorRank(other));
	if (!firstError) return;
	const otherSentences = errors
		.filter(one => one.about !== 'expression' && one !== firstError)
		.map(one => one.sentence);
	if (firstError.about !== 'expression' || expression === undefined)
		throw withOtherErrors(firstError.failure, otherSentences);
	const analysis = analyse(expression, expressionContext);
	const isAllowable = analysis.errors.every(isTableError);
	throw firstError.failure.code === 'expression_invalid'
		? withOtherErrors(buildExpressionFailure(analysis, isAllowable), otherSentences)
		: withOtherErrors(
				firstError.failure.withDetails({
					why: formatProblems(expression, analysis.errors),
					...(isAllowable && {next: allowUnknownAdvice}),
				}),
				otherSentences,
			);
}

const withOtherErrors = (failure: Failure, otherSentences: readonly string[]): Failure =>
	failure.withDetails({
		why: [failure.details.why, ...otherSentences].filter(Boolean).join('\n') || undefined,
	});

/** Warns of what the service would accept but is probably a mistake. */
export function warnAboutDraft(
	context: CommandContext,
	draft: RuleDraft,
	zone: ZoneToCheck,
	zoneState?: {readonly rules: readonly Rule[]},
	isRelevant: (finding: DraftFinding) => boolean = () => true,
): void {
	warnAboutFindings(
		context,
		checkDraft(draft, zone, zoneState).filter(isRelevant),
		getDraftExpression(draft),
		zone,
	);
}

/** Prints the warnings of these findings and of the expression. */
export function warnAboutFindings(
	context: CommandContext,
	findings: readonly DraftFinding[],
	expression: string | undefined,
	expressionContext: ExpressionContext,
): void {
	if (expression !== undefined) warnAboutExpression(context, analyse(expression, expressionContext));
	for (const {severity, about, sentence} of findings)
		if (severity === 'warning' && about !== 'expression') context.output.warn(sentence);
}

const getDraftExpression = ({filter}: RuleDraft): string | undefined =>
	'expression' in filter ? filter.expression : undefined;

/** Returns the rank of an error: errors of the expression come first, features that the plan lacks last. */
const getErrorRank = ({about, failure}: DraftFinding): number =>
	failure.code === 'plan_lacks' ? 2 : about === 'expression' ? 0 : 1;
