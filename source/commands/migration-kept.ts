import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {errorCode, fileFailed} from '../config/state.ts';
import {backupsIn} from '../migration/backup.ts';
import {parseConfiguration} from '../migration/configuration.ts';
import {
	type MigrationJournal,
	type MigrationTarget,
	memoryJournal,
	migrationFolder,
	openMigrationJournal,
	readMigrationRecord,
} from '../migration/journal.ts';
import {backupBefore} from '../migration/keep-report.ts';
import type {MigrationRecord} from '../migration/record.ts';
import type {Snapshot} from '../migration/snapshot.ts';
import type {CommandContext} from './context.ts';
import type {OpenedMigration} from './migration-zone.ts';

const targetOf = ({zone, place}: OpenedMigration): MigrationTarget => ({place, account: zone.account, zone});

/** What the zone's journal says, without taking it up; none where nothing was begun here. */
export const recordOf = ({env}: CommandContext, opened: OpenedMigration): MigrationRecord | undefined =>
	readMigrationRecord(env, targetOf(opened));

/** The zone's folder in the state directory, whether or not it is there; none without a home. */
export const zoneFolder = ({env}: CommandContext, opened: OpenedMigration): string | undefined =>
	migrationFolder(env, targetOf(opened));

/** The zone as it was before its migration, as far as a backup of then is here and whole. */
export function snapshotBefore(context: CommandContext, opened: OpenedMigration): Snapshot | undefined {
	const folder = zoneFolder(context, opened);
	const record = recordOf(context, opened) ?? {state: 'unread'};
	return folder === undefined ? undefined : backupBefore(record, backupsIn(folder))?.snapshot;
}

/** A file of the zone's folder; `undefined` where it is not there. */
export function keptText(context: CommandContext, opened: OpenedMigration, name: string): string | undefined {
	const path = join(zoneFolder(context, opened) ?? '', name);
	try {
		return readFileSync(path, 'utf8');
	} catch (cause) {
		if (errorCode(cause) === 'ENOENT') return undefined;
		throw fileFailed(`The file ${path} cannot be read.`, cause);
	}
}

export type OpenedJournal = AsyncDisposable & {readonly journal: MigrationJournal};

/** The journal of a zone, locked until it is disposed; that of a dry run is in memory, and nothing is written. */
export async function openedJournal(
	context: CommandContext,
	opened: OpenedMigration,
): Promise<OpenedJournal> {
	const {env, options} = context;
	const journal = options.dryRun
		? await dryJournal(context, opened)
		: await openMigrationJournal(env, targetOf(opened));
	return {journal, [Symbol.asyncDispose]: () => journal.close()};
}

/** What the journal on the disk says, and nothing of what follows is kept. */
async function dryJournal(context: CommandContext, opened: OpenedMigration): Promise<MigrationJournal> {
	const record = recordOf(context, opened);
	const target = {...targetOf(opened), place: 'dry run'};
	// Its backup is on the disk, and this journal knows only its own.
	const journal = memoryJournal(target, record && {...record, backup: undefined});
	const name = record?.reviewed && `reviewed-${record.reviewed.fingerprint}.json`;
	const text = name === undefined ? undefined : keptText(context, opened, name);
	if (name !== undefined && text !== undefined) await journal.keepReviewed(parseConfiguration(text, name));
	return journal;
}
