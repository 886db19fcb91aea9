import type {JsonObject} from '../../text/json.ts';
import {type Answer, done, refuse} from '../http/answer.ts';
import {objectOf, readJson} from '../http/json-request.ts';
import type {Ask, Route} from '../http/route.ts';
import type {Fits} from '../http/selection.ts';
import {groupIdOf, holds, is, listOf} from './lists.ts';
import {type PreviousZone, previousZone} from './previous-zone.ts';

const packagesPath = '/zones/:zone/firewall/waf/packages';
const packagePath = `${packagesPath}/:package`;
const groupPath = `${packagePath}/groups/:group`;
const rulePath = `${packagePath}/rules/:wafRule`;

/** Routes for packages, groups and rules of the previous managed rules. */
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

/** Returns the item with this id, or refuses with 404. */
const named = (items: readonly JsonObject[], id = '', code: number, what: string): JsonObject =>
	items.find(one => one.id === id) ?? refuse(404, {code, message: `no WAF ${what} ${id}`});

/** Changes the item in the path, and answers with its new state. */
async function changed(
	ask: Ask,
	what: string,
	namedIn: (ask: Ask) => Named,
	change: (of: Named, given: JsonObject) => void,
): Promise<Answer> {
	const given = objectOf(await readJson(ask), what);
	return ask.world.transaction(() => {
		change(namedIn(ask), given);
		return done(namedIn(ask).found);
	});
}

function listPackages(ask: Ask): Answer {
	return listOf(ask, previousZone(ask).waf.packages(), {name: is('name')}, ['name', 'status']);
}

function packageNamed(ask: Ask): Named {
	const zone = previousZone(ask);
	return {zone, found: named(zone.waf.packages(), ask.parameters.package, 1002, 'package')};
}

function changePackage(ask: Ask): Promise<Answer> {
	return changed(ask, 'the settings of a package', packageNamed, ({zone, found}, given) => {
		if (found.detection_mode !== 'anomaly')
			refuse(400, {message: 'only the package with anomaly detection has settings'});
		zone.waf.changePackage(String(found.id), settingsOf(given));
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
	const {zone, found} = packageNamed(ask);
	return {zone, found: named(zone.waf.groups(String(found.id)), ask.parameters.group, 1003, 'group')};
}

function changeGroup(ask: Ask): Promise<Answer> {
	return changed(ask, 'the mode of a group', groupNamed, ({zone, found}, given) =>
		zone.waf.changeGroup(String(found.id), modeFor(found, given)),
	);
}

const shortModes: Readonly<Record<string, string>> = {
	DIS: 'disable',
	CHL: 'challenge',
	BLK: 'block',
	SIM: 'simulate',
};

/** Matches the effective mode of a rule, set or default. */
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
	const {zone, found} = packageNamed(ask);
	return {zone, found: named(zone.waf.rules(String(found.id)), ask.parameters.wafRule, 1004, 'rule')};
}

function changeRule(ask: Ask): Promise<Answer> {
	return changed(ask, 'the mode of a rule', ruleNamed, ({zone, found}, given) =>
		zone.waf.changeRule(String(found.id), modeFor(found, given)),
	);
}

function modeFor({allowed_modes: allowed}: JsonObject, {mode}: JsonObject): string {
	const modes = Array.isArray(allowed) ? allowed : [];
	return typeof mode === 'string' && modes.includes(mode)
		? mode
		: refuse(400, {message: `mode must be one of ${modes.join(', ')}`});
}

const packageSettings: Readonly<Record<string, readonly string[]>> = {
	sensitivity: ['high', 'medium', 'low', 'default', 'off'],
	action_mode: ['simulate', 'block', 'challenge'],
};

/** Checks that the settings and their values are known. */
function settingsOf(given: JsonObject): JsonObject {
	for (const [name, value] of Object.entries(given)) {
		const values = Object.hasOwn(packageSettings, name) ? packageSettings[name] : undefined;
		if (!values) refuse(400, {message: `unknown setting ${name}`});
		if (typeof value !== 'string' || !values?.includes(value))
			refuse(400, {message: `${name} must be one of ${values?.join(', ')}`});
	}
	return given;
}
