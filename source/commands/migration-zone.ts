import type {MigrationZone} from '../migration/snapshot.ts';
import type {Client} from '../service/client.ts';
import {quoted} from '../service/curl.ts';
import type {ZoneUse} from '../session/zone.ts';
import type {CommandContext} from './context.ts';
import {openZone} from './firewall-zone.ts';

export type OpenedMigration = {
	readonly client: Client;
	readonly zone: MigrationZone;
	/** The origin of the service, or `simulated`: what journals and backups are kept under (decision 37). */
	readonly place: string;
};

/** The zone in force, the client to reach it with, and where that is. */
export async function openMigration(context: CommandContext, use: ZoneUse): Promise<OpenedMigration> {
	const {client, zone} = await openZone(context, use);
	const {id, name = zone.id, plan, label, account, accountId} = zone;
	return {client, zone: {id, name, plan, label, account, accountId}, place: placeOf(context, client)};
}

export const placeOf = ({session}: CommandContext, {baseUrl}: Client): string =>
	session.simulated ? 'simulated' : new URL(baseUrl).origin;

/** A whole command for a zone, as it works when pasted; `leadingThere` adds what leads to the service. */
export const migrationCommand = (zone: Pick<MigrationZone, 'id'>, ...words: readonly string[]): string =>
	['ledge', 'migration', ...words, '--zone-id', zone.id].map(quoted).join(' ');
