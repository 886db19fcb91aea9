import {asFailure} from '../failure.ts';
import {rateLimits} from '../firewall/rules/rate-limit.ts';
import {rules} from '../firewall/rules/rules.ts';
import {readManagedContents} from '../migration/zone/managed-contents.ts';
import {entryPoint} from '../rulesets/calls.ts';
import {customPhase, managedPhase} from '../rulesets/ruleset.ts';
import type {Client} from '../service/client.ts';
import {type KnownRules, kindOfSource, type RuleKind, type RuleReference, ruleBehind} from './rule-behind.ts';

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

/** Rules of a zone for naming events, each kind read at most once. */
export type RuleNames = {
	/** Reads the rules needed to name these references, unless already tried. */
	learn(references: readonly RuleReference[], signal: AbortSignal): Promise<void>;
	known(): KnownRules;
};

export function ruleNames(client: Client, zone: string, before: KnownRules = {}): RuleNames {
	const tried = new Set<RuleKind>();
	let known = before;
	return {
		known: () => known,
		async learn(references, signal) {
			const unnamed = references.filter(
				one => one.rule !== undefined && ruleBehind(one, known).name === undefined,
			);
			const wanted = new Set(
				unnamed.map(({source}) => kindOfSource(source)).filter(kind => !tried.has(kind)),
			);
			if (wanted.size === 0) return;
			known = await readKnownRules(client, zone, wanted, known, signal);
			for (const kind of wanted) tried.add(kind);
		},
	};
}
