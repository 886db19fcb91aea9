import type {JsonValue} from '../../text/json.ts';
import {capitalize} from '../../text/one-line.ts';
import {type ManagedConfiguration, toCanonicalRule} from './configuration.ts';
import {matchConfiguredRules} from './difference-matching.ts';
import {
	describeConfiguredRule,
	formatConfiguredRuleName,
	listRuleAspects,
	type ManagedRuleNames,
} from './difference-words.ts';
import type {ConfiguredRule} from './rule-overrides.ts';

/** A difference between two configurations, in words. The texts are not escaped. */
export type ConfigurationDifference = {
	readonly about: string;
	readonly before: string;
	readonly after: string;
};

type DifferenceOptions = {
	/**
	 * Properties to ignore, for a configuration that ledge computed: the service may write them differently.
	 */
	readonly ignoredProperties?: readonly IgnorableProperty[];
	/** Names of managed rules, to name overrides by them. */
	readonly ruleNames?: ManagedRuleNames | undefined;
};

type IgnorableProperty = 'description' | 'order' | 'logging';

const missingText = 'not set';

/**
 * Lists all differences between two configurations in words: removed, added, moved and changed rules. The
 * list is empty if the fingerprints are equal; otherwise it has at least one entry, unless
 * `ignoredProperties` excludes all differences.
 */
export function compareConfigurations(
	before: Pick<ManagedConfiguration, 'rules'>,
	after: Pick<ManagedConfiguration, 'rules'>,
	{ignoredProperties = [], ruleNames}: DifferenceOptions = {},
): readonly ConfigurationDifference[] {
	const oldRules = before.rules.map(rule => toComparableRule(rule, ignoredProperties));
	const newRules = after.rules.map(rule => toComparableRule(rule, ignoredProperties));
	const {pairs, removedIndexes, addedIndexes, movedPairs} = matchConfiguredRules(oldRules, newRules);
	return [
		...removedIndexes.map(index => ({
			about: nameRule(oldRules, index),
			before: describeConfiguredRule(oldRules[index] as ConfiguredRule),
			after: 'no rule',
		})),
		...pairs.flatMap(([oldIndex, newIndex]) =>
			compareRuleAspects(
				nameRule(newRules, newIndex),
				oldRules[oldIndex] as ConfiguredRule,
				newRules[newIndex] as ConfiguredRule,
				ruleNames,
			),
		),
		...addedIndexes.map(index => ({
			about: nameRule(newRules, index),
			before: 'no rule',
			after: describeConfiguredRule(newRules[index] as ConfiguredRule),
		})),
		...(ignoredProperties.includes('order')
			? []
			: movedPairs.map(([oldIndex, newIndex]) => ({
					about: `${nameRule(newRules, newIndex)}: position`,
					before: `rule ${oldIndex + 1}`,
					after: `rule ${newIndex + 1}`,
				}))),
	];
}

/** Names a rule at the start of a row, beside rules that are named by their ruleset. */
function nameRule(rules: readonly ConfiguredRule[], index: number): string {
	const name = formatConfiguredRuleName(rules, index);
	return rules[index]?.action === 'skip' ? capitalize(name) : name;
}

function toComparableRule(
	rule: ConfiguredRule,
	ignoredProperties: readonly IgnorableProperty[],
): ConfiguredRule {
	const ignoredFields = ignoredProperties.filter(one => one !== 'order');
	const keptFields = Object.entries(toCanonicalRule(rule)).filter(
		([name]) => !ignoredFields.some(one => one === name),
	);
	return Object.fromEntries<JsonValue>(keptFields) as ConfiguredRule;
}

/** Lists the differences within one rule. */
function compareRuleAspects(
	name: string,
	before: ConfiguredRule,
	after: ConfiguredRule,
	ruleNames: ManagedRuleNames | undefined,
): readonly ConfigurationDifference[] {
	if (JSON.stringify(before) === JSON.stringify(after)) return [];
	const oldAspects = listRuleAspects(before, ruleNames);
	const newAspects = listRuleAspects(after, ruleNames);
	const changes = [...new Set([...oldAspects.keys(), ...newAspects.keys()])].flatMap(aspect => {
		const oldText = oldAspects.get(aspect);
		const newText = newAspects.get(aspect);
		return oldText === newText
			? []
			: [{about: `${name}: ${aspect}`, before: oldText ?? missingText, after: newText ?? missingText}];
	});
	// Equal parts but unequal rules: the order of the overrides differs.
	return changes.length > 0
		? changes
		: [{about: `${name}: order of overrides`, before: 'original order', after: 'different order'}];
}
