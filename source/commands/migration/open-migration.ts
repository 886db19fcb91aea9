import {
	buildMigrationCommand,
	getMigrationAdvice,
	type MigrationProgress,
} from '../../migration/machine/next-steps.ts';
import type {MigrationZone} from '../../migration/zone/migration-zone.ts';
import {readSnapshot} from '../../migration/zone/read-snapshot.ts';
import type {Client} from '../../service/client.ts';
import {getPlaceWithWorld} from '../../session/place.ts';
import type {ZoneUse} from '../../session/zone.ts';
import {openZone} from '../firewall/zone.ts';
import type {CommandContext} from '../shell/context.ts';

export type OpenedMigration = {
	readonly client: Client;
	readonly zone: MigrationZone;
	/** The origin of the service, or the simulated world: journals and backups are stored under it. */
	readonly serviceOrigin: string;
};

/** Opens the active zone, with a client for it. */
export async function openMigration(context: CommandContext, use: ZoneUse): Promise<OpenedMigration> {
	const {client, zone} = await openZone(context, use);
	const {id, name = zone.id, plan, label, account, accountId} = zone;
	return {
		client,
		zone: {id, name, plan, label, account, accountId},
		serviceOrigin: getPlaceWithWorld(context.session, client),
	};
}

/** Builds the advice on the next step for a zone, with complete commands. */
export const buildNextStepAdvice = (zone: Pick<MigrationZone, 'id' | 'name'>, progress: MigrationProgress) =>
	getMigrationAdvice(zone, progress, words => buildMigrationCommand(zone, ...words));

/** Reads all parts of the zone that a migration affects, and mentions each part as it is read. */
export const readSnapshotWithProgress = (
	{signal, output}: CommandContext,
	{client, zone, serviceOrigin}: OpenedMigration,
) =>
	readSnapshot(client, zone, serviceOrigin, {
		signal,
		onStep: what => output.sayIfInteractive(`Reading ${what}.`),
	});
