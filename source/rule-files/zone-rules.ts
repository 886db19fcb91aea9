import {Failure} from '../failure.ts';
import {type ManagedRulesState, type ManagedZone, readManagedState} from '../managed/state.ts';
import {readConcurrently} from '../migration/zone/concurrent.ts';
import {toFailureIfWithheld} from '../migration/zone/withheld.ts';
import {readRulesetEntryPoint} from '../rulesets/calls.ts';
import {customPhase, type Ruleset, rateLimitPhase} from '../rulesets/ruleset.ts';
import type {Client} from '../service/client.ts';
import type {SectionKey} from './sections.ts';

/** The entry point of a phase as read; undefined without one. A failure says why the phase is left out. */
type PhaseReading = {readonly ruleset: Ruleset | undefined} | Failure;

/** All rules of a zone that a file can hold, as read. */
export type ZoneRules = {readonly [key in SectionKey]: PhaseReading} & {
	/** The managed rules with what their checks need; undefined if they are left out. */
	readonly managedState: ManagedRulesState | undefined;
};

/**
 * Reads the rules of a zone. Phases that the service withholds, and managed rules of a zone that has not
 * completed its migration, are left out with the reason. Fails if nothing can be read.
 */
export async function readZoneRules(
	client: Client,
	zone: ManagedZone,
	signal: AbortSignal,
): Promise<ZoneRules> {
	const [custom, rateLimits, managed] = await readConcurrently(signal, [
		childSignal => toFailureIfWithheld(readRulesetEntryPoint(client, zone.id, customPhase, childSignal)),
		childSignal => toFailureIfWithheld(readRulesetEntryPoint(client, zone.id, rateLimitPhase, childSignal)),
		childSignal => toFailureIfWithheld(readManagedState(client, zone, childSignal)),
	]);
	const managedFailure = managed instanceof Failure ? managed : managed.readOnlyReason;
	const managedState = managed instanceof Failure || managedFailure ? undefined : managed;
	if (custom instanceof Failure && rateLimits instanceof Failure && managed instanceof Failure) throw custom;
	return {
		custom_rules: toReading(custom),
		rate_limits: toReading(rateLimits),
		managed_rules: managedFailure ?? {ruleset: managedState?.ruleset},
		managedState,
	};
}

const toReading = (result: Ruleset | undefined | Failure): PhaseReading =>
	result instanceof Failure ? result : {ruleset: result};

/** Describes why a phase is left out, in one line. */
export const describeLeftOut = ({message, details: {why}}: Failure): string =>
	[message, ...(why ?? '').split('\n')].filter(Boolean).join(' ');
