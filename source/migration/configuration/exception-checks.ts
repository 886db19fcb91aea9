import {matchesNearlyAll} from '../../firewall/expression/expressions.ts';
import {isJsonObject, type JsonObject} from '../../text/json.ts';
import {affects, isTexts, readSkips} from './exceptions.ts';
import {lessening, odd, type RuleFinding, wrong} from './findings.ts';
import {rulesetName} from './mapping.ts';
import {executedRuleset} from './override-edits.ts';
import type {ConfiguredRule} from './rule-overrides.ts';

/** Parameters of a skip rule that exclude each other. */
const incompatible = [
	['ruleset', 'rulesets'],
	['rules', 'ruleset'],
	['phases', 'rulesets'],
] as const;

/** Checks the skip rule at `index`. `zone`: the host whose requests count as nearly all traffic. */
export function exceptionFindings(
	rules: readonly ConfiguredRule[],
	index: number,
	zone: string,
): readonly RuleFinding[] {
	const rule = rules[index];
	if (rule?.action !== 'skip') return [];
	const parameters = rule.action_parameters ?? {};
	return [
		...parameterFindings(parameters),
		...placeFindings(rules, index),
		...(matchesNearlyAll(rule.expression, zone) && rule.enabled !== false && readSkips(rule)?.kind === 'all'
			? [
					lessening(
						'It skips all managed rules for all or nearly all traffic: no managed rule protects the zone.',
					),
				]
			: []),
	];
}

function parameterFindings(parameters: JsonObject): readonly RuleFinding[] {
	const {ruleset, rulesets, rules, phases} = parameters;
	const isNothing = [ruleset, rulesets, rules, phases].every(one => one === undefined);
	return [
		...(isNothing ? [wrong('It does not say what it skips: ruleset, rulesets or rules.')] : []),
		...incompatible
			.filter(([one, other]) => parameters[one] !== undefined && parameters[other] !== undefined)
			.map(([one, other]) => wrong(`It cannot have ${one} and ${other} at once.`)),
		...(ruleset === undefined || ruleset === 'current'
			? []
			: [wrong(`ruleset can only be "current", and is ${JSON.stringify(ruleset)}.`)]),
		...(rulesets === undefined || isTexts(rulesets)
			? []
			: [wrong('rulesets is not a list of ids of managed rulesets.')]),
		...(rules === undefined || isRulesById(rules)
			? []
			: [wrong('rules does not name lists of rule ids under ids of rulesets.')]),
	];
}

const isRulesById = (rules: JsonObject[string]): boolean =>
	isJsonObject(rules) && Object.keys(rules).length > 0 && Object.values(rules).every(isTexts);

/** Warns if execute rules come before the exception: it skips only the rules after it. */
function placeFindings(rules: readonly ConfiguredRule[], index: number): readonly RuleFinding[] {
	const rule = rules[index] as ConfiguredRule;
	const affected = rules.flatMap((one, at) => {
		const ruleset = executedRuleset(one);
		return ruleset !== undefined && affects(rule, ruleset) ? [{at, ruleset}] : [];
	});
	const before = affected.filter(({at}) => at < index);
	if (affected.length > 0 && before.length === affected.length)
		return [odd('It is behind all that it should skip, and skips nothing.')];
	if (before.length > 0)
		return before.map(({at, ruleset}) =>
			odd(`It does not skip ${rulesetName(ruleset)}: rule ${at + 1} executes that before it.`),
		);
	if (affected.length > 0) return [];
	const skips = readSkips(rule);
	return skips === undefined ? [] : [odd('It skips nothing: what it names is not deployed.')];
}
