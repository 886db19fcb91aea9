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

/** What an override sets of a part of a managed ruleset; what is not given stays, `default` takes it away. */
export type OverrideChange = {
	readonly action?: OverrideAction | 'default' | undefined;
	readonly enabled?: boolean | 'default' | undefined;
};

/** The same with the score that only the threshold rule of the OWASP ruleset has. */
type EntryChange = OverrideChange & {readonly score_threshold?: number};

/** Lists of overrides, and the field that distinguishes their entries. */
const keyOf = {rules: 'id', categories: 'category'} as const;
type OverrideList = keyof typeof keyOf;

/** The managed ruleset that a rule executes; `undefined` where it executes none. */
export const executedRuleset = ({
	action,
	action_parameters: parameters,
}: ConfiguredRule): string | undefined =>
	action === 'execute' && typeof parameters?.id === 'string' ? parameters.id : undefined;

/** Changes the overrides of every rule that executes a ruleset; fails with `usage` where none does. */
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

/** Changes what holds for all of a ruleset. */
export const withWholeChanged = (overrides: JsonObject, change: OverrideChange): JsonObject =>
	changed(overrides, change);

/** Changes one entry of a list of overrides; an entry that is then empty is taken out, a missing entry is added. */
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
 * Turns the rules above a paranoia level off; those of it and below are as they are by default.
 * The highest level has none above it and is turned on: nothing said at all would be the ruleset's own level.
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

/** The same categories make the same fingerprint, however they came to be. */
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
