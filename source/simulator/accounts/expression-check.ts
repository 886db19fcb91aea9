import {
	analyse,
	type ExpressionContext,
	formatEngineMessage,
	type Span,
} from '../../firewall/expression/expressions.ts';
import {refuseRequest} from '../http/answer.ts';
import {describeMissingFeature} from './missing-features.ts';
import {plans} from './plan.ts';

type Objection = {readonly status: 400 | 403; readonly message: string};

/**
 * Returns the service's objection to an expression: a syntax error with the engine's message, or a feature
 * that the plan lacks. Without a plan, checks only the syntax.
 */
function findObjection(expression: string, {plan, phase}: ExpressionContext): Objection | undefined {
	const [syntaxError] = analyse(expression, {phase}).errors;
	if (syntaxError) return {status: 400, message: formatEngineMessage(expression, syntaxError)};
	if (plan === undefined) return undefined;
	const [planError] = analyse(expression, {plan, phase}).errors;
	if (!planError) return undefined;
	const feature = expression.slice(planError.span.start, planError.span.end);
	const requiredPlan = plans.find(
		otherPlan => !hasErrorAt(expression, {plan: otherPlan, phase}, planError.span),
	);
	return {status: 403, message: describeMissingFeature(plan, feature, requiredPlan)};
}

/**
 * Refuses the request if the expression is invalid in its context; `pointer` locates it in the request body.
 */
export function refuseInvalidExpression(
	expression: string,
	context: ExpressionContext,
	pointer?: string,
): void {
	const objection = findObjection(expression, context);
	if (!objection) return;
	const {status, message} = objection;
	refuseRequest(status, {message, ...(pointer !== undefined && {source: {pointer}})});
}

const hasErrorAt = (expression: string, context: ExpressionContext, span: Span): boolean =>
	analyse(expression, context).errors.some(
		error => error.span.start === span.start && error.span.end === span.end,
	);
