import {Failure} from '../../failure.ts';
import type {WriteQuestion} from '../../firewall/rules/name-reasons.ts';
import {type ConfirmedTarget, createZoneNameFailure} from '../../firewall/zone-name.ts';
import {askQuestion, canAsk, confirmAction} from '../../terminal/prompt.ts';
import type {CommandContext} from './context.ts';
import {createValueOption} from './declare.ts';

export type ZoneNameOptions = {confirm?: string};

/** Creates `--confirm ZONE`; `purpose` completes "the zone's name, …". */
export const createZoneNameOption = (purpose: string) =>
	createValueOption('--confirm <zone>', `the zone's name, ${purpose}`);

/**
 * Requires the name of the zone, or of the list, if there are `reasons` (sentences): given with `--confirm` as `confirmOption`, or
 * typed on a terminal; `--yes` is not enough. Returns the name, or undefined if it was neither needed nor
 * given. Fails with `unconfirmed` if the name is missing or `confirmOption` is wrong, and with `declined` if
 * the user types a wrong name. A dry run only warns.
 */
export async function confirmZoneName(
	{output, options, host, signal}: CommandContext,
	zone: ConfirmedTarget,
	reasons: readonly string[],
	confirmOption: string | undefined,
): Promise<string | undefined> {
	const {name, noun = 'zone'} = zone;
	if (confirmOption === name) return name;
	if (options.dryRun) {
		for (const reason of reasons) output.warn(reason);
		if (confirmOption !== undefined) output.warn(`The ${noun} is ${name}, not "${confirmOption}".`);
		return undefined;
	}
	if (confirmOption !== undefined) throw createZoneNameFailure(zone, reasons, confirmOption);
	if (reasons.length === 0) return undefined;
	if (!canAsk(host) || output.json) throw createZoneNameFailure(zone, reasons, confirmOption);
	for (const reason of reasons) output.warn(reason);
	const answer = (await askQuestion(`Type ${name} to continue: `, host, signal)).trim();
	if (answer === name) return name;
	throw new Failure('declined', `The ${noun} is ${name}; nothing was sent.`, {
		why: answer === '' ? 'You typed nothing.' : `You typed "${answer}".`,
	});
}

/**
 * Confirms a write: with the zone's name if there are `reasons` or `confirmOption`, else by asking `request`,
 * if given. Once the user has confirmed a write in production, a weakening only warns. Returns true if a
 * person was asked. Fails as `confirmZoneName` and `confirmAction` do.
 */
export async function confirmWrite(
	context: CommandContext,
	zone: ConfirmedTarget,
	reasons: readonly string[],
	confirmOption: string | undefined,
	request: string | WriteQuestion | undefined,
): Promise<boolean> {
	const {output, options, host, signal} = context;
	const question = typeof request === 'object' ? `${request.question} ${request.effect}` : request;
	const isAsking = canAsk(host) && !output.json && !options.dryRun;
	if (isAsking && confirmOption === undefined && reasons.length > 0 && question !== undefined)
		output.say(question);
	const confirmedName = await confirmZoneName(context, zone, reasons, confirmOption);
	if (confirmedName !== undefined) return confirmOption === undefined;
	if (question === undefined || options.dryRun) return false;
	const confirmation = context.getConfirmation();
	if (typeof request === 'object' && !confirmation.yes && context.isProductionConfirmed()) {
		output.warn(request.effect);
		return true;
	}
	if (!confirmation.yes && !(canAsk(host) && !output.json))
		throw new Failure('unconfirmed', 'Not confirmed, so nothing was sent.', {
			why: question,
			next: `To continue: ${context.formatCommandWithYes()}`,
		});
	await confirmAction(question, confirmation, signal);
	return !confirmation.yes;
}
