import {type Answer, done, refuse} from '../http/answer.ts';
import type {Ask, Route} from '../http/route.ts';
import {changing} from './changing.ts';
import {notFound} from './errors.ts';
import type {ManagedRuleset} from './managed-catalogue.ts';
import {addRule, changeRule, deleteRule} from './rule-changes.ts';
import {
	createRuleset,
	deleteRuleset,
	deleteVersion,
	updateEntryPoint,
	updateRuleset,
} from './ruleset-changes.ts';
import type {StoredRuleset} from './stored-rulesets.ts';
import {
	managedNamed,
	managedOf,
	phaseNamed,
	rulesetNamed,
	withoutRules,
	zoneRulesets,
} from './zone-rulesets.ts';

const rulesetsPath = '/zones/:zone/rulesets';
const rulesetPath = `${rulesetsPath}/:ruleset`;
const rulePath = `${rulesetPath}/rules/:rule`;
const entryPointPath = `${rulesetsPath}/phases/:phase/entrypoint`;

const reads = (path: string, answer: Route['answer']): Route => ({
	method: 'GET',
	path,
	grant: 'waf:read',
	answer,
});

const writes = (
	method: Exclude<Route['method'], 'GET'>,
	path: string,
	change: Parameters<typeof changing>[0],
): Route => ({method, path, grant: 'waf:write', answer: changing(change)});

export const rulesetRoutes: readonly Route[] = [
	reads(entryPointPath, ask => done(entryPoint(ask))),
	writes('PUT', entryPointPath, updateEntryPoint),
	reads(`${entryPointPath}/versions`, entryPointVersions),
	reads(`${entryPointPath}/versions/:version`, ask => done(version(ask, entryPoint(ask)))),
	reads(rulesetsPath, listRulesets),
	writes('POST', rulesetsPath, createRuleset),
	reads(rulesetPath, ask => done(managedShown(ask) ?? rulesetNamed(ask))),
	writes('PUT', rulesetPath, updateRuleset),
	writes('DELETE', rulesetPath, deleteRuleset),
	reads(`${rulesetPath}/versions`, rulesetVersions),
	reads(`${rulesetPath}/versions/:version`, rulesetVersion),
	writes('DELETE', `${rulesetPath}/versions/:version`, ask => {
		version(ask, rulesetNamed(ask));
		return deleteVersion(ask);
	}),
	writes('POST', `${rulesetPath}/rules`, addRule),
	writes('PATCH', rulePath, changeRule),
	writes('DELETE', rulePath, deleteRule),
];

/** Lists all rulesets without their rules, including managed ones; a zone has at most one page. */
function listRulesets(ask: Ask): Answer {
	const found = [...zoneRulesets(ask).rulesets.all(), ...managedOf(ask)];
	return done(found.map(withoutRules), {info: {count: found.length, cursor: ''}});
}

/** Returns the managed ruleset in the path, if it is one; refuses it if its rules are not known. */
function managedShown(ask: Ask): ManagedRuleset | undefined {
	const managed = managedNamed(ask);
	if (managed && !zoneRulesets(ask).managed.isWhole) return notFound(`ruleset ${managed.id}`);
	return managed;
}

function entryPoint(ask: Ask): StoredRuleset {
	const phase = phaseNamed(ask);
	return (
		zoneRulesets(ask).rulesets.ofPhase(phase) ??
		refuse(404, {code: 10003, message: `could not find entrypoint ruleset in the "${phase}" phase`})
	);
}

function entryPointVersions(ask: Ask): Answer {
	const ruleset = zoneRulesets(ask).rulesets.ofPhase(phaseNamed(ask));
	return ruleset ? versions(ask, ruleset) : done([]);
}

/** Lists the versions of a ruleset; a managed one has only the newest. */
function rulesetVersions(ask: Ask): Answer {
	const managed = managedShown(ask);
	return managed ? done([withoutRules(managed)]) : versions(ask, rulesetNamed(ask));
}

function rulesetVersion(ask: Ask): Answer {
	const managed = managedShown(ask);
	return done(
		managed && managed.version === ask.parameters.version ? managed : version(ask, rulesetNamed(ask)),
	);
}

const versions = (ask: Ask, {id}: StoredRuleset): Answer =>
	done(zoneRulesets(ask).rulesets.versions(id).map(withoutRules));

function version(ask: Ask, {id}: StoredRuleset): StoredRuleset {
	const named = ask.parameters.version ?? '';
	return zoneRulesets(ask).rulesets.version(id, named) ?? notFound(`version ${named} of ruleset ${id}`);
}
