import {analyse, type ExpressionContext, isTableError} from '../../firewall/expression/expressions.ts';
import type {ZonePlan} from '../../service/plan.ts';
import {isJsonObject} from '../../text/json.ts';
import type {ManagedContents} from '../zone/managed-contents.ts';
import {
	hasActiveRuleset,
	type ManagedConfiguration,
	serviceFields,
	toCanonicalRule,
} from './configuration.ts';
import {checkExceptionRule} from './exception-checks.ts';
import {checkExecuteRule, checkManagedIds} from './execute-checks.ts';
import {
	type ConfigurationFinding,
	createProtectionWarning,
	createRuleError,
	createRuleWarning,
	type RuleFinding,
} from './findings.ts';
import {formatRulesetName} from './mapping.ts';
import {findExecutedRulesetId} from './override-edits.ts';
import {type ConfiguredRule, findTrafficFilter, getRulesetActivity} from './rule-overrides.ts';

/**
 * Checks a configuration before it is sent; an error prevents sending. Findings about a rule that the service
 * proposed unchanged are warnings only. `catalogue`: the managed rulesets of the zone that could be read.
 * `allowUnknown`: unknown fields and functions are warnings.
 */
export function checkConfiguration(
	configuration: ManagedConfiguration,
	{name, plan}: {readonly name: string; readonly plan: ZonePlan | undefined},
	proposal?: Pick<ManagedConfiguration, 'rules'>,
	catalogue?: readonly ManagedContents[],
	{allowUnknown = false}: {readonly allowUnknown?: boolean | undefined} = {},
): readonly ConfigurationFinding[] {
	const {rules} = configuration;
	const proposedRules = new Set(proposal?.rules.map(rule => JSON.stringify(toCanonicalRule(rule))));
	return [
		...rules.flatMap((rule, index) => {
			const isProposed = proposedRules.has(JSON.stringify(toCanonicalRule(rule)));
			return [
				...checkConfiguredRule(rule, {plan, allowUnknown}),
				...checkExecuteRule(rule, catalogue),
				...checkManagedIds(rule, catalogue, proposal),
				...checkExceptionRule(rules, index, name),
			].map(
				(finding): ConfigurationFinding => ({
					...finding,
					severity: isProposed ? 'warning' : finding.severity,
					rule: index,
				}),
			);
		}),
		...findDuplicateDeployments(rules),
		...(hasActiveRuleset(configuration)
			? findInactiveRulesets(rules)
			: [createRuleWarning('No managed ruleset is deployed: no managed rule will protect the zone.')]),
	];
}

/** The context of expressions in rules that deploy managed rulesets. */
const managedRulesContext = {
	phase: 'http_request_firewall_managed',
	isMigrated: true,
} as const satisfies ExpressionContext;

function checkConfiguredRule(
	rule: ConfiguredRule,
	context: Pick<ExpressionContext, 'plan' | 'allowUnknown'>,
): readonly RuleFinding[] {
	const {action, expression, logging} = rule;
	const presentFields = serviceFields.filter(name => rule[name] !== undefined && rule[name] !== '');
	return [
		...checkRuleExpression(expression, {...managedRulesContext, ...context, letsThrough: action === 'skip'}),
		...(action === 'execute' || action === 'skip'
			? []
			: [createRuleError(`Managed rules can't have the action "${action}": use execute or skip.`)]),
		...(presentFields.length > 0
			? [createRuleWarning(`${presentFields.join(', ')}: not sent; the service sets its own.`)]
			: []),
		...(logging === undefined || (isJsonObject(logging) && typeof logging.enabled === 'boolean')
			? []
			: [createRuleError('logging must be {"enabled": true} or {"enabled": false}.')]),
	];
}

/**
 * Checks an expression. What only the zone's plan does not allow is a warning: the service knows the plan
 * better.
 */
function checkRuleExpression(expression: string, context: ExpressionContext): readonly RuleFinding[] {
	const analysisWithoutPlan = analyse(expression, {...context, plan: undefined});
	const analysisOnPlan = analyse(expression, context);
	const knownSentences = new Set(analysisWithoutPlan.errors.map(({sentence}) => sentence));
	return [
		...analysisWithoutPlan.errors.map(problem => ({
			...createRuleError(
				`Expression error at line ${problem.line}, column ${problem.column}: ${problem.sentence}`,
			),
			isAllowable: isTableError(problem),
		})),
		...[...analysisOnPlan.errors, ...analysisOnPlan.warnings]
			.filter(({sentence}) => !knownSentences.has(sentence))
			.map(({sentence, line, column}) =>
				createRuleWarning(`Expression, line ${line}, column ${column}: ${sentence}`),
			),
	];
}

/** Finds managed rulesets that are deployed but inactive, partly active, or limited to some requests. */
function findInactiveRulesets(rules: readonly ConfiguredRule[]): readonly ConfigurationFinding[] {
	return rules.flatMap((rule, index) => {
		const rulesetId = findExecutedRulesetId(rule);
		if (rulesetId === undefined) return [];
		const isFullyActiveElsewhere = rules.some(
			one =>
				findExecutedRulesetId(one) === rulesetId &&
				getRulesetActivity(one) === 'on' &&
				findTrafficFilter(one) === undefined,
		);
		const inactivity = describeInactivity(rule);
		if (inactivity === undefined || isFullyActiveElsewhere) return [];
		return [{...createProtectionWarning(`${formatRulesetName(rulesetId)} ${inactivity}.`), rule: index}];
	});
}

function describeInactivity(rule: ConfiguredRule): string | undefined {
	const activity = getRulesetActivity(rule);
	const trafficFilter = findTrafficFilter(rule);
	switch (activity) {
		case 'off':
			return 'is off: none of its rules run';
		case 'all rules off':
			return 'has all its rules off';
		case 'partly on':
			return 'is off except for what an override turns on';
		case 'on':
			return trafficFilter === undefined ? undefined : `runs only for requests where ${trafficFilter}`;
		default:
			return activity satisfies never;
	}
}

function findDuplicateDeployments(rules: readonly ConfiguredRule[]): readonly ConfigurationFinding[] {
	const firstIndexes = new Map<string, number>();
	return rules.flatMap((rule, index) => {
		const rulesetId = findExecutedRulesetId(rule);
		if (rulesetId === undefined) return [];
		const firstIndex = firstIndexes.get(rulesetId);
		if (firstIndex === undefined) {
			firstIndexes.set(rulesetId, index);
			return [];
		}
		return [
			{
				...createRuleWarning(`${formatRulesetName(rulesetId)} is also executed by rule ${firstIndex + 1}.`),
				rule: index,
			},
		];
	});
}
