import {isJsonObject, type JsonObject, type JsonValue} from '../../text/json.ts';
import {refuseValue} from './errors.ts';
import type {ManagedCatalogue} from './managed-catalogue.ts';
import {checkIncompatible} from './skip-parameters.ts';

/** Checks what an exception skips: all rules behind it, managed rulesets, or some of their rules. */
export function checkException(given: JsonObject, managed: ManagedCatalogue, at: string): void {
	const names = Object.keys(given);
	if (names.length === 0) refuseValue('the action skip needs one of ruleset, rulesets, rules', at);
	checkIncompatible(names, at);
	for (const [name, value] of Object.entries(given)) checkSkipped(name, value, managed, `${at}/${name}`);
}

function checkSkipped(name: string, value: JsonValue, managed: ManagedCatalogue, at: string): void {
	switch (name) {
		case 'ruleset':
			if (value !== 'current') refuseValue('ruleset must be "current"', at);
			return;
		case 'rulesets':
			for (const [index, id] of readIds(value, 'rulesets', at).entries())
				checkRuleset(id, managed, `${at}/${index}`);
			return;
		case 'rules':
			for (const [id, rules] of readRuleEntries(value, at)) checkRules(id, rules, managed, `${at}/${id}`);
			return;
		default:
			refuseValue(`the action skip has no parameter ${name} in this phase`, at);
	}
}

const readRuleEntries = (value: JsonValue, at: string): readonly [string, JsonValue][] =>
	isJsonObject(value) && Object.keys(value).length > 0
		? Object.entries(value)
		: refuseValue('rules must give the ids of rules by the id of their ruleset', at);

function checkRules(id: string, given: JsonValue, managed: ManagedCatalogue, at: string): void {
	checkRuleset(id, managed, at);
	const known = managed.rulesets.find(ruleset => ruleset.id === id)?.rules ?? [];
	for (const [index, rule] of readIds(given, 'rules', at).entries())
		if (managed.isWhole && !known.some(one => one.id === rule))
			refuseValue(`the rule ${rule} does not belong to the managed ruleset ${id}`, `${at}/${index}`);
}

function checkRuleset(id: string, managed: ManagedCatalogue, at: string): void {
	if (!managed.rulesets.some(ruleset => ruleset.id === id))
		refuseValue(`there is no managed ruleset ${id}`, at);
}

function readIds(value: JsonValue, name: string, at: string): readonly string[] {
	if (!Array.isArray(value) || value.length === 0)
		return refuseValue(`${name} must be an array that names something`, at);
	return value.map((one: JsonValue, index) =>
		typeof one === 'string' ? one : refuseValue(`${name} must hold ids`, `${at}/${index}`),
	);
}
