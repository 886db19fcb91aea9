import type {Failure} from '../../failure.ts';
import {analyse, type ExpressionContext} from '../../firewall/expression/expressions.ts';
import {checkDraft, type Finding} from '../../firewall/rules/checks.ts';
import type {FirewallZone, Rule, RuleDraft} from '../../firewall/rules/rule.ts';
import type {CommandContext} from '../shell/context.ts';
import {buildExpressionFailure, formatProblems, warnAboutExpression} from './expression.ts';

/** A zone, and whether it accepts names that ledge does not know. */
export type ZoneToCheck = FirewallZone & {readonly allowUnknown?: boolean | undefined};

/** Used until the zone is known: errors that apply to every zone then fail without a call. */
export const anyZone: FirewallZone = {id: '', name: '', plan: undefined};

/**
 * Fails, before anything is sent, for what the service would refuse, and points at every error of the
 * expression. `isRelevant` limits the findings, for example to those of a filter.
 */
export function refuseInvalidDraft(
	draft: RuleDraft,
	zone: ZoneToCheck,
	existing?: {readonly rules: readonly Rule[]},
	isRelevant: (finding: Finding) => boolean = () => true,
): void {
	refuseFindings(checkDraft(draft, zone, existing).filter(isRelevant), getDraftExpression(draft), zone);
}

/** Fails for the errors among these findings, those of the expression first, and points at each of these. */
export function refuseFindings(
	findings: readonly Finding[],
	expression: string | undefined,
	place: ExpressionContext,
): void {
	const errors = findings.filter(({severity}) => severity === 'error');
	const [first] = errors.toSorted((one, other) => getErrorRank(one) - getErrorRank(other));
	if (!first) return;
	const others = errors.filter(one => one.about !== 'expression' && one !== first).map(one => one.sentence);
	if (first.about !== 'expression' || expression === undefined) throw withOtherErrors(first.failure, others);
	const analysis = analyse(expression, place);
	throw first.failure.code === 'expression_invalid'
		? withOtherErrors(buildExpressionFailure(analysis), others)
		: withOtherErrors(first.failure.withDetails({why: formatProblems(expression, analysis.errors)}), others);
}

const withOtherErrors = (failure: Failure, others: readonly string[]): Failure =>
	failure.withDetails({why: [failure.details.why, ...others].filter(Boolean).join('\n') || undefined});

/** Warns of what the service would accept but is probably a mistake. */
export function warnAboutDraft(
	context: CommandContext,
	draft: RuleDraft,
	zone: ZoneToCheck,
	existing?: {readonly rules: readonly Rule[]},
	isRelevant: (finding: Finding) => boolean = () => true,
): void {
	warnAboutFindings(
		context,
		checkDraft(draft, zone, existing).filter(isRelevant),
		getDraftExpression(draft),
		zone,
	);
}

/** Warns of the warnings among these findings, and of those of the expression. */
export function warnAboutFindings(
	context: CommandContext,
	findings: readonly Finding[],
	expression: string | undefined,
	place: ExpressionContext,
): void {
	if (expression !== undefined) warnAboutExpression(context, analyse(expression, place));
	for (const {severity, about, sentence} of findings)
		if (severity === 'warning' && about !== 'expression') context.output.warn(sentence);
}

const getDraftExpression = ({filter}: RuleDraft): string | undefined =>
	'expression' in filter ? filter.expression : undefined;

/** Returns the rank of an error: the expression first, what the plan lacks last. */
const getErrorRank = ({about, failure}: Finding): number =>
	failure.code === 'plan_lacks' ? 2 : about === 'expression' ? 0 : 1;
