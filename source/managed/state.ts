import {Failure} from '../failure.ts';
import {
	computeFingerprint,
	type ManagedConfiguration,
	omitServiceFields,
} from '../migration/configuration/configuration.ts';
import {describeUnknownStage, resolveMigrationStage} from '../migration/machine/resolve-stage.ts';
import {
	type CompatibilityCheck,
	type MigrationStage,
	type MigrationStatus,
	stageWords,
} from '../migration/machine/stage.ts';
import {readCheckAndStatus} from '../migration/zone/calls.ts';
import {readConcurrently} from '../migration/zone/concurrent.ts';
import {type ManagedContents, tryReadManagedContents} from '../migration/zone/managed-contents.ts';
import type {MigrationZone} from '../migration/zone/migration-zone.ts';
import {toFailureIfWithheld} from '../migration/zone/withheld.ts';
import {readRulesetEntryPoint} from '../rulesets/calls.ts';
import {managedPhase, type Ruleset} from '../rulesets/ruleset.ts';
import type {Client} from '../service/client.ts';
import {buildAdvice, buildZoneCommand} from '../text/advice.ts';

export type ManagedZone = Pick<MigrationZone, 'id' | 'name' | 'plan' | 'label'>;

/** The active managed rules of a zone, all read at once. */
export type ManagedRulesState = {
	readonly zone: ManagedZone;
	/** Stage of the zone's migration; rules can change only when it is complete. */
	readonly stage: MigrationStage;
	/** Why nothing can be changed; undefined if the migration is complete. */
	readonly readOnlyReason: Failure | undefined;
	/** Entry point of the managed phase; undefined if the zone has none. */
	readonly ruleset: Ruleset | undefined;
	/** The rules of that entry point in the form of the editor, with their ids. */
	readonly configuration: ManagedConfiguration;
	/** Fingerprint of the configuration, computed as in a migration. */
	readonly fingerprint: string;
	/** Managed rulesets available to the zone; undefined if they could not be read. */
	readonly catalogue: readonly ManagedContents[] | undefined;
	/** Why the catalogue could not be read; ids are then not checked. */
	readonly catalogueFailure: Failure | undefined;
};

/**
 * Reads the active managed rules. If the service withholds the stage, the result is read-only; the catalogue
 * may be missing.
 */
export async function readManagedState(
	client: Client,
	zone: ManagedZone,
	signal: AbortSignal,
): Promise<ManagedRulesState> {
	const [stageAccess, ruleset, catalogue] = await readConcurrently(signal, [
		childSignal => readStageAccess(client, zone, childSignal),
		childSignal => readRulesetEntryPoint(client, zone.id, managedPhase, childSignal),
		childSignal => tryReadManagedContents(client, zone.id, childSignal),
	]);
	const configuration = toConfiguration(ruleset);
	return {
		zone,
		...stageAccess,
		ruleset,
		configuration,
		fingerprint: computeFingerprint(configuration),
		...(catalogue instanceof Failure
			? {catalogue: undefined, catalogueFailure: catalogue}
			: {catalogue, catalogueFailure: undefined}),
	};
}

/** Converts an entry point, or a version of one, to the form of the editor. */
export const toConfiguration = (ruleset: Ruleset | undefined): ManagedConfiguration => ({
	name: ruleset?.name || 'default',
	rules: ruleset?.rules ?? [],
});

/**
 * Converts a configuration to the form for a file: without the fields that the service adds, as a migration
 * prints it, but with rule ids.
 */
export const toFileConfiguration = (configuration: ManagedConfiguration): ManagedConfiguration => ({
	...configuration,
	rules: omitServiceFields(configuration).rules.map((rule, index) => {
		const id = configuration.rules[index]?.id;
		return id === undefined ? rule : {id, ...rule};
	}),
});

const nothingSent = 'Nothing was sent: managed rules can only be changed after the migration is complete.';

type StageAccess = Pick<ManagedRulesState, 'stage' | 'readOnlyReason'>;

/** Reads whether the managed rules of a zone can be changed. */
export async function readStageAccess(
	client: Client,
	zone: ManagedZone,
	signal: AbortSignal,
): Promise<StageAccess> {
	const checkAndStatus = await toFailureIfWithheld(readCheckAndStatus(client, zone, signal));
	if (checkAndStatus instanceof Failure)
		return {
			stage: 'unknown',
			readOnlyReason:
				checkAndStatus.code === 'not_eligible'
					? checkAndStatus.withDetails({left: nothingSent})
					: createStageWithheldFailure(zone, checkAndStatus),
		};
	const {check, status} = checkAndStatus;
	const stage = resolveMigrationStage(check, status);
	return {stage, readOnlyReason: createIncompleteFailure(zone, stage, check, status)};
}

function createIncompleteFailure(
	{label}: ManagedZone,
	stage: MigrationStage,
	check: CompatibilityCheck,
	status: MigrationStatus | undefined,
): Failure | undefined {
	switch (stage) {
		case 'complete':
			return undefined;
		case 'unknown':
			return new Failure('not_eligible', `It is unknown whether ${label} has migrated.`, {
				why: describeUnknownStage(check, status),
				left: nothingSent,
				next: buildAdvice`Check what the service reports: \`${buildZoneCommand('migration status')}\``,
			});
		case 'previous':
		case 'validation':
		case 'pending':
			return new Failure('not_eligible', `${label} has not completed its migration.`, {
				why: `Current stage: ${stageWords[stage]}.`,
				left: nothingSent,
				next: buildAdvice`Check the next step: \`${buildZoneCommand('migration status')}\``,
			});
		default:
			return stage satisfies never;
	}
}

const createStageWithheldFailure = (
	{label}: ManagedZone,
	{message, details: {why, http, ray, service}}: Failure,
): Failure =>
	new Failure('not_eligible', `It is unknown whether ${label} has migrated.`, {
		why: [message, why].filter(Boolean).join('\n'),
		left: nothingSent,
		next: buildAdvice`Check what the service reports: \`${buildZoneCommand('migration status')}\``,
		http,
		ray,
		service,
	});
