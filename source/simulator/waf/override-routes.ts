import {isJsonObject, type JsonObject, type JsonValue} from '../../text/json.ts';
import {type Answer, done, refuse} from '../http/answer.ts';
import {objectOf, readJson} from '../http/json-request.ts';
import type {Ask, Route} from '../http/route.ts';
import type {Collection} from '../world/resources.ts';
import {listOf} from './lists.ts';
import {previousZone} from './previous-zone.ts';
import {overridesOf} from './stored-overrides.ts';

const overridesPath = '/zones/:zone/firewall/waf/overrides';
const overridePath = `${overridesPath}/:override`;

/** URI-based overrides of the previous managed rules, Enterprise only. */
export const overrideRoutes: readonly Route[] = [
	{method: 'GET', path: overridesPath, grant: 'firewall:read', answer: listOverrides},
	{method: 'POST', path: overridesPath, grant: 'firewall:write', answer: createOverride},
	{method: 'GET', path: overridePath, grant: 'firewall:read', answer: ask => done(overrideNamed(ask))},
	{method: 'PUT', path: overridePath, grant: 'firewall:write', answer: changeOverride},
	{method: 'DELETE', path: overridePath, grant: 'firewall:write', answer: deleteOverride},
];

const overrides = (ask: Ask): Collection<JsonObject> =>
	overridesOf(ask.world, previousZone(ask, 'overrides of managed rules', 'enterprise').id);

function listOverrides(ask: Ask): Answer {
	return listOf(ask, overrides(ask).all(), {}, ['priority']);
}

function overrideNamed(ask: Ask): JsonObject {
	const {override: id = ''} = ask.parameters;
	return overrides(ask).get(id) ?? refuse(404, {code: 1005, message: `no WAF override ${id}`});
}

async function createOverride(ask: Ask): Promise<Answer> {
	const given = readOverride(await readJson(ask));
	return ask.world.transaction(() => done(overrides(ask).add(given)));
}

async function changeOverride(ask: Ask): Promise<Answer> {
	const given = readOverride(await readJson(ask));
	return ask.world.transaction(() => done(overrides(ask).put({id: overrideNamed(ask).id ?? '', ...given})));
}

function deleteOverride(ask: Ask): Answer {
	return ask.world.transaction(() => {
		const id = String(overrideNamed(ask).id);
		overrides(ask).delete(id);
		return done({id});
	});
}

const ruleActions = ['challenge', 'block', 'simulate', 'disable', 'default'];
const mostPriority = 1_000_000_000;

function readOverride(body: JsonValue | undefined): JsonObject {
	const given = objectOf(body, 'an override');
	const {urls, groups, rules, rewrite_action, paused = false, priority = 0, description = ''} = given;
	if (!Array.isArray(urls) || urls.length === 0 || urls.some(url => typeof url !== 'string' || url === ''))
		refuse(400, {message: 'urls must be an array of addresses'});
	if (typeof paused !== 'boolean') refuse(400, {message: 'paused must be true or false'});
	if (typeof description !== 'string') refuse(400, {message: 'description must be a text'});
	if (typeof priority !== 'number' || !Number.isInteger(priority) || Math.abs(priority) > mostPriority)
		refuse(400, {message: `priority must be a whole number from -${mostPriority} to ${mostPriority}`});
	const named = {
		...actionsIn('groups', groups),
		...actionsIn('rules', rules),
		...actionsIn('rewrite_action', rewrite_action),
	};
	if (!('groups' in named || 'rules' in named)) refuse(400, {message: 'an override needs groups or rules'});
	return {urls: urls ?? [], ...named, paused, priority, description};
}

function actionsIn(name: string, given: JsonValue | undefined): JsonObject {
	if (given === undefined || given === null) return {};
	const wrong =
		!isJsonObject(given) ||
		(name === 'rewrite_action' && Object.keys(given).some(key => !ruleActions.includes(key))) ||
		Object.values(given).some(action => typeof action !== 'string' || !ruleActions.includes(action));
	if (wrong) refuse(400, {message: `${name} must give each an action: ${ruleActions.join(', ')}`});
	return {[name]: given};
}
