import {Failure, isFailure} from '../../failure.ts';
import type {Environment} from '../../state/directory.ts';
import type {ManagedConfiguration} from '../configuration/configuration.ts';
import {readBackups} from '../journal/backup.ts';
import {findDeletedOverrides} from '../journal/deleted-overrides.ts';
import {getMigrationFolder, type MigrationTarget} from '../journal/folder.ts';
import {readMigrationRecord, readReviewedFile} from '../journal/journal.ts';
import type {MigrationRecord} from '../journal/record.ts';
import type {UnmigratedSetting} from '../plan/not-migrated.ts';
import {planMigration} from '../plan/plan.ts';
import {findPreviousBackup} from './save-report.ts';

/** What the migration of a zone left behind, according to a backup. */
type LeftBehindList = {
	/** The settings that were left behind, in report order. */
	readonly items: readonly UnmigratedSetting[];
	/** Path of the backup. */
	readonly backup: string;
	/** When the backup was made, RFC 3339. */
	readonly taken: string;
	/** Names of the parts that the backup lacks, whose settings are not listed. */
	readonly unread: readonly string[];
	/** Paths of damaged backups, which may contain more deleted overrides. */
	readonly damaged: readonly string[];
};

/**
 * Reads what the migration of a zone left behind from its backup: after the migration the service no longer
 * has it. Compares the backup with the configuration that was reviewed and sent. If that is unknown, lists
 * everything in the backup, so that nothing is missed; what is deployed then counts as recreated. Sends no
 * request. Throws `not_found` without a backup of the previous version, `file_failed`, and `journal_invalid`
 * if the journal is damaged. `label` names the zone in a sentence.
 */
export function readLeftBehindItems(
	environment: Environment,
	target: MigrationTarget,
	label: string,
): LeftBehindList {
	const folder = getMigrationFolder(environment, target);
	if (folder === undefined)
		throw createUnknownFailure(label, 'There is no home folder to look for a backup in.');
	const record = readMigrationRecord(environment, target) ?? {state: 'unread'};
	const backups = readBackups(folder);
	const previousBackup = findPreviousBackup(record, backups);
	if (!previousBackup) throw createUnknownFailure(label, describeMissingBackup(folder, backups.damagedPaths));
	const {backup, snapshot} = previousBackup;
	const {notMigrated} = planMigration(
		snapshot,
		readSentConfiguration(folder, record),
		findDeletedOverrides(snapshot, backups),
	);
	return {
		items: notMigrated,
		backup: backup.folder,
		taken: snapshot.taken,
		unread: snapshot.unread.map(({what}) => what),
		damaged: backups.damagedPaths,
	};
}

const createUnknownFailure = (label: string, why: string): Failure =>
	new Failure('not_found', `It is unknown here what the migration of ${label} left behind.`, {
		why,
		next: 'If the zone has migrated, run this on the machine where the migration ran, or with its state directory (LEDGE_STATE_DIR).',
	});

/** Describes what cannot be listed, in sentences. */
export const listLeftBehindWarnings = ({
	unread,
	damaged,
}: Pick<LeftBehindList, 'unread' | 'damaged'>): readonly string[] => [
	...(unread.length > 0 ? [`Not in the backup, so not listed: ${unread.join(', ')}.`] : []),
	...damaged.map(path => `The backup ${path} is damaged: what only it contains is not listed.`),
];

const describeMissingBackup = (folder: string, damagedPaths: readonly string[]): string =>
	damagedPaths.length === 0
		? `${folder} has no backup from before the migration. Backups are kept on the machine where a migration runs.`
		: `${folder} has no complete backup from before the migration: ${damagedPaths.join(', ')} ${damagedPaths.length === 1 ? 'is' : 'are'} damaged.`;

function readSentConfiguration(folder: string, {reviewed}: MigrationRecord): ManagedConfiguration {
	try {
		if (reviewed) return readReviewedFile(folder, reviewed.fingerprint);
	} catch (error) {
		if (!isFailure(error, 'journal_invalid')) throw error;
	}
	return {name: 'default', rules: []};
}
