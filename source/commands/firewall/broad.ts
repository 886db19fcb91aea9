import type {Option} from 'commander';
import {Failure} from '../../failure.ts';
import {type Acting, becomesBroad, broadSentence} from '../../firewall/rules/broad-rule.ts';
import type {FirewallZone} from '../../firewall/rules/rule.ts';
import {ask, canAsk} from '../../terminal/prompt.ts';
import type {CommandContext} from '../shell/context.ts';
import {valueOption} from '../shell/declare.ts';

/** What a rule that acts on nearly all traffic has to be confirmed with. */
export type BroadOptions = {confirm?: string};

export const confirmOption = (): Option =>
	valueOption('--confirm <zone>', "the zone's name, for a rule that acts on nearly all its traffic");

/** A rule as a write leaves it, and as it was before. */
export type BroadChange = {readonly after: Acting; readonly before?: Acting | undefined};

/**
 * Fails with `unconfirmed` unless the zone's name was given or is typed now, where one of the rules comes to act on
 * all or nearly all traffic; `--yes` is not enough. In a dry run it only says so.
 */
export async function confirmBroad(
	context: CommandContext,
	zone: Pick<FirewallZone, 'name'>,
	changes: readonly BroadChange[],
	{confirm: given}: BroadOptions,
): Promise<void> {
	const {output, options, signal} = context;
	const broad = changes.find(({after, before}) => becomesBroad(after, before));
	if (!broad) return;
	const sentence = broadSentence(broad.after, zone);
	if (given === zone.name) return;
	if (options.dryRun) return output.warn(sentence);
	const next = `If that is what you want, add the zone's name: --confirm ${zone.name} (--yes is not enough).`;
	if (given !== undefined)
		throw new Failure('unconfirmed', `The zone is ${zone.name}, not "${given}"; nothing was sent.`, {
			why: sentence,
			next,
		});
	if (!canAsk(context.host) || output.json)
		throw new Failure('unconfirmed', 'Not confirmed, so nothing was sent.', {why: sentence, next});
	output.warn(sentence);
	const typed = (await ask(`Type ${zone.name} to continue: `, context.host, signal)).trim();
	if (typed === zone.name) return;
	throw new Failure('declined', `The zone is ${zone.name}; nothing was sent.`, {
		why: typed === '' ? 'Nothing was typed.' : `"${typed}" was typed.`,
	});
}
