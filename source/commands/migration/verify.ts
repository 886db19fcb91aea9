import {asFailure, Failure, isFailure} from '../../failure.ts';
import type {MigrationFlow} from '../../migration/flow/flow.ts';
import {isDeployedOn, type VerifiedSent, verifySent} from '../../migration/flow/verification.ts';
import {migrationCommand} from '../../migration/machine/next-steps.ts';
import {otherThanSent} from '../../migration/machine/observation.ts';
import {isComplete, stateTable} from '../../migration/machine/states.ts';
import {advice, adviceLines, inZone} from '../../text/advice.ts';
import type {CommandContext} from '../shell/context.ts';
import type {OpenedMigration} from './zone.ts';

/** Reads what is deployed after a PUT. If that fails, the failure says how to verify it later. */
export async function verified(
	{signal}: CommandContext,
	flow: MigrationFlow,
	{client, zone}: OpenedMigration,
): Promise<VerifiedSent> {
	try {
		return await verifySent(flow, client, signal);
	} catch (error) {
		if (isFailure(error, 'interrupted')) throw error;
		throw asFailure(error).with({
			left: `${zone.name}: ${stateTable[flow.record.state].means}. What is deployed there could not be read.`,
			next: advice`Have it verified: \`${migrationCommand(zone, 'resume')}\``,
		});
	}
}

/**
 * Returns the failure if the deployed rules are not the reviewed ones, or if nothing protects the zone
 * without that being confirmed. Undefined if all is well.
 */
export function notAsReviewed(
	{zone, record}: MigrationFlow,
	{configuration, verification}: VerifiedSent,
	withoutRulesets: boolean,
): Failure | undefined {
	const {sameAsReviewed, managedRulesets, differences, findings} = verification;
	const isOther = configuration ? !sameAsReviewed : otherThanSent(record) !== undefined;
	const isBare = !managedRulesets.some(isDeployedOn);
	// A configuration that deploys nothing was sent only after confirming that.
	const isMeant = withoutRulesets || sameAsReviewed;
	if (!isOther && (!isBare || isMeant)) return undefined;
	const file = 'configuration.json';
	return new Failure(
		'not_as_reviewed',
		isOther
			? `What is deployed in ${zone.label} is not what was reviewed.`
			: `Nothing protects ${zone.label}: no managed ruleset is on.`,
		{
			why: [
				...findings,
				...differences.map(({about, before, after}) => `${about}: ${before} → ${after}`),
			].join('\n'),
			left: `${zone.name}: ${stateTable[record.state].means}. What is deployed stays in force: ledge changes nothing by itself.`,
			next: adviceLines(
				advice`Write what is in force to a file: \`${migrationCommand(zone, 'export', '--output', file)}\``,
				isComplete(record.state)
					? advice`Correct the file, and see what it changes: \`${inZone('managed', 'apply', file)}\``
					: advice`Correct it, and review it: \`${migrationCommand(zone, 'plan', file)}\``,
			),
		},
	);
}
