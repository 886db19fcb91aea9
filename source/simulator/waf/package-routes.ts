import type {JsonObject} from '../../text/json.ts';
import {buildSuccessAnswer, refuseRequest, type ServiceAnswer} from '../http/answer.ts';
import {readJsonBody, requireObject} from '../http/json-request.ts';
import type {RequestContext, Route} from '../http/route.ts';
import type {ItemPredicate} from '../http/selection.ts';
import {buildListAnswer, createExactMatch, createSubstringMatch, getGroupId} from './list-responses.ts';
import {getPreviousWafZone, type PreviousWafZone} from './previous-waf-zone.ts';

const packagesPath = '/zones/:zone/firewall/waf/packages';
const packagePath = `${packagesPath}/:package`;
const groupPath = `${packagePath}/groups/:group`;
const rulePath = `${packagePath}/rules/:wafRule`;

/** Routes for packages, groups and rules of the previous managed rules. */
export const packageRoutes: readonly Route[] = [
	{method: 'GET', path: packagesPath, grant: 'firewall:read', answer: listPackages},
	{
		method: 'GET',
		path: packagePath,
		grant: 'firewall:read',
		answer: context => buildSuccessAnswer(getRequestedPackage(context).item),
	},
	{method: 'PATCH', path: packagePath, grant: 'firewall:write', answer: changePackage},
	{method: 'GET', path: `${packagePath}/groups`, grant: 'firewall:read', answer: listGroups},
	{
		method: 'GET',
		path: groupPath,
		grant: 'firewall:read',
		answer: context => buildSuccessAnswer(getRequestedGroup(context).item),
	},
	{method: 'PATCH', path: groupPath, grant: 'firewall:write', answer: changeGroup},
	{method: 'GET', path: `${packagePath}/rules`, grant: 'firewall:read', answer: listWafRules},
	{
		method: 'GET',
		path: rulePath,
		grant: 'firewall:read',
		answer: context => buildSuccessAnswer(getRequestedWafRule(context).item),
	},
	{method: 'PATCH', path: rulePath, grant: 'firewall:write', answer: changeWafRule},
];

type RequestTarget = {readonly zone: PreviousWafZone; readonly item: JsonObject};

/** Returns the item with this id, or refuses with 404. */
const getItem = (items: readonly JsonObject[], id = '', code: number, itemName: string): JsonObject =>
	items.find(item => item.id === id) ?? refuseRequest(404, {code, message: `no WAF ${itemName} ${id}`});

/** Changes the item in the path, and answers with its new state. */
async function changeItem(
	context: RequestContext,
	itemName: string,
	getTarget: (context: RequestContext) => RequestTarget,
	change: (target: RequestTarget, changes: JsonObject) => void,
): Promise<ServiceAnswer> {
	const changes = requireObject(await readJsonBody(context), itemName);
	return context.world.runTransaction(() => {
		change(getTarget(context), changes);
		return buildSuccessAnswer(getTarget(context).item);
	});
}

function listPackages(context: RequestContext): ServiceAnswer {
	return buildListAnswer(
		context,
		getPreviousWafZone(context).waf.listPackages(),
		{name: createExactMatch('name')},
		['name', 'status'],
	);
}

function getRequestedPackage(context: RequestContext): RequestTarget {
	const zone = getPreviousWafZone(context);
	return {zone, item: getItem(zone.waf.listPackages(), context.parameters.package, 1002, 'package')};
}

function changePackage(context: RequestContext): Promise<ServiceAnswer> {
	return changeItem(context, 'the settings of a package', getRequestedPackage, ({zone, item}, changes) => {
		if (item.detection_mode !== 'anomaly')
			refuseRequest(400, {message: 'only the package with anomaly detection has settings'});
		zone.waf.changePackage(String(item.id), readPackageSettings(changes));
	});
}

function listGroups(context: RequestContext): ServiceAnswer {
	const {zone, item} = getRequestedPackage(context);
	return buildListAnswer(
		context,
		zone.waf.listGroups(String(item.id)),
		{
			name: createExactMatch('name'),
			mode: createExactMatch('mode'),
			rules_count: createExactMatch('rules_count'),
		},
		['mode', 'rules_count'],
	);
}

function getRequestedGroup(context: RequestContext): RequestTarget {
	const {zone, item} = getRequestedPackage(context);
	return {
		zone,
		item: getItem(zone.waf.listGroups(String(item.id)), context.parameters.group, 1003, 'group'),
	};
}

function changeGroup(context: RequestContext): Promise<ServiceAnswer> {
	return changeItem(context, 'the mode of a group', getRequestedGroup, ({zone, item}, changes) =>
		zone.waf.changeGroup(String(item.id), readAllowedMode(item, changes)),
	);
}

/** Abbreviations of modes that a query may use. */
const shortModes: Readonly<Record<string, string>> = {
	DIS: 'disable',
	CHL: 'challenge',
	BLK: 'block',
	SIM: 'simulate',
};

/** Matches the effective mode of a rule, set or default. */
const matchesMode: ItemPredicate = (rule, searchText) =>
	(rule.mode === 'default' ? rule.default_mode : rule.mode) ===
	(shortModes[searchText] ?? searchText.toLowerCase());

function listWafRules(context: RequestContext): ServiceAnswer {
	const {zone, item} = getRequestedPackage(context);
	return buildListAnswer(
		context,
		zone.waf.listRules(String(item.id)),
		{
			description: createSubstringMatch('description'),
			mode: matchesMode,
			priority: createExactMatch('priority'),
			group_id: (rule, searchText) => getGroupId(rule) === searchText,
		},
		['priority', 'group_id', 'description'],
	);
}

function getRequestedWafRule(context: RequestContext): RequestTarget {
	const {zone, item} = getRequestedPackage(context);
	return {
		zone,
		item: getItem(zone.waf.listRules(String(item.id)), context.parameters.wafRule, 1004, 'rule'),
	};
}

function changeWafRule(context: RequestContext): Promise<ServiceAnswer> {
	return changeItem(context, 'the mode of a rule', getRequestedWafRule, ({zone, item}, changes) =>
		zone.waf.changeRule(String(item.id), readAllowedMode(item, changes)),
	);
}

function readAllowedMode({allowed_modes: allowed}: JsonObject, {mode}: JsonObject): string {
	const modes = Array.isArray(allowed) ? allowed : [];
	return typeof mode === 'string' && modes.includes(mode)
		? mode
		: refuseRequest(400, {message: `mode must be one of ${modes.join(', ')}`});
}

const packageSettings: Readonly<Record<string, readonly string[]>> = {
	sensitivity: ['high', 'medium', 'low', 'default', 'off'],
	action_mode: ['simulate', 'block', 'challenge'],
};

/** Checks that the settings and their values are known. */
function readPackageSettings(changes: JsonObject): JsonObject {
	for (const [name, value] of Object.entries(changes)) {
		const values = Object.hasOwn(packageSettings, name) ? packageSettings[name] : undefined;
		if (!values) refuseRequest(400, {message: `unknown setting ${name}`});
		if (typeof value !== 'string' || !values?.includes(value))
			refuseRequest(400, {message: `${name} must be one of ${values?.join(', ')}`});
	}
	return changes;
}
