import {matcherOf} from '../../firewall/expression/expressions.ts';
import {isJsonObject, type JsonObject, objects} from '../../text/json.ts';
import {wafSetting} from '../migration/migrating-zone.ts';
import {urlExpression} from '../migration/proposal.ts';
import type {ManagedCatalogue} from '../rulesets/managed-catalogue.ts';
import {customPhase, managedPhase} from '../rulesets/phase-names.ts';
import type {Deviations} from '../waf/previous-waf.ts';
import {type StageRecord, stageAt} from '../waf/stored-stage.ts';
import {type Hit, managedHits, type Skipped, skippedBy} from './managed-judgement.ts';
import {previousHits} from './previous-judgement.ts';
import type {RecordedRequest} from './recorded-requests.ts';
import type {Period} from './rules-in-force.ts';

/** What affects a zone's requests and is the same for all periods. */
export type JudgedZone = {
	readonly hasManagedRules: boolean;
	/** True if its firewall rules are retired. */
	readonly isFirewallRetired: boolean;
	readonly managed: ManagedCatalogue;
};

type Outcome = {
	readonly hits: readonly Hit[];
	/** True if no later rule sees the request. */
	readonly ended: boolean;
	readonly aroundNew?: boolean;
	readonly aroundPrevious?: boolean;
};

/** Actions that let a request continue. */
const passing: ReadonlySet<string> = new Set(['log', 'skip', 'allow', 'bypass']);

/** Actions that events name differently than rules. */
const eventNames: Readonly<Record<string, string>> = {js_challenge: 'jschallenge'};

/**
 * Returns a function that applies a period's rules to a request: firewall rules, custom rules, new managed
 * rules, previous ones. A rule that does not let the request pass ends the evaluation.
 */
export function judgeOf(
	{rules, from}: Period,
	zone: JudgedZone,
): (request: RecordedRequest) => readonly Hit[] {
	const stage = stageAt(rules['waf-migration'][0] as StageRecord | undefined, from);
	const firewall = zone.isFirewallRetired ? [] : firewallRules(rules['firewall-rule'], rules.filter);
	const phase = (name: string) =>
		objects(rules.ruleset.find(one => one.phase === name)?.rules).filter(({enabled}) => enabled !== false);
	const custom = phase(customPhase).map(ruleOf);
	const managed = stage === 'validation' || stage === 'complete' ? phase(managedPhase).map(ruleOf) : [];
	const deviations = (rules['previous-waf'][0] ?? {}) as Deviations;
	const around = rules['page-rule'].flatMap(aroundPrevious);
	const overrides = rules['waf-override']
		.filter(({paused}) => paused !== true)
		.toSorted((one, other) => Number(one.priority) - Number(other.priority))
		.map(override => ({override, holds: addressesOf(override)}));

	return request => {
		const first = firewallOutcome(firewall, request);
		const second = first.ended ? first : joined(first, customOutcome(custom, request));
		if (second.ended || !zone.hasManagedRules) return second.hits;
		const third = second.aroundNew ? second : joined(second, managedOutcome(managed, request, zone.managed));
		if (third.ended || stage === 'complete' || third.aroundPrevious) return third.hits;
		if (around.some(holds => holds(request.fields))) return third.hits;
		const meant = overrides.filter(({holds}) => holds(request)).map(({override}) => override);
		return [...third.hits, ...named(untilEnd(previousHits(deviations, meant, request.trips)))];
	};
}

const joined = (one: Outcome, other: Outcome): Outcome => ({
	hits: [...one.hits, ...other.hits],
	ended: other.ended,
	aroundNew: one.aroundNew || other.aroundNew === true,
	aroundPrevious: one.aroundPrevious || other.aroundPrevious === true,
});

type Rule = {
	readonly rule: JsonObject;
	readonly holds: ReturnType<typeof matcher>;
	readonly parameters: JsonObject;
};

const matchers = new Map<string, (request: RecordedRequest['fields']) => boolean>();
const mostMatchers = 4000;

/** Compiles each expression once: most rules are the same from one query to the next. */
function matcher(expression: string): (request: RecordedRequest['fields']) => boolean {
	const known = matchers.get(expression);
	if (known) return known;
	if (matchers.size >= mostMatchers) matchers.clear();
	const made = matcherOf(expression);
	matchers.set(expression, made);
	return made;
}

function ruleOf(rule: JsonObject): Rule {
	const parameters = isJsonObject(rule.action_parameters) ? rule.action_parameters : {};
	return {rule, holds: matcher(String(rule.expression)), parameters};
}

