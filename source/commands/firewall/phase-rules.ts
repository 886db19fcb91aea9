import {formatRulesCommand} from '../../firewall/commands.ts';
import {buildConfirmOptions} from '../../firewall/rules/broad-rule.ts';
import {
	findCustomRuleWeakening,
	findCustomRuleZoneNameReasons,
	type WriteQuestion,
} from '../../firewall/rules/name-reasons.ts';
import {findRateLimitReductions} from '../../rule-files/reductions.ts';
import {readRulesetEntryPoint} from '../../rulesets/calls.ts';
import {changeRuleset, type RulesetOutcome} from '../../rulesets/change.ts';
import {describeRuleChange} from '../../rulesets/change-words.ts';
import {computeRulesetEdit, type RulesetEdit} from '../../rulesets/edit.ts';
import {customPhase, type RulesetPhase, type RulesetRule, rateLimitPhase} from '../../rulesets/ruleset.ts';
import {toZonePlace} from '../../session/write-place.ts';
import type {ZoneUse} from '../../session/zone.ts';
import type {OpenedRuleset, PhaseTexts} from '../rulesets/phase-texts.ts';
import {sendRulesetChange} from '../rulesets/send-change.ts';
import {confirmWrite} from '../shell/confirm-zone-name.ts';
import type {CommandContext} from '../shell/context.ts';
import {openZone} from './zone.ts';

/** A phase whose rules `ledge rules` reads and writes, and what its changes need. */
type RulePhaseTexts = Required<PhaseTexts> & {
	readonly phase: RulesetPhase;
	/** Finds why a change must be confirmed with the zone's name, as sentences; empty if it need not. */
	findZoneNameReasons(
		zone: OpenedRuleset['zone'],
		before: readonly RulesetRule[],
		after: readonly RulesetRule[],
	): readonly string[];
	/** Finds how a change weakens rules that stay; undefined if it does not. */
	findWeakening?(
		zone: OpenedRuleset['zone'],
		before: readonly RulesetRule[],
		after: readonly RulesetRule[],
	): WriteQuestion | undefined;
};

export const customPhaseTexts: RulePhaseTexts = {
	phase: customPhase,
	rulesNoun: 'custom rules',
	formatCommand: formatRulesCommand,
	describeChange: describeRuleChange,
	findZoneNameReasons: findCustomRuleZoneNameReasons,
	findWeakening: findCustomRuleWeakening,
	buildChangeOptions: (zone, currentRules, targetRules) =>
		buildConfirmOptions(zone, findCustomRuleZoneNameReasons(zone, currentRules, targetRules)),
};

export const rateLimitPhaseTexts: RulePhaseTexts = {
	phase: rateLimitPhase,
	rulesNoun: 'rate limits',
	formatCommand: (zone, words, options) => formatRulesCommand(zone, [...words, '--rate-limits'], options),
	describeChange: describeRuleChange,
	findZoneNameReasons: (_zone, before, after) => findRateLimitReductions(before, after),
	buildChangeOptions: (zone, currentRules, targetRules) =>
		buildConfirmOptions(zone, findRateLimitReductions(currentRules, targetRules)),
};

/** The rules of one phase of a zone, as read. */
export type OpenedPhase = OpenedRuleset & {
	readonly texts: RulePhaseTexts;
	readonly rules: readonly RulesetRule[];
};

/** Opens the active zone, and reads its rules of a phase. */
export async function openPhaseRules(
	context: CommandContext,
	use: ZoneUse,
	texts: RulePhaseTexts = customPhaseTexts,
): Promise<OpenedPhase> {
	const {client, zone} = await openZone(context, use);
	const ruleset = await readRulesetEntryPoint(client, zone.id, texts.phase, context.signal);
	return {client, zone, texts, ruleset, rules: ruleset?.rules ?? []};
}

/** Opens rules of a phase for a write, and announces the zone. */
export async function openPhaseRulesForWriting(
	context: CommandContext,
	texts?: RulePhaseTexts,
): Promise<OpenedPhase> {
	const openedPhase = await openPhaseRules(context, {writes: true}, texts);
	await context.announceWrite(toZonePlace(openedPhase.zone));
	return openedPhase;
}

type PhaseRulesWrite = {
	/** The zone's name, as given with `--confirm`. */
	readonly confirmOption: string | undefined;
	/**
	 * The question to confirm, if the zone's name is not required. Undefined: asks only if a rule is
	 * weakened.
	 */
	readonly question?: string | undefined;
	/** False if the caller reports itself that nothing differs. */
	readonly reportsNoChange?: boolean;
	/** Edit to send if several have the same result; the smallest one by default. */
	readonly intendedEdit?: RulesetEdit;
};

/**
 * Writes the target rules with one call, after confirmation, and warns of concurrent changes by others.
 * Returns undefined if nothing differs; fails if the write was not done.
 */
export async function writePhaseRules(
	context: CommandContext,
	{client, zone, texts, ruleset, rules}: OpenedPhase,
	targetRules: readonly RulesetRule[],
	auditText: string,
	{confirmOption, question, reportsNoChange = true, intendedEdit}: PhaseRulesWrite,
): Promise<(RulesetOutcome & {state: 'done'}) | undefined> {
	const {output, signal} = context;
	const minimalEdit = computeRulesetEdit(rules, targetRules);
	const edit = minimalEdit && (intendedEdit ?? minimalEdit);
	if (!edit) {
		if (reportsNoChange) output.say('No difference, so nothing was sent.');
		return undefined;
	}
	const {phase} = texts;
	const zoneNameReasons = texts.findZoneNameReasons(zone, rules, targetRules);
	const confirmationRequest = question ?? texts.findWeakening?.(zone, rules, targetRules);
	await confirmWrite(context, zone, zoneNameReasons, confirmOption, confirmationRequest);
	const inspectCommand = texts.formatCommand(zone, ['list']);
	return sendRulesetChange(context, {zone}, texts, auditText, onRecheck =>
		changeRuleset(
			client,
			{zoneId: zone.id, phase, baseline: ruleset, edit, inspectCommand},
			{signal, onRecheck},
		),
	);
}
