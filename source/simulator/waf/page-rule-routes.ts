import {isJsonObject, type JsonObject, type JsonValue} from '../../text/json.ts';
import {zoneNamed} from '../accounts/zone-routes.ts';
import {type Answer, done, refuse} from '../http/answer.ts';
import {objectOf, readJson} from '../http/json-request.ts';
import type {Ask, Route} from '../http/route.ts';
import type {Collection} from '../world/resources.ts';
import {pageRulesOf} from './stored-page-rules.ts';

const pageRulesPath = '/zones/:zone/pagerules';
const pageRulePath = `${pageRulesPath}/:pageRule`;

/** Routes for page rules, including those without an effect on managed rules. */
export const pageRuleRoutes: readonly Route[] = [
	{method: 'GET', path: pageRulesPath, grant: 'settings:read', answer: listPageRules},
	{method: 'POST', path: pageRulesPath, grant: 'settings:write', answer: createPageRule},
	{method: 'GET', path: pageRulePath, grant: 'settings:read', answer: ask => done(pageRuleNamed(ask))},
	{method: 'DELETE', path: pageRulePath, grant: 'settings:write', answer: deletePageRule},
];

const pageRules = (ask: Ask): Collection<JsonObject> => pageRulesOf(ask.world, zoneNamed(ask).id);

/** Lists all page rules; this list has no pages. */
function listPageRules(ask: Ask): Answer {
	const status = ask.query.get('status');
	return done(
		pageRules(ask)
			.all()
			.filter(rule => status === null || rule.status === status),
	);
}

function pageRuleNamed(ask: Ask): JsonObject {
	const {pageRule: id = ''} = ask.parameters;
	return pageRules(ask).get(id) ?? refuse(404, {code: 1002, message: `no page rule ${id}`});
}

async function createPageRule(ask: Ask): Promise<Answer> {
	const given = objectOf(await readJson(ask), 'a page rule');
	const {targets, actions, status = 'disabled', priority = 1} = given;
	if (!objects(targets)) return refuse(400, {message: 'targets must be an array of targets'});
	if (!objects(actions)) return refuse(400, {message: 'actions must be an array of actions'});
	if (status !== 'active' && status !== 'disabled')
		return refuse(400, {message: 'status must be active or disabled'});
	return done(pageRules(ask).add({targets, actions, status, priority}));
}

function deletePageRule(ask: Ask): Answer {
	return ask.world.transaction(() => {
		const id = String(pageRuleNamed(ask).id);
		pageRules(ask).delete(id);
		return done({id});
	});
}

const objects = (given: JsonValue | undefined): given is readonly JsonObject[] =>
	Array.isArray(given) && given.length > 0 && given.every(isJsonObject);