/** The active firewall rules in order of evaluation, with the expressions of their filters. */
function firewallRules(rules: readonly JsonObject[], filters: readonly JsonObject[]): readonly Rule[] {
	const byId = new Map(filters.map(filter => [filter.id, filter]));
	const actions = ['log', 'bypass', 'allow', 'challenge', 'managed_challenge', 'js_challenge', 'block'];
	const rank = ({priority, action}: JsonObject): number =>
		(typeof priority === 'number' ? priority : 2 ** 40) * 10 + actions.indexOf(String(action));
	return rules
		.filter(rule => rule.paused !== true && byId.has(rule.filter) && byId.get(rule.filter)?.paused !== true)
		.toSorted((one, other) => rank(one) - rank(other))
		.map(rule => ({
			rule: {...rule, description: rule.description ?? byId.get(rule.filter)?.description ?? ''},
			holds: matcher(String(byId.get(rule.filter)?.expression)),
			parameters: {},
		}));
}

function firewallOutcome(rules: readonly Rule[], request: RecordedRequest): Outcome {
	const hits: Hit[] = [];
	let around = false;
	for (const {rule, holds} of rules) {
		if (!holds(request.fields)) continue;
		const action = String(rule.action);
		hits.push(hit(rule, action, 'firewallRules', ''));
		if (action === 'bypass') around ||= Array.isArray(rule.products) && rule.products.includes('waf');
		else if (action === 'allow') break;
		else if (action !== 'log') return {hits, ended: true};
	}
	return {hits, ended: false, aroundPrevious: around};
}

function customOutcome(rules: readonly Rule[], request: RecordedRequest): Outcome {
	const hits: Hit[] = [];
	let [aroundNew, aroundPrevious] = [false, false];
	for (const {rule, holds, parameters} of rules) {
		if (!holds(request.fields)) continue;
		const action = String(rule.action);
		const isLogged = !isJsonObject(rule.logging) || rule.logging.enabled !== false;
		if (action !== 'skip' || isLogged) hits.push(hit(rule, action, 'firewallCustom', ''));
		if (action === 'skip') {
			aroundNew ||= Array.isArray(parameters.phases) && parameters.phases.includes(managedPhase);
			aroundPrevious ||= Array.isArray(parameters.products) && parameters.products.includes('waf');
			if (parameters.ruleset === 'current' || parameters.phase === 'current') break;
		} else if (action !== 'log') return {hits, ended: true};
	}
	return {hits, ended: false, aroundNew, aroundPrevious};
}

function managedOutcome(
	rules: readonly Rule[],
	request: RecordedRequest,
	catalogue: ManagedCatalogue,
): Outcome {
	const hits: Hit[] = [];
	let skipped: Skipped = {rulesets: new Set(), rules: new Set()};
	for (const {rule, holds, parameters} of rules) {
		if (!holds(request.fields)) continue;
		if (rule.action === 'skip') {
			const more = skippedBy(parameters);
			if (isJsonObject(rule.logging) && rule.logging.enabled === true)
				hits.push(hit(rule, 'skip', 'firewallManaged', ''));
			if (more === 'all') break;
			skipped = {
				rulesets: new Set([...skipped.rulesets, ...more.rulesets]),
				rules: new Set([...skipped.rules, ...more.rules]),
			};
			continue;
		}
		const ruleset = catalogue.rulesets.find(({id}) => id === parameters.id);
		if (!ruleset) continue;
		const overrides = isJsonObject(parameters.overrides) ? parameters.overrides : {};
		const made = untilEnd(managedHits(ruleset, overrides, request.trips, skipped));
		hits.push(...named(made));
		if (made.some(({action}) => !passing.has(action))) return {hits, ended: true};
	}
	return {hits, ended: false};
}

/** Cuts the hits behind the first one that ends the request. */
function untilEnd(hits: readonly Hit[]): readonly Hit[] {
	const end = hits.findIndex(({action}) => !passing.has(action));
	return end < 0 ? hits : hits.slice(0, end + 1);
}

const named = (hits: readonly Hit[]): readonly Hit[] =>
	hits.map(one => ({...one, action: eventNames[one.action] ?? one.action}));

const hit = (rule: JsonObject, action: string, source: string, rulesetId: string): Hit => ({
	action: eventNames[action] ?? action,
	source,
	ruleId: String(rule.id),
	rulesetId,
	description: String(rule.description ?? ''),
});

/**
 * Matches the URLs of an active page rule that turns the previous managed rules off; empty for other rules.
 */
function aroundPrevious(rule: JsonObject): readonly ReturnType<typeof matcher>[] {
	const setting = wafSetting(rule);
	const [target] = objects(rule.targets);
	const url = isJsonObject(target?.constraint) ? target.constraint.value : undefined;
	if (rule.status !== 'active' || setting === undefined || setting === 'on' || typeof url !== 'string')
		return [];
	return [matcher(urlExpression(url))];
}

/** Returns a predicate for the URLs of an override: hosts and paths, with asterisks. */
function addressesOf({urls}: JsonObject): (request: RecordedRequest) => boolean {
	const patterns = (Array.isArray(urls) ? urls : []).map(url => matcher(urlExpression(String(url))));
	return ({fields}) => patterns.some(holds => holds(fields));
}
