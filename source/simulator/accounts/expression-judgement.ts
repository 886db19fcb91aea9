import {
	analyse,
	type ExpressionContext,
	formatEngineMessage,
	type Span,
} from '../../firewall/expression/expressions.ts';
import {refuseRequest} from '../http/answer.ts';
import {plans} from './plan.ts';
import {describePlanLack} from './plan-lacks.ts';

type Objection = {readonly status: 400 | 403; readonly message: string};

/**
 * The service's objection to an expression: a syntax error in the words of its engine, or a feature that the
 * plan lacks. Without a plan, checks syntax only.
 */
function findObjection(expression: string, {plan, phase}: ExpressionContext): Objection | undefined {
	const [syntaxError] = analyse(expression, {phase}).errors;
	if (syntaxError) return {status: 400, message: formatEngineMessage(expression, syntaxError)};
	if (plan === undefined) return undefined;
	const [planError] = analyse(expression, {plan, phase}).errors;
	if (!planError) return undefined;
	const what = expression.slice(planError.span.start, planError.span.end);
	const needed = plans.find(other => !hasErrorAt(expression, {plan: other, phase}, planError.span));
	return {status: 403, message: describePlanLack(plan, what, needed)};
}

/**
 * Refuses the request if the expression is invalid in its place; `pointer` locates it in the request body.
 */
export function refuseInvalidExpression(
	expression: string,
	place: ExpressionContext,
	pointer?: string,
): void {
	const objection = findObjection(expression, place);
	if (!objection) return;
	const {status, message} = objection;
	refuseRequest(status, {message, ...(pointer !== undefined && {source: {pointer}})});
}

const hasErrorAt = (expression: string, place: ExpressionContext, span: Span): boolean =>
	analyse(expression, place).errors.some(
		other => other.span.start === span.start && other.span.end === span.end,
	);
