import {toFailure} from '../failure.ts';
import {readRateLimitRuleset} from '../firewall/rules/rate-limit.ts';
import {listFirewallRules} from '../firewall/rules/rules.ts';
import {readManagedContents} from '../migration/zone/managed-contents.ts';
import {readRulesetEntryPoint} from '../rulesets/calls.ts';
import {customPhase, managedPhase} from '../rulesets/ruleset.ts';
import type {Client} from '../service/client.ts';
import {
	getRuleKind,
	type KnownRules,
	type RuleKind,
	type RuleReference,
	resolveEventRule,
} from './rule-behind.ts';

/**
 * Reads the missing kinds of rules of a zone. Skips what cannot be read: those rules show only ids. Rejects
 * only when interrupted.
 */
async function readKnownRules(
	client: Client,
	zone: string,
	wanted: ReadonlySet<RuleKind>,
	before: KnownRules,
	signal: AbortSignal,
): Promise<KnownRules> {
	const readIfWanted = async <T>(kind: RuleKind, known: T | undefined, load: () => Promise<T>) =>
		known ?? (wanted.has(kind) ? await readOptional(load, signal) : undefined);
	const [custom, firewall, managed, executing, limits] = await Promise.all([
		readIfWanted(
			'custom',
			before.custom,
			async () => (await readRulesetEntryPoint(client, zone, customPhase, signal))?.rules ?? [],
		),
		readIfWanted('firewall', before.firewall, () => Array.fromAsync(listFirewallRules(client, zone, signal))),
		readIfWanted('managed', before.managed, () => readManagedContents(client, zone, signal)),
		readIfWanted(
			'managed',
			before.executing,
			async () => (await readRulesetEntryPoint(client, zone, managedPhase, signal))?.rules ?? [],
		),
		readIfWanted(
			'rate limit',
			before.rateLimits,
			async () => (await readRateLimitRuleset(client, zone, signal))?.rules ?? [],
		),
	]);
	return {custom, firewall, managed, executing, rateLimits: limits};
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
	learn(references: readonly RuleReference[], signal: AbortSignal): Promise<void>;
	known(): KnownRules;
};

export function createRuleNames(client: Client, zone: string, before: KnownRules = {}): RuleNames {
	const tried = new Set<RuleKind>();
	let known = before;
	return {
		known: () => known,
		async learn(references, signal) {
			const unnamed = references.filter(
				one => one.rule !== undefined && resolveEventRule(one, known).name === undefined,
			);
			const wanted = new Set(unnamed.map(({source}) => getRuleKind(source)).filter(kind => !tried.has(kind)));
			if (wanted.size === 0) return;
			known = await readKnownRules(client, zone, wanted, known, signal);
			for (const kind of wanted) tried.add(kind);
		},
	};
}
