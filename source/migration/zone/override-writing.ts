import {Failure} from '../../failure.ts';
import type {Client} from '../../service/client.ts';
import {buildAdvice, buildCommand} from '../../text/advice.ts';
import {type MigrationCheckTarget, readStage} from './calls.ts';
import type {MigrationZone} from './migration-zone.ts';
import type {Snapshot} from './snapshot.ts';

export type OverrideWriteOptions = {
	readonly signal: AbortSignal;
	/**
	 * Both are for the audit log: `onSend` is called before a write is sent, `onWritten` after one took effect.
	 */
	onSend?(subject: string): void;
	onWritten?(subject: string): void;
};

/** Throws `input_malformed` if the backup is of another zone. */
export function requireSameZone(backup: Snapshot, {id, name}: Pick<MigrationZone, 'id' | 'name'>): void {
	if (backup.zone.id === id) return;
	throw new Failure('input_malformed', `The backup is not of zone ${name}.`, {
		why: `It is of ${backup.zone.name} (${backup.zone.id}), made ${backup.taken}.`,
		next: 'Specify that zone, or a backup of this zone.',
	});
}

/**
 * Throws unless the previous version is active: overrides exist only there. In an unknown stage nothing is
 * written.
 */
export async function requirePreviousStage(
	client: Client,
	zone: MigrationCheckTarget & Pick<MigrationZone, 'name'>,
	subject: string,
	signal: AbortSignal,
): Promise<void> {
	const {id, name} = zone;
	const stage = await readStage(client, zone, signal);
	switch (stage) {
		case 'previous':
		case 'validation':
			return;
		case 'pending':
		case 'complete':
			throw new Failure('already_migrated', `The zone ${name} has only the new version: no ${subject}.`, {
				why: 'URI-based overrides belong to the previous version, which the migration removes permanently.',
				next: 'Recreate their effect as exceptions: skip rules before the managed rulesets.',
			});
		case 'unknown':
			throw new Failure('not_eligible', `The zone ${name} is in a state that ledge does not know.`, {
				why: `ledge writes nothing in an unknown state, so no ${subject}.`,
				next: buildAdvice`Check \`${buildCommand('migration status', '--zone-id', id)}\`; a newer version of ledge may know it.`,
			});
		default:
			stage satisfies never;
	}
}
