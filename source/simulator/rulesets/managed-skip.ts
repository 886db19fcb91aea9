import {isJsonObject, type JsonObject, type JsonValue} from '../../text/json.ts';
import {refuseValue} from './errors.ts';
import type {ManagedCatalogue} from './managed-catalogue.ts';
import {refuseIncompatibleParameters} from './skip-parameters.ts';

/** Checks what an exception skips: all later rules, managed rulesets, or some of their rules. */
export function checkException(parameters: JsonObject, catalogue: ManagedCatalogue, pointer: string): void {
	const names = Object.keys(parameters);
	if (names.length === 0) refuseValue('the action skip needs one of ruleset, rulesets, rules', pointer);
	refuseIncompatibleParameters(names, pointer);
	for (const [name, value] of Object.entries(parameters))
		checkSkipParameter(name, value, catalogue, `${pointer}/${name}`);
}

function checkSkipParameter(
	name: string,
	value: JsonValue,
	catalogue: ManagedCatalogue,
	pointer: string,
): void {
	switch (name) {
		case 'ruleset':
			if (value !== 'current') refuseValue('ruleset must be "current"', pointer);
			return;
		case 'rulesets':
			for (const [index, id] of readIds(value, 'rulesets', pointer).entries())
				checkRuleset(id, catalogue, `${pointer}/${index}`);
			return;
		case 'rules':
			for (const [id, ruleIds] of readRuleEntries(value, pointer))
				checkRules(id, ruleIds, catalogue, `${pointer}/${id}`);
			return;
		default:
			refuseValue(`the action skip has no parameter ${name} in this phase`, pointer);
	}
}

const readRuleEntries = (value: JsonValue, pointer: string): readonly [string, JsonValue][] =>
	isJsonObject(value) && Object.keys(value).length > 0
		? Object.entries(value)
		: refuseValue('rules must give the ids of rules by the id of their ruleset', pointer);

function checkRules(id: string, ruleIds: JsonValue, catalogue: ManagedCatalogue, pointer: string): void {
	checkRuleset(id, catalogue, pointer);
	const knownRules = catalogue.rulesets.find(ruleset => ruleset.id === id)?.rules ?? [];
	for (const [index, ruleId] of readIds(ruleIds, 'rules', pointer).entries())
		if (catalogue.isComplete && !knownRules.some(knownRule => knownRule.id === ruleId))
			refuseValue(`the rule ${ruleId} does not belong to the managed ruleset ${id}`, `${pointer}/${index}`);
}

function checkRuleset(id: string, catalogue: ManagedCatalogue, pointer: string): void {
	if (!catalogue.rulesets.some(ruleset => ruleset.id === id))
		refuseValue(`there is no managed ruleset ${id}`, pointer);
}

function readIds(value: JsonValue, name: string, pointer: string): readonly string[] {
	if (!Array.isArray(value) || value.length === 0)
		return refuseValue(`${name} must be an array that names something`, pointer);
	return value.map((item: JsonValue, index) =>
		typeof item === 'string' ? item : refuseValue(`${name} must hold ids`, `${pointer}/${index}`),
	);
}
