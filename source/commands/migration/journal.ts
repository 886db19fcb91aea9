import {readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {isFailure} from '../../failure.ts';
import {
	computeFingerprint,
	type ManagedConfiguration,
	parseConfiguration,
} from '../../migration/configuration/configuration.ts';
import {getReviewBasis} from '../../migration/flow/reviewing.ts';
import {readBackups, writeBackup} from '../../migration/journal/backup.ts';
import {findDeletedOverrides} from '../../migration/journal/deleted-overrides.ts';
import {
	getMigrationFolder,
	type MigrationTarget,
	openMigrationFolder,
} from '../../migration/journal/folder.ts';
import {
	createMemoryJournal,
	findMigrationHolder,
	type MigrationJournal,
	openMigrationJournal,
	readMigrationRecord,
} from '../../migration/journal/journal.ts';
import {
	findLastPlanned,
	findPlannedConfiguration,
	keepPlanned,
	type PlannedConfiguration,
	readPlanned,
} from '../../migration/journal/planned.ts';
import type {ConfigurationReview, KeptBackup, MigrationRecord} from '../../migration/journal/record.ts';
import {findPreviousBackup} from '../../migration/report/keep-report.ts';
import type {Snapshot} from '../../migration/zone/snapshot.ts';
import {createFileFailure, getErrorCode} from '../../state/directory.ts';
import type {Holder} from '../../state/holder.ts';
import type {JsonObject} from '../../text/json.ts';
import type {CommandContext} from '../shell/context.ts';
import type {OpenedMigration} from './zone.ts';

const getMigrationTarget = ({zone, place}: OpenedMigration): MigrationTarget => ({place, zone});

/** Reads the zone's journal without locking it; undefined if no migration was started here. */
export const findZoneRecord = ({env}: CommandContext, opened: OpenedMigration): MigrationRecord | undefined =>
	readMigrationRecord(env, getMigrationTarget(opened));

/** Returns the live process that works on the zone's migration. */
export const findZoneHolder = ({env}: CommandContext, opened: OpenedMigration): Holder | undefined =>
	findMigrationHolder(env, getMigrationTarget(opened));

/**
 * Returns the zone's folder in the state directory, which may not exist; undefined without a home directory.
 */
export const getZoneFolder = ({env}: CommandContext, opened: OpenedMigration): string | undefined =>
	getMigrationFolder(env, getMigrationTarget(opened));

/**
 * Keeps a configuration shown by a plan as reviewed, and what the plan was made from. If it cannot be kept,
 * warns: the plan is readable, but nothing can be sent with it.
 */
export function keepShownPlan(
	context: CommandContext,
	opened: OpenedMigration,
	configuration: ManagedConfiguration,
	snapshot: Snapshot,
): void {
	if (context.options.dryRun) return;
	const reviewed: ConfigurationReview = {
		...getReviewBasis(snapshot),
		fingerprint: computeFingerprint(configuration),
		rules: configuration.rules.length,
		at: opened.client.clock.now(),
	};
	try {
		keepPlanned(openMigrationFolder(context.env, getMigrationTarget(opened)), {reviewed, configuration});
	} catch (error) {
		if (!isFailure(error, 'file_failed')) throw error;
		context.output.warn(
			`That this was reviewed cannot be kept, so nothing can be sent by it: ${error.message}`,
		);
	}
}

/** Returns what the last plan of a configuration was made from; undefined if none was shown here. */
export function findShownReview(
	context: CommandContext,
	opened: OpenedMigration,
	configuration: ManagedConfiguration,
): ConfigurationReview | undefined {
	const folder = getZoneFolder(context, opened);
	return folder === undefined ? undefined : readPlanned(folder, computeFingerprint(configuration));
}

/** Returns the configuration that a plan showed here with this fingerprint. */
export function findShownPlan(
	context: CommandContext,
	opened: OpenedMigration,
	digits: string,
): PlannedConfiguration | undefined {
	const folder = getZoneFolder(context, opened);
	return folder === undefined ? undefined : findPlannedConfiguration(folder, digits);
}

/** Returns the last plan shown here. */
export function findLastShownPlan(
	context: CommandContext,
	opened: OpenedMigration,
): PlannedConfiguration | undefined {
	const folder = getZoneFolder(context, opened);
	const last = folder === undefined ? undefined : findLastPlanned(folder);
	return last && findShownPlan(context, opened, last.fingerprint);
}

/** Returns the snapshot of the zone before its migration; undefined without a complete backup of it. */
export function findPreviousSnapshot(context: CommandContext, opened: OpenedMigration): Snapshot | undefined {
	const folder = getZoneFolder(context, opened);
	const record = findZoneRecord(context, opened) ?? {state: 'unread'};
	return folder === undefined ? undefined : findPreviousBackup(record, readBackups(folder))?.snapshot;
}

/** Returns deleted overrides, which exist only in the zone's backups and must be recreated. */
export function listDeletedOverrides(
	context: CommandContext,
	opened: OpenedMigration,
	snapshot: Snapshot,
): readonly JsonObject[] {
	try {
		const folder = getZoneFolder(context, opened);
		return folder === undefined ? [] : findDeletedOverrides(snapshot, readBackups(folder));
	} catch (error) {
		if (!isFailure(error, 'file_failed')) throw error;
		context.output.warn(`Whether overrides were deleted before is not known: ${error.message}`);
		return [];
	}
}

type KeptFile = {readonly text: string /** RFC 3339. */; readonly written: string};

/** Reads a file of the zone's folder, with its modification time; undefined if it does not exist. */
export function readKeptFile(
	context: CommandContext,
	opened: OpenedMigration,
	name: string,
): KeptFile | undefined {
	const path = join(getZoneFolder(context, opened) ?? '', name);
	try {
		return {text: readFileSync(path, 'utf8'), written: statSync(path).mtime.toISOString()};
	} catch (cause) {
		if (getErrorCode(cause) === 'ENOENT') return undefined;
		throw createFileFailure(`The file ${path} cannot be read.`, cause);
	}
}

type OpenedJournal = AsyncDisposable & {readonly journal: MigrationJournal};

/** Opens the journal of a zone, locked until disposed; in a dry run it is in memory and writes nothing. */
export async function openZoneJournal(
	context: CommandContext,
	opened: OpenedMigration,
): Promise<OpenedJournal> {
	const {env, options} = context;
	const journal = options.dryRun
		? await openJournalCopy(context, opened)
		: await openMigrationJournal(env, getMigrationTarget(opened));
	return {journal, [Symbol.asyncDispose]: () => journal.close()};
}

/**
 * Writes a backup into a folder of its own in the zone's folder, so that other processes can work on the
 * zone.
 */
export async function writeZoneBackup(
	context: CommandContext,
	opened: OpenedMigration,
	snapshot: Snapshot,
): Promise<KeptBackup> {
	try {
		await using zoneJournal = await openZoneJournal(context, opened);
		return await zoneJournal.journal.backUp(snapshot, undefined);
	} catch (error) {
		if (!isFailure(error, 'job_running')) throw error;
		return writeBackup(openMigrationFolder(context.env, getMigrationTarget(opened)), snapshot);
	}
}

/**
 * Opens the journal of a zone for reading; if another process holds it, a copy of what that has written so
 * far.
 */
export async function openJournalForReading(
	context: CommandContext,
	opened: OpenedMigration,
): Promise<OpenedJournal & {readonly isHeld: boolean}> {
	try {
		return {...(await openZoneJournal(context, opened)), isHeld: false};
	} catch (error) {
		if (!isFailure(error, 'job_running')) throw error;
		const journal = await openJournalCopy(context, opened);
		return {journal, isHeld: true, [Symbol.asyncDispose]: () => journal.close()};
	}
}

/** Opens a copy of the journal in memory, which writes nothing to disk. */
async function openJournalCopy(context: CommandContext, opened: OpenedMigration): Promise<MigrationJournal> {
	const record = findZoneRecord(context, opened);
	// The backup is on the disk; a journal in memory knows only its own.
	const journal = createMemoryJournal(getMigrationTarget(opened), record && {...record, backup: undefined});
	const name = record?.reviewed && `reviewed-${record.reviewed.fingerprint}.json`;
	const kept = name === undefined ? undefined : readKeptFile(context, opened, name);
	if (name !== undefined && kept) await journal.keepReviewed(parseConfiguration(kept.text, name));
	return journal;
}
