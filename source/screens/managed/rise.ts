import {isFailure} from '../../failure.ts';
import {readMigrationRecord} from '../../migration/journal/journal.ts';
import type {MigrationRecord} from '../../migration/journal/record.ts';
import {isComplete} from '../../migration/machine/states.ts';
import {type Rise, readRise} from '../../migration/validation/rise.ts';
import type {MigrationZone} from '../../migration/zone/migration-zone.ts';
import type {Client} from '../../service/client.ts';
import {getPlaceWithWorld} from '../../session/place.ts';
import type {Session} from '../../session/session.ts';

/**
 * Checks whether the managed rules stop more requests than the validation of the migration showed. Undefined
 * if not, or if this machine has no record of that migration.
 */
export async function readZoneRise(
	client: Client,
	session: Session,
	zone: Pick<MigrationZone, 'id' | 'name'>,
	signal: AbortSignal,
): Promise<Rise | undefined> {
	const record = tryReadRecord(session, {place: getPlaceWithWorld(session, client), zone});
	if (!record || !isComplete(record.state)) return undefined;
	return (await readRise(client, zone.id, record, signal)).value;
}

/** Reads the record of the migration; undefined if its journal is unreadable. */
function tryReadRecord(
	{env}: Session,
	target: Parameters<typeof readMigrationRecord>[1],
): MigrationRecord | undefined {
	try {
		return readMigrationRecord(env, target);
	} catch (error) {
		if (!isFailure(error, 'journal_invalid', 'file_failed')) throw error;
		return undefined;
	}
}
