import type {Failure} from '../../failure.ts';
import {analyse} from '../../firewall/expression/analyse.ts';
import {checkDraft, type Finding} from '../../firewall/rules/checks.ts';
import type {FirewallZone, Rule, RuleDraft} from '../../firewall/rules/rule.ts';
import type {CommandContext} from '../shell/context.ts';
import {drawnProblems, expressionFailure, warnOfExpression} from './expression.ts';

/** A zone, and whether names that ledge does not know are accepted there. */
export type JudgedZone = FirewallZone & {readonly allowUnknown?: boolean | undefined};

/** The zone while it is not known: what is wrong anywhere is told before anything is asked. */
export const anyZone: FirewallZone = {id: '', name: '', plan: undefined};

/**
 * Fails for what the service would refuse, with every mistake of the expression drawn, and before anything is sent
; warns of what is only odd. `about` narrows it to what a filter has.
 */
export function refuseUnfit(
	draft: RuleDraft,
	zone: JudgedZone,
	existing?: {readonly rules: readonly Rule[]},
	about: (finding: Finding) => boolean = () => true,
): void {
	const errors = checkDraft(draft, zone, existing).filter(one => one.severity === 'error' && about(one));
	const [first] = errors.toSorted((one, other) => rank(one) - rank(other));
	if (!first) return;
	const others = errors.filter(one => one.about !== 'expression' && one !== first).map(one => one.sentence);
	const expression = expressionOf(draft);
	if (first.about !== 'expression' || expression === undefined) throw withMore(first.failure, others);
	const analysis = analyse(expression, zone);
	throw first.failure.code === 'expression_invalid'
		? withMore(expressionFailure(analysis), others)
		: withMore(first.failure.with({why: drawnProblems(expression, analysis.errors)}), others);
}

const withMore = (failure: Failure, others: readonly string[]): Failure =>
	failure.with({why: [failure.details.why, ...others].filter(Boolean).join('\n') || undefined});

/** Warns of what is odd, though the service would take it. */
export function warnOfOdd(
	context: CommandContext,
	draft: RuleDraft,
	zone: JudgedZone,
	existing?: {readonly rules: readonly Rule[]},
	about: (finding: Finding) => boolean = () => true,
): void {
	const expression = expressionOf(draft);
	if (expression !== undefined) warnOfExpression(context, analyse(expression, zone));
	for (const {severity, about: what, sentence} of checkDraft(draft, zone, existing).filter(about))
		if (severity === 'warning' && what !== 'expression') context.output.warn(sentence);
}

const expressionOf = ({filter}: RuleDraft): string | undefined =>
	'expression' in filter ? filter.expression : undefined;

/** A broken expression is told first, and a plan that lacks something last. */
const rank = ({about, failure}: Finding): number =>
	failure.code === 'plan_lacks' ? 2 : about === 'expression' ? 0 : 1;
