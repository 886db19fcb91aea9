import {Failure} from '../failure.ts';
import {type Configuration, fingerprint, withoutOwn} from '../migration/configuration/configuration.ts';
import {type Check, type MigrationStatus, type Stage, stageWords} from '../migration/machine/stage.ts';
import {stageOf, unknownInWords} from '../migration/machine/stage-of.ts';
import {checkAndStatus} from '../migration/zone/calls.ts';
import {together} from '../migration/zone/concurrent.ts';
import {type ManagedContents, tryManagedContents} from '../migration/zone/managed-contents.ts';
import type {MigrationZone} from '../migration/zone/migration-zone.ts';
import {orWithheld} from '../migration/zone/unavailable.ts';
import {entryPoint} from '../rulesets/calls.ts';
import {managedPhase, type Ruleset} from '../rulesets/ruleset.ts';
import type {Client} from '../service/client.ts';
import {advice, inZone} from '../text/advice.ts';

export type ManagedZone = Pick<MigrationZone, 'id' | 'name' | 'plan' | 'label'>;

/** The active managed rules of a zone, all read at once. */
export type InForce = {
	readonly zone: ManagedZone;
	/** Stage of the zone's migration; rules can change only when it is complete. */
	readonly stage: Stage;
	/** Why nothing can be changed; undefined if the migration is complete. */
	readonly readOnly: Failure | undefined;
	/** Entry point of the managed phase; undefined if the zone has none. */
	readonly ruleset: Ruleset | undefined;
	/** Its rules for the editor, with their ids. */
	readonly configuration: Configuration;
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
export async function readInForce(client: Client, zone: ManagedZone, signal: AbortSignal): Promise<InForce> {
	const [stated, ruleset, managed] = await together(signal, [
		within => readStanding(client, zone, within),
		within => entryPoint(client, zone.id, managedPhase, within),
		within => tryManagedContents(client, zone.id, within),
	]);
	const configuration = configurationOf(ruleset);
	return {
		zone,
		...stated,
		ruleset,
		configuration,
		fingerprint: fingerprint(configuration),
		...(managed instanceof Failure
			? {managed: undefined, managedUnread: managed}
			: {managed, managedUnread: undefined}),
	};
}

/** Converts an entry point, or a version of it, for the editor. */
export const configurationOf = (ruleset: Ruleset | undefined): Configuration => ({
	name: ruleset?.name || 'default',
	rules: ruleset?.rules ?? [],
});

/** Converts a configuration for a file: as the migration prints it, plus rule ids. */
export const withIds = (configuration: Configuration): Configuration => ({
	...configuration,
	rules: withoutOwn(configuration).rules.map((rule, index) => {
		const id = configuration.rules[index]?.id;
		return id === undefined ? rule : {id, ...rule};
	}),
});

const left = 'Nothing was sent: managed rules are changed only where the migration is complete.';

type Standing = Pick<InForce, 'stage' | 'readOnly'>;

async function readStanding(client: Client, zone: ManagedZone, signal: AbortSignal): Promise<Standing> {
	const answers = await orWithheld(checkAndStatus(client, zone, signal));
	if (answers instanceof Failure)
		return {
			stage: 'unknown',
			readOnly: answers.code === 'not_eligible' ? answers.with({left}) : stageWithheld(zone, answers),
		};
	const {checked, stated} = answers;
	const stage = stageOf(checked, stated);
	return {stage, readOnly: notComplete(zone, stage, checked, stated)};
}

function notComplete(
	{label}: ManagedZone,
	stage: Stage,
	checked: Check,
	stated: MigrationStatus | undefined,
): Failure | undefined {
	switch (stage) {
		case 'complete':
			return undefined;
		case 'unknown':
			return new Failure('not_eligible', `It is unknown whether ${label} has migrated.`, {
				why: unknownInWords(checked, stated),
				left,
				next: advice`See what the service reports: \`${inZone('migration status')}\``,
			});
		case 'previous':
		case 'validation':
		case 'pending':
			return new Failure('not_eligible', `${label} has not completed its migration.`, {
				why: `It has: ${stageWords[stage]}.`,
				left,
				next: advice`See what comes next: \`${inZone('migration status')}\``,
			});
		default:
			return stage satisfies never;
	}
}

const stageWithheld = (
	{label}: ManagedZone,
	{message, details: {why, http, ray, service}}: Failure,
): Failure =>
	new Failure('not_eligible', `It is unknown whether ${label} has migrated.`, {
		why: [message, why].filter(Boolean).join('\n'),
		left,
		next: advice`See what the service reports: \`${inZone('migration status')}\``,
		http,
		ray,
		service,
	});
