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
	findLastPlannedReview,
	findPlannedConfiguration,
	type PlannedConfiguration,
	readPlannedReview,
	savePlanned,
} from '../../migration/journal/planned.ts';
import type {ConfigurationReview, MigrationRecord, StoredBackup} from '../../migration/journal/record.ts';
import {findPreviousBackup} from '../../migration/report/save-report.ts';
import type {Snapshot} from '../../migration/zone/snapshot.ts';
import {createFileFailure, getErrorCode} from '../../state/directory.ts';
import type {Holder} from '../../state/holder.ts';
import type {JsonObject} from '../../text/json.ts';
import type {CommandContext} from '../shell/context.ts';
import type {OpenedMigration} from './open-migration.ts';

const getMigrationTarget = ({zone, serviceOrigin}: OpenedMigration): MigrationTarget => ({
	place: serviceOrigin,
	zone,
});

/** Reads the zone's journal without locking it; undefined if no migration was started on this machine. */
export const findZoneRecord = (
	{env}: CommandContext,
	openedMigration: OpenedMigration,
): MigrationRecord | undefined => readMigrationRecord(env, getMigrationTarget(openedMigration));

/** Returns the live process that works on the zone's migration. */
export const findZoneHolder = ({env}: CommandContext, openedMigration: OpenedMigration): Holder | undefined =>
	findMigrationHolder(env, getMigrationTarget(openedMigration));

/**
 * Returns the zone's folder in the state directory, which may not exist; undefined without a home directory.
 */
export const getZoneFolder = ({env}: CommandContext, openedMigration: OpenedMigration): string | undefined =>
	getMigrationFolder(env, getMigrationTarget(openedMigration));

/**
 * Saves a planned configuration as reviewed, with the state of the zone that the plan was based on. If it
 * cannot be saved, only warns: the plan is still useful, but cannot be sent.
 */
export function saveShownPlan(
	context: CommandContext,
	openedMigration: OpenedMigration,
	configuration: ManagedConfiguration,
	snapshot: Snapshot,
): void {
	if (context.options.dryRun) return;
	const review: ConfigurationReview = {
		...getReviewBasis(snapshot),
		fingerprint: computeFingerprint(configuration),
		rules: configuration.rules.length,
		at: openedMigration.client.clock.now(),
	};
	try {
		savePlanned(openMigrationFolder(context.env, getMigrationTarget(openedMigration)), {
			review,
			configuration,
		});
	} catch (error) {
		if (!isFailure(error, 'file_failed')) throw error;
		context.output.warn(`The review could not be saved, so this plan can't be sent: ${error.message}`);
	}
}

/**
 * Returns the review that the last plan of a configuration saved; undefined if no plan was shown on this
 * machine.
 */
export function findReviewFromPlan(
	context: CommandContext,
	openedMigration: OpenedMigration,
	configuration: ManagedConfiguration,
): ConfigurationReview | undefined {
	const folder = getZoneFolder(context, openedMigration);
	return folder === undefined ? undefined : readPlannedReview(folder, computeFingerprint(configuration));
}

/** Returns the configuration with this fingerprint that a plan showed on this machine. */
export function findShownPlan(
	context: CommandContext,
	openedMigration: OpenedMigration,
	fingerprintPrefix: string,
): PlannedConfiguration | undefined {
	const folder = getZoneFolder(context, openedMigration);
	return folder === undefined ? undefined : findPlannedConfiguration(folder, fingerprintPrefix);
}

/** Returns the last plan that was shown on this machine. */
export function findLastShownPlan(
	context: CommandContext,
	openedMigration: OpenedMigration,
): PlannedConfiguration | undefined {
	const folder = getZoneFolder(context, openedMigration);
	const lastPlan = folder === undefined ? undefined : findLastPlannedReview(folder);
	return lastPlan && findShownPlan(context, openedMigration, lastPlan.fingerprint);
}

/**
 * Returns the snapshot of the zone before its migration; undefined without a complete backup from that time.
 */
