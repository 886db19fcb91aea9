import {analyse} from '../../firewall/expression/analyse.ts';
import {engineMessage} from '../../firewall/expression/engine-message.ts';
import type {Span} from '../../firewall/expression/grammar/problem.ts';
import {type Plan, plans} from '../../service/plan.ts';
import {refuse} from '../http/answer.ts';
import {lacksSentence} from './plan-lacks.ts';

/** Why an expression is refused. */
type Objection = {readonly status: 400 | 403; readonly message: string};

/**
 * What the service has against an expression: that it does not parse, in the words of its engine, or that the plan
 * lacks something. Without a plan only the former.
 */
function objectionTo(expression: string, plan?: Plan): Objection | undefined {
	const [broken] = analyse(expression).errors;
	if (broken) return {status: 400, message: engineMessage(expression, broken)};
	if (plan === undefined) return undefined;
	const [lacking] = analyse(expression, {plan}).errors;
	if (!lacking) return undefined;
	const what = expression.slice(lacking.span.start, lacking.span.end);
	const needed = plans.find(other => !hasErrorAt(expression, other, lacking.span));
	return {status: 403, message: lacksSentence(plan, what, needed)};
}

/** Ends the work on a request for an expression that the service does not take; `pointer` is its place. */
export function refuseBroken(expression: string, plan?: Plan, pointer?: string): void {
	const objection = objectionTo(expression, plan);
	if (!objection) return;
	const {status, message} = objection;
	refuse(status, {message, ...(pointer !== undefined && {source: {pointer}})});
}

const hasErrorAt = (expression: string, plan: Plan, span: Span): boolean =>
	analyse(expression, {plan}).errors.some(
		other => other.span.start === span.start && other.span.end === span.end,
	);
