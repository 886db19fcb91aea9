import {Failure, isFailure, toFailure} from '../../failure.ts';
import type {MigrationFlow} from '../../migration/flow/flow.ts';
import {isRulesetActive, type SentVerification, verifySent} from '../../migration/flow/verification.ts';
import {buildMigrationCommand} from '../../migration/machine/next-steps.ts';
import {describeStoredDifference} from '../../migration/machine/observation.ts';
import {isComplete, stateTable} from '../../migration/machine/states.ts';
import {buildAdvice, buildZoneCommand, joinAdviceLines} from '../../text/advice.ts';
import type {CommandContext} from '../shell/context.ts';
import type {OpenedMigration} from './open-migration.ts';

/** Reads what is deployed after a PUT. If that fails, the failure says how to verify it later. */
export async function verifyAfterSend(
	{signal}: CommandContext,
	flow: MigrationFlow,
	{client, zone}: OpenedMigration,
): Promise<SentVerification> {
	try {
		return await verifySent(flow, client, signal);
	} catch (error) {
		if (isFailure(error, 'interrupted')) throw error;
		throw toFailure(error).withDetails({
			left: `${zone.name}: ${stateTable[flow.record.state].meaning}. The deployed rules could not be read.`,
			next: buildAdvice`To verify it: \`${buildMigrationCommand(zone, 'resume')}\``,
		});
	}
}

/**
 * Returns a failure if the deployed rules are not the reviewed ones, or if no managed ruleset is on and that
 * was not confirmed. Undefined if all is well.
 */
export function findReviewMismatch(
	{zone, record}: MigrationFlow,
	{configuration, verification}: SentVerification,
	withoutRulesets: boolean,
): Failure | undefined {
	const {sameAsReviewed, managedRulesets, differences, findings} = verification;
	// If ledge did not send what is deployed, the fingerprints in the record are compared.
	const isMismatch = configuration ? !sameAsReviewed : describeStoredDifference(record) !== undefined;
	const isUnprotected = !managedRulesets.some(isRulesetActive);
	// A configuration that deploys nothing was sent only after confirming that.
	const isIntended = withoutRulesets || sameAsReviewed;
	if (!isMismatch && (!isUnprotected || isIntended)) return undefined;
	const file = 'configuration.json';
	return new Failure(
		'not_as_reviewed',
		isMismatch
			? `The rules deployed in ${zone.label} are not what was reviewed.`
			: `Nothing protects ${zone.label}: no managed ruleset is on.`,
		{
			why: [
				...findings,
				...differences.map(({about, before, after}) => `${about}: ${before} → ${after}`),
			].join('\n'),
			left: `${zone.name}: ${stateTable[record.state].meaning}. The deployed rules stay active: ledge changes nothing on its own.`,
			next: joinAdviceLines(
				buildAdvice`Write the active configuration to a file: \`${buildMigrationCommand(zone, 'export', '--output', file)}\``,
				isComplete(record.state)
					? buildAdvice`Correct the file, and see what it changes: \`${buildZoneCommand('managed', 'apply', file)}\``
					: buildAdvice`Correct it, and review it: \`${buildMigrationCommand(zone, 'plan', file)}\``,
			),
		},
	);
}
