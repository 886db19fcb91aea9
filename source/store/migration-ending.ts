import type {Configuration} from '../migration/configuration.ts';
import type {MigrationFlow} from '../migration/flow.ts';
import {keepReport} from '../migration/keep-report.ts';
import {type Verification, verify} from '../migration/verification.ts';
import type {Client} from '../service/client.ts';

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
	const kept = await keepReport(
		{zone, record, journal},
		{configuration, verification, at: client.pace.now()},
	);
	return {verification, ...(configuration && {configuration}), report: kept?.path};
}
