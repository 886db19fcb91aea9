import type {JsonValue} from '../../text/json.ts';
import {type Configuration, canonicalRule} from './configuration.ts';
import {matchedRules} from './difference-matching.ts';
import {aspectsOf, ruleInWords, ruleName} from './difference-words.ts';
import type {ConfiguredRule} from './rule-overrides.ts';

/** A difference between two configurations, in words. Contains raw data. */
export type Difference = {readonly about: string; readonly before: string; readonly after: string};

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
export function configurationDifference(
	before: Pick<Configuration, 'rules'>,
	after: Pick<Configuration, 'rules'>,
	{ignoring = []}: DifferenceOptions = {},
): readonly Difference[] {
	const old = before.rules.map(rule => comparable(rule, ignoring));
	const now = after.rules.map(rule => comparable(rule, ignoring));
	const {pairs, gone, added, moved} = matchedRules(old, now);
	return [
		...gone.map(index => ({
			about: ruleName(old, index),
			before: ruleInWords(old[index] as ConfiguredRule),
			after: missing,
		})),
		...pairs.flatMap(([from, to]) =>
			ruleDifference(ruleName(now, to), old[from] as ConfiguredRule, now[to] as ConfiguredRule),
		),
		...added.map(index => ({
			about: ruleName(now, index),
			before: missing,
			after: ruleInWords(now[index] as ConfiguredRule),
		})),
		...(ignoring.includes('order')
			? []
			: moved.map(([from, to]) => ({
					about: `${ruleName(now, to)}: place`,
					before: `rule ${from + 1}`,
					after: `rule ${to + 1}`,
				}))),
	];
}

function comparable(rule: ConfiguredRule, ignoring: readonly Ignorable[]): ConfiguredRule {
	const left = ignoring.filter(one => one !== 'order');
	const kept = Object.entries(canonicalRule(rule)).filter(([name]) => !left.some(one => one === name));
	return Object.fromEntries<JsonValue>(kept) as ConfiguredRule;
}

/** Lists the differences within one rule. */
function ruleDifference(name: string, before: ConfiguredRule, after: ConfiguredRule): readonly Difference[] {
	if (JSON.stringify(before) === JSON.stringify(after)) return [];
	const old = aspectsOf(before);
	const now = aspectsOf(after);
	const found = [...new Set([...old.keys(), ...now.keys()])].flatMap(aspect => {
		const was = old.get(aspect);
		const is = now.get(aspect);
		return was === is ? [] : [{about: `${name}: ${aspect}`, before: was ?? missing, after: is ?? missing}];
	});
	// Equal parts but unequal rules: the order of the overrides differs.
	return found.length > 0
		? found
		: [{about: `${name}: order of its overrides`, before: 'one order', after: 'another order'}];
}
