import type {Failure} from '../../failure.ts';
import {analyse, type Place} from '../../firewall/expression/expressions.ts';
import {checkDraft, type Finding} from '../../firewall/rules/checks.ts';
import type {FirewallZone, Rule, RuleDraft} from '../../firewall/rules/rule.ts';
import type {CommandContext} from '../shell/context.ts';
import {drawnProblems, expressionFailure, warnOfExpression} from './expression.ts';

/** A zone, and whether it accepts names that ledge does not know. */
export type JudgedZone = FirewallZone & {readonly allowUnknown?: boolean | undefined};

/** Used until the zone is known: errors that apply to every zone then fail without a call. */
export const anyZone: FirewallZone = {id: '', name: '', plan: undefined};

/**
 * Fails, before anything is sent, for what the service would refuse, and points at every error of the
 * expression. `isRelevant` limits the findings, for example to those of a filter.
 */
export function refuseUnfit(
	draft: RuleDraft,
	zone: JudgedZone,
	existing?: {readonly rules: readonly Rule[]},
	about: (finding: Finding) => boolean = () => true,
): void {
	refuseFound(checkDraft(draft, zone, existing).filter(about), expressionOf(draft), zone);
}

/** Fails for the errors among these findings, those of the expression first, and points at each of these. */
export function refuseFound(
	findings: readonly Finding[],
	expression: string | undefined,
	place: Place,
): void {
	const errors = findings.filter(({severity}) => severity === 'error');
	const [first] = errors.toSorted((one, other) => rank(one) - rank(other));
	if (!first) return;
	const others = errors.filter(one => one.about !== 'expression' && one !== first).map(one => one.sentence);
	if (first.about !== 'expression' || expression === undefined) throw withMore(first.failure, others);
	const analysis = analyse(expression, place);
	throw first.failure.code === 'expression_invalid'
		? withMore(expressionFailure(analysis), others)
		: withMore(first.failure.with({why: drawnProblems(expression, analysis.errors)}), others);
}

const withMore = (failure: Failure, others: readonly string[]): Failure =>
	failure.with({why: [failure.details.why, ...others].filter(Boolean).join('\n') || undefined});

/** Warns of what the service would accept but is probably a mistake. */
export function warnOfOdd(
	context: CommandContext,
	draft: RuleDraft,
	zone: JudgedZone,
	existing?: {readonly rules: readonly Rule[]},
	about: (finding: Finding) => boolean = () => true,
): void {
	warnOfFound(context, checkDraft(draft, zone, existing).filter(about), expressionOf(draft), zone);
}

/** Warns of the warnings among these findings, and of those of the expression. */
export function warnOfFound(
	context: CommandContext,
	findings: readonly Finding[],
	expression: string | undefined,
	place: Place,
): void {
	if (expression !== undefined) warnOfExpression(context, analyse(expression, place));
	for (const {severity, about, sentence} of findings)
		if (severity === 'warning' && about !== 'expression') context.output.warn(sentence);
}

const expressionOf = ({filter}: RuleDraft): string | undefined =>
	'expression' in filter ? filter.expression : undefined;

/** Returns the rank of an error: the expression first, what the plan lacks last. */
const rank = ({about, failure}: Finding): number =>
	failure.code === 'plan_lacks' ? 2 : about === 'expression' ? 0 : 1;
