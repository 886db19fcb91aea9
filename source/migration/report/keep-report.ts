import {basename} from 'node:path';
import {type Failure, isFailure} from '../../failure.ts';
import {advice} from '../../text/advice.ts';
import type {JsonValue} from '../../text/json.ts';
import {type Configuration, requestBody} from '../configuration/configuration.ts';
import type {MigrationFlow} from '../flow/flow.ts';
import {type Verification, verificationJson} from '../flow/verification.ts';
import {addFinal, type Backups, backupsIn, isFromBefore} from '../journal/backup.ts';
import {deletedOverrides} from '../journal/deleted-overrides.ts';
import {readReviewedIn} from '../journal/journal.ts';
import type {MigrationRecord} from '../journal/record.ts';
import {migrationCommand} from '../machine/next-steps.ts';
import {stateTable} from '../machine/states.ts';
import {type MigrationPlan, planMigration} from '../plan/plan.ts';
import {migrationReport} from './report.ts';

/** Name of the report in the zone's folder. */
export const reportName = 'report.md';

type KeptReport = {readonly text: string; readonly path: string};

type ReportedEnd = {
	/** The configuration that was reviewed and sent; undefined if someone else sent it. */
	readonly configuration: Configuration | undefined;
	readonly verification: Verification;
	/** When the report is made, in milliseconds since the epoch. */
	readonly at: number;
};

/**
 * Writes the report of a migration to the zone's folder, and the final state to the backup. Undefined without
 * a complete backup of the previous version: the report needs one. Throws `file_failed`.
 */
export async function keepReport(
	{zone, record, journal}: Pick<MigrationFlow, 'zone' | 'record' | 'journal'>,
	end: ReportedEnd,
): Promise<KeptReport | undefined> {
	const {configuration, verification} = end;
	const made = journal.folder === undefined ? undefined : reportFrom(journal.folder, {zone, record}, end);
	if (!made) return undefined;
	addFinal(made.backup, {
		verification: JSON.parse(JSON.stringify(verificationJson(verification))) as JsonValue,
		...(configuration && {configuration: requestBody(configuration)}),
	});
	const path = journal.keepText(reportName, made.text);
	if (record.report !== reportName) await journal.keep({...record, report: reportName});
	return {text: made.text, path};
}

/**
 * Like `keepReport`, but returns a failure to write: the migration is complete even if it cannot be reported
 * now.
 */
export async function keepReportAnyway(
	flow: Pick<MigrationFlow, 'zone' | 'record' | 'journal'>,
	end: ReportedEnd,
): Promise<{readonly path?: string | undefined; readonly failure?: Failure}> {
	try {
		return {path: (await keepReport(flow, end))?.path};
	} catch (error) {
		if (!isFailure(error, 'file_failed')) throw error;
		const {zone, record} = flow;
		return {
			failure: error.with({
				left: `The report was not kept. ${zone.name}: ${stateTable[record.state].means}.`,
				next: advice`Make room, and report it then: \`${migrationCommand(zone, 'report')}\``,
			}),
		};
	}
}

/**
 * Builds the report from the backups in the zone's folder. Returns it with the folder of its backup; writes
 * nothing.
 */
export function reportFrom(
	folder: string,
	{zone, record}: Pick<MigrationFlow, 'zone' | 'record'>,
	{configuration, verification, at}: ReportedEnd,
): {readonly text: string; readonly backup: string} | undefined {
	const backups = backupsIn(folder);
	const before = backupBefore(record, backups);
	if (!before) return undefined;
	const {kept: backup, snapshot} = before;
	const text = migrationReport({
		// Without Zone Read the zone's name is only in the backup.
		zone: zone.name === zone.id ? snapshot.zone : zone,
		record: {...record, backup},
		snapshot,
		configuration,
		verification,
		at,
		deletedOverrides: deletedOverrides(snapshot, backups),
		firstValidated: firstValidated(folder, record),
		damagedBackups: backups.damaged,
	});
	return {text, backup: backup.folder};
}

/** Reads the configuration first put in validation. Undefined if it is missing or changed. */
function firstValidated(
	folder: string,
	{firstValidated: digits}: MigrationRecord,
): Configuration | undefined {
	if (digits === undefined) return undefined;
	try {
		return readReviewedIn(folder, digits);
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
	after: Configuration | undefined,
): MigrationPlan | undefined {
	const backups = journal.backups();
	const {snapshot} = backupBefore(record, backups) ?? {};
	return snapshot && after && planMigration(snapshot, after, deletedOverrides(snapshot, backups));
}

/**
 * Finds the backup of the previous version: the one of the journal, or else the newest that could still read
 * it.
 */
export const backupBefore = (
	{backup}: MigrationRecord,
	{whole}: Backups,
): Backups['whole'][number] | undefined =>
	whole.find(({kept}) => backup && basename(kept.folder) === basename(backup.folder)) ??
	whole
		.toSorted((one, other) => one.kept.at - other.kept.at)
		.findLast(({snapshot}) => isFromBefore(snapshot));
