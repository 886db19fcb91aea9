import {filterObjects, isJsonObject, type JsonObject, type JsonValue} from '../../text/json.ts';
import type {ManagedContents} from '../zone/managed-contents.ts';
import type {ManagedConfiguration} from './configuration.ts';
import {isTextList} from './exceptions.ts';
import {
	createProtectionWarning,
	createRuleError,
	createRuleWarning,
	listUnknownFields,
	type RuleFinding,
} from './findings.ts';
import {
	formatRulesetName,
	highestThreshold,
	managedRulesets,
	overrideActions,
	thresholdRuleId,
} from './mapping.ts';
import {findExecutedRulesetId} from './override-edits.ts';
import {type ConfiguredRule, getRulesetOverrides} from './rule-overrides.ts';

/** Checks a rule that executes a managed ruleset. */
export function checkExecuteRule(
	{action, action_parameters: parameters = {}}: ConfiguredRule,
	catalogue: readonly Pick<ManagedContents, 'id'>[] = [],
): readonly RuleFinding[] {
	if (action !== 'execute') return [];
	const {id, overrides, version} = parameters;
	if (typeof id !== 'string' || id === '')
		return [createRuleError('It executes nothing: action_parameters.id is not the id of a managed ruleset.')];
	// If the zone's rulesets could be read, an id that is not among them is checked by `checkManagedIds`.
	const isKnown = catalogue.length > 0 || Object.values(managedRulesets).some(one => one.id === id);
	return [
		...(isKnown ? [] : [createRuleWarning(`ledge does not know the managed ruleset ${id}.`)]),
		...(version === undefined || version === 'latest'
			? []
			: [
					createRuleWarning(
						`It's pinned to version ${JSON.stringify(version)} of the ruleset and gets no updates.`,
					),
				]),
		...(overrides === undefined ? [] : checkOverrides(overrides, id)),
	];
}

function checkOverrides(overrides: JsonValue, rulesetId: string): readonly RuleFinding[] {
	if (!isJsonObject(overrides)) return [createRuleError('overrides must be an object.')];
	const {rules = [], categories = []} = overrides;
	const unknownFields = listUnknownFields(overrides, ['action', 'enabled', 'rules', 'categories']);
	return [
		...checkOverrideSettings(overrides, 'Whole ruleset'),
		...unknownFields.map(name => createRuleWarning(`overrides.${name}: unknown to ledge, sent unchanged.`)),
		...checkOverrideEntries(categories, 'category', 'Category', rulesetId),
		...checkOverrideEntries(rules, 'id', 'Managed rule', rulesetId),
	];
}

function checkOverrideEntries(
	entries: JsonValue,
	key: 'id' | 'category',
	noun: string,
	rulesetId: string,
): readonly RuleFinding[] {
	const listName = key === 'id' ? 'rules' : 'categories';
	if (!Array.isArray(entries)) return [createRuleError(`overrides.${listName} must be a list.`)];
	const seenNames = new Set<string>();
	return entries.flatMap((entry: JsonValue, index): readonly RuleFinding[] => {
		if (!isJsonObject(entry))
			return [createRuleError(`overrides.${listName}, entry ${index + 1}: must be an object.`)];
		const name = entry[key];
		if (typeof name !== 'string' || name === '')
			return [createRuleError(`overrides.${listName}, entry ${index + 1}: has no ${key}.`)];
		const isDuplicate = seenNames.has(name);
		seenNames.add(name);
		return [
			...checkOverrideSettings(entry, `${noun} ${name}`),
			...checkScoreThreshold(
				entry,
				`${noun} ${name}`,
				name === thresholdRuleId && rulesetId === managedRulesets.owasp.id,
			),
			...(isDuplicate
				? [
						createRuleWarning(
							`${noun} ${name} is overridden more than once: which override wins is not documented.`,
						),
					]
				: []),
		];
	});
}

function checkOverrideSettings({action, enabled}: JsonObject, subject: string): readonly RuleFinding[] {
	const isValidAction = action === undefined || overrideActions.some(one => one === action);
	return [
		...(isValidAction
			? []
			: [
					createRuleError(
						`${subject}: an override can't set the action ${JSON.stringify(action)}; use one of ${overrideActions.join(', ')}.`,
					),
				]),
		...(enabled === undefined || typeof enabled === 'boolean'
			? []
			: [createRuleError(`${subject}: enabled must be true or false.`)]),
	];
}

