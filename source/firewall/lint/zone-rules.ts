import {Failure} from '../../failure.ts';
import {readAccountLists} from '../../lists/account-lists.ts';
import {readConcurrently} from '../../migration/zone/concurrent.ts';
import {toFailureIfWithheld} from '../../migration/zone/withheld.ts';
import {describeLeftOut} from '../../rule-files/zone-rules.ts';
import {readRulesetEntryPoint} from '../../rulesets/calls.ts';
import {
	customPhase,
	managedPhase,
	type Ruleset,
	type RulesetPhase,
	rateLimitPhase,
} from '../../rulesets/ruleset.ts';
import type {Client} from '../../service/client.ts';
import {getOutcome} from '../../service/outcome.ts';
import type {KnownList} from '../expression/expressions.ts';
import {listFilters} from '../rules/filters.ts';
import {listFirewallRules} from '../rules/rules.ts';
import {groupFirewallRules} from './firewall-rules.ts';
import type {LintInput, RuleGroup} from './rule-group.ts';

type LintedZone = {readonly id: string; readonly name: string};

/** The phases of a zone that ledge reads, and what their rules are called. */
const zonePhases = [
	{phase: customPhase, noun: 'custom rule', title: 'custom rules'},
	{phase: rateLimitPhase, noun: 'rate limit', title: 'rate limits'},
	{phase: managedPhase, noun: 'managed rule', title: 'managed rules'},
] as const satisfies readonly {phase: RulesetPhase; noun: RuleGroup['noun']; title: string}[];

/**
 * Reads and groups all rules of a zone: custom rules, rate limits, managed rules, and firewall rules with their
 * filters if the zone still has them. What the service withholds is left out with the reason. Fails if nothing
 * can be read.
 */
export async function readZoneGroups(
	client: Client,
	zone: LintedZone,
	signal: AbortSignal,
): Promise<LintInput> {
	const readPhase = (phase: RulesetPhase) => (childSignal: AbortSignal) =>
		toFailureIfWithheld(readRulesetEntryPoint(client, zone.id, phase, childSignal));
	const [custom, rateLimits, managed, firewall] = await readConcurrently(signal, [
		readPhase(customPhase),
		readPhase(rateLimitPhase),
		readPhase(managedPhase),
		childSignal => toFailureIfWithheld(readFirewall(client, zone.id, childSignal)),
	]);
	const readings = [custom, rateLimits, managed];
	if (
		custom instanceof Failure &&
		readings.every(one => one instanceof Failure) &&
		firewall instanceof Failure
	)
		throw custom;
	const source = {kind: 'zone', name: zone.name} as const;
	return {
		groups: [
			...zonePhases.flatMap(({phase, noun}, index) => groupRuleset(source, phase, noun, readings[index])),
			...(firewall instanceof Failure
				? []
				: groupFirewallRules(firewall.rules, firewall.filters, {source, isListOrder: true})),
		],
		leftOut: [
			...zonePhases.flatMap(({title}, index) => describeFailure(title, readings[index])),
			...describeFailure('firewall rules', firewall),
		],
	};
}

async function readFirewall(client: Client, zoneId: string, signal: AbortSignal) {
	const [rules, filters] = await readConcurrently(signal, [
		childSignal => Array.fromAsync(listFirewallRules(client, zoneId, childSignal)),
		childSignal => Array.fromAsync(listFilters(client, zoneId, childSignal)),
	]);
	return {rules, filters};
}

function groupRuleset(
	source: RuleGroup['source'],
	phase: RulesetPhase,
	noun: RuleGroup['noun'],
	reading: Ruleset | Failure | undefined,
): readonly RuleGroup[] {
	if (!reading || reading instanceof Failure) return [];
	const rules = reading.rules.map((rule, index) => ({position: index + 1, rule, action: rule.action}));
	return [{source, noun, phase, rules}];
}

/** A zone without firewall rules, because they are retired, lacks nothing. */
const describeFailure = (name: string, reading: unknown): LintInput['leftOut'] =>
	reading instanceof Failure && getOutcome(reading) !== 'retired'
		? [{name, why: describeLeftOut(reading)}]
		: [];

/** Reads the lists of an account that expressions may name; undefined if they cannot be read. */
export async function readKnownLists(
	client: Client,
	account: string,
	signal: AbortSignal,
): Promise<readonly KnownList[] | undefined> {
	const lists = await toFailureIfWithheld(readAccountLists(client, account, signal));
	return lists instanceof Failure ? undefined : lists;
}
