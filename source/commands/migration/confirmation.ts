import {Failure} from '../../failure.ts';
import {checkConfiguration} from '../../migration/configuration/checks.ts';
import {type Configuration, deploysAnything} from '../../migration/configuration/configuration.ts';
import type {MigrationFlow} from '../../migration/flow/flow.ts';
import {type Confirmation, type FlowWork, furtherWords} from '../../migration/flow/parts.ts';
import type {Mode} from '../../migration/machine/stage.ts';
import {begunWith, changesTo} from '../../migration/plan/plan.ts';
import type {MigrationZone} from '../../migration/zone/migration-zone.ts';
import {ask, canAsk} from '../../terminal/prompt.ts';
import {advice, ledge} from '../../text/advice.ts';
import type {CommandContext} from '../shell/context.ts';
import type {ConfirmingOptions} from './options.ts';
import {sendingCommand} from './plan.ts';
import {configurationWords} from './text.ts';

/**
 * Confirms a send with the zone's name, given with `--confirm` or typed after its effects are shown; `--yes`
 * is not enough. Fails with `unconfirmed`, or before asking with `input_malformed`; nothing is sent then.
 */
export async function confirmed(
	context: CommandContext,
	flow: MigrationFlow,
	configuration: Configuration,
	mode: Mode,
	options: ConfirmingOptions,
	work: FlowWork,
): Promise<Confirmation> {
	const {output, host, signal} = context;
	const {zone} = flow;
	const said = wordsOf(options);
	// If the name was given, `send` does the same check just before the PUT.
	const isUnconfirmed = options.confirm === undefined && !context.options.dryRun;
	const checked = isUnconfirmed ? await flow.check(configuration, work) : undefined;
	const begun = checked && begunWith(checked);
	if (checked && begun)
		for (const sentence of changesTo(begun, configuration, checked).reductions) output.warn(sentence);
	for (const {sentence, lessens} of checkConfiguration(configuration, zone))
		if (lessens) output.warn(sentence);
	const isAsked = isUnconfirmed && canAsk(host) && !output.json;
	const onward = sendingCommand(zone, mode === 'pending' ? 'deploy' : 'validate', configuration);
	const isFurtherNeeded = !deploysAnything(configuration) && !options.withoutRulesets;
	if (isFurtherNeeded && !isAsked) {
		throw new Failure(
			'unconfirmed',
			'This configuration deploys no managed ruleset at all; nothing was sent.',
			{
				why: `Afterwards no managed rule protects ${zone.name}.`,
				next: advice`If that is what you want, say so: \`${onward}\``,
			},
		);
	}
	if (options.confirm === undefined && !isAsked) {
		if (context.options.dryRun) return {...said, zone: zone.name};
		throw new Failure('unconfirmed', 'Not confirmed, so nothing was sent.', {
			why: what(mode, zone.name),
			next: advice`It wants ${nameOf(zone)}, typed out; --yes is not enough: \`${onward}\``,
		});
	}
	if (options.confirm !== undefined) {
		refuseOtherName(options.confirm, zone);
		return {...said, zone: options.confirm};
	}
	const backup = await flow.backUp(work, checked);
	output.say(what(mode, zone.name));
	output.say(`  will send  PUT …/entrypoint?waf_migration=${mode}&phase_two=1`);
	output.say(`  body       ${configurationWords(configuration)}`);
	output.say(`  backup     ${backup.folder}`);
	const typed = (await ask(`Type ${nameOf(zone)} to continue: `, host, signal)).trim();
	refuseOtherName(typed, zone);
	if (isFurtherNeeded) {
		const further = await ask(
			`Afterwards no managed rule protects ${zone.name}. Type "${furtherWords['further word']}" to continue: `,
			host,
			signal,
		);
		if (further.trim() !== furtherWords['further word']) throw new Failure('declined', 'Nothing was sent.');
	}
	return {...said, zone: typed, withoutRulesets: said.withoutRulesets || isFurtherNeeded};
}

/** Returns the other confirmations of the command line. */
export const wordsOf = ({withoutRulesets = false, incompleteBackup = false}: ConfirmingOptions) => ({
	withoutRulesets,
	incompleteBackup,
});

const what = (mode: Mode, name: string): string =>
	mode === 'pending'
		? `This turns the previous managed rules off for ${name}, and cannot be undone.`
		: `This puts the new managed rules before the live traffic of ${name}, ahead of the previous ones; no way back is documented.`;

/** Names what must be typed: the id, if the credential cannot read the zone's name. */
const nameOf = ({id, name}: MigrationZone): string =>
	name === id ? "the zone's id (its name cannot be read with this credential)" : "the zone's name";

function refuseOtherName(typed: string, zone: MigrationZone): void {
	if (typed === zone.name) return;
	throw new Failure('unconfirmed', `What was typed is not ${nameOf(zone)}; nothing was sent.`, {
		why: `The zone is "${zone.name}"; "${typed}" was typed.`,
		next: advice`Look which zone you mean: \`${ledge('zones')}\`.`,
	});
}
