import {migrationCommand, onwardAdvice, type Standing} from '../../migration/machine/next-steps.ts';
import type {MigrationZone} from '../../migration/zone/migration-zone.ts';
import {readSnapshot} from '../../migration/zone/read-snapshot.ts';
import type {Client} from '../../service/client.ts';
import {worldPlaceOf} from '../../session/place.ts';
import type {ZoneUse} from '../../session/zone.ts';
import {openZone} from '../firewall/zone.ts';
import type {CommandContext} from '../shell/context.ts';

export type OpenedMigration = {
	readonly client: Client;
	readonly zone: MigrationZone;
	/** The origin of the service, or the simulated world: what journals and backups are kept under. */
	readonly place: string;
};

/** The zone in force, the client to reach it with, and where that is. */
export async function openMigration(context: CommandContext, use: ZoneUse): Promise<OpenedMigration> {
	const {client, zone} = await openZone(context, use);
	const {id, name = zone.id, plan, label, account, accountId} = zone;
	return {
		client,
		zone: {id, name, plan, label, account, accountId},
		place: worldPlaceOf(context.session, client),
	};
}

/** What comes next where a zone stands, as the advice of a failure: whole commands. */
export const onwardCommands = (zone: Pick<MigrationZone, 'id' | 'name'>, standing: Standing) =>
	onwardAdvice(zone, standing, words => migrationCommand(zone, ...words));

/** Reads all of the zone that a migration is about, and mentions each part. */
export const readZone = ({signal, output}: CommandContext, {client, zone, place}: OpenedMigration) =>
	readSnapshot(client, zone, place, {signal, onStep: what => output.mention(`Reading ${what}.`)});
