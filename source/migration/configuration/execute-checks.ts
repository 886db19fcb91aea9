import {isJsonObject, type JsonObject, type JsonValue} from '../../text/json.ts';
import type {ManagedContents} from '../zone/managed-contents.ts';
import {lessening, odd, type RuleFinding, unknownFields, wrong} from './findings.ts';
import {highestThreshold, managedRulesets, overrideActions, rulesetName, thresholdRule} from './mapping.ts';
import type {ConfiguredRule} from './rule-overrides.ts';

/** What can be wrong with a rule that executes a managed ruleset. */
export function executeFindings(
	{action, action_parameters: parameters = {}}: ConfiguredRule,
	managed: readonly Pick<ManagedContents, 'id'>[] = [],
): readonly RuleFinding[] {
	if (action !== 'execute') return [];
	const {id, overrides, version} = parameters;
	if (typeof id !== 'string' || id === '')
		return [wrong('It executes nothing: action_parameters.id is not the id of a managed ruleset.')];
	// Once the rulesets of the zone were read, a ruleset that is not among them is wrong, and not only unknown here.
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
