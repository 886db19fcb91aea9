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

/** The name of the report in the zone's folder. */
export const reportName = 'report.md';

type KeptReport = {readonly text: string; readonly path: string};

type ReportedEnd = {
	/** What was reviewed and sent; none where someone else did it. */
	readonly configuration: Configuration | undefined;
	readonly verification: Verification;
	/** When the report is made, milliseconds since the epoch. */
	readonly at: number;
};

/**
 * Makes the report of a migration and keeps it in the zone's folder, and beside the backup what is in force in the end. `undefined` without a whole backup from before: there is nothing to report from then. Fails with
 * `file_failed`.
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

/** The same where the disk may be full: what the migration came to is so, whether or not it can be reported now. */
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

/** The report out of the backups in the zone's folder, and the folder of the backup that it is made from; nothing is kept. */
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
		// Without Zone Read its id is all that is known now: the backup has its name.
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

/** What was put in validation first; `undefined` where that is not in the folder, or not what it was. */
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

/** What the migration changed and left behind, out of the backup from before; `undefined` without one. */
export function planFromBackup(
	{journal, record}: Pick<MigrationFlow, 'journal' | 'record'>,
	after: Configuration | undefined,
): MigrationPlan | undefined {
	const backups = journal.backups();
	const {snapshot} = backupBefore(record, backups) ?? {};
	return snapshot && after && planMigration(snapshot, after, deletedOverrides(snapshot, backups));
}

/**
 * The backup of the zone as it was before: the one of the journal, else the newest from before the end of the
 * previous version, as it could still be read then.
 */
export const backupBefore = (
	{backup}: MigrationRecord,
	{whole}: Backups,
): Backups['whole'][number] | undefined =>
	whole.find(({kept}) => backup && basename(kept.folder) === basename(backup.folder)) ??
	whole
		.toSorted((one, other) => one.kept.at - other.kept.at)
		.findLast(({snapshot}) => isFromBefore(snapshot));
