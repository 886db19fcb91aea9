import type {Failure} from '../../failure.ts';
import type {ManagedConfiguration} from '../../migration/configuration/configuration.ts';
import type {MigrationFlow} from '../../migration/flow/flow.ts';
import {type Verification, verifySent} from '../../migration/flow/verification.ts';
import type {MigrationPlan} from '../../migration/plan/plan.ts';
import {planFromBackup, trySaveReport} from '../../migration/report/save-report.ts';
import {saveValidationSummary} from '../../migration/validation/save-summary.ts';
import type {Client} from '../../service/client.ts';

type VerificationResult = {
	readonly verification: Verification;
	/** Path of the report. */
	readonly reportPath: string | undefined;
	/** The configuration that was reviewed and sent, if known. */
	readonly configuration?: ManagedConfiguration;
	/** What the migration changed and left behind; undefined without a backup. */
	readonly plan?: MigrationPlan;
	/** Why there is no report. The deployment is not affected. */
	readonly failure?: Failure;
};

/** Reads what is deployed, and writes a report to the zone's folder. The report needs a backup. */
export async function verifyAndReport(
	flow: Pick<MigrationFlow, 'zone' | 'record' | 'journal' | 'readReviewedConfiguration' | 'recordValidation'>,
	client: Client,
	signal: AbortSignal,
): Promise<VerificationResult> {
	const {configuration, verification} = await verifySent(flow, client, signal);
	await saveValidationSummary(flow, client, signal);
	const {path, failure} = await trySaveReport(flow, {configuration, verification, at: client.clock.now()});
	const plan = planFromBackup(flow, configuration ?? verification.deployed);
	return {
		verification,
		...(configuration && {configuration}),
		...(plan && {plan}),
		reportPath: path,
		...(failure && {failure}),
	};
}
