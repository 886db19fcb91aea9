import {Failure} from '../../failure.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../../text/json.ts';
import type {Configuration} from './configuration.ts';
import {
	type OverrideAction,
	type ParanoiaLevel,
	paranoiaCategory,
	paranoiaLevels,
	rulesetName,
} from './mapping.ts';
import type {ConfiguredRule} from './rule-overrides.ts';

/** A change of an override; undefined keeps a setting, `default` removes it. */
export type OverrideChange = {
	readonly action?: OverrideAction | 'default' | undefined;
	readonly enabled?: boolean | 'default' | undefined;
};

/** `score_threshold`: only for the threshold rule of the OWASP ruleset. */
type EntryChange = OverrideChange & {readonly score_threshold?: number};

/** The field that identifies the entries of each list of overrides. */
const keyOf = {rules: 'id', categories: 'category'} as const;
type OverrideList = keyof typeof keyOf;

/** Returns the id of the managed ruleset that a rule executes. Undefined if it executes none. */
export const executedRuleset = ({
	action,
	action_parameters: parameters,
}: ConfiguredRule): string | undefined =>
	action === 'execute' && typeof parameters?.id === 'string' ? parameters.id : undefined;

/** Changes the overrides of every rule that executes a ruleset. Throws `usage` if none exists. */
export function withOverrides(
	configuration: Configuration,
	ruleset: string,
	change: (overrides: JsonObject) => JsonObject,
): Configuration {
	if (!configuration.rules.some(rule => executedRuleset(rule) === ruleset))
		throw new Failure('usage', `The configuration does not deploy ${rulesetName(ruleset)}.`, {
			why: 'No rule of it executes that ruleset, so there is nothing to override.',
			next: 'Deploy the ruleset first.',
		});
	return {
		...configuration,
		rules: configuration.rules.map((rule, index) =>
			executedRuleset(rule) === ruleset ? withRuleOverrides(rule, index, change) : rule,
		),
	};
}

function withRuleOverrides(
	rule: ConfiguredRule,
	index: number,
	change: (overrides: JsonObject) => JsonObject,
): ConfiguredRule {
	const {overrides: given, ...parameters} = rule.action_parameters ?? {};
	if (given !== undefined && !isJsonObject(given)) throw shapeless(index, 'overrides');
	const before = given ?? {};
	const after = change(before);
	if (after === before) return rule;
	return {
		...rule,
		action_parameters: {...parameters, ...(Object.keys(after).length > 0 && {overrides: after})},
	};
}

/** Changes the override of a whole ruleset. */
export const withWholeChanged = (overrides: JsonObject, change: OverrideChange): JsonObject =>
	changed(overrides, change);

/** Changes one entry of a list of overrides. Adds a missing entry and removes one that becomes empty. */
export function withEntryChanged(
	overrides: JsonObject,
	list: OverrideList,
	name: string,
	change: EntryChange,
): JsonObject {
	const key = keyOf[list];
	const entries = entriesOf(overrides, list);
	const isThere = entries.some(entry => entry[key] === name);
	const after = (isThere ? entries : [...entries, {[key]: name}]).flatMap(entry => {
		if (entry[key] !== name) return [entry];
		const one = changed(entry, change);
		return Object.keys(one).length > 1 ? [one] : [];
	});
	return withEntries(overrides, list, after);
}

/**
 * Turns the categories above `level` off and resets the others to their defaults. The highest level is turned
 * on explicitly: without any override the ruleset's own level applies.
 */
export function withParanoia(overrides: JsonObject, level: ParanoiaLevel): JsonObject {
	let after = overrides;
	for (const one of paranoiaLevels) {
		const category = paranoiaCategory(one);
		const isOff = entriesOf(after, 'categories').some(
			entry => entry.category === category && entry.enabled === false,
		);
		if (one > level) after = withEntryChanged(after, 'categories', category, {enabled: false});
		else if (isOff) after = withEntryChanged(after, 'categories', category, {enabled: 'default'});
	}
	const highest = paranoiaLevels.at(-1);
	if (level === highest)
		after = withEntryChanged(after, 'categories', paranoiaCategory(level), {enabled: true});
	return inOrderOfLevel(after);
}

/** Sorts the paranoia levels, so that equal categories have equal fingerprints. */
function inOrderOfLevel(overrides: JsonObject): JsonObject {
	const entries = entriesOf(overrides, 'categories');
	const names = paranoiaLevels.map(paranoiaCategory);
	const isLevel = ({category}: JsonObject) => typeof category === 'string' && names.includes(category);
	const levels = entries
		.filter(isLevel)
		.toSorted((a, b) => (String(a.category) < String(b.category) ? -1 : 1));
	let at = 0;
	const placed = entries.map(entry => (isLevel(entry) ? (levels[at++] ?? entry) : entry));
	return placed.every((entry, index) => entry === entries[index])
		? overrides
		: withEntries(overrides, 'categories', placed);
}

function changed(entry: JsonObject, {action, enabled, score_threshold}: EntryChange): JsonObject {
	const taken = [...(action === 'default' ? ['action'] : []), ...(enabled === 'default' ? ['enabled'] : [])];
	const kept = Object.fromEntries(Object.entries(entry).filter(([name]) => !taken.includes(name)));
	return {
		...kept,
		...(action !== undefined && action !== 'default' && {action}),
		...(enabled !== undefined && enabled !== 'default' && {enabled}),
		...(score_threshold !== undefined && {score_threshold}),
	};
}

function withEntries(overrides: JsonObject, list: OverrideList, entries: readonly JsonObject[]): JsonObject {
	const {[list]: _, ...rest} = overrides;
	return entries.length > 0 ? {...rest, [list]: entries} : rest;
}

function entriesOf(overrides: JsonObject, list: OverrideList): readonly JsonObject[] {
	const entries: JsonValue = overrides[list] ?? [];
	if (!Array.isArray(entries) || !entries.every(isJsonObject)) throw shapeless(undefined, list);
	return entries;
}

const shapeless = (index: number | undefined, what: string): Failure =>
	new Failure('input_malformed', 'The overrides of the configuration have not the shape that ledge knows.', {
		why: `${index === undefined ? '' : `Rule ${index + 1}: `}${what} is not what it should be.`,
		next: 'Edit the JSON itself.',
	});
