import {matchesNearlyAll} from '../../firewall/expression/expressions.ts';
import {isJsonObject, type JsonObject} from '../../text/json.ts';
import {affectsRuleset, isTextList, parseSkips} from './exceptions.ts';
import {createProtectionWarning, createRuleError, createRuleWarning, type RuleFinding} from './findings.ts';
import {formatRulesetName} from './mapping.ts';
import {findExecutedRulesetId} from './override-edits.ts';
import type {ConfiguredRule} from './rule-overrides.ts';

/** Pairs of parameters that a skip rule cannot have together. */
const incompatibleParameters = [
	['ruleset', 'rulesets'],
	['rules', 'ruleset'],
	['phases', 'rulesets'],
] as const;

/** Checks the skip rule at `index`. `zoneName`: requests to this host count as nearly all traffic. */
export function checkExceptionRule(
	rules: readonly ConfiguredRule[],
	index: number,
	zoneName: string,
): readonly RuleFinding[] {
	const rule = rules[index];
	if (rule?.action !== 'skip') return [];
	const parameters = rule.action_parameters ?? {};
	return [
		...checkSkipParameters(parameters),
		...checkExceptionPosition(rules, index),
		...(matchesNearlyAll(rule.expression, zoneName) &&
		rule.enabled !== false &&
		parseSkips(rule)?.kind === 'all'
			? [
					createProtectionWarning(
						'It skips all managed rules for all or nearly all traffic: no managed rule protects the zone.',
					),
				]
			: []),
	];
}

function checkSkipParameters(parameters: JsonObject): readonly RuleFinding[] {
	const {ruleset, rulesets, rules, phases} = parameters;
	const isEmpty = [ruleset, rulesets, rules, phases].every(one => one === undefined);
	return [
		...(isEmpty
			? [createRuleError('It does not specify what to skip: set ruleset, rulesets or rules.')]
			: []),
		...incompatibleParameters
			.filter(([one, other]) => parameters[one] !== undefined && parameters[other] !== undefined)
			.map(([one, other]) => createRuleError(`It can't combine ${one} and ${other}.`)),
		...(ruleset === undefined || ruleset === 'current'
			? []
			: [createRuleError(`ruleset must be "current", not ${JSON.stringify(ruleset)}.`)]),
		...(rulesets === undefined || isTextList(rulesets)
			? []
			: [createRuleError('rulesets must be a list of managed ruleset ids.')]),
		...(rules === undefined || isRulesById(rules)
			? []
			: [createRuleError('rules must map ruleset ids to lists of rule ids.')]),
	];
}

const isRulesById = (rules: JsonObject[string]): boolean =>
	isJsonObject(rules) && Object.keys(rules).length > 0 && Object.values(rules).every(isTextList);

/** Warns if execute rules that the exception should skip come before it: it skips only rules after it. */
function checkExceptionPosition(rules: readonly ConfiguredRule[], index: number): readonly RuleFinding[] {
	const rule = rules[index] as ConfiguredRule;
	const affectedRulesets = rules.flatMap((one, executeIndex) => {
		const rulesetId = findExecutedRulesetId(one);
		return rulesetId !== undefined && affectsRuleset(rule, rulesetId)
			? [{at: executeIndex, ruleset: rulesetId}]
			: [];
	});
	const precedingRulesets = affectedRulesets.filter(({at: executeIndex}) => executeIndex < index);
	if (affectedRulesets.length > 0 && precedingRulesets.length === affectedRulesets.length)
		return [createRuleWarning('It comes after everything it should skip, so it skips nothing.')];
	if (precedingRulesets.length > 0)
		return precedingRulesets.map(({at: executeIndex, ruleset: rulesetId}) =>
			createRuleWarning(
				`It does not skip ${formatRulesetName(rulesetId)}: rule ${executeIndex + 1} executes it first.`,
			),
		);
	if (affectedRulesets.length > 0) return [];
	const skips = parseSkips(rule);
	return skips === undefined ? [] : [createRuleWarning('It skips nothing: its targets are not deployed.')];
}
