import {toFailure} from '../failure.ts';
import {readRateLimitRuleset} from '../firewall/rules/rate-limit.ts';
import {listFirewallRules} from '../firewall/rules/rules.ts';
import {readManagedContents} from '../migration/zone/managed-contents.ts';
import {readRulesetEntryPoint} from '../rulesets/calls.ts';
import {customPhase, managedPhase} from '../rulesets/ruleset.ts';
import type {Client} from '../service/client.ts';
import {
	type EventRuleKind,
	getRuleKind,
	type KnownRules,
	type RuleReference,
	resolveEventRule,
} from './event-rule.ts';

/**
 * Reads the rules of the needed kinds that `initialRules` lacks. A kind that cannot be read stays undefined:
 * its events show only ids. Rejects only when interrupted.
 */
async function readKnownRules(
	client: Client,
	zoneId: string,
	neededKinds: ReadonlySet<EventRuleKind>,
	initialRules: KnownRules,
	signal: AbortSignal,
): Promise<KnownRules> {
	const readIfNeeded = async <T>(kind: EventRuleKind, knownValue: T | undefined, load: () => Promise<T>) =>
		knownValue ?? (neededKinds.has(kind) ? await readOptional(load, signal) : undefined);
	const [custom, firewall, managed, executing, rateLimits] = await Promise.all([
		readIfNeeded(
			'custom',
			initialRules.custom,
			async () => (await readRulesetEntryPoint(client, zoneId, customPhase, signal))?.rules ?? [],
		),
		readIfNeeded('firewall', initialRules.firewall, () =>
			Array.fromAsync(listFirewallRules(client, zoneId, signal)),
		),
		readIfNeeded('managed', initialRules.managed, () => readManagedContents(client, zoneId, signal)),
		readIfNeeded(
			'managed',
			initialRules.executing,
			async () => (await readRulesetEntryPoint(client, zoneId, managedPhase, signal))?.rules ?? [],
		),
		readIfNeeded(
			'rate limit',
			initialRules.rateLimits,
			async () => (await readRateLimitRuleset(client, zoneId, signal))?.rules ?? [],
		),
	]);
	return {custom, firewall, managed, executing, rateLimits};
}

async function readOptional<T>(load: () => Promise<T>, signal: AbortSignal): Promise<T | undefined> {
	try {
		return await load();
	} catch (error) {
		if (signal.aborted || toFailure(error).code === 'interrupted') throw error;
		return undefined;
	}
}

/** Rules of a zone for naming events, each kind read at most once. */
export type RuleNames = {
	/** Reads the rules needed to name these references, unless already tried. */
	loadRules(references: readonly RuleReference[], signal: AbortSignal): Promise<void>;
	getRules(): KnownRules;
};

export function createRuleNames(client: Client, zoneId: string, initialRules: KnownRules = {}): RuleNames {
	const triedKinds = new Set<EventRuleKind>();
	let knownRules = initialRules;
	return {
		getRules: () => knownRules,
		async loadRules(references, signal) {
			const unnamedReferences = references.filter(
				one => one.ruleId !== undefined && resolveEventRule(one, knownRules).name === undefined,
			);
			const neededKinds = new Set(
				unnamedReferences.map(({source}) => getRuleKind(source)).filter(kind => !triedKinds.has(kind)),
			);
			if (neededKinds.size === 0) return;
			knownRules = await readKnownRules(client, zoneId, neededKinds, knownRules, signal);
			for (const kind of neededKinds) triedKinds.add(kind);
		},
	};
}
