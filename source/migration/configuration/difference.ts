import type {JsonValue} from '../../text/json.ts';
import {type ManagedConfiguration, toCanonicalRule} from './configuration.ts';
import {matchConfiguredRules} from './difference-matching.ts';
import {describeConfiguredRule, formatConfiguredRuleName, listRuleAspects} from './difference-words.ts';
import type {ConfiguredRule} from './rule-overrides.ts';

/** A difference between two configurations, in words. Contains raw data. */
export type ConfigurationDifference = {
	readonly about: string;
	readonly before: string;
	readonly after: string;
};

type DifferenceOptions = {
	/**
	 * Properties to ignore when one configuration was computed here and the service may write them
	 * differently.
	 */
	readonly ignoring?: readonly Ignorable[];
};

type Ignorable = 'description' | 'order' | 'logging';

const missing = 'not there';

/**
 * Lists all differences between two configurations in words: removed, added, moved and changed rules. Empty
 * if the fingerprints are equal; otherwise at least one, except for what `ignoring` excludes.
 */
export function compareConfigurations(
	before: Pick<ManagedConfiguration, 'rules'>,
	after: Pick<ManagedConfiguration, 'rules'>,
	{ignoring = []}: DifferenceOptions = {},
): readonly ConfigurationDifference[] {
	const old = before.rules.map(rule => toComparableRule(rule, ignoring));
	const now = after.rules.map(rule => toComparableRule(rule, ignoring));
	const {pairs, gone, added, moved} = matchConfiguredRules(old, now);
	return [
		...gone.map(index => ({
			about: formatConfiguredRuleName(old, index),
			before: describeConfiguredRule(old[index] as ConfiguredRule),
			after: missing,
		})),
		...pairs.flatMap(([from, to]) =>
			compareRuleAspects(
				formatConfiguredRuleName(now, to),
				old[from] as ConfiguredRule,
				now[to] as ConfiguredRule,
			),
		),
		...added.map(index => ({
			about: formatConfiguredRuleName(now, index),
			before: missing,
			after: describeConfiguredRule(now[index] as ConfiguredRule),
		})),
		...(ignoring.includes('order')
			? []
			: moved.map(([from, to]) => ({
					about: `${formatConfiguredRuleName(now, to)}: place`,
					before: `rule ${from + 1}`,
					after: `rule ${to + 1}`,
				}))),
	];
}

function toComparableRule(rule: ConfiguredRule, ignoring: readonly Ignorable[]): ConfiguredRule {
	const ignored = ignoring.filter(one => one !== 'order');
	const kept = Object.entries(toCanonicalRule(rule)).filter(([name]) => !ignored.some(one => one === name));
	return Object.fromEntries<JsonValue>(kept) as ConfiguredRule;
}

/** Lists the differences within one rule. */
function compareRuleAspects(
	name: string,
	before: ConfiguredRule,
	after: ConfiguredRule,
): readonly ConfigurationDifference[] {
	if (JSON.stringify(before) === JSON.stringify(after)) return [];
	const old = listRuleAspects(before);
	const now = listRuleAspects(after);
	const changes = [...new Set([...old.keys(), ...now.keys()])].flatMap(aspect => {
		const was = old.get(aspect);
		const is = now.get(aspect);
		return was === is ? [] : [{about: `${name}: ${aspect}`, before: was ?? missing, after: is ?? missing}];
	});
	// Equal parts but unequal rules: the order of the overrides differs.
	return changes.length > 0
		? changes
		: [{about: `${name}: order of its overrides`, before: 'one order', after: 'another order'}];
}
