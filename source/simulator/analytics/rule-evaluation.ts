import {createRequestMatcher} from '../../firewall/expression/expressions.ts';
import {filterObjects, isJsonObject, type JsonObject} from '../../text/json.ts';
import {getWafSetting} from '../migration/migrating-zone.ts';
import {buildUrlExpression} from '../migration/proposal.ts';
import type {ManagedCatalogue} from '../rulesets/managed-catalogue.ts';
import {customRulesPhase, managedRulesPhase} from '../rulesets/phase-names.ts';
import type {Deviations} from '../waf/previous-waf.ts';
import {getServiceStage, type StageRecord} from '../waf/stored-stage.ts';
import {applyManagedRuleset, parseException, type RuleHit, type SkippedRules} from './managed-evaluation.ts';
import {applyPreviousRules} from './previous-evaluation.ts';
import type {RecordedRequest} from './recorded-requests.ts';
import type {RulePeriod} from './rule-periods.ts';

/** The properties of a zone that affect its requests and are the same in all periods. */
export type EvaluatedZone = {
	readonly hasManagedRules: boolean;
	/** True if its firewall rules are retired. */
	readonly isFirewallRetired: boolean;
	readonly catalogue: ManagedCatalogue;
};

type Outcome = {
	readonly hits: readonly RuleHit[];
	/** True if no later rule sees the request. */
	readonly hasEnded: boolean;
	readonly skipsNewManagedRules?: boolean;
	readonly skipsPreviousManagedRules?: boolean;
};

/** Actions that let a request continue. */
const passingActions: ReadonlySet<string> = new Set(['log', 'skip', 'allow', 'bypass']);

/** Actions that events name differently than rules. */
const eventActions: Readonly<Record<string, string>> = {js_challenge: 'jschallenge'};

/**
 * Creates a function that applies the rules of a period to a request and returns the hits, in this order:
 * firewall rules, custom rules, new managed rules, previous managed rules. A rule that does not let the
 * request pass ends the evaluation.
 */
export function createRuleEvaluator(
	{rules, from}: RulePeriod,
	zone: EvaluatedZone,
): (request: RecordedRequest) => readonly RuleHit[] {
	const stage = getServiceStage(rules['waf-migration'][0] as StageRecord | undefined, from);
	const firewallRules = zone.isFirewallRetired
		? []
		: compileFirewallRules(rules['firewall-rule'], rules.filter);
	const getPhaseRules = (name: string) =>
		filterObjects(rules.ruleset.find(ruleset => ruleset.phase === name)?.rules).filter(
			({enabled}) => enabled !== false,
		);
	const customRules = getPhaseRules(customRulesPhase).map(compileRule);
	const managedRules =
		stage === 'validation' || stage === 'complete' ? getPhaseRules(managedRulesPhase).map(compileRule) : [];
	const deviations = (rules['previous-waf'][0] ?? {}) as Deviations;
	const wafOffMatchers = rules['page-rule'].flatMap(buildWafOffMatchers);
	const overrides = rules['waf-override']
		.filter(({paused}) => paused !== true)
		.toSorted((left, right) => Number(left.priority) - Number(right.priority))
		.map(override => ({override, matchesUrl: buildUrlMatcher(override)}));

	const evaluateRequest = (request: RecordedRequest): readonly RuleHit[] => {
		const afterFirewall = applyFirewallRules(firewallRules, request);
		const afterCustom = afterFirewall.hasEnded
			? afterFirewall
			: mergeOutcomes(afterFirewall, applyCustomRules(customRules, request));
		if (afterCustom.hasEnded || !zone.hasManagedRules) return afterCustom.hits;
		const afterManaged = afterCustom.skipsNewManagedRules
			? afterCustom
			: mergeOutcomes(afterCustom, applyManagedRules(managedRules, request, zone.catalogue));
		if (afterManaged.hasEnded || stage === 'complete' || afterManaged.skipsPreviousManagedRules)
			return afterManaged.hits;
		if (wafOffMatchers.some(matches => matches(request.fields))) return afterManaged.hits;
		const matchingOverrides = overrides
			.filter(({matchesUrl}) => matchesUrl(request))
			.map(({override}) => override);
		return [
			...afterManaged.hits,
			...withEventActions(
				dropHitsAfterEnd(applyPreviousRules(deviations, matchingOverrides, request.trippedRules)),
			),
		];
	};
	// For each rule, any time in the period is like its beginning.
	const clock = {'http.request.timestamp.sec': Math.floor(from / 1000)};
	return request => evaluateRequest({...request, fields: {...request.fields, ...clock}});
}

