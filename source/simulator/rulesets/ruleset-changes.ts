import type {JsonObject, JsonValue} from '../../text/json.ts';
import {buildSuccessAnswer, refuseRequest, type ServiceAnswer} from '../http/answer.ts';
import {requireObject} from '../http/json-request.ts';
import type {RequestContext} from '../http/route.ts';
import {beginMigration, checkMigration, readMigrationMode} from '../migration/migrate.ts';
import {refuseValue} from './errors.ts';
import {managedRulesPhase} from './phase-names.ts';
import type {PhaseDefinition} from './phase-rules.ts';
import {readRequestedRules} from './requested-rule.ts';
import type {StoredRule, StoredRuleset} from './stored-rulesets.ts';
import {
	buildStoredRules,
	checkRuleCombination,
	getRequestedPhase,
	getRequestedRuleset,
	getWritablePhase,
	getZoneRulesets,
	type ZoneRulesets,
} from './zone-rulesets.ts';

const noContentAnswer: ServiceAnswer = {status: 204, headers: {}, body: null};

/** Creates an entry point; a phase has at most one. */
export function createRuleset(context: RequestContext, body: JsonValue | undefined): ServiceAnswer {
	const fields = requireObject(body, 'a ruleset');
	const {kind} = fields;
	if (kind !== 'zone')
		return refuseValue(`${quoteValue(kind)} is not a valid value for kind because this is a zone`, '/kind');
	const name = readTextMember(fields, 'name');
	if (!name) return refuseValue('name is required', '/name');
	const phase = getWritablePhase(
		readTextMember(fields, 'phase') ?? refuseValue('phase is required', '/phase'),
	);
	const zone = getZoneRulesets(context);
	if (zone.rulesets.findByPhase(phase.name))
		return refuseValue(
			`'zone' is not a valid value for kind because exceeded maximum number of zone rulesets for phase ${phase.name}`,
			'/kind',
		);
	return buildSuccessAnswer(createEntryPoint(zone, phase, fields, name));
}

/** Replaces the rules of the ruleset in the path. */
export const updateRuleset = (context: RequestContext, body: JsonValue | undefined): ServiceAnswer =>
	buildSuccessAnswer(
		replaceRuleset(getZoneRulesets(context), getRequestedRuleset(context), requireObject(body, 'a ruleset')),
	);

/**
 * Replaces the rules of the entry point of a phase, or creates it. With `waf_migration`, also starts the
 * migration of the zone.
 */
export function updateEntryPoint(context: RequestContext, body: JsonValue | undefined): ServiceAnswer {
	const phase = getWritablePhase(getRequestedPhase(context));
	const mode = readMigrationMode(context);
	const fields = requireObject(body, 'a ruleset');
	const zone = getZoneRulesets(context);
	if (mode === undefined) return buildSuccessAnswer(putEntryPoint(zone, phase, fields));
	if (phase.name !== managedRulesPhase)
		return refuseRequest(400, {message: `waf_migration is of the phase ${managedRulesPhase}`});
	checkMigration(context, mode);
	if (fields.rules === undefined) return refuseValue('rules is required', '/rules');
	const savedRuleset = putEntryPoint({...zone, isMigrated: true}, phase, fields);
	beginMigration(context, mode);
	return buildSuccessAnswer(savedRuleset);
}

function putEntryPoint(zone: ZoneRulesets, phase: PhaseDefinition, fields: JsonObject): StoredRuleset {
	const ruleset = zone.rulesets.findByPhase(phase.name);
	return ruleset
		? replaceRuleset(zone, ruleset, fields)
		: createEntryPoint(zone, phase, fields, readTextMember(fields, 'name') || 'default');
}

export function deleteRuleset(context: RequestContext): ServiceAnswer {
	getZoneRulesets(context).rulesets.delete(getRequestedRuleset(context));
	return noContentAnswer;
}

/** Deletes a version other than the current one. */
export function deleteVersion(context: RequestContext): ServiceAnswer {
	const {id, version} = getRequestedRuleset(context);
	const versionNumber = context.parameters.version ?? '';
	if (versionNumber === version)
		return refuseValue(`version ${version} is in force and cannot be deleted`, '');
	getZoneRulesets(context).rulesets.deleteVersion(id, versionNumber);
	return noContentAnswer;
}

function createEntryPoint(
	zone: ZoneRulesets,
	phase: PhaseDefinition,
	fields: JsonObject,
	name: string,
): StoredRuleset {
	const {name: phaseName, source} = phase;
	const description = readTextMember(fields, 'description') ?? '';
	const rules = fields.rules === undefined ? [] : readCheckedRules(zone, phase, fields, []);
	return zone.rulesets.create({name, description, source, phase: phaseName}, {rules}, zone.now);
}

function replaceRuleset(zone: ZoneRulesets, ruleset: StoredRuleset, fields: JsonObject): StoredRuleset {
	for (const name of ['name', 'kind', 'phase'] as const) {
		const newValue = fields[name];
		if (newValue !== undefined && newValue !== ruleset[name])
			refuseValue(
				`${quoteValue(newValue)} is not a valid value for ${name} because it cannot be changed`,
				`/${name}`,
			);
	}
	const rules =
		fields.rules === undefined
			? ruleset.rules
			: readCheckedRules(zone, getWritablePhase(ruleset.phase), fields, ruleset.rules);
	const description = readTextMember(fields, 'description') ?? ruleset.description;
	return zone.rulesets.change(ruleset, {description, rules}, zone.now);
}

function readCheckedRules(
	zone: ZoneRulesets,
	phase: PhaseDefinition,
	{rules}: JsonObject,
	storedRules: readonly StoredRule[],
): readonly StoredRule[] {
	const requestedRules = readRequestedRules(rules);
	const checkedRules = buildStoredRules(zone, phase, {
		requestedRules,
		storedRules,
		getPointer: index => `/rules/${index}`,
	});
	checkRuleCombination(zone, phase, checkedRules);
	return checkedRules;
}

function readTextMember(fields: JsonObject, name: string): string | undefined {
	const value = fields[name];
	if (value === undefined || typeof value === 'string') return value;
	return refuseValue(`${name} must be a text`, `/${name}`);
}

const quoteValue = (value: JsonValue | undefined): string =>
	typeof value === 'string' ? `'${value}'` : String(JSON.stringify(value));
