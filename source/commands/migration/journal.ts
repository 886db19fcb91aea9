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

/** Reads the zone's journal without locking it; undefined if no migration was started here. */
export const recordOf = ({env}: CommandContext, opened: OpenedMigration): MigrationRecord | undefined =>
	readMigrationRecord(env, targetOf(opened));

/** Returns the live process that works on the zone's migration. */
export const holderOf = ({env}: CommandContext, opened: OpenedMigration): Holder | undefined =>
	migrationHolder(env, targetOf(opened));

/**
 * Returns the zone's folder in the state directory, which may not exist; undefined without a home directory.
 */
export const zoneFolder = ({env}: CommandContext, opened: OpenedMigration): string | undefined =>
	migrationFolder(env, targetOf(opened));

/**
 * Keeps a configuration shown by a plan as reviewed, and what the plan was made from. If it cannot be kept,
 * warns: the plan is readable, but nothing can be sent with it.
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

/** Returns what the last plan of a configuration was made from; undefined if none was shown here. */
export function shownBefore(
	context: CommandContext,
	opened: OpenedMigration,
	configuration: Configuration,
): Reviewed | undefined {
	const folder = zoneFolder(context, opened);
	return folder === undefined ? undefined : readPlanned(folder, fingerprint(configuration));
}

/** Returns the configuration that a plan showed here with this fingerprint. */
export function plannedBefore(
	context: CommandContext,
	opened: OpenedMigration,
	digits: string,
): Planned | undefined {
	const folder = zoneFolder(context, opened);
	return folder === undefined ? undefined : plannedWith(folder, digits);
}

/** Returns the last plan shown here. */
export function lastShown(context: CommandContext, opened: OpenedMigration): Planned | undefined {
	const folder = zoneFolder(context, opened);
	const last = folder === undefined ? undefined : lastPlanned(folder);
	return last && plannedBefore(context, opened, last.fingerprint);
}

/** Returns the snapshot of the zone before its migration; undefined without a complete backup of it. */
export function snapshotBefore(context: CommandContext, opened: OpenedMigration): Snapshot | undefined {
	const folder = zoneFolder(context, opened);
	const record = recordOf(context, opened) ?? {state: 'unread'};
	return folder === undefined ? undefined : backupBefore(record, backupsIn(folder))?.snapshot;
}

/** Returns deleted overrides, which exist only in the zone's backups and must be recreated. */
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

/** Reads a file of the zone's folder, with its modification time; undefined if it does not exist. */
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

/** Opens the journal of a zone, locked until disposed; in a dry run it is in memory and writes nothing. */
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

/**
 * Writes a backup into a folder of its own in the zone's folder, so that other processes can work on the
 * zone.
 */
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

/**
 * Opens the journal of a zone for reading; if another process holds it, a copy of what that has written so
 * far.
 */
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

/** Opens a copy of the journal in memory, which writes nothing to disk. */
async function dryJournal(context: CommandContext, opened: OpenedMigration): Promise<MigrationJournal> {
	const record = recordOf(context, opened);
	// The backup is on the disk; a journal in memory knows only its own.
	const journal = memoryJournal(targetOf(opened), record && {...record, backup: undefined});
	const name = record?.reviewed && `reviewed-${record.reviewed.fingerprint}.json`;
	const kept = name === undefined ? undefined : keptFile(context, opened, name);
	if (name !== undefined && kept) await journal.keepReviewed(parseConfiguration(kept.text, name));
	return journal;
}
