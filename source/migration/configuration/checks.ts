import {analyse, type Place} from '../../firewall/expression/expressions.ts';
import type {Plan} from '../../service/plan.ts';
import {isJsonObject} from '../../text/json.ts';
import type {ManagedContents} from '../zone/managed-contents.ts';
import {type Configuration, canonicalRule, deploysAnything} from './configuration.ts';
import {exceptionFindings} from './exception-checks.ts';
import {executeFindings, idFindings} from './execute-checks.ts';
import {type Finding, lessening, odd, type RuleFinding, wrong} from './findings.ts';
import {rulesetName} from './mapping.ts';
import {executedRuleset} from './override-edits.ts';
import {acting, type ConfiguredRule, onlyFor} from './rule-overrides.ts';

/**
 * Checks a configuration before it is sent; an error prevents sending. Findings about a rule that the service
 * proposed unchanged are warnings only. `managed`: the managed rulesets of the zone that could be read.
 * `allowUnknown`: unknown fields and functions are warnings.
 */
export function checkConfiguration(
	configuration: Configuration,
	{name, plan}: {readonly name: string; readonly plan: Plan | undefined},
	proposed?: Pick<Configuration, 'rules'>,
	managed?: readonly ManagedContents[],
	{allowUnknown = false}: {readonly allowUnknown?: boolean | undefined} = {},
): readonly Finding[] {
	const {rules} = configuration;
	const trusted = new Set(proposed?.rules.map(rule => JSON.stringify(canonicalRule(rule))));
	return [
		...rules.flatMap((rule, index) => {
			const isProposed = trusted.has(JSON.stringify(canonicalRule(rule)));
			return [
				...ruleFindings(rule, {plan, allowUnknown}),
				...executeFindings(rule, managed),
				...idFindings(rule, managed, proposed),
				...exceptionFindings(rules, index, name),
			].map(
				(finding): Finding => ({
					...finding,
					severity: isProposed ? 'warning' : finding.severity,
					rule: index,
				}),
			);
		}),
		...twiceDeployed(rules),
		...(deploysAnything(configuration)
			? turnedOff(rules)
			: [odd('No managed ruleset is deployed: afterwards no managed rule protects the zone.')]),
	];
}

const ownOfService = ['id', 'version', 'ref'] as const;

/** Expressions of rules that deploy managed rulesets. */
const ofManagedRules = {phase: 'http_request_firewall_managed', isMigrated: true} as const satisfies Place;

function ruleFindings(
	rule: ConfiguredRule,
	judged: Pick<Place, 'plan' | 'allowUnknown'>,
): readonly RuleFinding[] {
	const {action, expression, logging} = rule;
	const given = ownOfService.filter(name => rule[name] !== undefined && rule[name] !== '');
	return [
		...expressionFindings(expression, {...ofManagedRules, ...judged, letsThrough: action === 'skip'}),
		...(action === 'execute' || action === 'skip'
			? []
			: [wrong(`The action "${action}" is none of the managed phase: it has execute and skip.`)]),
		...(given.length > 0 ? [odd(`${given.join(', ')}: not sent, the service sets its own.`)] : []),
		...(logging === undefined || (isJsonObject(logging) && typeof logging.enabled === 'boolean')
			? []
			: [wrong('logging is not {"enabled": true} or {"enabled": false}.')]),
	];
}

/** Reports what only the plan lacks as a warning: the service knows the plan better. */
function expressionFindings(expression: string, place: Place): readonly RuleFinding[] {
	const anywhere = analyse(expression, {...place, plan: undefined});
	const here = analyse(expression, place);
	const known = new Set(anywhere.errors.map(({sentence}) => sentence));
	return [
		...anywhere.errors.map(({sentence, line, column}) =>
			wrong(`The expression is wrong at line ${line}, column ${column}: ${sentence}`),
		),
		...[...here.errors, ...here.warnings]
			.filter(({sentence}) => !known.has(sentence))
			.map(({sentence, line, column}) => odd(`The expression, line ${line}, column ${column}: ${sentence}`)),
	];
}

/** Finds managed rulesets that are deployed but inactive, partly active, or limited to some requests. */
function turnedOff(rules: readonly ConfiguredRule[]): readonly Finding[] {
	return rules.flatMap((rule, index) => {
		const ruleset = executedRuleset(rule);
		if (ruleset === undefined) return [];
		const isWholeByAnother = rules.some(
			one => executedRuleset(one) === ruleset && acting(one) === 'on' && onlyFor(one) === undefined,
		);
		const lacks = lacking(rule);
		if (lacks === undefined || isWholeByAnother) return [];
		return [{...lessening(`${rulesetName(ruleset)} ${lacks}.`), rule: index}];
	});
}

function lacking(rule: ConfiguredRule): string | undefined {
	const how = acting(rule);
	const only = onlyFor(rule);
	switch (how) {
		case 'off':
			return 'is off: none of its rules act';
		case 'all rules off':
			return 'is off: all its rules are';
		case 'partly on':
			return 'is off: only what an override turns on in it acts';
		case 'on':
			return only === undefined ? undefined : `acts only for requests with ${only}`;
		default:
			return how satisfies never;
	}
}

function twiceDeployed(rules: readonly ConfiguredRule[]): readonly Finding[] {
	const first = new Map<string, number>();
	return rules.flatMap((rule, index) => {
		const ruleset = executedRuleset(rule);
		if (ruleset === undefined) return [];
		const before = first.get(ruleset);
		if (before === undefined) {
			first.set(ruleset, index);
			return [];
		}
		return [{...odd(`${rulesetName(ruleset)} is executed by rule ${before + 1}, too.`), rule: index}];
	});
}
