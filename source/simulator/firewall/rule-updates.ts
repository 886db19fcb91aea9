import {isJsonObject, type JsonObject, type JsonValue} from '../../text/json.ts';
import {type Answer, done, refuse} from '../http/answer.ts';
import {readJson} from '../http/json-request.ts';
import type {Ask} from '../http/route.ts';
import {type Firewall, firewallOf, ruleNamed} from './addressed.ts';
import {refuseCombined} from './combined.ts';
import {rulesPerCall} from './limits.ts';
import {lacking, readPriority, readSettings} from './rule-settings.ts';
import {shownRule} from './stored-rules.ts';
import {type Given, givenById, givenInPath, invalid, readId} from './texts.ts';

type Change = (firewall: Firewall, given: Given) => JsonObject;

/** Replaces all rules of the body or none; reads only the id of a filter. */
export async function updateRules(ask: Ask): Promise<Answer> {
	const body = await readJson(ask);
	refuseCombined(body, 'PUT');
	if (Array.isArray(body) && body.length > rulesPerCall)
		return refuse(400, {
			message: `At most ${rulesPerCall} rules can be updated in one call, not ${body.length}.`,
		});
	return changeEach(ask, body, replaced);
}

/** Replaces the rule in the path. */
export async function updateRule(ask: Ask): Promise<Answer> {
	const body = await readJson(ask);
	refuseCombined(body, 'PUT');
	return changeOne(ask, body, replaced);
}

/** Changes the priority of the rules in the body, all or none. */
export const patchRules = async (ask: Ask): Promise<Answer> =>
	changeEach(ask, await readJson(ask), reordered);

/** Changes the priority of the rule in the path. */
export const patchRule = async (ask: Ask): Promise<Answer> => changeOne(ask, await readJson(ask), reordered);

function changeEach(ask: Ask, body: JsonValue | undefined, change: Change): Answer {
	const firewall = firewallOf(ask);
	const given = givenById(body, 'firewall rules', 'rule');
	return ask.world.transaction(() => done(given.map(one => change(firewall, one))));
}

function changeOne(ask: Ask, body: JsonValue | undefined, change: Change): Answer {
	const firewall = firewallOf(ask);
	const given = givenInPath(ask, body, 'a firewall rule', 'rule');
	return ask.world.transaction(() => done(change(firewall, given)));
}

const replaced: Change = (firewall, {id: named, item: given, where}) => {
	const {id} = ruleNamed(firewall, named);
	const settings = readSettings(given, where);
	if (!isJsonObject(given.filter)) return invalid(where, 'filter is required');
	const filter = readId(given.filter.id, `filter of the ${where}`);
	if (!firewall.filters.get(filter)) return invalid(where, `there is no filter ${filter}`);
	const lacked = lacking(settings, firewall.plan);
	if (lacked !== undefined) return refuse(403, {message: lacked});
	return shownRule(firewall.rules.put({...settings, id, filter}), firewall.filters);
};

const reordered: Change = (firewall, {id: named, item: given, where}) => {
	const rule = ruleNamed(firewall, named);
	const other = Object.keys(given).find(name => name !== 'id' && name !== 'priority');
	if (other !== undefined) return invalid(where, `PATCH changes the priority only, not ${other}`);
	if (given.priority === undefined) return invalid(where, 'priority is required');
	const priority = readPriority(given.priority, where);
	return shownRule(firewall.rules.put({...rule, priority}), firewall.filters);
};
