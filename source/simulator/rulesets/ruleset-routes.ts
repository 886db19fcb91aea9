import {buildSuccessAnswer, refuseRequest, type ServiceAnswer} from '../http/answer.ts';
import type {RequestContext, Route} from '../http/route.ts';
import {createChangeHandler} from './change-handler.ts';
import {refuseNotFound} from './errors.ts';
import type {ManagedRuleset} from './managed-catalogue.ts';
import {addStoredRule, changeStoredRule, deleteRequestedRule} from './rule-changes.ts';
import {
	createRuleset,
	deleteRuleset,
	deleteVersion,
	updateEntryPoint,
	updateRuleset,
} from './ruleset-changes.ts';
import type {StoredRuleset} from './stored-rulesets.ts';
import {
	findRequestedManagedRuleset,
	getRequestedPhase,
	getRequestedRuleset,
	getZoneRulesets,
	listManagedRulesets,
	omitRules,
} from './zone-rulesets.ts';

const rulesetsPath = '/zones/:zone/rulesets';
const rulesetPath = `${rulesetsPath}/:ruleset`;
const rulePath = `${rulesetPath}/rules/:rule`;
const entryPointPath = `${rulesetsPath}/phases/:phase/entrypoint`;

const createReadRoute = (path: string, answer: Route['answer']): Route => ({
	method: 'GET',
	path,
	grant: 'waf:read',
	answer,
});

const createWriteRoute = (
	method: Exclude<Route['method'], 'GET'>,
	path: string,
	change: Parameters<typeof createChangeHandler>[0],
): Route => ({method, path, grant: 'waf:write', answer: createChangeHandler(change)});

export const rulesetRoutes: readonly Route[] = [
	createReadRoute(entryPointPath, context => buildSuccessAnswer(getEntryPoint(context))),
	createWriteRoute('PUT', entryPointPath, updateEntryPoint),
	createReadRoute(`${entryPointPath}/versions`, listEntryPointVersions),
	createReadRoute(`${entryPointPath}/versions/:version`, context =>
		buildSuccessAnswer(getVersion(context, getEntryPoint(context))),
	),
	createReadRoute(rulesetsPath, listRulesets),
	createWriteRoute('POST', rulesetsPath, createRuleset),
	createReadRoute(rulesetPath, context =>
		buildSuccessAnswer(getVisibleManagedRuleset(context) ?? getRequestedRuleset(context)),
	),
	createWriteRoute('PUT', rulesetPath, updateRuleset),
	createWriteRoute('DELETE', rulesetPath, deleteRuleset),
	createReadRoute(`${rulesetPath}/versions`, listRulesetVersions),
	createReadRoute(`${rulesetPath}/versions/:version`, getRulesetVersion),
	createWriteRoute('DELETE', `${rulesetPath}/versions/:version`, context => {
		// Refuses a missing version.
		getVersion(context, getRequestedRuleset(context));
		return deleteVersion(context);
	}),
	createWriteRoute('POST', `${rulesetPath}/rules`, addStoredRule),
	createWriteRoute('PATCH', rulePath, changeStoredRule),
	createWriteRoute('DELETE', rulePath, deleteRequestedRule),
];

/** Lists all rulesets without their rules, including managed ones; a zone has at most one page. */
function listRulesets(context: RequestContext): ServiceAnswer {
	const rulesets = [...getZoneRulesets(context).rulesets.list(), ...listManagedRulesets(context)];
	return buildSuccessAnswer(rulesets.map(omitRules), {info: {count: rulesets.length, cursor: ''}});
}

/** Returns the managed ruleset in the path, if it is one; refuses it if its rules are not known. */
function getVisibleManagedRuleset(context: RequestContext): ManagedRuleset | undefined {
	const managedRuleset = findRequestedManagedRuleset(context);
	if (managedRuleset && !getZoneRulesets(context).catalogue.isComplete)
		return refuseNotFound(`ruleset ${managedRuleset.id}`);
	return managedRuleset;
}

function getEntryPoint(context: RequestContext): StoredRuleset {
	const phase = getRequestedPhase(context);
	return (
		getZoneRulesets(context).rulesets.findByPhase(phase) ??
		refuseRequest(404, {code: 10003, message: `could not find entrypoint ruleset in the "${phase}" phase`})
	);
}

function listEntryPointVersions(context: RequestContext): ServiceAnswer {
	const ruleset = getZoneRulesets(context).rulesets.findByPhase(getRequestedPhase(context));
	return ruleset ? listVersions(context, ruleset) : buildSuccessAnswer([]);
}

/** Lists the versions of a ruleset; a managed one has only the newest. */
function listRulesetVersions(context: RequestContext): ServiceAnswer {
	const managedRuleset = getVisibleManagedRuleset(context);
	return managedRuleset
		? buildSuccessAnswer([omitRules(managedRuleset)])
		: listVersions(context, getRequestedRuleset(context));
}

function getRulesetVersion(context: RequestContext): ServiceAnswer {
	const managedRuleset = getVisibleManagedRuleset(context);
	return buildSuccessAnswer(
		managedRuleset && managedRuleset.version === context.parameters.version
			? managedRuleset
			: getVersion(context, getRequestedRuleset(context)),
	);
}

const listVersions = (context: RequestContext, {id}: StoredRuleset): ServiceAnswer =>
	buildSuccessAnswer(getZoneRulesets(context).rulesets.listVersions(id).map(omitRules));

function getVersion(context: RequestContext, {id}: StoredRuleset): StoredRuleset {
	const versionNumber = context.parameters.version ?? '';
	return (
		getZoneRulesets(context).rulesets.findVersion(id, versionNumber) ??
		refuseNotFound(`version ${versionNumber} of ruleset ${id}`)
	);
}
