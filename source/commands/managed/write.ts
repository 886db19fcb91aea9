import {Failure} from '../../failure.ts';
import {managedCommand} from '../../firewall/continuation.ts';
import {configurationOf, withIds} from '../../managed/in-force.ts';
import {
	findingSentence,
	hindranceOf,
	type Proposal,
	requestOf,
	restoreOptions,
	sendProposal,
} from '../../managed/proposal.ts';
import {
	type Configuration,
	fingerprint,
	shownFingerprint,
} from '../../migration/configuration/configuration.ts';
import {configurationDifference} from '../../migration/configuration/difference.ts';
import {deployedInWords, deployedJson, deployedRulesets} from '../../migration/flow/verification.ts';
import type {Ruleset} from '../../rulesets/ruleset.ts';
import {canAsk, confirm} from '../../terminal/prompt.ts';
import {advice, inZone} from '../../text/advice.ts';
import {counted} from '../../text/figures.ts';
import {differences} from '../migration/plan-text.ts';
import type {RulesetArea} from '../rulesets/area.ts';
import {sent} from '../rulesets/sent.ts';
import type {CommandContext} from '../shell/context.ts';
import {confirmZoneName} from '../shell/zone-name.ts';
import {managedArea, type OpenedManaged} from './zone.ts';

type Sending = {
	/** Text for the audit log: "edit managed rules (…)". */
	readonly what: string;
	/** The zone's name, as given with `--confirm`. */
	readonly confirmed: string | undefined;
	/** True if the zone's name is required for any change. */
	readonly isNameNeeded?: boolean;
	/** True to ask in scripts as well, not only on a terminal. */
	readonly isAsked?: boolean;
	/** True if the active rules must afterwards be exactly the reviewed ones. */
	readonly isWhole?: boolean;
};

/**
 * Shows what a proposal changes and sends, confirms and sends it, and prints the active rules with the
 * command that restores the previous version.
 */
export async function carryOut(
	context: CommandContext,
	opened: OpenedManaged,
	proposal: Proposal,
	sending: Sending,
): Promise<void> {
	const {output, options, signal} = context;
	const {client, inForce} = opened;
	if (proposal.edit === undefined) {
		output.say('Nothing differs, so nothing was sent.');
		if (output.json && !options.dryRun)
			await output.value(context.marked(json(opened, proposal, inForce.ruleset)));
		return;
	}
	const hindered = hindranceOf(inForce, proposal);
	if (hindered) throw hindered;
	showProposal(context, opened, proposal);
	const typed = await confirmed(context, opened, proposal, sending);
	const area: RulesetArea = {
		...managedArea,
		restoreOptions: (now, then) => restoreOptions(inForce, now, then),
	};
	const outcome = await sent(context, opened, area, sending.what, onLook =>
		sendProposal(client, inForce, proposal, {zone: typed}, {signal, onLook}),
	);
	if (options.dryRun) return;
	const now = configurationOf(outcome.ruleset);
	await printResult(context, opened, proposal, outcome.ruleset);
	if (inForce.ruleset && !output.json) {
		const {version, rules} = inForce.ruleset;
		const confirmation = restoreOptions(inForce, outcome.ruleset.rules, rules);
		output.say(`To undo: ${managedCommand(opened.zone, ['restore', version], confirmation)}`);
	}
	const isOther = (outcome.meanwhile?.otherwise.length ?? 0) > 0;
	if (isOther || (sending.isWhole && fingerprint(now) !== proposal.fingerprint))
		throw notAsIntended(opened, proposal.after, now);
}

/** Prints the differences and the request of a proposal on stderr. */
export function showProposal(
	{output}: CommandContext,
	{zone, inForce}: OpenedManaged,
	proposal: Proposal,
): void {
	const shown = differences('CHANGE', proposal.differences);
	output.say(`${zone.label}: ${counted(proposal.differences.length, 'difference')}`);
	for (const sentence of proposal.reductions) output.say(`  ! ${sentence}`);
	for (const line of shown.trimEnd().split('\n')) if (line !== '') output.say(`  ${line}`);
	const request = requestOf(inForce, proposal);
	if (request) {
		output.say(`  will send  ${request.method} ${request.path}`);
		if (request.body !== undefined) output.say(`  body       ${bodyWords(proposal, request.body)}`);
	}
	for (const finding of proposal.findings)
		if (finding.severity === 'warning') output.warn(findingSentence(finding));
}

/** Describes the body of a call: one rule in full, a replacement by its number of rules. */
const bodyWords = ({edit, after}: Proposal, body: unknown): string =>
	edit?.kind === 'replace'
		? `all ${counted(after.rules.length, 'rule')}, those that exist under their ids (--dry-run prints it)`
		: JSON.stringify(body);

/**
 * Confirms a proposal: with the zone's name if required, typed or given; else with a question, on a terminal.
 * Returns the confirmed name, if any.
 */
async function confirmed(
	context: CommandContext,
	{inForce}: OpenedManaged,
	proposal: Proposal,
	{confirmed: given, isNameNeeded = false, isAsked = false}: Sending,
): Promise<string | undefined> {
	const {output, options, host, signal} = context;
	const {name} = inForce.zone;
	const {reductions} = proposal;
	const reasons = reductions.length > 0 || !isNameNeeded ? reductions : [wholeSentence(name)];
	const typed = await confirmZoneName(context, inForce.zone, reasons, given);
	if (typed !== undefined || options.dryRun) return typed;
	if (isAsked || (canAsk(host) && !output.json)) await confirm('Send it?', context.confirmation(), signal);
	return undefined;
}

const wholeSentence = (name: string): string => `This replaces all managed rules in force in ${name}.`;

async function printResult(
	context: CommandContext,
	opened: OpenedManaged,
	proposal: Proposal,
	ruleset: Ruleset,
): Promise<void> {
	const {output} = context;
	if (output.json) return output.value(context.marked(json(opened, proposal, ruleset)));
	const now = configurationOf(ruleset);
	output.say(
		`In force in ${opened.zone.label}: version ${ruleset.version}, fingerprint ${shownFingerprint(fingerprint(now))}.`,
	);
	for (const one of deployedRulesets(now)) output.say(`  ${one.name}: ${deployedInWords(one).join(', ')}`);
	const skips = now.rules.filter(({action}) => action === 'skip');
	if (skips.length > 0) output.say(`  ${counted(skips.length, 'exception')}`);
}

/** Converts the active rules after a change to JSON, and whether anything was sent. */
function json({inForce}: OpenedManaged, proposal: Proposal, ruleset: Ruleset | undefined) {
	const now = configurationOf(ruleset);
	const {id, name} = inForce.zone;
	return {
		zone: {id, name},
		sent: proposal.edit !== undefined,
		version: ruleset?.version ?? null,
		fingerprint: fingerprint(now),
		differences: proposal.differences,
		managedRulesets: deployedRulesets(now).map(deployedJson),
		...withIds(now),
	};
}

function notAsIntended({zone}: OpenedManaged, wanted: Configuration, now: Configuration): Failure {
	const all = configurationDifference(wanted, now);
	return new Failure('not_as_reviewed', `What is in force in ${zone.label} is not what was sent.`, {
		why: all.map(({about, before, after}) => `${about}: ${before} → ${after}`).join('\n') || undefined,
		left: 'What is in force stays: ledge changes nothing by itself.',
		next: advice`See what is in force: \`${inZone('managed', 'show')}\``,
	});
}
