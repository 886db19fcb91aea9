import {Failure} from '../../failure.ts';
import {checkConfiguration} from '../../migration/configuration/checks.ts';
import {hasActiveRuleset, type ManagedConfiguration} from '../../migration/configuration/configuration.ts';
import type {MigrationFlow} from '../../migration/flow/flow.ts';
import {confirmationWords, type FlowWork, type PutConfirmation} from '../../migration/flow/parts.ts';
import type {MigrationMode} from '../../migration/machine/stage.ts';
import {computePlanEdits, getReviewStart} from '../../migration/plan/plan.ts';
import type {MigrationZone} from '../../migration/zone/migration-zone.ts';
import {askQuestion, canAsk} from '../../terminal/prompt.ts';
import {buildAdvice, buildCommand} from '../../text/advice.ts';
import type {CommandContext} from '../shell/context.ts';
import type {ConfirmingOptions} from './options.ts';
import {buildSendingCommand} from './plan.ts';
import {formatConfiguration} from './text.ts';

/**
 * Confirms a send with the zone's name, given with `--confirm` or typed after its effects are shown; `--yes`
 * is not enough. Fails with `unconfirmed`, or before asking with `input_malformed`; nothing is sent then.
 */
export async function confirmSend(
	context: CommandContext,
	flow: MigrationFlow,
	configuration: ManagedConfiguration,
	mode: MigrationMode,
	options: ConfirmingOptions,
	work: FlowWork,
): Promise<PutConfirmation> {
	const {output, host, signal} = context;
	const {zone} = flow;
	const flags = pickConfirmations(options);
	// If the name was given, `send` does the same check just before the PUT.
	const isUnconfirmed = options.confirm === undefined && !context.options.dryRun;
	const checked = isUnconfirmed ? await flow.check(configuration, work) : undefined;
	const begun = checked && getReviewStart(checked);
	if (checked && begun)
		for (const sentence of computePlanEdits(begun, configuration, checked).reductions) output.warn(sentence);
	for (const {sentence, lessens} of checkConfiguration(configuration, zone))
		if (lessens) output.warn(sentence);
	const isAsked = isUnconfirmed && canAsk(host) && !output.json;
	const sendCommand = buildSendingCommand(zone, mode === 'pending' ? 'deploy' : 'validate', configuration);
	const needsSecondWord = !hasActiveRuleset(configuration) && !options.withoutRulesets;
	if (needsSecondWord && !isAsked) {
		throw new Failure(
			'unconfirmed',
			'This configuration deploys no managed ruleset at all; nothing was sent.',
			{
				why: `Afterwards no managed rule protects ${zone.name}.`,
				next: buildAdvice`If that is what you want, say so: \`${sendCommand}\``,
			},
		);
	}
	if (options.confirm === undefined && !isAsked) {
		if (context.options.dryRun) return {...flags, zone: zone.name};
		throw new Failure('unconfirmed', 'Not confirmed, so nothing was sent.', {
			why: describeSend(mode, zone.name),
			next: buildAdvice`It wants ${formatExpectedName(zone)}, typed out; --yes is not enough: \`${sendCommand}\``,
		});
	}
	if (options.confirm !== undefined) {
		refuseOtherName(options.confirm, zone);
		return {...flags, zone: options.confirm};
	}
	const backup = await flow.backUp(work, checked);
	output.say(describeSend(mode, zone.name));
	output.say(`  will send  PUT …/entrypoint?waf_migration=${mode}&phase_two=1`);
	output.say(`  body       ${formatConfiguration(configuration)}`);
	output.say(`  backup     ${backup.folder}`);
	const typed = (await askQuestion(`Type ${formatExpectedName(zone)} to continue: `, host, signal)).trim();
	refuseOtherName(typed, zone);
	if (needsSecondWord) {
		const secondWord = await askQuestion(
			`Afterwards no managed rule protects ${zone.name}. Type "${confirmationWords['further word']}" to continue: `,
			host,
			signal,
		);
		if (secondWord.trim() !== confirmationWords['further word'])
			throw new Failure('declined', 'Nothing was sent.');
	}
	return {...flags, zone: typed, withoutRulesets: flags.withoutRulesets || needsSecondWord};
}

/** Returns the other confirmations of the command line. */
export const pickConfirmations = ({
	withoutRulesets = false,
	incompleteBackup = false,
}: ConfirmingOptions) => ({
	withoutRulesets,
	incompleteBackup,
});

const describeSend = (mode: MigrationMode, name: string): string =>
	mode === 'pending'
		? `This turns the previous managed rules off for ${name}, and cannot be undone.`
		: `This puts the new managed rules before the live traffic of ${name}, ahead of the previous ones; no way back is documented.`;

/** Names what must be typed: the id, if the credential cannot read the zone's name. */
const formatExpectedName = ({id, name}: MigrationZone): string =>
	name === id ? "the zone's id (its name cannot be read with this credential)" : "the zone's name";

function refuseOtherName(typed: string, zone: MigrationZone): void {
	if (typed === zone.name) return;
	throw new Failure('unconfirmed', `What was typed is not ${formatExpectedName(zone)}; nothing was sent.`, {
		why: `The zone is "${zone.name}"; "${typed}" was typed.`,
		next: buildAdvice`Look which zone you mean: \`${buildCommand('zones')}\`.`,
	});
}