const mergeOutcomes = (earlier: Outcome, later: Outcome): Outcome => ({
	hits: [...earlier.hits, ...later.hits],
	hasEnded: later.hasEnded,
	skipsNewManagedRules: earlier.skipsNewManagedRules || later.skipsNewManagedRules === true,
	skipsPreviousManagedRules: earlier.skipsPreviousManagedRules || later.skipsPreviousManagedRules === true,
});

type CompiledRule = {
	readonly rule: JsonObject;
	readonly matches: ReturnType<typeof getExpressionMatcher>;
	readonly parameters: JsonObject;
};

const matchers = new Map<string, (request: RecordedRequest['fields']) => boolean>();
const maxMatchers = 4000;

/**
 * Compiles each expression once: most rules are the same from one query to the next. An expression whose
 * result is unknown does not match.
 */
function getExpressionMatcher(expression: string): (request: RecordedRequest['fields']) => boolean {
	const cachedMatcher = matchers.get(expression);
	if (cachedMatcher) return cachedMatcher;
	if (matchers.size >= maxMatchers) matchers.clear();
	const matchRequest = createRequestMatcher(expression);
	const matcher = (request: RecordedRequest['fields']) => matchRequest(request) === true;
	matchers.set(expression, matcher);
	return matcher;
}

function compileRule(rule: JsonObject): CompiledRule {
	const parameters = isJsonObject(rule.action_parameters) ? rule.action_parameters : {};
	return {rule, matches: getExpressionMatcher(String(rule.expression)), parameters};
}

/** Compiles the active firewall rules, in order of evaluation, with the expressions of their filters. */
function compileFirewallRules(
	rules: readonly JsonObject[],
	filters: readonly JsonObject[],
): readonly CompiledRule[] {
	const filtersById = new Map(filters.map(filter => [filter.id, filter]));
	const actions = ['log', 'bypass', 'allow', 'challenge', 'managed_challenge', 'js_challenge', 'block'];
	// By priority, those without one last; rules of equal priority by their action.
	const getRank = ({priority, action}: JsonObject): number =>
		(typeof priority === 'number' ? priority : 2 ** 40) * 10 + actions.indexOf(String(action));
	return rules
		.filter(
			rule =>
				rule.paused !== true && filtersById.has(rule.filter) && filtersById.get(rule.filter)?.paused !== true,
		)
		.toSorted((left, right) => getRank(left) - getRank(right))
		.map(rule => ({
			rule: {...rule, description: rule.description ?? filtersById.get(rule.filter)?.description ?? ''},
			matches: getExpressionMatcher(String(filtersById.get(rule.filter)?.expression)),
			parameters: {},
		}));
}

function applyFirewallRules(rules: readonly CompiledRule[], request: RecordedRequest): Outcome {
	const hits: RuleHit[] = [];
	let skipsPreviousManagedRules = false;
	for (const {rule, matches} of rules) {
		if (!matches(request.fields)) continue;
		const action = String(rule.action);
		hits.push(buildHit(rule, action, 'firewallRules', ''));
		if (action === 'bypass')
			skipsPreviousManagedRules ||= Array.isArray(rule.products) && rule.products.includes('waf');
		else if (action === 'allow') break;
		else if (action !== 'log') return {hits, hasEnded: true};
	}
	return {hits, hasEnded: false, skipsPreviousManagedRules};
}

