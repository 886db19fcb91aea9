import {Failure} from '../../failure.ts';
import {objectCount} from '../../migration/journal/backup.ts';
import {migrationCommand} from '../../migration/machine/next-steps.ts';
import type {MigrationZone} from '../../migration/zone/migration-zone.ts';
import {missingIn} from '../../migration/zone/read-snapshot.ts';
import type {Unread} from '../../migration/zone/snapshot.ts';
import {advice, ledge} from '../../text/advice.ts';
import {counted} from '../../text/figures.ts';
import type {CommandContext} from '../shell/context.ts';
import {defineCommand} from '../shell/declare.ts';
import {backedUp} from './journal.ts';
import {zoneJson} from './text.ts';
import {openMigration, readZone} from './zone.ts';

/**
 * `migration backup`: everything of a zone that becomes unreadable with the migration. Writes nothing to the
 * zone.
 */
export const migrationBackupCommand = defineCommand({
	usage: 'backup',
	summary: "back up all of a zone that can no longer be read afterwards, in the zone's folder",
	example: 'migration backup --zone example.com',
	sample: '--zone acme.example',
	run: backUp,
});

async function backUp(context: CommandContext): Promise<void> {
	const {output, options} = context;
	const opened = await openMigration(context, {writes: false});
	const {zone} = opened;
	const snapshot = await readZone(context, opened);
	const {unread} = snapshot;
	for (const {what, why} of unread) output.warn(`Not in the backup: ${what}. ${why}`);
	const json = (backup: string | null, objects: number) =>
		output.value(context.marked({zone: zoneJson(zone), backup, objects, unread}));
	if (options.dryRun) {
		const objects = objectCount(snapshot);
		if (output.json) return json(null, objects);
		return output.text(`A backup of ${counted(objects, 'object')} would be written.\n`);
	}
	const {folder, objects} = await backedUp(context, opened, snapshot);
	const missing = missingIn(snapshot);
	if (output.json) await json(folder, objects);
	else await output.text(`${folder}\n`);
	if (missing.length > 0) throw incomplete(zone, folder, missing);
	if (output.json) return;
	output.mention(`A backup of ${counted(objects, 'object')} of ${zone.label}.`);
}

/** The folder is usable; missing parts may be lost after the migration. */
const incomplete = (zone: MigrationZone, folder: string, missing: readonly Unread[]): Failure =>
	new Failure('refused_by_service', `The backup of ${zone.label} is not complete.`, {
		why: missing.map(({what, why}) => `Missing: ${what}. ${why}`).join('\n'),
		left: `What could be read is in ${folder}.`,
		next: advice`See what the credential may do: \`${ledge('whoami')}\`\nMake another backup then: \`${migrationCommand(zone, 'backup')}\``,
	});
