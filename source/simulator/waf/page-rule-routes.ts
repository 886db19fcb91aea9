import {randomBytes} from 'node:crypto';
import type {JsonObject, JsonValue} from '../../text/json.ts';
import {isJsonObject} from '../../text/json.ts';
import {zoneOf} from '../accounts/zone-routes.ts';
import {type Answer, done, refuse} from '../http/answer.ts';
import {objectOf, readJson} from '../http/json-request.ts';
import type {Ask, Route} from '../http/route.ts';

const pageRulesPath = '/zones/:zone/pagerules';
const pageRulePath = `${pageRulesPath}/:pageRule`;

/** Page rules; those that bear on managed rules, and some others. */
export const pageRuleRoutes: readonly Route[] = [
	{method: 'GET', path: pageRulesPath, grant: 'settings:read', answer: listPageRules},
	{method: 'POST', path: pageRulesPath, grant: 'settings:write', answer: createPageRule},
	{method: 'GET', path: pageRulePath, grant: 'settings:read', answer: ask => done(pageRuleNamed(ask))},
	{method: 'DELETE', path: pageRulePath, grant: 'settings:write', answer: deletePageRule},
];

const kind = 'page-rule';

export const pageRulesOf = ({world}: Pick<Ask, 'world'>, zone: string): readonly JsonObject[] =>
	world.resources.list(kind, zone);

export function setPageRule(resources: Ask['world']['resources'], zone: string, rule: JsonObject): void {
	resources.set(kind, zone, String(rule.id), rule);
}

const zoneId = (ask: Ask): string => String(zoneOf(ask).id);

/** All of them: this list has no pages. */
function listPageRules(ask: Ask): Answer {
	const status = ask.query.get('status');
	return done(pageRulesOf(ask, zoneId(ask)).filter(rule => status === null || rule.status === status));
}

function pageRuleNamed(ask: Ask): JsonObject {
	const {pageRule: id = ''} = ask.parameters;
	return (
		ask.world.resources.get(kind, zoneId(ask), id) ?? refuse(404, {code: 1002, message: `no page rule ${id}`})
	);
}

async function createPageRule(ask: Ask): Promise<Answer> {
	const given = objectOf(await readJson(ask), 'a page rule');
	const {targets, actions, status = 'disabled', priority = 1} = given;
	if (!objects(targets)) return refuse(400, {message: 'targets must be an array of targets'});
	if (!objects(actions)) return refuse(400, {message: 'actions must be an array of actions'});
	if (status !== 'active' && status !== 'disabled')
		return refuse(400, {message: 'status must be active or disabled'});
	const id = randomBytes(16).toString('hex');
	const rule = {id, targets, actions, status, priority};
	setPageRule(ask.world.resources, zoneId(ask), rule);
	return done(rule);
}

function deletePageRule(ask: Ask): Answer {
	return ask.world.transaction(() => {
		const id = String(pageRuleNamed(ask).id);
		ask.world.resources.delete(kind, zoneId(ask), id);
		return done({id});
	});
}

const objects = (given: JsonValue | undefined): given is readonly JsonObject[] =>
	Array.isArray(given) && given.length > 0 && given.every(isJsonObject);
