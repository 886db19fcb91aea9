import type {Failure} from '../../failure.ts';
import type {Configuration} from '../../migration/configuration/configuration.ts';
import type {MigrationFlow} from '../../migration/flow/flow.ts';
import {type Verification, verifySent} from '../../migration/flow/verification.ts';
import type {MigrationPlan} from '../../migration/plan/plan.ts';
import {keepReportAnyway, planFromBackup} from '../../migration/report/keep-report.ts';
import {keepWhatValidationShowed} from '../../migration/validation/keep.ts';
import type {Client} from '../../service/client.ts';

type Verified = {
	readonly verification: Verification;
	/** Path of the report. */
	readonly report: string | undefined;
	/** The configuration that was reviewed and sent, if known. */
	readonly configuration?: Configuration;
	/** What the migration changed and left behind; undefined without a backup. */
	readonly plan?: MigrationPlan;
	/** Why the report is missing; the deployment is unaffected. */
	readonly failure?: Failure;
};

/** Reads what is deployed and keeps a report in the zone's folder. Needs a backup for that. */
export async function verified(
	flow: Pick<MigrationFlow, 'zone' | 'record' | 'journal' | 'reviewed' | 'validationShown'>,
	client: Client,
	signal: AbortSignal,
): Promise<Verified> {
	const {configuration, verification} = await verifySent(flow, client, signal);
	await keepWhatValidationShowed(flow, client, signal);
	const {path, failure} = await keepReportAnyway(flow, {configuration, verification, at: client.clock.now()});
	const plan = planFromBackup(flow, configuration ?? verification.deployed);
	return {
		verification,
		...(configuration && {configuration}),
		...(plan && {plan}),
		report: path,
		...(failure && {failure}),
	};
}