function applyCustomRules(rules: readonly CompiledRule[], request: RecordedRequest): Outcome {
	const hits: RuleHit[] = [];
	let [skipsNewManagedRules, skipsPreviousManagedRules] = [false, false];
	for (const {rule, matches, parameters} of rules) {
		if (!matches(request.fields)) continue;
		const action = String(rule.action);
		const isLogged = !isJsonObject(rule.logging) || rule.logging.enabled !== false;
		if (action !== 'skip' || isLogged) hits.push(buildHit(rule, action, 'firewallCustom', ''));
		if (action === 'skip') {
			skipsNewManagedRules ||=
				Array.isArray(parameters.phases) && parameters.phases.includes(managedRulesPhase);
			skipsPreviousManagedRules ||= Array.isArray(parameters.products) && parameters.products.includes('waf');
			if (parameters.ruleset === 'current' || parameters.phase === 'current') break;
		} else if (action !== 'log') return {hits, hasEnded: true};
	}
	return {hits, hasEnded: false, skipsNewManagedRules, skipsPreviousManagedRules};
}

function applyManagedRules(
	rules: readonly CompiledRule[],
	request: RecordedRequest,
	catalogue: ManagedCatalogue,
): Outcome {
	const hits: RuleHit[] = [];
	let skippedRules: SkippedRules = {rulesets: new Set(), rules: new Set()};
	for (const {rule, matches, parameters} of rules) {
		if (!matches(request.fields)) continue;
		if (rule.action === 'skip') {
			const ruleSkips = parseException(parameters);
			if (isJsonObject(rule.logging) && rule.logging.enabled === true)
				hits.push(buildHit(rule, 'skip', 'firewallManaged', ''));
			if (ruleSkips === 'all') break;
			skippedRules = {
				rulesets: new Set([...skippedRules.rulesets, ...ruleSkips.rulesets]),
				rules: new Set([...skippedRules.rules, ...ruleSkips.rules]),
			};
			continue;
		}
		const ruleset = catalogue.rulesets.find(({id}) => id === parameters.id);
		if (!ruleset) continue;
		const overrides = isJsonObject(parameters.overrides) ? parameters.overrides : {};
		const newHits = dropHitsAfterEnd(
			applyManagedRuleset(ruleset, overrides, request.trippedRules, skippedRules),
		);
		hits.push(...withEventActions(newHits));
		if (newHits.some(({action}) => !passingActions.has(action))) return {hits, hasEnded: true};
	}
	return {hits, hasEnded: false};
}

/** Drops the hits after the first one that ends the request. */
function dropHitsAfterEnd(hits: readonly RuleHit[]): readonly RuleHit[] {
	const endIndex = hits.findIndex(({action}) => !passingActions.has(action));
	return endIndex < 0 ? hits : hits.slice(0, endIndex + 1);
}

const withEventActions = (hits: readonly RuleHit[]): readonly RuleHit[] =>
	hits.map(hit => ({...hit, action: eventActions[hit.action] ?? hit.action}));

const buildHit = (rule: JsonObject, action: string, source: string, rulesetId: string): RuleHit => ({
	action: eventActions[action] ?? action,
	source,
	ruleId: String(rule.id),
	rulesetId,
	description: String(rule.description ?? ''),
});

/**
 * Builds a matcher for the URLs of an active page rule that turns the previous managed rules off; empty for
 * other rules.
 */
function buildWafOffMatchers(rule: JsonObject): readonly ReturnType<typeof getExpressionMatcher>[] {
	const setting = getWafSetting(rule);
	const [target] = filterObjects(rule.targets);
	const url = isJsonObject(target?.constraint) ? target.constraint.value : undefined;
	if (rule.status !== 'active' || setting === undefined || setting === 'on' || typeof url !== 'string')
		return [];
	return [getExpressionMatcher(buildUrlExpression(url))];
}

/** Returns a predicate for the URLs of an override: hosts and paths, with asterisks. */
function buildUrlMatcher({urls}: JsonObject): (request: RecordedRequest) => boolean {
	const urlMatchers = (Array.isArray(urls) ? urls : []).map(url =>
		getExpressionMatcher(buildUrlExpression(String(url))),
	);
	return ({fields}) => urlMatchers.some(matches => matches(fields));
}
