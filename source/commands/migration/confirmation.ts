import {Failure} from '../../failure.ts';
import {checkConfiguration} from '../../migration/configuration/checks.ts';
import {hasActiveRuleset, type ManagedConfiguration} from '../../migration/configuration/configuration.ts';
import {confirmationWords, type FlowOptions, type PutConfirmation} from '../../migration/flow/context.ts';
import type {MigrationFlow} from '../../migration/flow/flow.ts';
import type {MigrationMode} from '../../migration/machine/stage.ts';
import {computePlanEdits, getInitialConfiguration} from '../../migration/plan/plan.ts';
import type {MigrationZone} from '../../migration/zone/migration-zone.ts';
import {askQuestion, canAsk} from '../../terminal/prompt.ts';
import {buildAdvice, buildCommand} from '../../text/advice.ts';
import type {CommandContext} from '../shell/context.ts';
import type {ConfirmingOptions} from './options.ts';
import {buildSendingCommand} from './plan.ts';
import {formatConfigurationSummary} from './text.ts';

/**
 * Confirms a send with the zone's name, either given with `--confirm` or typed after the effects are shown;
 * `--yes` is not enough. Fails with `unconfirmed` or `declined`; `flow.check` fails before asking, with
 * `input_malformed`, if the configuration cannot be sent. Nothing is sent then.
 */
export async function confirmSend(
	context: CommandContext,
	flow: MigrationFlow,
	configuration: ManagedConfiguration,
	mode: MigrationMode,
	options: ConfirmingOptions,
	flowOptions: FlowOptions,
): Promise<PutConfirmation> {
	const {output, host, signal} = context;
	const {zone} = flow;
	const confirmations = pickConfirmations(options);
	// If the name was given, `send` makes the same check just before the PUT.
	const needsConfirmation = options.confirm === undefined && !context.options.dryRun;
	const checkedSnapshot = needsConfirmation ? await flow.check(configuration, flowOptions) : undefined;
	const initialConfiguration = checkedSnapshot && getInitialConfiguration(checkedSnapshot);
	if (checkedSnapshot && initialConfiguration) {
		const edits = computePlanEdits(initialConfiguration, configuration, checkedSnapshot);
		for (const sentence of [...edits.reductions, ...edits.weakenedRules]) output.warn(sentence);
	}
	for (const {sentence, lessens: lessensProtection} of checkConfiguration(configuration, zone))
		if (lessensProtection) output.warn(sentence);
	const shouldAsk = needsConfirmation && canAsk(host) && !output.json;
	const sendCommand = buildSendingCommand(zone, mode === 'pending' ? 'deploy' : 'validate', configuration);
	const needsProtectionWord = !hasActiveRuleset(configuration) && !options.withoutRulesets;
	if (needsProtectionWord && !shouldAsk) {
		throw new Failure(
			'unconfirmed',
			'This configuration deploys no managed ruleset at all; nothing was sent.',
			{
				why: `After this, no managed rules protect ${zone.name}.`,
				next: buildAdvice`If that is what you want: \`${sendCommand}\``,
			},
		);
	}
	if (options.confirm === undefined && !shouldAsk) {
		if (context.options.dryRun) return {...confirmations, zone: zone.name};
		throw new Failure('unconfirmed', 'Not confirmed, so nothing was sent.', {
			why: describeSend(mode, zone.name),
			next: buildAdvice`Confirm with ${formatExpectedName(zone)}; --yes is not enough: \`${sendCommand}\``,
		});
	}
	if (options.confirm !== undefined) {
		requireZoneName(options.confirm, zone);
		return {...confirmations, zone: options.confirm};
	}
	const backup = await flow.backUp(flowOptions, checkedSnapshot);
	output.say(describeSend(mode, zone.name));
	output.say(`  will send  PUT …/entrypoint?waf_migration=${mode}&phase_two=1`);
	output.say(`  body       ${formatConfigurationSummary(configuration)}`);
	output.say(`  backup     ${backup.folder}`);
	const typedName = (
		await askQuestion(`Type ${formatExpectedName(zone)} to continue: `, host, signal)
	).trim();
	requireZoneName(typedName, zone);
	if (needsProtectionWord) {
		const protectionWord = await askQuestion(
			`After this, no managed rules protect ${zone.name}. Type "${confirmationWords['word about protection']}" to continue: `,
			host,
			signal,
		);
		if (protectionWord.trim() !== confirmationWords['word about protection'])
			throw new Failure('declined', 'Nothing was sent.');
	}
	return {
		...confirmations,
		zone: typedName,
		withoutRulesets: confirmations.withoutRulesets || needsProtectionWord,
	};
}

/** Returns the other confirmations that were given on the command line. */
export const pickConfirmations = ({
	withoutRulesets = false,
	incompleteBackup = false,
}: ConfirmingOptions) => ({
	withoutRulesets,
	incompleteBackup,
});

const describeSend = (mode: MigrationMode, name: string): string =>
	mode === 'pending'
		? `This turns the previous managed rules off for ${name}, and can't be undone.`
		: `This applies the new managed rules to the live traffic of ${name}, before the previous ones; no rollback is documented.`;

/** Says what must be typed: the zone's id if the credential cannot read its name. */
const formatExpectedName = ({id, name}: MigrationZone): string =>
	name === id ? "the zone's id (its name cannot be read with this credential)" : "the zone's name";

function requireZoneName(typedName: string, zone: MigrationZone): void {
	if (typedName === zone.name) return;
	throw new Failure('unconfirmed', `That is not ${formatExpectedName(zone)}; nothing was sent.`, {
		why: `The zone is "${zone.name}"; "${typedName}" was typed.`,
		next: buildAdvice`To list your zones: \`${buildCommand('zones')}\``,
	});
}
