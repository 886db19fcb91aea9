import type {JsonValue} from '../../text/json.ts';
import {isJsonObject} from '../../text/json.ts';
import {type Answer, done, refuse} from '../http/answer.ts';
import {readJson} from '../http/json-request.ts';
import {pageOf} from '../http/pages.ts';
import type {Ask, Route} from '../http/route.ts';
import {type Firewall, firewallOf, idInPath, ruleNamed} from './addressed.ts';
import {refuseCombined} from './combined.ts';
import {fitsCommon, is, pageSizes} from './queries.ts';
import {createRules} from './rule-creation.ts';
import {patchRule, patchRules, updateRule, updateRules} from './rule-updates.ts';
import {shownRule, usersOf} from './stored-rules.ts';

const rulesPath = '/zones/:zone/firewall/rules';
const rulePath = `${rulesPath}/:rule`;

export const firewallRuleRoutes: readonly Route[] = [
	{method: 'GET', path: rulesPath, grant: 'firewall:read', answer: listRules},
	{method: 'POST', path: rulesPath, grant: 'firewall:write', answer: createRules},
	{method: 'PUT', path: rulesPath, grant: 'firewall:write', answer: updateRules},
	{method: 'PATCH', path: rulesPath, grant: 'firewall:write', answer: patchRules},
	{method: 'DELETE', path: rulesPath, grant: 'firewall:write', answer: deleteNamed},
	{method: 'GET', path: rulePath, grant: 'firewall:read', answer: getRule},
	{method: 'PUT', path: rulePath, grant: 'firewall:write', answer: updateRule},
	{method: 'PATCH', path: rulePath, grant: 'firewall:write', answer: patchRule},
	{method: 'DELETE', path: rulePath, grant: 'firewall:write', answer: deleteRule},
];

function listRules(ask: Ask): Answer {
	const {rules, filters} = firewallOf(ask);
	const common = fitsCommon(ask.query);
	const action = is(ask.query.get('action'));
	const found = rules.all().filter(rule => common(rule) && action(rule.action));
	return pageOf(
		ask,
		found.map(rule => shownRule(rule, filters)),
		pageSizes,
	);
}

function getRule(ask: Ask): Answer {
	const firewall = firewallOf(ask);
	return done(shownRule(ruleNamed(firewall, idInPath(ask)), firewall.filters));
}

/** Deletes the rules in the query or the body; ignores missing ones. */
async function deleteNamed(ask: Ask): Promise<Answer> {
	const body = await readJson(ask);
	refuseCombined(body, 'DELETE');
	const firewall = firewallOf(ask);
	const ids = new Set([...ask.query.getAll('id'), ...idsIn(body)]);
	const withFilter = readWithFilter(body, ask.query);
	return ask.world.transaction(() => done([...ids].flatMap(id => deleted(firewall, id, withFilter))));
}

async function deleteRule(ask: Ask): Promise<Answer> {
	const body = await readJson(ask);
	refuseCombined(body, 'DELETE');
	const firewall = firewallOf(ask);
	const withFilter = readWithFilter(body, ask.query);
	return ask.world.transaction(() =>
		done(deleted(firewall, ruleNamed(firewall, idInPath(ask)).id, withFilter)),
	);
}

/** Returns the ids of `{id}` or `[{id}, …]`. */
function idsIn(body: JsonValue | undefined): readonly string[] {
	const items: readonly JsonValue[] = Array.isArray(body) ? body : body === undefined ? [] : [body];
	return items.flatMap(item => (isJsonObject(item) && typeof item.id === 'string' ? [item.id] : []));
}

function readWithFilter(body: JsonValue | undefined, query: URLSearchParams): boolean {
	const given =
		(isJsonObject(body) ? body.delete_filter_if_unused : undefined) ??
		query.get('delete_filter_if_unused') ??
		false;
	if (given === true || given === 'true') return true;
	if (given === false || given === 'false') return false;
	return refuse(400, {message: 'delete_filter_if_unused must be true or false'});
}

function deleted({rules, filters}: Firewall, id: string, withFilter: boolean): readonly {id: string}[] {
	const rule = rules.get(id);
	if (!rule) return [];
	rules.delete(id);
	if (withFilter && usersOf(rules, rule.filter).length === 0) filters.delete(rule.filter);
	return [{id}];
}
