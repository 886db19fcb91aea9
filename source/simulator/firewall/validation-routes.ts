import {refuseInvalidExpression} from '../accounts/expression-check.ts';
import {buildSuccessAnswer, refuseRequest, type ServiceAnswer} from '../http/answer.ts';
import {readJsonBody, requireObject} from '../http/json-request.ts';
import type {RequestContext, Route} from '../http/route.ts';
import {withNullMessages} from './filter-routes.ts';

const path = '/filters/validate-expr';

/** Routes that check the syntax of an expression. Without a zone, they do not check if its plan allows it. */
export const validationRoutes: readonly Route[] = [
	{
		method: 'GET',
		path,
		grant: 'firewall:read',
		answer: withNullMessages(context => answerValidation(context.query.get('expression') ?? undefined)),
	},
	{method: 'POST', path, grant: 'firewall:read', answer: withNullMessages(validateBody)},
];

async function validateBody(context: RequestContext): Promise<ServiceAnswer> {
	const {expression} = requireObject(await readJsonBody(context), 'an object with an expression');
	return answerValidation(typeof expression === 'string' ? expression : undefined);
}

function answerValidation(expression: string | undefined): ServiceAnswer {
	if (expression === undefined) return refuseRequest(400, {message: 'expression is required'});
	refuseInvalidExpression(expression, {});
	return buildSuccessAnswer(null);
}
