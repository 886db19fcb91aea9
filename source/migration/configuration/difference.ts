import type {JsonValue} from '../../text/json.ts';
import {type Configuration, canonicalRule} from './configuration.ts';
import {matchedRules} from './difference-matching.ts';
import {aspectsOf, ruleInWords, ruleName} from './difference-words.ts';
import type {ConfiguredRule} from './rule-overrides.ts';

/** Something in which two configurations differ, in words that hold raw text of data. */
export type Difference = {readonly about: string; readonly before: string; readonly after: string};

type DifferenceOptions = {
	/** What does not count: where one of the two was worked out here, and it is unknown how the service writes it. */
	readonly ignoring?: readonly Ignorable[];
};

type Ignorable = 'description' | 'order' | 'logging';

const missing = 'not there';

/**
 * All in which two configurations differ, in words: rules that went, came, moved, and what changed in each. None where
 * the fingerprints are the same, and at least one where they are not (unless `ignoring` leaves it out).
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

/** What changed within a rule. */
function ruleDifference(name: string, before: ConfiguredRule, after: ConfiguredRule): readonly Difference[] {
	if (JSON.stringify(before) === JSON.stringify(after)) return [];
	const old = aspectsOf(before);
	const now = aspectsOf(after);
	const found = [...new Set([...old.keys(), ...now.keys()])].flatMap(aspect => {
		const was = old.get(aspect);
		const is = now.get(aspect);
		return was === is ? [] : [{about: `${name}: ${aspect}`, before: was ?? missing, after: is ?? missing}];
	});
	// What is the same part by part, and not the same as a whole, differs in the order of its parts.
	return found.length > 0
		? found
		: [{about: `${name}: order of its overrides`, before: 'one order', after: 'another order'}];
}
