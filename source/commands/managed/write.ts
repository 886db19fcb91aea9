import {Failure} from '../../failure.ts';
import {formatManagedCommand} from '../../firewall/commands.ts';
import {
	buildManagedRestoreOptions,
	buildProposalRequest,
	describeConfigurationFinding,
	findProposalBlocker,
	type ManagedProposal,
	sendProposal,
} from '../../managed/proposal.ts';
import {toConfiguration, toFileConfiguration} from '../../managed/state.ts';
import {
	computeFingerprint,
	formatFingerprint,
	type ManagedConfiguration,
} from '../../migration/configuration/configuration.ts';
import {compareConfigurations} from '../../migration/configuration/difference.ts';
import {
	describeDeployedRuleset,
	listDeployedRulesets,
	toDeployedRulesetJson,
} from '../../migration/flow/verification.ts';
import type {Ruleset} from '../../rulesets/ruleset.ts';
import {canAsk, confirmAction} from '../../terminal/prompt.ts';
import {buildAdvice, buildZoneCommand} from '../../text/advice.ts';
import {formatQuantity} from '../../text/figures.ts';
import {formatDifferenceTable} from '../migration/plan-text.ts';
import {sendRulesetChange} from '../rulesets/send-change.ts';
import {confirmZoneName} from '../shell/confirm-zone-name.ts';
import type {CommandContext} from '../shell/context.ts';
import {buildManagedPhaseTexts, type OpenedManagedZone} from './zone.ts';

type ManagedSendOptions = {
	/** Text for the audit log: "edit managed rules (…)". */
	readonly auditText: string;
	/** The zone's name, as given with `--confirm`. */
	readonly confirmOption: string | undefined;
	/** True to require the zone's name even if no protection is lost. */
	readonly requiresZoneName?: boolean;
	/** True to ask in scripts as well, not only on a terminal. */
	readonly alwaysAsks?: boolean;
	/** True if the active rules must afterwards be exactly the reviewed ones. */
	readonly mustMatchReview?: boolean;
};

/**
 * Shows what a proposal changes and sends, confirms and sends it, and prints the active rules with the
 * command that restores the previous version.
 */
export async function sendManagedChange(
	context: CommandContext,
	managedZone: OpenedManagedZone,
	proposal: ManagedProposal,
	sendOptions: ManagedSendOptions,
): Promise<void> {
	const {output, options, signal} = context;
	const {client, managedState} = managedZone;
	if (proposal.edit === undefined) {
		output.say('No difference, so nothing was sent.');
		if (output.json && !options.dryRun)
			await output.writeJson(
				context.markSimulated(toManagedJson(managedZone, proposal, managedState.ruleset)),
			);
		return;
	}
	const blockingFailure = findProposalBlocker(managedState, proposal);
	if (blockingFailure) throw blockingFailure;
	printProposal(context, managedZone, proposal);
	const confirmedZoneName = await confirmManagedChange(context, managedZone, proposal, sendOptions);
	const outcome = await sendRulesetChange(
		context,
		managedZone,
		buildManagedPhaseTexts(managedState),
		sendOptions.auditText,
		onRecheck =>
			sendProposal(client, managedState, proposal, {zoneName: confirmedZoneName}, {signal, onRecheck}),
	);
	if (options.dryRun) return;
	const currentConfiguration = toConfiguration(outcome.ruleset);
	await printManagedResult(context, managedZone, proposal, outcome.ruleset);
	if (managedState.ruleset && !output.json) {
		const {version, rules} = managedState.ruleset;
		const restoreOptions = buildManagedRestoreOptions(managedState, outcome.ruleset.rules, rules);
		output.say(`To undo: ${formatManagedCommand(managedZone.zone, ['restore', version], restoreOptions)}`);
	}
	const hasUnexplainedChanges = (outcome.concurrentEdits?.unexplained.length ?? 0) > 0;
	if (
		hasUnexplainedChanges ||
		(sendOptions.mustMatchReview && computeFingerprint(currentConfiguration) !== proposal.fingerprint)
	)
		throw buildMismatchFailure(managedZone, proposal.newConfiguration, currentConfiguration);
}

