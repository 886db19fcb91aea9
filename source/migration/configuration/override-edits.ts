import {Failure} from '../../failure.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../../text/json.ts';
import type {ManagedConfiguration} from './configuration.ts';
import {
	formatRulesetName,
	getParanoiaCategory,
	type OverrideAction,
	type ParanoiaLevel,
	paranoiaLevels,
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
const entryKeys = {rules: 'id', categories: 'category'} as const;
type OverrideList = keyof typeof entryKeys;

/** Returns the id of the managed ruleset that a rule executes. Undefined if it executes none. */
export const findExecutedRulesetId = ({
	action,
	action_parameters: parameters,
}: ConfiguredRule): string | undefined =>
	action === 'execute' && typeof parameters?.id === 'string' ? parameters.id : undefined;

/** Changes the overrides of every rule that executes a ruleset. Throws `usage` if none exists. */
export function withOverrides(
	configuration: ManagedConfiguration,
	rulesetId: string,
	editOverrides: (overrides: JsonObject) => JsonObject,
): ManagedConfiguration {
	if (!configuration.rules.some(rule => findExecutedRulesetId(rule) === rulesetId))
		throw new Failure('usage', `The configuration does not deploy ${formatRulesetName(rulesetId)}.`, {
			why: 'No rule executes that ruleset, so there is nothing to override.',
			next: 'Deploy the ruleset first.',
		});
	return {
		...configuration,
		rules: configuration.rules.map((rule, index) =>
			findExecutedRulesetId(rule) === rulesetId ? withRuleOverrides(rule, index, editOverrides) : rule,
		),
	};
}

function withRuleOverrides(
	rule: ConfiguredRule,
	index: number,
	editOverrides: (overrides: JsonObject) => JsonObject,
): ConfiguredRule {
	const {overrides: rawOverrides, ...parameters} = rule.action_parameters ?? {};
	if (rawOverrides !== undefined && !isJsonObject(rawOverrides)) throw createShapeFailure(index, 'overrides');
	const oldOverrides = rawOverrides ?? {};
	const newOverrides = editOverrides(oldOverrides);
	if (newOverrides === oldOverrides) return rule;
	return {
		...rule,
		action_parameters: {
			...parameters,
			...(Object.keys(newOverrides).length > 0 && {overrides: newOverrides}),
		},
	};
}

/** Changes the override of a whole ruleset. */
export const withRulesetOverride = (overrides: JsonObject, change: OverrideChange): JsonObject =>
	applyOverrideChange(overrides, change);

/**
 * Changes one entry of a list of overrides. Adds the entry if it is missing, and removes it if it becomes
 * empty.
 */
export function withOverrideEntry(
	overrides: JsonObject,
	list: OverrideList,
	name: string,
	change: EntryChange,
): JsonObject {
	const key = entryKeys[list];
	const entries = getOverrideEntries(overrides, list);
	const exists = entries.some(entry => entry[key] === name);
	const newEntries = (exists ? entries : [...entries, {[key]: name}]).flatMap(entry => {
		if (entry[key] !== name) return [entry];
		const changedEntry = applyOverrideChange(entry, change);
		return Object.keys(changedEntry).length > 1 ? [changedEntry] : [];
	});
	return withEntries(overrides, list, newEntries);
}

/**
 * Turns the categories above `level` off and resets the others to their defaults. The highest level is turned
 * on explicitly: without any override, the ruleset's default level would apply.
 */
export function withParanoiaLevel(overrides: JsonObject, level: ParanoiaLevel): JsonObject {
	let result = overrides;
	for (const eachLevel of paranoiaLevels) {
		const category = getParanoiaCategory(eachLevel);
		const isOff = getOverrideEntries(result, 'categories').some(
			entry => entry.category === category && entry.enabled === false,
		);
		if (eachLevel > level) result = withOverrideEntry(result, 'categories', category, {enabled: false});
		else if (isOff) result = withOverrideEntry(result, 'categories', category, {enabled: 'default'});
	}
	const highestLevel = paranoiaLevels.at(-1);
	if (level === highestLevel)
		result = withOverrideEntry(result, 'categories', getParanoiaCategory(level), {enabled: true});
	return sortParanoiaLevels(result);
}

/** Sorts the paranoia levels, so that configurations with the same levels have the same fingerprint. */
function sortParanoiaLevels(overrides: JsonObject): JsonObject {
	const entries = getOverrideEntries(overrides, 'categories');
	const names = paranoiaLevels.map(getParanoiaCategory);
	const isLevel = ({category}: JsonObject) => typeof category === 'string' && names.includes(category);
	const levelEntries = entries
		.filter(isLevel)
		.toSorted((a, b) => (String(a.category) < String(b.category) ? -1 : 1));
	let nextIndex = 0;
	const orderedEntries = entries.map(entry =>
		isLevel(entry) ? (levelEntries[nextIndex++] ?? entry) : entry,
	);
	return orderedEntries.every((entry, index) => entry === entries[index])
		? overrides
		: withEntries(overrides, 'categories', orderedEntries);
}

function applyOverrideChange(entry: JsonObject, {action, enabled, score_threshold}: EntryChange): JsonObject {
	const removedFields = [
		...(action === 'default' ? ['action'] : []),
		...(enabled === 'default' ? ['enabled'] : []),
	];
	const keptFields = Object.fromEntries(
		Object.entries(entry).filter(([name]) => !removedFields.includes(name)),
	);
	return {
		...keptFields,
		...(action !== undefined && action !== 'default' && {action}),
		...(enabled !== undefined && enabled !== 'default' && {enabled}),
		...(score_threshold !== undefined && {score_threshold}),
	};
}

function withEntries(overrides: JsonObject, list: OverrideList, entries: readonly JsonObject[]): JsonObject {
	const {[list]: _, ...otherOverrides} = overrides;
	return entries.length > 0 ? {...otherOverrides, [list]: entries} : otherOverrides;
}

function getOverrideEntries(overrides: JsonObject, list: OverrideList): readonly JsonObject[] {
	const entries: JsonValue = overrides[list] ?? [];
	if (!Array.isArray(entries) || !entries.every(isJsonObject)) throw createShapeFailure(undefined, list);
	return entries;
}

const createShapeFailure = (index: number | undefined, field: string): Failure =>
	new Failure(
		'input_malformed',
		'The overrides in the configuration have a format that ledge does not know.',
		{
			why: `${index === undefined ? '' : `Rule ${index + 1}: `}${field} is malformed.`,
			next: 'Edit the JSON instead.',
		},
	);
