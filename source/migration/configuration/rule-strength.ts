import {filterObjects, isJsonObject, type JsonObject, type JsonValue} from '../../text/json.ts';
import type {ManagedContents} from '../zone/managed-contents.ts';
import {managedRulesets, owaspLevels, thresholdRuleId} from './mapping.ts';
import {findExecutedRulesetId} from './override-edits.ts';
import {type ConfiguredRule, findOverrideLayers, getRulesetOverrides} from './rule-overrides.ts';

/** A managed rule whose strength is compared, or a placeholder for rules that could not be read. */
export type ComparedRule = {
	/**
	 * Undefined in a placeholder, which stands for all other rules of its category, or for all rules without
	 * a category.
	 */
	readonly id: string | undefined;
	readonly categories: readonly string[];
	readonly action: string;
	readonly enabled: boolean;
	readonly threshold?: number | undefined;
};

/**
 * Collects the rules of a managed ruleset: those in the catalogue, and those that the configurations mention.
 * If the catalogue lacks the ruleset, adds a placeholder for each overridden category and one for all other
 * rules; placeholders are enabled and block.
 */
export function collectComparedRules(
	rulesetId: string,
	rules: readonly ConfiguredRule[],
	catalogue: readonly ManagedContents[],
): readonly ComparedRule[] {
	const catalogueRules = catalogue.find(({id}) => id === rulesetId)?.rules;
	const overrides = rules.filter(rule => findExecutedRulesetId(rule) === rulesetId).map(getRulesetOverrides);
	const knownIds = new Set(catalogueRules?.map(({id}) => id));
	const namedIds = new Set([
		...overrides.flatMap(one => listOverrideNames(one.rules, 'id')),
		...rules.flatMap(rule => [...listSkippedIds(rule, rulesetId)]),
		...(rulesetId === managedRulesets.owasp.id ? [thresholdRuleId] : []),
	]);
	const categories = new Set(overrides.flatMap(one => listOverrideNames(one.categories, 'category')));
	return [
		...(catalogueRules ?? []).map(
			({score_threshold: threshold, ...rule}): ComparedRule => ({...rule, threshold}),
		),
		...[...namedIds].filter(id => !knownIds.has(id)).map(id => buildPlaceholderRule(id, [])),
		...(catalogueRules
			? []
			: [
					...[...categories].map(name => buildPlaceholderRule(undefined, [name])),
					buildPlaceholderRule(undefined, []),
				]),
	];
}

const buildPlaceholderRule = (id: string | undefined, categories: readonly string[]): ComparedRule => ({
	id,
	categories,
	action: 'block',
	enabled: true,
});

const listOverrideNames = (list: JsonValue | undefined, key: 'id' | 'category'): readonly string[] =>
	filterObjects(list).flatMap(({[key]: name}) => (typeof name === 'string' ? [name] : []));

export function listSkippedIds(
	{action, action_parameters: {rules} = {}}: ConfiguredRule,
	rulesetId: string,
): ReadonlySet<string> {
	const ids =
		action === 'skip' && isJsonObject(rules) && Object.hasOwn(rules, rulesetId) ? rules[rulesetId] : [];
	return new Set(Array.isArray(ids) ? ids.filter(one => typeof one === 'string') : []);
}

/** Values of `sensitivity_level`, the least sensitive first; `eoff`: essentially off. */
const sensitivityLevels: readonly JsonValue[] = ['eoff', 'low', 'medium', 'default'];

/**
 * How strictly a managed rule acts. Off is 0, logging is stronger, and blocking is strongest; within a level,
 * a higher sensitivity is stronger.
 */
export type Strength = number;
const stepsPerLevel = sensitivityLevels.length;
const [logLevel, actLevel] = [1, 2];

export const formatStrength = (strength: Strength): 'off' | 'log' | 'on' =>
	strength === 0 ? 'off' : strength < actLevel * stepsPerLevel ? 'log' : 'on';

/** Lists the overrides of an execute rule that name one managed rule by id. */
export const listRuleOverrides = (executeRule: ConfiguredRule, {id}: ComparedRule): readonly JsonObject[] =>
	findOverrideLayers(getRulesetOverrides(executeRule), {id, categories: []}).rule;

/**
 * Computes the strength of a managed rule where `executeRule` runs its ruleset. `ownOverrides` replaces the
 * overrides that name the rule by id.
 */
export function computeRuleStrength(
	executeRule: ConfiguredRule,
	rule: ComparedRule,
	ownOverrides?: readonly JsonObject[],
): Strength {
	const layers = findOverrideLayers(getRulesetOverrides(executeRule), rule);
	const findSetting = (name: string, isValue: (value: JsonValue) => boolean): JsonValue | undefined => {
		for (const layer of [ownOverrides ?? layers.rule, layers.category, layers.ruleset]) {
			const value = layer.map(one => one[name]).findLast(one => one !== undefined && isValue(one));
			if (value !== undefined) return value;
		}
		return undefined;
	};
	const isEnabled = findSetting('enabled', value => typeof value === 'boolean') ?? rule.enabled;
	if (isEnabled === false) return 0;
	const action = findSetting('action', value => typeof value === 'string') ?? rule.action;
	const sensitivity =
		findSetting('sensitivity_level', value => sensitivityLevels.includes(value)) ?? 'default';
	return (action === 'log' ? logLevel : actLevel) * stepsPerLevel + sensitivityLevels.indexOf(sensitivity);
}

/** Returns the minimum score, in points, at which OWASP acts where `executeRule` runs it. */
export const getScoreThreshold = (executeRule: ConfiguredRule, scoringRule: ComparedRule): number =>
	listRuleOverrides(executeRule, scoringRule)
		.map(({score_threshold: points}) => points)
		.findLast(points => typeof points === 'number') ??
	scoringRule.threshold ??
	owaspLevels.default.threshold;
