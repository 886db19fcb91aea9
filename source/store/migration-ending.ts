import type {JsonValue} from '../json.ts';
import {addFinal} from '../migration/backup.ts';
import {type Configuration, requestBody} from '../migration/configuration.ts';
import type {MigrationFlow} from '../migration/flow.ts';
import {migrationReport} from '../migration/report.ts';
import {type Verification, verify} from '../migration/verification.ts';
import type {Client} from '../service/client.ts';

/** The report's name in the zone's folder. */
const reportName = 'report.md';

type Verified = {
	readonly verification: Verification;
	/** Path of the report. */
	readonly report: string | undefined;
	/** What was reviewed, where the journal knows it. */
	readonly configuration?: Configuration;
};

/**
 * Reads what is deployed now, never assumes it, and keeps a report of it in the zone's folder (design.md 6). Without a
 * backup there is nothing to report from.
 */
export async function verified(
	{zone, record, journal, ...flow}: Pick<MigrationFlow, 'zone' | 'record' | 'journal' | 'reviewed'>,
	client: Client,
	signal: AbortSignal,
): Promise<Verified> {
	const configuration = record.reviewed ? await flow.reviewed() : undefined;
	const verification = await verify(client, zone, record, configuration, signal);
	const snapshot = journal.snapshot();
	const known = {verification, ...(configuration && {configuration})};
	if (!snapshot || !record.backup) return {...known, report: undefined};
	const at = client.pace.now();
	addFinal(record.backup.folder, {
		verification: JSON.parse(JSON.stringify(verification)) as JsonValue,
		...(configuration && {configuration: requestBody(configuration)}),
	});
	const report = journal.keepText(
		reportName,
		migrationReport({zone, record, snapshot, configuration, verification, at}),
	);
	if (record.report !== reportName) await journal.keep({...record, report: reportName});
	return {...known, report};
}