/** Prints the differences and the request of a proposal on stderr. */
export function printProposal(
	{output}: CommandContext,
	{zone, managedState}: OpenedManagedZone,
	proposal: ManagedProposal,
): void {
	const differenceTable = formatDifferenceTable('CHANGE', proposal.differences);
	output.say(`${zone.label}: ${formatQuantity(proposal.differences.length, 'difference')}`);
	for (const sentence of [...proposal.reductions, ...proposal.weakenedRules]) output.say(`  ! ${sentence}`);
	for (const line of differenceTable.trimEnd().split('\n')) if (line !== '') output.say(`  ${line}`);
	const request = buildProposalRequest(managedState, proposal);
	if (request) {
		output.say(`  will send  ${request.method} ${request.path}`);
		if (request.body !== undefined) output.say(`  body       ${describeBody(proposal, request.body)}`);
	}
	for (const finding of proposal.findings)
		if (finding.severity === 'warning') output.warn(describeConfigurationFinding(finding));
}

/** Describes a request body: prints a single rule in full, but only counts the rules of a replacement. */
const describeBody = ({edit, newConfiguration}: ManagedProposal, body: unknown): string =>
	edit?.kind === 'replace'
		? `all ${formatQuantity(newConfiguration.rules.length, 'rule')}, existing ones with their ids (--dry-run prints it)`
		: JSON.stringify(body);

/**
 * Confirms a proposal: with the zone's name, given or typed, if that is required; else by asking on a
 * terminal. Returns the confirmed name, if any.
 */
async function confirmManagedChange(
	context: CommandContext,
	{managedState}: OpenedManagedZone,
	proposal: ManagedProposal,
	{confirmOption, requiresZoneName = false, alwaysAsks = false}: ManagedSendOptions,
): Promise<string | undefined> {
	const {output, options, host, signal} = context;
	const {name} = managedState.zone;
	const {reductions} = proposal;
	const zoneNameReasons =
		reductions.length > 0 || !requiresZoneName ? reductions : [describeReplacement(name)];
	const confirmedZoneName = await confirmZoneName(context, managedState.zone, zoneNameReasons, confirmOption);
	if (confirmedZoneName !== undefined || options.dryRun) return confirmedZoneName;
	if (alwaysAsks || (canAsk(host) && !output.json))
		await confirmAction('Send this change?', context.getConfirmation(), signal);
	return undefined;
}

const describeReplacement = (name: string): string => `This replaces all active managed rules in ${name}.`;

async function printManagedResult(
	context: CommandContext,
	managedZone: OpenedManagedZone,
	proposal: ManagedProposal,
	ruleset: Ruleset,
): Promise<void> {
	const {output} = context;
	if (output.json)
		return output.writeJson(context.markSimulated(toManagedJson(managedZone, proposal, ruleset)));
	const currentConfiguration = toConfiguration(ruleset);
	output.say(
		`Active in ${managedZone.zone.label}: version ${ruleset.version}, fingerprint ${formatFingerprint(computeFingerprint(currentConfiguration))}.`,
	);
	for (const deployedRuleset of listDeployedRulesets(currentConfiguration))
		output.say(`  ${deployedRuleset.name}: ${describeDeployedRuleset(deployedRuleset).join(', ')}`);
	const skips = currentConfiguration.rules.filter(({action}) => action === 'skip');
	if (skips.length > 0) output.say(`  ${formatQuantity(skips.length, 'exception')}`);
}

/** Builds the JSON of `--json`: the active rules after a change, and whether anything was sent. */
function toManagedJson(
	{managedState}: OpenedManagedZone,
	proposal: ManagedProposal,
	ruleset: Ruleset | undefined,
) {
	const currentConfiguration = toConfiguration(ruleset);
	const {id, name} = managedState.zone;
	return {
		zone: {id, name},
		sent: proposal.edit !== undefined,
		version: ruleset?.version ?? null,
		fingerprint: computeFingerprint(currentConfiguration),
		differences: proposal.differences,
		managedRulesets: listDeployedRulesets(currentConfiguration).map(toDeployedRulesetJson),
		...toFileConfiguration(currentConfiguration),
	};
}

function buildMismatchFailure(
	{zone}: OpenedManagedZone,
	intendedConfiguration: ManagedConfiguration,
	currentConfiguration: ManagedConfiguration,
): Failure {
	const differences = compareConfigurations(intendedConfiguration, currentConfiguration);
	return new Failure('not_as_reviewed', `The active rules in ${zone.label} are not what was sent.`, {
		why:
			differences.map(({about, before, after}) => `${about}: ${before} → ${after}`).join('\n') || undefined,
		left: 'The active rules stay: ledge changes nothing on its own.',
		next: buildAdvice`To show the active rules: \`${buildZoneCommand('managed', 'show')}\``,
	});
}
