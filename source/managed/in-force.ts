import {Failure} from '../failure.ts';
import {
	computeFingerprint,
	type ManagedConfiguration,
	omitServiceFields,
} from '../migration/configuration/configuration.ts';
import {
	type CompatibilityCheck,
	type MigrationStage,
	type MigrationStatus,
	stageWords,
} from '../migration/machine/stage.ts';
import {describeUnknownStage, resolveMigrationStage} from '../migration/machine/stage-of.ts';
import {readCheckAndStatus} from '../migration/zone/calls.ts';
import {readConcurrently} from '../migration/zone/concurrent.ts';
import {type ManagedContents, tryReadManagedContents} from '../migration/zone/managed-contents.ts';
import type {MigrationZone} from '../migration/zone/migration-zone.ts';
import {catchWithheld} from '../migration/zone/unavailable.ts';
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
	readonly readOnly: Failure | undefined;
	/** Entry point of the managed phase; undefined if the zone has none. */
	readonly ruleset: Ruleset | undefined;
	/** Its rules for the editor, with their ids. */
	readonly configuration: ManagedConfiguration;
	/** Fingerprint, computed as in the migration. */
	readonly fingerprint: string;
	/** Managed rulesets available to the zone; undefined if they could not be read. */
	readonly managed: readonly ManagedContents[] | undefined;
	/** Why they could not be read; ids are then unchecked. */
	readonly managedUnread: Failure | undefined;
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
	const [stated, ruleset, managed] = await readConcurrently(signal, [
		within => readMigrationStanding(client, zone, within),
		within => readRulesetEntryPoint(client, zone.id, managedPhase, within),
		within => tryReadManagedContents(client, zone.id, within),
	]);
	const configuration = toConfiguration(ruleset);
	return {
		zone,
		...stated,
		ruleset,
		configuration,
		fingerprint: computeFingerprint(configuration),
		...(managed instanceof Failure
			? {managed: undefined, managedUnread: managed}
			: {managed, managedUnread: undefined}),
	};
}

/** Converts an entry point, or a version of it, for the editor. */
export const toConfiguration = (ruleset: Ruleset | undefined): ManagedConfiguration => ({
	name: ruleset?.name || 'default',
	rules: ruleset?.rules ?? [],
});

/** Converts a configuration for a file: as the migration prints it, plus rule ids. */
export const withIds = (configuration: ManagedConfiguration): ManagedConfiguration => ({
	...configuration,
	rules: omitServiceFields(configuration).rules.map((rule, index) => {
		const id = configuration.rules[index]?.id;
		return id === undefined ? rule : {id, ...rule};
	}),
});

const left = 'Nothing was sent: managed rules are changed only where the migration is complete.';

type Standing = Pick<ManagedRulesState, 'stage' | 'readOnly'>;

async function readMigrationStanding(
	client: Client,
	zone: ManagedZone,
	signal: AbortSignal,
): Promise<Standing> {
	const answers = await catchWithheld(readCheckAndStatus(client, zone, signal));
	if (answers instanceof Failure)
		return {
			stage: 'unknown',
			readOnly:
				answers.code === 'not_eligible'
					? answers.withDetails({left})
					: createStageWithheldFailure(zone, answers),
		};
	const {checked, stated} = answers;
	const stage = resolveMigrationStage(checked, stated);
	return {stage, readOnly: createIncompleteFailure(zone, stage, checked, stated)};
}

function createIncompleteFailure(
	{label}: ManagedZone,
	stage: MigrationStage,
	checked: CompatibilityCheck,
	stated: MigrationStatus | undefined,
): Failure | undefined {
	switch (stage) {
		case 'complete':
			return undefined;
		case 'unknown':
			return new Failure('not_eligible', `It is unknown whether ${label} has migrated.`, {
				why: describeUnknownStage(checked, stated),
				left,
				next: buildAdvice`See what the service reports: \`${buildZoneCommand('migration status')}\``,
			});
		case 'previous':
		case 'validation':
		case 'pending':
			return new Failure('not_eligible', `${label} has not completed its migration.`, {
				why: `It has: ${stageWords[stage]}.`,
				left,
				next: buildAdvice`See what comes next: \`${buildZoneCommand('migration status')}\``,
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
		left,
		next: buildAdvice`See what the service reports: \`${buildZoneCommand('migration status')}\``,
		http,
		ray,
		service,
	});
