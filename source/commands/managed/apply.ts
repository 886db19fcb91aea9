import {Failure, isFailure} from '../../failure.ts';
import {managedCommand} from '../../firewall/continuation.ts';
import {propose} from '../../managed/proposal.ts';
import {withIdsOf} from '../../managed/same-ids.ts';
import {
	type Configuration,
	isFingerprint,
	shownFingerprint,
} from '../../migration/configuration/configuration.ts';
import {advice, inZone} from '../../text/advice.ts';
import {configurationIn} from '../migration/input.ts';
import type {CommandContext} from '../shell/context.ts';
import type {ApplyOptions} from './managed.ts';
import {carryOut, showProposal} from './write.ts';
import {type OpenedManaged, openManaged, openToWrite} from './zone.ts';

/**
 * `managed apply`: makes the configuration of a file the active one. Without its fingerprint, only shows the
 * differences and sends nothing. A second run changes nothing.
 */
export async function applyManaged(
	context: CommandContext,
	options: ApplyOptions,
	file: string,
): Promise<void> {
	const {output} = context;
	const {fingerprint: digits, ifVersion, confirm, allowUnknown} = options;
	const given = await managedIn(context, file);
	const opened =
		digits === undefined ? await openManaged(context, {writes: true}) : await openToWrite(context);
	const {inForce} = opened;
	if (inForce.readOnly) throw inForce.readOnly;
	const proposal = propose(inForce, withIdsOf(inForce.configuration, given), {allowUnknown});
	if (digits !== undefined && !isFingerprint(digits, proposal.fingerprint))
		throw otherFingerprint(digits, proposal.fingerprint);
	if (proposal.edit && ifVersion !== undefined) refuseOtherVersion(opened, ifVersion);
	if (digits === undefined && proposal.edit && !context.options.dryRun) {
		showProposal(context, opened, proposal);
		output.say(`Fingerprint ${shownFingerprint(proposal.fingerprint)}`);
		throw unreviewed(opened, file, proposal.fingerprint);
	}
	await carryOut(context, opened, proposal, {
		what: `apply managed rules (fingerprint ${proposal.fingerprint})`,
		confirmed: confirm,
		isNameNeeded: true,
		isWhole: true,
	});
}

async function managedIn(context: CommandContext, file: string): Promise<Configuration> {
	try {
		return await configurationIn(context, file);
	} catch (error) {
		if (!isFailure(error, 'input_malformed')) throw error;
		throw error.with({
			next: advice`Correct it, or have it written again: \`${inZone('managed', 'show', '--json')}\``,
		});
	}
}

function unreviewed({zone, ruleset, inForce}: OpenedManaged, file: string, digits: string): Failure {
	const options = [
		...['--fingerprint', digits],
		...(ruleset ? ['--if-version', ruleset.version] : []),
		...['--confirm', inForce.zone.name],
	];
	return new Failure('unreviewed', 'Only shown: the fingerprint of what is to be sent was not given.', {
		left: 'Nothing was sent.',
		next:
			file === '-'
				? `To put it in force: the same with ${options.join(' ')}`
				: `To put it in force: \`${managedCommand(zone, ['apply', file], options)}\``,
	});
}

/** Fails if others have changed the rules since the review, which was for that version. */
function refuseOtherVersion({zone, ruleset}: OpenedManaged, version: number): void {
	if (ruleset?.version === String(version)) return;
	throw new Failure(
		'changed_meanwhile',
		`The managed rules of ${zone.label} have changed since the review.`,
		{
			why: `Version ${version} was in force then, and ${ruleset ? `version ${ruleset.version}` : 'nothing'} is now.`,
			left: 'Nothing was sent.',
			next: 'Run it without --fingerprint: that shows what it changes now.',
		},
	);
}

const otherFingerprint = (given: string, digits: string): Failure =>
	new Failure('unreviewed', 'The fingerprint given is not that of the configuration; nothing was sent.', {
		why:
			given.replaceAll(/[\s-]/g, '').length < 8
				? `"${given}" has fewer than 8 digits.`
				: `It is ${shownFingerprint(digits)}; "${given}" was given.`,
		next: 'Run it without --fingerprint: that shows what it changes, and the fingerprint.',
	});
