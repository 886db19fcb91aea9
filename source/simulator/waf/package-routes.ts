import type {JsonObject} from '../../text/json.ts';
import {type Answer, done, refuse} from '../http/answer.ts';
import {objectOf, readJson} from '../http/json-request.ts';
import type {Ask, Route} from '../http/route.ts';
import {type Fits, groupIdOf, holds, is, listOf} from './lists.ts';
import {type PreviousZone, previousZone} from './previous-zone.ts';

const packagesPath = '/zones/:zone/firewall/waf/packages';
const packagePath = `${packagesPath}/:package`;
const groupPath = `${packagePath}/groups/:group`;
const rulePath = `${packagePath}/rules/:wafRule`;

/** Packages, groups and rules of the previous managed rules. */
export const packageRoutes: readonly Route[] = [
	{method: 'GET', path: packagesPath, grant: 'firewall:read', answer: listPackages},
	{method: 'GET', path: packagePath, grant: 'firewall:read', answer: ask => done(packageNamed(ask).found)},
	{method: 'PATCH', path: packagePath, grant: 'firewall:write', answer: changePackage},
	{method: 'GET', path: `${packagePath}/groups`, grant: 'firewall:read', answer: listGroups},
	{method: 'GET', path: groupPath, grant: 'firewall:read', answer: ask => done(groupNamed(ask).found)},
	{method: 'PATCH', path: groupPath, grant: 'firewall:write', answer: changeGroup},
	{method: 'GET', path: `${packagePath}/rules`, grant: 'firewall:read', answer: listRules},
	{method: 'GET', path: rulePath, grant: 'firewall:read', answer: ask => done(ruleNamed(ask).found)},
	{method: 'PATCH', path: rulePath, grant: 'firewall:write', answer: changeRule},
];

type Named = {readonly zone: PreviousZone; readonly found: JsonObject};

function listPackages(ask: Ask): Answer {
	return listOf(ask, previousZone(ask).waf.packages(), {name: is('name')}, ['name', 'status']);
}

function packageNamed(ask: Ask): Named {
	const zone = previousZone(ask);
	const {package: id = ''} = ask.parameters;
	const found = zone.waf.packages().find(one => one.id === id);
	return {zone, found: found ?? refuse(404, {code: 1002, message: `no WAF package ${id}`})};
}

async function changePackage(ask: Ask): Promise<Answer> {
	const given = objectOf(await readJson(ask), 'the settings of a package');
	return ask.world.transaction(() => {
		const {zone, found} = packageNamed(ask);
		if (found.detection_mode !== 'anomaly')
			refuse(400, {message: 'only the package with anomaly detection has settings'});
		const settings = settingsOf(given, {
			sensitivity: ['high', 'medium', 'low', 'default', 'off'],
			action_mode: ['simulate', 'block', 'challenge'],
		});
		zone.waf.changePackage(String(found.id), settings);
		return done(packageNamed(ask).found);
	});
}

function listGroups(ask: Ask): Answer {
	const {zone, found} = packageNamed(ask);
	return listOf(
		ask,
		zone.waf.groups(String(found.id)),
		{name: is('name'), mode: is('mode'), rules_count: is('rules_count')},
		['mode', 'rules_count'],
	);
}

function groupNamed(ask: Ask): Named {
	const {zone, found: owner} = packageNamed(ask);
	const {group: id = ''} = ask.parameters;
	const found = zone.waf.groups(String(owner.id)).find(one => one.id === id);
	return {zone, found: found ?? refuse(404, {code: 1003, message: `no WAF group ${id}`})};
}

async function changeGroup(ask: Ask): Promise<Answer> {
	const given = objectOf(await readJson(ask), 'the mode of a group');
	return ask.world.transaction(() => {
		const {zone, found} = groupNamed(ask);
		zone.waf.changeGroup(String(found.id), modeFor(found, given));
		return done(groupNamed(ask).found);
	});
}

const shortModes: Readonly<Record<string, string>> = {
	DIS: 'disable',
	CHL: 'challenge',
	BLK: 'block',
	SIM: 'simulate',
};

/** What a rule does, whether it was set so or is so by default. */
const doesMode: Fits = (rule, wanted) =>
	(rule.mode === 'default' ? rule.default_mode : rule.mode) === (shortModes[wanted] ?? wanted.toLowerCase());

function listRules(ask: Ask): Answer {
	const {zone, found} = packageNamed(ask);
	return listOf(
		ask,
		zone.waf.rules(String(found.id)),
		{
			description: holds('description'),
			mode: doesMode,
			priority: is('priority'),
			group_id: (rule, wanted) => groupIdOf(rule) === wanted,
		},
		['priority', 'group_id', 'description'],
	);
}

function ruleNamed(ask: Ask): Named {
	const {zone, found: owner} = packageNamed(ask);
	const {wafRule: id = ''} = ask.parameters;
	const found = zone.waf.rules(String(owner.id)).find(one => one.id === id);
	return {zone, found: found ?? refuse(404, {code: 1004, message: `no WAF rule ${id}`})};
}

async function changeRule(ask: Ask): Promise<Answer> {
	const given = objectOf(await readJson(ask), 'the mode of a rule');
	return ask.world.transaction(() => {
		const {zone, found} = ruleNamed(ask);
		zone.waf.changeRule(String(found.id), modeFor(found, given));
		return done(ruleNamed(ask).found);
	});
}

function modeFor({allowed_modes: allowed}: JsonObject, {mode}: JsonObject): string {
	const modes = Array.isArray(allowed) ? allowed : [];
	return typeof mode === 'string' && modes.includes(mode)
		? mode
		: refuse(400, {message: `mode must be one of ${modes.join(', ')}`});
}

/** The settings that are given, each of them one of those there are. */
function settingsOf(given: JsonObject, known: Readonly<Record<string, readonly string[]>>): JsonObject {
	for (const [name, value] of Object.entries(given)) {
		const values = Object.hasOwn(known, name) ? known[name] : undefined;
		if (!values) refuse(400, {message: `unknown setting ${name}`});
		if (typeof value !== 'string' || !values?.includes(value))
			refuse(400, {message: `${name} must be one of ${values?.join(', ')}`});
	}
	return given;
}
