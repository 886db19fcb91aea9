import {basename} from 'node:path';
import {type Failure, isFailure} from '../../failure.ts';
import {buildAdvice} from '../../text/advice.ts';
import type {JsonValue} from '../../text/json.ts';
import {buildConfigurationBody, type ManagedConfiguration} from '../configuration/configuration.ts';
import type {MigrationFlow} from '../flow/flow.ts';
import {toVerificationJson, type Verification} from '../flow/verification.ts';
import {addFinalFiles, type Backups, hasPreviousVersion, readBackups} from '../journal/backup.ts';
import {findDeletedOverrides} from '../journal/deleted-overrides.ts';
import {readReviewedFile} from '../journal/journal.ts';
import type {MigrationRecord} from '../journal/record.ts';
import {buildMigrationCommand} from '../machine/next-steps.ts';
import {stateTable} from '../machine/states.ts';
import {type MigrationPlan, planMigration} from '../plan/plan.ts';
import {buildMigrationReport} from './report.ts';

/** Name of the report in the zone's folder. */
export const reportName = 'report.md';

type SavedReport = {readonly text: string; readonly path: string};

type MigrationResult = {
	/** The configuration that was reviewed and sent; undefined if someone else sent it. */
	readonly configuration: ManagedConfiguration | undefined;
	readonly verification: Verification;
	/** When the report is written, in milliseconds since the epoch. */
	readonly at: number;
};

/**
 * Writes the report of a migration to the zone's folder, and the final state to the backup. Undefined without
 * a complete backup of the previous version, which the report needs. Throws `file_failed`.
 */
export async function saveReport(
	{zone, record, journal}: Pick<MigrationFlow, 'zone' | 'record' | 'journal'>,
	result: MigrationResult,
): Promise<SavedReport | undefined> {
	const {configuration, verification} = result;
	const report =
		journal.folder === undefined ? undefined : buildReportFromBackup(journal.folder, {zone, record}, result);
	if (!report) return undefined;
	addFinalFiles(report.backup, {
		verification: JSON.parse(JSON.stringify(toVerificationJson(verification))) as JsonValue,
		...(configuration && {configuration: buildConfigurationBody(configuration)}),
	});
	const path = journal.saveText(reportName, report.text);
	if (record.report !== reportName) await journal.saveRecord({...record, report: reportName});
	return {text: report.text, path};
}

/**
 * Like `saveReport`, but returns a failure to write instead of throwing it: the migration is complete even if
 * its report cannot be written now.
 */
export async function trySaveReport(
	flow: Pick<MigrationFlow, 'zone' | 'record' | 'journal'>,
	result: MigrationResult,
): Promise<{readonly path?: string | undefined; readonly failure?: Failure}> {
	try {
		return {path: (await saveReport(flow, result))?.path};
	} catch (error) {
		if (!isFailure(error, 'file_failed')) throw error;
		const {zone, record} = flow;
		return {
			failure: error.withDetails({
				left: `The report was not saved. ${zone.name}: ${stateTable[record.state].meaning}.`,
				next: buildAdvice`Free up space, then create the report: \`${buildMigrationCommand(zone, 'report')}\``,
			}),
		};
	}
}

/**
 * Builds the report from the backups in the zone's folder. Also returns the folder of the backup that it
 * describes. Writes nothing.
 */
export function buildReportFromBackup(
	folder: string,
	{zone, record}: Pick<MigrationFlow, 'zone' | 'record'>,
	{configuration, verification, at}: MigrationResult,
): {readonly text: string; readonly backup: string} | undefined {
	const backups = readBackups(folder);
	const previousBackup = findPreviousBackup(record, backups);
	if (!previousBackup) return undefined;
	const {backup, snapshot} = previousBackup;
	const text = buildMigrationReport({
		// Without Zone Read the zone's name is only in the backup.
		zone: zone.name === zone.id ? snapshot.zone : zone,
		record: {...record, backup},
		snapshot,
		configuration,
		verification,
		at,
		deletedOverrides: findDeletedOverrides(snapshot, backups),
		firstValidated: readFirstValidated(folder, record),
		damagedBackups: backups.damagedPaths,
	});
	return {text, backup: backup.folder};
}

/** Reads the configuration first put in validation. Undefined if it is missing or changed. */
function readFirstValidated(
	folder: string,
	{firstValidated: fingerprint}: MigrationRecord,
): ManagedConfiguration | undefined {
	if (fingerprint === undefined) return undefined;
	try {
		return readReviewedFile(folder, fingerprint);
	} catch (error) {
		if (!isFailure(error, 'journal_invalid')) throw error;
		return undefined;
	}
}

/**
 * Plans the migration again from the backup, to show what changed and what was lost. Undefined without a
 * backup.
 */
export function planFromBackup(
	{journal, record}: Pick<MigrationFlow, 'journal' | 'record'>,
	configuration: ManagedConfiguration | undefined,
): MigrationPlan | undefined {
	const backups = journal.listBackups();
	const {snapshot} = findPreviousBackup(record, backups) ?? {};
	return (
		snapshot &&
		configuration &&
		planMigration(snapshot, configuration, findDeletedOverrides(snapshot, backups))
	);
}

/**
 * Finds the backup of the previous version: the one in the journal, or else the newest that was taken while
 * the previous version could still be read.
 */
export const findPreviousBackup = (
	{backup}: MigrationRecord,
	{complete: completeBackups}: Backups,
): Backups['complete'][number] | undefined =>
	completeBackups.find(one => backup && basename(one.backup.folder) === basename(backup.folder)) ??
	completeBackups
		.toSorted((one, other) => one.backup.at - other.backup.at)
		.findLast(({snapshot}) => hasPreviousVersion(snapshot));
