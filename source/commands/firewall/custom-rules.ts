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

export const customRules: RulesetArea = {
	rules: 'custom rules',
	command: rulesCommand,
	sentence: changeSentence,
};

/** The custom rules of a zone, as read. */
export type OpenedRules = OpenedZone & {
	/** Undefined if the zone never had one. */
	readonly ruleset: Ruleset | undefined;
	readonly rules: readonly RulesetRule[];
};

/** Opens the active zone, and reads its custom rules. */
export async function openRules(
	context: CommandContext,
	use: Parameters<typeof openZone>[1],
): Promise<OpenedRules> {
	const opened = await openZone(context, use);
	const ruleset = await entryPoint(opened.client, opened.zone.id, customPhase, context.signal);
	return {...opened, ruleset, rules: ruleset?.rules ?? []};
}

/** Opens custom rules for a write, and announces the zone. */
export async function openToWrite(context: CommandContext): Promise<OpenedRules> {
	const opened = await openRules(context, {writes: true});
	await context.announceWrite(placeOfZone(opened.zone));
	return opened;
}

/**
 * Returns the options that `rules restore` needs to change `now` back to `then`, so that the printed command
 * works.
 */
export const restoreOptions = (
	zone: OpenedRules['zone'],
	now: readonly RulesetRule[],
	then: readonly RulesetRule[],
): readonly string[] => confirmOptions(zone, findCustomRuleReasons(zone, now, then));

type Changing = {
	/** The zone's name, as given with `--confirm`. */
	readonly confirmed: string | undefined;
	/**
	 * The question to confirm, if the zone's name is not required. Undefined: asks only if a rule is
	 * weakened.
	 */
	readonly question?: string | undefined;
	readonly saysNothing?: boolean;
	readonly meant?: RulesetEdit;
};

/**
 * Writes the wanted rules with one call, after confirmation, and warns of concurrent changes by others.
 * Returns undefined if nothing differs; fails if the write was not done.
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
