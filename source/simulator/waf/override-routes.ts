import {randomBytes} from 'node:crypto';
import type {JsonObject, JsonValue} from '../../text/json.ts';
import {isJsonObject} from '../../text/json.ts';
import {type Answer, done, refuse} from '../http/answer.ts';
import {objectOf, readJson} from '../http/json-request.ts';
import type {Ask, Route} from '../http/route.ts';
import {listOf} from './lists.ts';
import {previousZone} from './previous-zone.ts';

const overridesPath = '/zones/:zone/firewall/waf/overrides';
const overridePath = `${overridesPath}/:override`;

/** URI-based overrides of the previous managed rules, on the Enterprise plan. */
export const overrideRoutes: readonly Route[] = [
	{method: 'GET', path: overridesPath, grant: 'firewall:read', answer: listOverrides},
	{method: 'POST', path: overridesPath, grant: 'firewall:write', answer: createOverride},
	{method: 'GET', path: overridePath, grant: 'firewall:read', answer: ask => done(overrideNamed(ask))},
	{method: 'PUT', path: overridePath, grant: 'firewall:write', answer: changeOverride},
	{method: 'DELETE', path: overridePath, grant: 'firewall:write', answer: deleteOverride},
];

const kind = 'waf-override';

/** The overrides of a zone, in the order of their making. */
export const overridesOf = ({world}: Pick<Ask, 'world'>, zone: string): readonly JsonObject[] =>
	world.resources.list(kind, zone);

export function setOverride(resources: Ask['world']['resources'], zone: string, override: JsonObject): void {
	resources.set(kind, zone, String(override.id), override);
}

const zoneOfOverrides = (ask: Ask) => previousZone(ask, 'overrides of managed rules', 'enterprise');

function listOverrides(ask: Ask): Answer {
	return listOf(ask, overridesOf(ask, zoneOfOverrides(ask).id), {}, ['priority']);
}

function overrideNamed(ask: Ask): JsonObject {
	const {override: id = ''} = ask.parameters;
	return (
		ask.world.resources.get(kind, zoneOfOverrides(ask).id, id) ??
		refuse(404, {code: 1005, message: `no WAF override ${id}`})
	);
}

async function createOverride(ask: Ask): Promise<Answer> {
	const given = readOverride(await readJson(ask));
	const id = randomBytes(16).toString('hex');
	return ask.world.transaction(() => kept(ask, {id, ...given}));
}

async function changeOverride(ask: Ask): Promise<Answer> {
	const given = readOverride(await readJson(ask));
	return ask.world.transaction(() => kept(ask, {id: overrideNamed(ask).id ?? '', ...given}));
}

function kept(ask: Ask, override: JsonObject): Answer {
	setOverride(ask.world.resources, zoneOfOverrides(ask).id, override);
	return done(override);
}

function deleteOverride(ask: Ask): Answer {
	return ask.world.transaction(() => {
		const id = String(overrideNamed(ask).id);
		ask.world.resources.delete(kind, zoneOfOverrides(ask).id, id);
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