function checkScoreThreshold(
	{score_threshold: scoreThreshold}: JsonObject,
	subject: string,
	isThresholdRule: boolean,
): readonly RuleFinding[] {
	if (scoreThreshold === undefined) return [];
	if (typeof scoreThreshold !== 'number' || !Number.isSafeInteger(scoreThreshold) || scoreThreshold <= 0)
		return [
			createRuleError(
				`${subject}: the score threshold ${JSON.stringify(scoreThreshold)} is not a whole number above 0.`,
			),
		];
	if (isThresholdRule && scoreThreshold > highestThreshold)
		return [
			createProtectionWarning(
				`${formatRulesetName(managedRulesets.owasp.id)} acts only at ${scoreThreshold} points or more: even the lowest sensitivity acts at ${highestThreshold}.`,
			),
		];
	return isThresholdRule
		? []
		: [
				createRuleWarning(
					`${subject}: only rule ${thresholdRuleId} of the OWASP ruleset has a score threshold.`,
				),
			];
}

/** The managed ids in a rule, for one ruleset. */
type NamedIds = {
	readonly rulesetId: string;
	readonly rules: readonly string[];
	readonly categories: readonly string[];
};

/**
 * Reports managed rulesets, rules and categories that the zone does not have: the service refuses them. Ids
 * in the service's own proposal are accepted. Rulesets that could not be read are not checked.
 */
export function checkManagedIds(
	rule: ConfiguredRule,
	catalogue: readonly ManagedContents[] | undefined,
	proposal: Pick<ManagedConfiguration, 'rules'> | undefined,
): readonly RuleFinding[] {
	if (!catalogue || catalogue.length === 0) return [];
	const proposedIds = (proposal?.rules ?? []).flatMap(listNamedIds);
	return listNamedIds(rule).flatMap(({rulesetId, rules, categories}): readonly RuleFinding[] => {
		const acceptedIds = proposedIds.filter(one => one.rulesetId === rulesetId);
		const contents = catalogue.find(({id}) => id === rulesetId);
		if (!contents)
			return acceptedIds.length > 0
				? []
				: [createRuleError(`The zone has no managed ruleset ${formatRulesetName(rulesetId)}.`)];
		const {rules: catalogueRules} = contents;
		if (!catalogueRules) return [];
		const ruleIds = new Set([...catalogueRules.map(({id}) => id), ...acceptedIds.flatMap(one => one.rules)]);
		const categoryNames = new Set([
			...catalogueRules.flatMap(one => one.categories),
			...acceptedIds.flatMap(one => one.categories),
		]);
		return [
			...rules
				.filter(id => !ruleIds.has(id))
				.map(id => createRuleError(`${contents.name} has no rule ${id}: the service rejects it.`)),
			...categories
				.filter(name => !categoryNames.has(name))
				.map(name => createRuleError(`${contents.name} has no category ${name}: the service rejects it.`)),
		];
	});
}

function listNamedIds(rule: ConfiguredRule): readonly NamedIds[] {
	const executedRulesetId = findExecutedRulesetId(rule);
	if (executedRulesetId !== undefined) {
		const {rules, categories} = getRulesetOverrides(rule);
		return [
			{
				rulesetId: executedRulesetId,
				rules: listIds(rules, 'id'),
				categories: listIds(categories, 'category'),
			},
		];
	}
	if (rule.action !== 'skip') return [];
	const {rulesets, rules} = rule.action_parameters ?? {};
	return [
		...(isTextList(rulesets) ? rulesets.map(rulesetId => ({rulesetId, rules: [], categories: []})) : []),
		...(isJsonObject(rules)
			? Object.entries(rules).map(([rulesetId, ids]) => ({
					rulesetId,
					rules: isTextList(ids) ? ids : [],
					categories: [],
				}))
			: []),
	];
}

const listIds = (list: JsonValue | undefined, key: 'id' | 'category'): readonly string[] =>
	filterObjects(list).flatMap(({[key]: name}) => (typeof name === 'string' && name !== '' ? [name] : []));
