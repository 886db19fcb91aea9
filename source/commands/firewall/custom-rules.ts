import {formatRulesCommand} from '../../firewall/commands.ts';
import {buildConfirmOptions} from '../../firewall/rules/broad-rule.ts';
import {findCustomRuleWeakening, findCustomRuleZoneNameReasons} from '../../firewall/rules/name-reasons.ts';
import {readRulesetEntryPoint} from '../../rulesets/calls.ts';
import {changeRuleset, type RulesetOutcome} from '../../rulesets/change.ts';
import {describeRuleChange} from '../../rulesets/change-words.ts';
import {computeRulesetEdit, type RulesetEdit} from '../../rulesets/edit.ts';
import {customPhase, type Ruleset, type RulesetRule} from '../../rulesets/ruleset.ts';
import {toZonePlace} from '../../session/write-place.ts';
import type {PhaseTexts} from '../rulesets/phase-texts.ts';
import {sendRulesetChange} from '../rulesets/send-change.ts';
import {confirmWrite} from '../shell/confirm-zone-name.ts';
import type {CommandContext} from '../shell/context.ts';
import {type OpenedZone, openZone} from './zone.ts';

export const customPhaseTexts: PhaseTexts = {
	rulesNoun: 'custom rules',
	formatCommand: formatRulesCommand,
	describeChange: describeRuleChange,
};

/** The custom rules of a zone, as read. */
export type OpenedCustomRules = OpenedZone & {
	/** Undefined if the zone never had custom rules. */
	readonly ruleset: Ruleset | undefined;
	readonly rules: readonly RulesetRule[];
};

/** Opens the active zone, and reads its custom rules. */
export async function openCustomRules(
	context: CommandContext,
	use: Parameters<typeof openZone>[1],
): Promise<OpenedCustomRules> {
	const openedZone = await openZone(context, use);
	const ruleset = await readRulesetEntryPoint(
		openedZone.client,
		openedZone.zone.id,
		customPhase,
		context.signal,
	);
	return {...openedZone, ruleset, rules: ruleset?.rules ?? []};
}

/** Opens custom rules for a write, and announces the zone. */
export async function openCustomRulesForWriting(context: CommandContext): Promise<OpenedCustomRules> {
	const openedRules = await openCustomRules(context, {writes: true});
	await context.announceWrite(toZonePlace(openedRules.zone));
	return openedRules;
}

/**
 * Returns the options that confirm a change from `currentRules` to `targetRules`, for a printed command that
 * makes it.
 */
export const getCustomRuleConfirmOptions = (
	zone: OpenedCustomRules['zone'],
	currentRules: readonly RulesetRule[],
	targetRules: readonly RulesetRule[],
): readonly string[] =>
	buildConfirmOptions(zone, findCustomRuleZoneNameReasons(zone, currentRules, targetRules));

type CustomRuleWrite = {
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
export async function writeCustomRules(
	context: CommandContext,
	{client, zone, ruleset, rules}: OpenedCustomRules,
	targetRules: readonly RulesetRule[],
	auditText: string,
	{confirmOption, question, reportsNoChange = true, intendedEdit}: CustomRuleWrite,
): Promise<(RulesetOutcome & {state: 'done'}) | undefined> {
	const {output, signal} = context;
	const minimalEdit = computeRulesetEdit(rules, targetRules);
	const edit = minimalEdit && (intendedEdit ?? minimalEdit);
	if (!edit) {
		if (reportsNoChange) output.say('No difference, so nothing was sent.');
		return undefined;
	}
	const confirmationRequest = question ?? findCustomRuleWeakening(zone, rules, targetRules);
	await confirmWrite(
		context,
		zone,
		findCustomRuleZoneNameReasons(zone, rules, targetRules),
		confirmOption,
		confirmationRequest,
	);
	const listCommand = formatRulesCommand(zone, ['list']);
	const phaseTexts: PhaseTexts = {
		...customPhaseTexts,
		buildRestoreOptions: (currentRules, restoredRules) =>
			getCustomRuleConfirmOptions(zone, currentRules, restoredRules),
	};
	return sendRulesetChange(context, {zone}, phaseTexts, auditText, onRecheck =>
		changeRuleset(
			client,
			{zoneId: zone.id, phase: customPhase, baseline: ruleset, edit, inspectCommand: listCommand},
			{signal, onRecheck},
		),
	);
}
