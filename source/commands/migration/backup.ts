import {Failure} from '../../failure.ts';
import {countSnapshotObjects} from '../../migration/journal/backup.ts';
import {buildMigrationCommand} from '../../migration/machine/next-steps.ts';
import type {MigrationZone} from '../../migration/zone/migration-zone.ts';
import {listMissingParts} from '../../migration/zone/read-snapshot.ts';
import type {UnreadPart} from '../../migration/zone/snapshot.ts';
import {buildAdvice, buildCommand} from '../../text/advice.ts';
import {formatQuantity} from '../../text/figures.ts';
import type {CommandContext} from '../shell/context.ts';
import {defineCommand} from '../shell/declare.ts';
import {writeZoneBackup} from './journal.ts';
import {openMigration, readSnapshotWithProgress} from './open-migration.ts';
import {toZoneJson} from './text.ts';

/**
 * `migration backup`: saves all settings of a zone that cannot be read after the migration. Writes nothing to
 * the zone.
 */
export const migrationBackupCommand = defineCommand({
	usage: 'backup',
	summary: "back up everything that can't be read after the migration, to the zone's folder",
	example: 'migration backup --zone example.com',
	sampleArguments: '--zone acme.example',
	run: backUpZone,
});

async function backUpZone(context: CommandContext): Promise<void> {
	const {output, options} = context;
	const openedMigration = await openMigration(context, {writes: false});
	const {zone} = openedMigration;
	const snapshot = await readSnapshotWithProgress(context, openedMigration);
	const {unread} = snapshot;
	for (const {what, why} of unread) output.warn(`Not in the backup: ${what}. ${why}`);
	const printJson = (backup: string | null, objects: number) =>
		output.writeJson(context.markSimulated({zone: toZoneJson(zone), backup, objects, unread}));
	if (options.dryRun) {
		const objects = countSnapshotObjects(snapshot);
		if (output.json) return printJson(null, objects);
		return output.writeText(`A backup of ${formatQuantity(objects, 'object')} would be written.\n`);
	}
	const {folder, objects} = await writeZoneBackup(context, openedMigration, snapshot);
	const missingParts = listMissingParts(snapshot);
	if (output.json) await printJson(folder, objects);
	else await output.writeText(`${folder}\n`);
	if (missingParts.length > 0) throw buildIncompleteBackupFailure(zone, folder, missingParts);
	if (output.json) return;
	output.sayIfInteractive(`Backed up ${formatQuantity(objects, 'object')} of ${zone.label}.`);
}

/** The backup folder is usable, but missing parts may be lost after the migration. */
const buildIncompleteBackupFailure = (
	zone: MigrationZone,
	folder: string,
	missing: readonly UnreadPart[],
): Failure =>
	new Failure('refused_by_service', `The backup of ${zone.label} is incomplete.`, {
		why: missing.map(({what, why}) => `Missing: ${what}. ${why}`).join('\n'),
		left: `What could be read is in ${folder}.`,
		next: buildAdvice`Check the credential's permissions: \`${buildCommand('whoami')}\`\nThen make another backup: \`${buildMigrationCommand(zone, 'backup')}\``,
	});
