import {isDeepStrictEqual} from 'node:util';
import type {RulesetRule} from '../rulesets/ruleset.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../text/json.ts';
import {toFileRule} from './format.ts';

/** A field that differs between two versions of a rule; a missing side is undefined. */
export type FieldChange = {
	/** Its path: `expression`, `ratelimit.period`, `action_parameters.overrides.rules[ID].action`. */
	readonly field: string;
	readonly before: JsonValue | undefined;
	readonly after: JsonValue | undefined;
};

/** Lists the fields that differ, without the service's defaults. Items of lists are matched by id or category. */
export function listFieldChanges(before: RulesetRule, after: RulesetRule): readonly FieldChange[] {
	return compareObjects(
		{description: '', enabled: true, ...toFileRule(before, false)},
		{description: '', enabled: true, ...toFileRule(after, false)},
		'',
	);
}

function compareObjects(before: JsonObject, after: JsonObject, prefix: string): readonly FieldChange[] {
	const names = new Set([...Object.keys(before), ...Object.keys(after)]);
	return [...names].flatMap(name =>
		compareValues(before[name], after[name], prefix === '' ? name : `${prefix}.${name}`),
	);
}

function compareValues(
	before: JsonValue | undefined,
	after: JsonValue | undefined,
	field: string,
): readonly FieldChange[] {
	if (isDeepStrictEqual(before, after)) return [];
	if (isJsonObject(before) && isJsonObject(after)) return compareObjects(before, after, field);
	const [itemsBefore, itemsAfter] = [keyItems(before), keyItems(after)];
	if (!itemsBefore || !itemsAfter) return [{field, before, after}];
	const keys = [...new Set([...itemsBefore.keys(), ...itemsAfter.keys()])];
	const changes = keys.flatMap(key =>
		compareValues(itemsBefore.get(key), itemsAfter.get(key), `${field}[${key}]`),
	);
	// Only the order differs.
	return changes.length > 0 ? changes : [{field, before, after}];
}

/** Returns the items of a list by their id or category; undefined if they have none, or not each its own. */
function keyItems(value: JsonValue | undefined): ReadonlyMap<string, JsonValue> | undefined {
	if (!Array.isArray(value)) return undefined;
	const items = new Map<string, JsonValue>();
	for (const item of value as readonly JsonValue[]) {
		const key = isJsonObject(item) ? (item.id ?? item.category) : undefined;
		if (typeof key !== 'string' || items.has(key)) return undefined;
		items.set(key, item);
	}
	return items;
}