export function findPreMigrationSnapshot(
	context: CommandContext,
	openedMigration: OpenedMigration,
): Snapshot | undefined {
	const folder = getZoneFolder(context, openedMigration);
	const record = findZoneRecord(context, openedMigration) ?? {state: 'unread'};
	return folder === undefined ? undefined : findPreviousBackup(record, readBackups(folder))?.snapshot;
}

/** Returns deleted overrides, which exist only in the zone's backups and must be recreated. */
export function listDeletedOverrides(
	context: CommandContext,
	openedMigration: OpenedMigration,
	snapshot: Snapshot,
): readonly JsonObject[] {
	try {
		const folder = getZoneFolder(context, openedMigration);
		return folder === undefined ? [] : findDeletedOverrides(snapshot, readBackups(folder));
	} catch (error) {
		if (!isFailure(error, 'file_failed')) throw error;
		context.output.warn(`Unknown whether overrides were deleted before: ${error.message}`);
		return [];
	}
}

type StoredFile = {readonly text: string /** Modification time, RFC 3339. */; readonly modifiedAt: string};

/** Reads a file in the zone's folder, with its modification time; undefined if it does not exist. */
export function readStoredFile(
	context: CommandContext,
	openedMigration: OpenedMigration,
	name: string,
): StoredFile | undefined {
	const path = join(getZoneFolder(context, openedMigration) ?? '', name);
	try {
		return {text: readFileSync(path, 'utf8'), modifiedAt: statSync(path).mtime.toISOString()};
	} catch (cause) {
		if (getErrorCode(cause) === 'ENOENT') return undefined;
		throw createFileFailure(`Can't read the file ${path}.`, cause);
	}
}

type OpenedJournal = AsyncDisposable & {readonly journal: MigrationJournal};

/** Opens the journal of a zone, locked until disposed; in a dry run it is in memory and writes nothing. */
export async function openZoneJournal(
	context: CommandContext,
	openedMigration: OpenedMigration,
): Promise<OpenedJournal> {
	const {env, options} = context;
	const journal = options.dryRun
		? await openJournalCopy(context, openedMigration)
		: await openMigrationJournal(env, getMigrationTarget(openedMigration));
	return {journal, [Symbol.asyncDispose]: () => journal.close()};
}

/**
 * Writes a backup into its own folder in the zone's folder: through the journal, or directly if another
 * process holds the journal.
 */
export async function writeZoneBackup(
	context: CommandContext,
	openedMigration: OpenedMigration,
	snapshot: Snapshot,
): Promise<StoredBackup> {
	try {
		await using zoneJournal = await openZoneJournal(context, openedMigration);
		return await zoneJournal.journal.backUp(snapshot, undefined);
	} catch (error) {
		if (!isFailure(error, 'job_running')) throw error;
		return writeBackup(openMigrationFolder(context.env, getMigrationTarget(openedMigration)), snapshot);
	}
}

/**
 * Opens the journal of a zone for reading; if another process holds it, opens a read-only copy of what that
 * process has written so far.
 */
export async function openJournalForReading(
	context: CommandContext,
	openedMigration: OpenedMigration,
): Promise<OpenedJournal & {readonly isReadOnlyCopy: boolean}> {
	try {
		return {...(await openZoneJournal(context, openedMigration)), isReadOnlyCopy: false};
	} catch (error) {
		if (!isFailure(error, 'job_running')) throw error;
		const journal = await openJournalCopy(context, openedMigration);
		return {journal, isReadOnlyCopy: true, [Symbol.asyncDispose]: () => journal.close()};
	}
}

/** Opens a copy of the journal in memory, which writes nothing to disk. */
async function openJournalCopy(
	context: CommandContext,
	openedMigration: OpenedMigration,
): Promise<MigrationJournal> {
	const record = findZoneRecord(context, openedMigration);
	// A journal in memory cannot read backups on disk, so the copy has none.
	const journal = createMemoryJournal(
		getMigrationTarget(openedMigration),
		record && {...record, backup: undefined},
	);
	const name = record?.reviewed && `reviewed-${record.reviewed.fingerprint}.json`;
	const reviewedFile = name === undefined ? undefined : readStoredFile(context, openedMigration, name);
	if (name !== undefined && reviewedFile)
		await journal.saveReviewed(parseConfiguration(reviewedFile.text, name));
	return journal;
}
