import {formatRulesCommand} from '../../firewall/commands.ts';
import {buildConfirmOptions} from '../../firewall/rules/broad-rule.ts';
import {findRateLimitReductions} from '../../rule-files/reductions.ts';
import {readRulesetEntryPoint} from '../../rulesets/calls.ts';
import {changeRuleset} from '../../rulesets/change.ts';
import {describeRuleChange} from '../../rulesets/change-words.ts';
import {listRuleChanges} from '../../rulesets/difference.ts';
import {computeRulesetEdit} from '../../rulesets/edit.ts';
import {type RulesetRule, rateLimitPhase} from '../../rulesets/ruleset.ts';
import {toZonePlace} from '../../session/write-place.ts';
import type {ZoneUse} from '../../session/zone.ts';
import {formatQuantity} from '../../text/figures.ts';
import {parseIds} from '../firewall/options.ts';
import {openZone} from '../firewall/zone.ts';
import type {OpenedRuleset, PhaseTexts} from '../rulesets/phase-texts.ts';
import {sendRulesetChange} from '../rulesets/send-change.ts';
import {getRestoredRules, loadRulesetVersion} from '../rulesets/versions.ts';
import {confirmWrite} from '../shell/confirm-zone-name.ts';
import type {CommandContext} from '../shell/context.ts';
import type {CustomRuleRestoreOptions} from './rules.ts';

/** Builds the texts and commands for the rate limits of a zone. */
export const buildRateLimitTexts = (zone: {readonly name: string}): Required<PhaseTexts> => ({
	rulesNoun: 'rate limits',
	formatCommand: (commandZone, words, options) =>
		formatRulesCommand(commandZone, [...words, '--rate-limits'], options),
	describeChange: describeRuleChange,
	buildRestoreOptions: (currentRules: readonly RulesetRule[], restoredRules: readonly RulesetRule[]) =>
		buildConfirmOptions(zone, findRateLimitReductions(currentRules, restoredRules)),
});

/** Opens the active zone, and reads its rate limits. */
export async function openRateLimits(context: CommandContext, use: ZoneUse): Promise<OpenedRuleset> {
	const {client, zone} = await openZone(context, use);
	return {
		client,
		zone,
		ruleset: await readRulesetEntryPoint(client, zone.id, rateLimitPhase, context.signal),
	};
}

/** `rules restore --rate-limits`: restores rate limits of an earlier version, after showing the changes. */
export async function restoreRateLimits(
	context: CommandContext,
	{rule: ruleArguments, confirm: confirmOption}: CustomRuleRestoreOptions,
	version: string,
): Promise<void> {
	const {output, signal} = context;
	const openedRateLimits = await openRateLimits(context, {writes: true});
	const {client, zone, ruleset} = openedRateLimits;
	await context.announceWrite(toZonePlace(zone));
	const texts = buildRateLimitTexts(zone);
	const earlierVersion = await loadRulesetVersion(context, openedRateLimits, texts, version);
	const ids = ruleArguments === undefined ? undefined : new Set(parseIds(ruleArguments, 'custom rule'));
	const currentRules = ruleset?.rules ?? [];
	const targetRules = getRestoredRules(openedRateLimits, texts, earlierVersion, ids);
	const changes = listRuleChanges(currentRules, targetRules);
	const edit = computeRulesetEdit(currentRules, targetRules);
	if (!edit) {
		output.say('No difference, so nothing was sent.');
		return;
	}
	output.say(`Restoring version ${version} of the rate limits of ${zone.label} changes:`);
	for (const change of changes) output.say(`  ${describeRuleChange(change, 'planned')}`);
	await confirmWrite(
		context,
		zone,
		findRateLimitReductions(currentRules, targetRules),
		confirmOption,
		`Apply ${formatQuantity(changes.length, 'change')}?`,
	);
	const inspectCommand = formatRulesCommand(zone, ['list', '--rate-limits']);
	const outcome = await sendRulesetChange(
		context,
		openedRateLimits,
		texts,
		`restore version ${version} of the rate limits`,
		onRecheck =>
			changeRuleset(
				client,
				{zoneId: zone.id, phase: rateLimitPhase, baseline: ruleset, edit, inspectCommand},
				{signal, onRecheck},
			),
	);
	await context.printResult(
		{version: outcome.ruleset.version, restored: version, changes: changes.length},
		`Restored version ${version} as version ${outcome.ruleset.version}, in zone ${zone.name}.`,
	);
}
