import {rulesCommand} from '../../firewall/continuation.ts';
import {confirmOptions} from '../../firewall/rules/broad-rule.ts';
import {findCustomRuleReasons, findCustomRuleWeakening} from '../../firewall/rules/name-reasons.ts';
import {entryPoint} from '../../rulesets/calls.ts';
import {changeRuleset, changeSentence, type RulesetOutcome} from '../../rulesets/change.ts';
import {editTo, type RulesetEdit} from '../../rulesets/edit.ts';
import {customPhase, type Ruleset, type RulesetRule} from '../../rulesets/ruleset.ts';
import {placeOfZone} from '../../session/write-place.ts';
import type {RulesetArea} from '../rulesets/area.ts';
import {sent} from '../rulesets/sent.ts';
import type {CommandContext} from '../shell/context.ts';
import {confirmWrite} from '../shell/zone-name.ts';
import {type OpenedZone, openZone} from './zone.ts';

/** The phase of custom rules. */
export const customRules: RulesetArea = {
	rules: 'custom rules',
	command: rulesCommand,
	sentence: changeSentence,
};

/** The custom rules of a zone, as they were read. */
export type OpenedRules = OpenedZone & {
	/** `undefined` where the zone never had one. */
	readonly ruleset: Ruleset | undefined;
	readonly rules: readonly RulesetRule[];
};

/** The zone in force, and its custom rules. */
export async function openRules(
	context: CommandContext,
	use: Parameters<typeof openZone>[1],
): Promise<OpenedRules> {
	const opened = await openZone(context, use);
	const ruleset = await entryPoint(opened.client, opened.zone.id, customPhase, context.signal);
	return {...opened, ruleset, rules: ruleset?.rules ?? []};
}

/** The same to write to: the place is announced. */
export async function openToWrite(context: CommandContext): Promise<OpenedRules> {
	const opened = await openRules(context, {writes: true});
	await context.announceWrite(placeOfZone(opened.zone));
	return opened;
}

/** Options that `rules restore` needs to change `now` back to `then`, so that the printed command works. */
export const restoreOptions = (
	zone: OpenedRules['zone'],
	now: readonly RulesetRule[],
	then: readonly RulesetRule[],
): readonly string[] => confirmOptions(zone, findCustomRuleReasons(zone, now, then));

type Changing = {
	/** The zone's name as it was given with `--confirm`. */
	readonly confirmed: string | undefined;
	/** The question before it, where the zone's name is not needed; without one, what weakens a rule is asked about. */
	readonly question?: string | undefined;
	readonly saysNothing?: boolean;
	readonly meant?: RulesetEdit;
};

/**
 * Makes these rules of those that were read, with one call, once it is confirmed, and warns of what others did meanwhile.
 * `undefined` where nothing differs; fails where it was not done.
 */
export async function changed(
	context: CommandContext,
	{client, zone, ruleset, rules}: OpenedRules,
	wanted: readonly RulesetRule[],
	what: string,
	{confirmed, question, saysNothing = true, meant}: Changing,
): Promise<(RulesetOutcome & {state: 'done'}) | undefined> {
	const {output, signal} = context;
	const least = editTo(rules, wanted);
	const edit = least && (meant ?? least);
	if (!edit) {
		if (saysNothing) output.say('Nothing differs, so nothing was sent.');
		return undefined;
	}
	const asked = question ?? findCustomRuleWeakening(zone, rules, wanted);
	await confirmWrite(context, zone, findCustomRuleReasons(zone, rules, wanted), confirmed, asked);
	const where = rulesCommand(zone, ['list']);
	const area: RulesetArea = {...customRules, restoreOptions: (now, then) => restoreOptions(zone, now, then)};
	return sent(context, {zone}, area, what, onLook =>
		changeRuleset(client, {zone: zone.id, phase: customPhase, shown: ruleset, edit, where}, {signal, onLook}),
	);
}
