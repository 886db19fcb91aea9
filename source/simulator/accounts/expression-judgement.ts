import {analyse, engineMessage, type Place, type Span} from '../../firewall/expression/expressions.ts';
import {refuse} from '../http/answer.ts';
import {plans} from './plan.ts';
import {lacksSentence} from './plan-lacks.ts';

type Objection = {readonly status: 400 | 403; readonly message: string};

/**
 * The service's objection to an expression: a syntax error in the words of its engine, or a feature that the
 * plan lacks. Without a plan, checks syntax only.
 */
function objectionTo(expression: string, {plan, phase}: Place): Objection | undefined {
	const [broken] = analyse(expression, {phase}).errors;
	if (broken) return {status: 400, message: engineMessage(expression, broken)};
	if (plan === undefined) return undefined;
	const [lacking] = analyse(expression, {plan, phase}).errors;
	if (!lacking) return undefined;
	const what = expression.slice(lacking.span.start, lacking.span.end);
	const needed = plans.find(other => !hasErrorAt(expression, {plan: other, phase}, lacking.span));
	return {status: 403, message: lacksSentence(plan, what, needed)};
}

/**
 * Refuses the request if the expression is invalid in its place; `pointer` locates it in the request body.
 */
export function refuseBroken(expression: string, place: Place, pointer?: string): void {
	const objection = objectionTo(expression, place);
	if (!objection) return;
	const {status, message} = objection;
	refuse(status, {message, ...(pointer !== undefined && {source: {pointer}})});
}

const hasErrorAt = (expression: string, place: Place, span: Span): boolean =>
	analyse(expression, place).errors.some(
		other => other.span.start === span.start && other.span.end === span.end,
	);
