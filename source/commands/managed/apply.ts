import {Failure, isFailure} from '../../failure.ts';
import {formatManagedCommand} from '../../firewall/commands.ts';
import {withExistingIds} from '../../managed/assign-ids.ts';
import {proposeConfiguration} from '../../managed/proposal.ts';
import {formatFingerprint, type ManagedConfiguration} from '../../migration/configuration/configuration.ts';
import {buildAdvice, buildZoneCommand} from '../../text/advice.ts';
import {readConfigurationFile, requireMatchingFingerprint} from '../migration/input.ts';
import type {CommandContext} from '../shell/context.ts';
import type {ManagedApplyOptions} from './managed.ts';
import {printProposal, sendManagedChange} from './write.ts';
import {type OpenedManagedZone, openManaged, openManagedForWriting} from './zone.ts';

/**
 * `managed apply`: makes the configuration in a file the active one. Without `--fingerprint`, only shows the
 * differences and sends nothing. A second run changes nothing.
 */
export async function applyManaged(
	context: CommandContext,
	options: ManagedApplyOptions,
	file: string,
): Promise<void> {
	const {output} = context;
	const {fingerprint: givenFingerprint, ifVersion, confirm, allowUnknown} = options;
	const fileConfiguration = await readManagedConfiguration(context, file);
	// A preview also requires a named zone, as a write does, but announces no write.
	const managedZone =
		givenFingerprint === undefined
			? await openManaged(context, {writes: true})
			: await openManagedForWriting(context);
	const {managedState} = managedZone;
	if (managedState.readOnlyReason) throw managedState.readOnlyReason;
	const proposal = proposeConfiguration(
		managedState,
		withExistingIds(managedState.configuration, fileConfiguration),
		{
			allowUnknown,
		},
	);
	if (givenFingerprint !== undefined)
		requireMatchingFingerprint(
			givenFingerprint,
			proposal.fingerprint,
			'the configuration',
			'Run it without --fingerprint to see what it changes, and its fingerprint.',
		);
	if (proposal.edit && ifVersion !== undefined) requireActiveVersion(managedZone, ifVersion);
	if (givenFingerprint === undefined && proposal.edit && !context.options.dryRun) {
		printProposal(context, managedZone, proposal);
		output.say(`Fingerprint ${formatFingerprint(proposal.fingerprint)}`);
		throw buildUnreviewedFailure(managedZone, file, proposal.fingerprint);
	}
	await sendManagedChange(context, managedZone, proposal, {
		auditText: `apply managed rules (fingerprint ${proposal.fingerprint})`,
		confirmOption: confirm,
		requiresZoneName: true,
		mustMatchReview: true,
	});
}

async function readManagedConfiguration(
	context: CommandContext,
	file: string,
): Promise<ManagedConfiguration> {
	try {
		return await readConfigurationFile(context, file);
	} catch (error) {
		if (!isFailure(error, 'input_malformed')) throw error;
		throw error.withDetails({
			next: buildAdvice`Correct it, or write it again: \`${buildZoneCommand('managed', 'show', '--json')}\``,
		});
	}
}

function buildUnreviewedFailure(
	{zone, ruleset, managedState}: OpenedManagedZone,
	file: string,
	fingerprint: string,
): Failure {
	const options = [
		...['--fingerprint', fingerprint],
		...(ruleset ? ['--if-version', ruleset.version] : []),
		...['--confirm', managedState.zone.name],
	];
	return new Failure('unreviewed', 'Preview only: --fingerprint was not given.', {
		left: 'Nothing was sent.',
		next:
			file === '-'
				? `To apply it: the same command with ${options.join(' ')}`
				: `To apply it: \`${formatManagedCommand(zone, ['apply', file], options)}\``,
	});
}

/** Fails if the active version is not the reviewed one, because others have changed the rules. */
function requireActiveVersion({zone, ruleset}: OpenedManagedZone, version: number): void {
	if (ruleset?.version === String(version)) return;
	throw new Failure(
		'changed_meanwhile',
		`The managed rules of ${zone.label} have changed since the review.`,
		{
			why: `Version ${version} was active then; ${ruleset ? `version ${ruleset.version}` : 'none'} is active now.`,
			left: 'Nothing was sent.',
			next: 'Run it without --fingerprint to see what it changes now.',
		},
	);
}
