import {refuseBroken} from '../accounts/expression-judgement.ts';
import {type Answer, done, refuse} from '../http/answer.ts';
import {objectOf, readJson} from '../http/json-request.ts';
import type {Ask, Route} from '../http/route.ts';
import {withNullMessages} from './filter-routes.ts';

const path = '/filters/validate-expr';

/** Routes that check an expression without a zone; features that plans lack are not checked. */
export const validationRoutes: readonly Route[] = [
	{
		method: 'GET',
		path,
		grant: 'firewall:read',
		answer: withNullMessages(ask => validated(ask.query.get('expression') ?? undefined)),
	},
	{method: 'POST', path, grant: 'firewall:read', answer: withNullMessages(validateBody)},
];

async function validateBody(ask: Ask): Promise<Answer> {
	const {expression} = objectOf(await readJson(ask), 'an object with an expression');
	return validated(typeof expression === 'string' ? expression : undefined);
}

function validated(expression: string | undefined): Answer {
	if (expression === undefined) return refuse(400, {message: 'expression is required'});
	refuseBroken(expression, {});
	return done(null);
}
