import {isJsonObject, type JsonObject, type JsonValue, objects} from '../../text/json.ts';
import type {ManagedContents} from '../zone/managed-contents.ts';
import type {Configuration} from './configuration.ts';
import {isTexts} from './exceptions.ts';
import {lessening, odd, type RuleFinding, unknownFields, wrong} from './findings.ts';
import {highestThreshold, managedRulesets, overrideActions, rulesetName, thresholdRule} from './mapping.ts';
import {executedRuleset} from './override-edits.ts';
import {type ConfiguredRule, overridesIn} from './rule-overrides.ts';

/** Checks a rule that executes a managed ruleset. */
export function executeFindings(
	{action, action_parameters: parameters = {}}: ConfiguredRule,
	managed: readonly Pick<ManagedContents, 'id'>[] = [],
): readonly RuleFinding[] {
	if (action !== 'execute') return [];
	const {id, overrides, version} = parameters;
	if (typeof id !== 'string' || id === '')
		return [wrong('It executes nothing: action_parameters.id is not the id of a managed ruleset.')];
	// If the zone's rulesets could be read, an id that is not among them is checked by `checkManagedIds`.
	const isKnown = managed.length > 0 || Object.values(managedRulesets).some(one => one.id === id);
	return [
		...(isKnown ? [] : [odd(`ledge does not know the managed ruleset ${id}.`)]),
		...(version === undefined || version === 'latest'
			? []
			: [odd(`It stays at version ${JSON.stringify(version)} of the ruleset, and takes no newer one.`)]),
		...(overrides === undefined ? [] : overridesFindings(overrides, id)),
	];
}

function overridesFindings(overrides: JsonValue, ruleset: string): readonly RuleFinding[] {
	if (!isJsonObject(overrides)) return [wrong('overrides is not an object.')];
	const {rules = [], categories = []} = overrides;
	const unknown = unknownFields(overrides, ['action', 'enabled', 'rules', 'categories']);
	return [
		...settingFindings(overrides, 'All of the ruleset'),
		...unknown.map(name => odd(`overrides.${name}: ledge does not know it and sends it as it is.`)),
		...entriesFindings(categories, 'category', 'Category', ruleset),
		...entriesFindings(rules, 'id', 'Managed rule', ruleset),
	];
}

function entriesFindings(
	entries: JsonValue,
	key: 'id' | 'category',
	noun: string,
	ruleset: string,
): readonly RuleFinding[] {
	const list = key === 'id' ? 'rules' : 'categories';
	if (!Array.isArray(entries)) return [wrong(`overrides.${list} is not a list.`)];
	const seen = new Set<string>();
	return entries.flatMap((entry: JsonValue, index): readonly RuleFinding[] => {
		if (!isJsonObject(entry)) return [wrong(`overrides.${list}, entry ${index + 1}: it is not an object.`)];
		const name = entry[key];
		if (typeof name !== 'string' || name === '')
			return [wrong(`overrides.${list}, entry ${index + 1}: it has no ${key}.`)];
		const isAgain = seen.has(name);
		seen.add(name);
		return [
			...settingFindings(entry, `${noun} ${name}`),
			...scoreFindings(
				entry,
				`${noun} ${name}`,
				name === thresholdRule && ruleset === managedRulesets.owasp.id,
			),
			...(isAgain
				? [odd(`${noun} ${name} is overridden more than once: which one counts is not documented.`)]
				: []),
		];
	});
}

function settingFindings({action, enabled}: JsonObject, of: string): readonly RuleFinding[] {
	const isAction = action === undefined || overrideActions.some(one => one === action);
	return [
		...(isAction
			? []
			: [
					wrong(
						`${of}: an override cannot set the action ${JSON.stringify(action)}; there are ${overrideActions.join(', ')}.`,
					),
				]),
		...(enabled === undefined || typeof enabled === 'boolean'
			? []
			: [wrong(`${of}: enabled is neither true nor false.`)]),
	];
}

function scoreFindings(
	{score_threshold: score}: JsonObject,
	of: string,
	isThreshold: boolean,
): readonly RuleFinding[] {
	if (score === undefined) return [];
	if (typeof score !== 'number' || !Number.isSafeInteger(score) || score <= 0)
		return [wrong(`${of}: the score threshold ${JSON.stringify(score)} is not a whole number above 0.`)];
	if (isThreshold && score > highestThreshold)
		return [
			lessening(
				`${rulesetName(managedRulesets.owasp.id)} acts from ${score} points on only: even the lowest sensitivity has ${highestThreshold}.`,
			),
		];
	return isThreshold
		? []
		: [odd(`${of}: only rule ${thresholdRule} of the OWASP ruleset has a score threshold.`)];
}

/** Ids that a rule names. */
type Named = {
	readonly ruleset: string;
	readonly rules: readonly string[];
	readonly categories: readonly string[];
};

/**
 * Reports managed rulesets, rules and categories that the zone does not have: the service refuses them. Ids
 * in the service's own proposal are valid. Ids of rulesets that could not be read are not checked.
 */
export function idFindings(
	rule: ConfiguredRule,
	managed: readonly ManagedContents[] | undefined,
	proposed: Pick<Configuration, 'rules'> | undefined,
): readonly RuleFinding[] {
	if (!managed || managed.length === 0) return [];
	const trusted = (proposed?.rules ?? []).flatMap(namedBy);
	return namedBy(rule).flatMap(({ruleset, rules, categories}): readonly RuleFinding[] => {
		const known = trusted.filter(one => one.ruleset === ruleset);
		const contents = managed.find(({id}) => id === ruleset);
		if (!contents)
			return known.length > 0 ? [] : [wrong(`The zone has no managed ruleset ${rulesetName(ruleset)}.`)];
		const {rules: held} = contents;
		if (!held) return [];
		const ids = new Set([...held.map(({id}) => id), ...known.flatMap(one => one.rules)]);
		const names = new Set([...held.flatMap(one => one.categories), ...known.flatMap(one => one.categories)]);
		return [
			...rules
				.filter(id => !ids.has(id))
				.map(id => wrong(`${contents.name} has no rule ${id}: the service refuses it.`)),
			...categories
				.filter(name => !names.has(name))
				.map(name => wrong(`${contents.name} has no category ${name}: the service refuses it.`)),
		];
	});
}

function namedBy(rule: ConfiguredRule): readonly Named[] {
	const executed = executedRuleset(rule);
	if (executed !== undefined) {
		const {rules, categories} = overridesIn(rule);
		return [{ruleset: executed, rules: textsOf(rules, 'id'), categories: textsOf(categories, 'category')}];
	}
	if (rule.action !== 'skip') return [];
	const {rulesets, rules} = rule.action_parameters ?? {};
	return [
		...(isTexts(rulesets) ? rulesets.map(ruleset => ({ruleset, rules: [], categories: []})) : []),
		...(isJsonObject(rules)
			? Object.entries(rules).map(([ruleset, ids]) => ({
					ruleset,
					rules: isTexts(ids) ? ids : [],
					categories: [],
				}))
			: []),
	];
}

const textsOf = (list: JsonValue | undefined, key: 'id' | 'category'): readonly string[] =>
	objects(list).flatMap(({[key]: name}) => (typeof name === 'string' && name !== '' ? [name] : []));
