import type {JsonObject, JsonValue} from '../../text/json.ts';
import {type Answer, done, refuse} from '../http/answer.ts';
import {objectOf} from '../http/json-request.ts';
import type {Ask} from '../http/route.ts';
import {beginMigration, checkMigration, migrationMode} from '../migration/migrate.ts';
import {refuseValue} from './errors.ts';
import {readGivenRules} from './given-rule.ts';
import {managedPhase} from './phase-names.ts';
import type {PhaseRules} from './phase-rules.ts';
import type {StoredRule, StoredRuleset} from './stored-rulesets.ts';
import {
	checkedRules,
	checkTogether,
	phaseNamed,
	rulesetNamed,
	writable,
	type ZoneRulesets,
	zoneRulesets,
} from './zone-rulesets.ts';

const nothing: Answer = {status: 204, headers: {}, body: null};

/** Creates an entry point; a phase has at most one. */
export function createRuleset(ask: Ask, body: JsonValue | undefined): Answer {
	const given = objectOf(body, 'a ruleset');
	const {kind} = given;
	if (kind !== 'zone')
		return refuseValue(`${quoted(kind)} is not a valid value for kind because this is a zone`, '/kind');
	const name = textOf(given, 'name');
	if (!name) return refuseValue('name is required', '/name');
	const phase = writable(textOf(given, 'phase') ?? refuseValue('phase is required', '/phase'));
	const zone = zoneRulesets(ask);
	if (zone.rulesets.ofPhase(phase.phase))
		return refuseValue(
			`'zone' is not a valid value for kind because exceeded maximum number of zone rulesets for phase ${phase.phase}`,
			'/kind',
		);
	return done(make(zone, phase, given, name));
}

/** Replaces the rules of the ruleset in the path. */
export const updateRuleset = (ask: Ask, body: JsonValue | undefined): Answer =>
	done(renewed(zoneRulesets(ask), rulesetNamed(ask), objectOf(body, 'a ruleset')));

/**
 * Replaces the rules of the entry point of a phase, or creates it. With `waf_migration`, also starts the
 * migration of the zone.
 */
export function updateEntryPoint(ask: Ask, body: JsonValue | undefined): Answer {
	const phase = writable(phaseNamed(ask));
	const mode = migrationMode(ask);
	const given = objectOf(body, 'a ruleset');
	const zone = zoneRulesets(ask);
	if (mode === undefined) return done(putEntryPoint(zone, phase, given));
	if (phase.phase !== managedPhase)
		return refuse(400, {message: `waf_migration is of the phase ${managedPhase}`});
	checkMigration(ask, mode);
	if (given.rules === undefined) return refuseValue('rules is required', '/rules');
	const saved = putEntryPoint({...zone, isMigrated: true}, phase, given);
	beginMigration(ask, mode);
	return done(saved);
}

function putEntryPoint(zone: ZoneRulesets, phase: PhaseRules, given: JsonObject): StoredRuleset {
	const ruleset = zone.rulesets.ofPhase(phase.phase);
	return ruleset
		? renewed(zone, ruleset, given)
		: make(zone, phase, given, textOf(given, 'name') || 'default');
}

export function deleteRuleset(ask: Ask): Answer {
	zoneRulesets(ask).rulesets.delete(rulesetNamed(ask));
	return nothing;
}

/** Deletes a version other than the current one. */
export function deleteVersion(ask: Ask): Answer {
	const {id, version} = rulesetNamed(ask);
	const named = ask.parameters.version ?? '';
	if (named === version) return refuseValue(`version ${version} is in force and cannot be deleted`, '');
	zoneRulesets(ask).rulesets.deleteVersion(id, named);
	return nothing;
}

function make(zone: ZoneRulesets, phase: PhaseRules, given: JsonObject, name: string): StoredRuleset {
	const {phase: named, source} = phase;
	const description = textOf(given, 'description') ?? '';
	const rules = given.rules === undefined ? [] : rulesOf(zone, phase, given, []);
	return zone.rulesets.create({name, description, source, phase: named}, {rules}, zone.now);
}

function renewed(zone: ZoneRulesets, ruleset: StoredRuleset, given: JsonObject): StoredRuleset {
	for (const name of ['name', 'kind', 'phase'] as const) {
		const wanted = given[name];
		if (wanted !== undefined && wanted !== ruleset[name])
			refuseValue(
				`${quoted(wanted)} is not a valid value for ${name} because it cannot be changed`,
				`/${name}`,
			);
	}
	const rules =
		given.rules === undefined ? ruleset.rules : rulesOf(zone, writable(ruleset.phase), given, ruleset.rules);
	const description = textOf(given, 'description') ?? ruleset.description;
	return zone.rulesets.change(ruleset, {description, rules}, zone.now);
}

function rulesOf(
	zone: ZoneRulesets,
	phase: PhaseRules,
	{rules}: JsonObject,
	before: readonly StoredRule[],
): readonly StoredRule[] {
	const given = readGivenRules(rules);
	const checked = checkedRules(zone, phase, {given, before, at: index => `/rules/${index}`});
	checkTogether(zone, phase, checked);
	return checked;
}

function textOf(given: JsonObject, name: string): string | undefined {
	const value = given[name];
	if (value === undefined || typeof value === 'string') return value;
	return refuseValue(`${name} must be a text`, `/${name}`);
}

const quoted = (value: JsonValue | undefined): string =>
	typeof value === 'string' ? `'${value}'` : String(JSON.stringify(value));
