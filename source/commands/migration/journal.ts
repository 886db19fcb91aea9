import {readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {isFailure} from '../../failure.ts';
import {
	type Configuration,
	fingerprint,
	parseConfiguration,
} from '../../migration/configuration/configuration.ts';
import {basisOf} from '../../migration/flow/reviewing.ts';
import {backupsIn, writeBackup} from '../../migration/journal/backup.ts';
import {deletedOverrides} from '../../migration/journal/deleted-overrides.ts';
import {type MigrationTarget, migrationFolder, openMigrationFolder} from '../../migration/journal/folder.ts';
import {
	type MigrationJournal,
	memoryJournal,
	migrationHolder,
	openMigrationJournal,
	readMigrationRecord,
} from '../../migration/journal/journal.ts';
import {
	keepPlanned,
	lastPlanned,
	type Planned,
	plannedWith,
	readPlanned,
} from '../../migration/journal/planned.ts';
import type {KeptBackup, MigrationRecord, Reviewed} from '../../migration/journal/record.ts';
import {backupBefore} from '../../migration/report/keep-report.ts';
import type {Snapshot} from '../../migration/zone/snapshot.ts';
import {errorCode, fileFailed} from '../../state/directory.ts';
import type {Holder} from '../../state/holder.ts';
import type {JsonObject} from '../../text/json.ts';
import type {CommandContext} from '../shell/context.ts';
import type {OpenedMigration} from './zone.ts';

const targetOf = ({zone, place}: OpenedMigration): MigrationTarget => ({place, zone});

/** What the zone's journal says, without taking it up; none where nothing was begun here. */
export const recordOf = ({env}: CommandContext, opened: OpenedMigration): MigrationRecord | undefined =>
	readMigrationRecord(env, targetOf(opened));

/** The live process that works on the zone's migration. */
export const holderOf = ({env}: CommandContext, opened: OpenedMigration): Holder | undefined =>
	migrationHolder(env, targetOf(opened));

/** The zone's folder in the state directory, whether or not it is there; none without a home. */
export const zoneFolder = ({env}: CommandContext, opened: OpenedMigration): string | undefined =>
	migrationFolder(env, targetOf(opened));

/**
 * Keeps a configuration that a plan showed, and what the plan was made from: whoever was shown it has reviewed that.
 * Without a place to keep it, that is said: a plan can be read all the same, but nothing sent by it.
 */
export function keepShown(
	context: CommandContext,
	opened: OpenedMigration,
	configuration: Configuration,
	snapshot: Snapshot,
): void {
	if (context.options.dryRun) return;
	const reviewed: Reviewed = {
		...basisOf(snapshot),
		fingerprint: fingerprint(configuration),
		rules: configuration.rules.length,
		at: opened.client.clock.now(),
	};
	try {
		keepPlanned(openMigrationFolder(context.env, targetOf(opened)), {reviewed, configuration});
	} catch (error) {
		if (!isFailure(error, 'file_failed')) throw error;
		context.output.warn(
			`That this was reviewed cannot be kept, so nothing can be sent by it: ${error.message}`,
		);
	}
}

/** What the last plan of a configuration was made from; none where none was shown here. */
export function shownBefore(
	context: CommandContext,
	opened: OpenedMigration,
	configuration: Configuration,
): Reviewed | undefined {
	const folder = zoneFolder(context, opened);
	return folder === undefined ? undefined : readPlanned(folder, fingerprint(configuration));
}

/** The configuration that a plan showed here with these digits. */
export function plannedBefore(
	context: CommandContext,
	opened: OpenedMigration,
	digits: string,
): Planned | undefined {
	const folder = zoneFolder(context, opened);
	return folder === undefined ? undefined : plannedWith(folder, digits);
}

/** What a plan showed here last. */
export function lastShown(context: CommandContext, opened: OpenedMigration): Planned | undefined {
	const folder = zoneFolder(context, opened);
	const last = folder === undefined ? undefined : lastPlanned(folder);
	return last && plannedBefore(context, opened, last.fingerprint);
}

/** The zone as it was before its migration, as far as a backup of then is here and whole. */
export function snapshotBefore(context: CommandContext, opened: OpenedMigration): Snapshot | undefined {
	const folder = zoneFolder(context, opened);
	const record = recordOf(context, opened) ?? {state: 'unread'};
	return folder === undefined ? undefined : backupBefore(record, backupsIn(folder))?.snapshot;
}

/** Overrides that only the backups of the zone hold: they were deleted, and have to be recreated. */
export function deletedBefore(
	context: CommandContext,
	opened: OpenedMigration,
	snapshot: Snapshot,
): readonly JsonObject[] {
	try {
		const folder = zoneFolder(context, opened);
		return folder === undefined ? [] : deletedOverrides(snapshot, backupsIn(folder));
	} catch (error) {
		if (!isFailure(error, 'file_failed')) throw error;
		context.output.warn(`Whether overrides were deleted before is not known: ${error.message}`);
		return [];
	}
}

type KeptFile = {readonly text: string /** RFC 3339. */; readonly written: string};

/** A file of the zone's folder, and when it was written; `undefined` where it is not there. */
export function keptFile(
	context: CommandContext,
	opened: OpenedMigration,
	name: string,
): KeptFile | undefined {
	const path = join(zoneFolder(context, opened) ?? '', name);
	try {
		return {text: readFileSync(path, 'utf8'), written: statSync(path).mtime.toISOString()};
	} catch (cause) {
		if (errorCode(cause) === 'ENOENT') return undefined;
		throw fileFailed(`The file ${path} cannot be read.`, cause);
	}
}

type OpenedJournal = AsyncDisposable & {readonly journal: MigrationJournal};

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

/** Writes a backup into the zone's folder. Each has a folder of its own, so that other processes may work on the zone. */
export async function backedUp(
	context: CommandContext,
	opened: OpenedMigration,
	snapshot: Snapshot,
): Promise<KeptBackup> {
	try {
		await using kept = await openedJournal(context, opened);
		return await kept.journal.backUp(snapshot, undefined);
	} catch (error) {
		if (!isFailure(error, 'job_running')) throw error;
		return writeBackup(openMigrationFolder(context.env, targetOf(opened)), snapshot);
	}
}

/** The journal of a zone to be read: where another process works on the zone, what it has written so far. */
export async function journalToRead(
	context: CommandContext,
	opened: OpenedMigration,
): Promise<OpenedJournal & {readonly isHeld: boolean}> {
	try {
		return {...(await openedJournal(context, opened)), isHeld: false};
	} catch (error) {
		if (!isFailure(error, 'job_running')) throw error;
		const journal = await dryJournal(context, opened);
		return {journal, isHeld: true, [Symbol.asyncDispose]: () => journal.close()};
	}
}

/** What the journal on the disk says, and nothing of what follows is kept. */
async function dryJournal(context: CommandContext, opened: OpenedMigration): Promise<MigrationJournal> {
	const record = recordOf(context, opened);
	// Its backup is on the disk, and this journal knows only its own.
	const journal = memoryJournal(targetOf(opened), record && {...record, backup: undefined});
	const name = record?.reviewed && `reviewed-${record.reviewed.fingerprint}.json`;
	const kept = name === undefined ? undefined : keptFile(context, opened, name);
	if (name !== undefined && kept) await journal.keepReviewed(parseConfiguration(kept.text, name));
	return journal;
}
