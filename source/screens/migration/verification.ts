import type {Failure} from '../../failure.ts';
import type {ManagedConfiguration} from '../../migration/configuration/configuration.ts';
import type {MigrationFlow} from '../../migration/flow/flow.ts';
import {type Verification, verifySent} from '../../migration/flow/verification.ts';
import type {MigrationPlan} from '../../migration/plan/plan.ts';
import {planFromBackup, tryKeepReport} from '../../migration/report/keep-report.ts';
import {keepValidationSummary} from '../../migration/validation/keep.ts';
import type {Client} from '../../service/client.ts';

type VerificationResult = {
	readonly verification: Verification;
	/** Path of the report. */
	readonly report: string | undefined;
	/** The configuration that was reviewed and sent, if known. */
	readonly configuration?: ManagedConfiguration;
	/** What the migration changed and left behind; undefined without a backup. */
	readonly plan?: MigrationPlan;
	/** Why the report is missing; the deployment is unaffected. */
	readonly failure?: Failure;
};

/** Reads what is deployed and keeps a report in the zone's folder. Needs a backup for that. */
export async function verifyAndReport(
	flow: Pick<MigrationFlow, 'zone' | 'record' | 'journal' | 'readReviewedConfiguration' | 'recordValidation'>,
	client: Client,
	signal: AbortSignal,
): Promise<VerificationResult> {
	const {configuration, verification} = await verifySent(flow, client, signal);
	await keepValidationSummary(flow, client, signal);
	const {path, failure} = await tryKeepReport(flow, {configuration, verification, at: client.clock.now()});
	const plan = planFromBackup(flow, configuration ?? verification.deployed);
	return {
		verification,
		...(configuration && {configuration}),
		...(plan && {plan}),
		report: path,
		...(failure && {failure}),
	};
}
