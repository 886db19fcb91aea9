import {asFailure} from '../failure.ts';
import {rateLimits} from '../firewall/rules/rate-limit.ts';
import {rules} from '../firewall/rules/rules.ts';
import {readManagedContents} from '../migration/zone/managed-contents.ts';
import {entryPoint} from '../rulesets/calls.ts';
import {customPhase, managedPhase} from '../rulesets/ruleset.ts';
import type {Client} from '../service/client.ts';
import type {KnownRules, RuleKind} from './rule-behind.ts';

/**
 * Reads the rules of a zone of these kinds that were not read yet, once for all events. What cannot be read is left out:
 * its rules have only ids then. Rejects only when it is interrupted.
 */
export async function readKnownRules(
	client: Client,
	zone: string,
	wanted: ReadonlySet<RuleKind>,
	before: KnownRules,
	signal: AbortSignal,
): Promise<KnownRules> {
	const read = async <T>(kind: RuleKind, known: T | undefined, reads: () => Promise<T>) =>
		known ?? (wanted.has(kind) ? await ifReadable(reads, signal) : undefined);
	const [custom, firewall, managed, executing, limits] = await Promise.all([
		read(
			'custom',
			before.custom,
			async () => (await entryPoint(client, zone, customPhase, signal))?.rules ?? [],
		),
		read('firewall', before.firewall, () => Array.fromAsync(rules(client, zone, signal))),
		read('managed', before.managed, () => readManagedContents(client, zone, signal)),
		read(
			'managed',
			before.executing,
			async () => (await entryPoint(client, zone, managedPhase, signal))?.rules ?? [],
		),
		read('rate limit', before.rateLimits, async () => (await rateLimits(client, zone, signal))?.rules ?? []),
	]);
	return {custom, firewall, managed, executing, rateLimits: limits};
}

async function ifReadable<T>(reads: () => Promise<T>, signal: AbortSignal): Promise<T | undefined> {
	try {
		return await reads();
	} catch (error) {
		if (signal.aborted || asFailure(error).code === 'interrupted') throw error;
		return undefined;
	}
}
