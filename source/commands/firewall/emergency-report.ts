import {formatResumeRuleCommand} from '../../firewall/commands.ts';
import {buildRuleConfirmOptions} from '../../firewall/rules/broad-rule.ts';
import {
	assessBlockEffect,
	describeBlockEffect,
	describeEarlierRules,
	type EarlierRule,
	formatRunFirstCommand,
	toEarlierRulesValue,
} from '../../firewall/rules/earlier-rules.ts';
import type {EmergencyDraft, EmergencyOutcome} from '../../firewall/rules/emergency-draft.ts';
import {formatUndoCommand} from '../../firewall/rules/emergency-undo.ts';
import {isRuleActive} from '../../firewall/rules/rule.ts';
import {formatRuleName} from '../../firewall/rules/users.ts';
import type {CommandContext} from '../shell/context.ts';
import {formatFirewallAction} from './text.ts';
import type {OpenedZone} from './zone.ts';

type CreatedEmergency = EmergencyOutcome & {state: 'created'};

/**
 * Prints the active block and the rules that run before it; with `--json`, only important warnings go to
 * stderr. If nothing was created, throws a failure with the current state and the next step.
 */
export async function printEmergency(
	{output, markSimulated}: CommandContext,
	openedZone: OpenedZone,
	{filter: {expression}}: EmergencyDraft,
	emergency: EmergencyOutcome,
): Promise<void> {
	if (emergency.state !== 'created') throw emergency.failure;
	const {form, rule, earlierRules} = emergency;
	for (const line of describeCreated(openedZone, expression, emergency, output.json)) output.say(line);
	if (!output.json) return;
	const ruleset = form === 'custom rule' && {ruleset: emergency.ruleset.id};
	const effectFields = {
		inForce: assessBlockEffect(expression, earlierRules),
		earlierRules: toEarlierRulesValue(earlierRules),
	};
	await output.writeJson([markSimulated({...rule, ...ruleset, ...effectFields})]);
}

function describeCreated(
	{zone}: OpenedZone,
	expression: string,
	emergency: CreatedEmergency,
	isJson: boolean,
): readonly string[] {
	const {form, rule, alreadyExisted, foundAfterLostResponse, earlierRules} = emergency;
	const isCustom = form === 'custom rule';
	const name = isCustom
		? `custom rule ${formatRuleName(rule)} in ruleset ${emergency.ruleset.id}`
		: `rule ${rule.id} (${formatFirewallAction(rule)}) on filter ${rule.filter.id}`;
	const description = `${name}, in zone ${zone.name}`;
	const outcomeNote = `${alreadyExisted ? ' Nothing was created.' : ''}${foundAfterLostResponse ? ' The response was lost; a later check confirmed it.' : ''}`;
	if (isCustom ? rule.enabled === false : !isRuleActive(rule))
		return [
			`${alreadyExisted ? 'Already exists, but is paused' : 'Created, but paused, so it stops nothing yet'}: ${description}.${outcomeNote}`,
			...(isCustom
				? []
				: [
						`Resume it: ${formatResumeRuleCommand(zone, rule.id, buildRuleConfirmOptions(zone, [{before: rule, after: {...rule, paused: false}}]))}`,
					]),
		];
	const block = {action: rule.action, expression};
	const {heading, details, hasFullEffect} = describeBlockEffect(
		alreadyExisted ? 'already' : 'created',
		description,
		block,
		earlierRules,
	);
	if (hasFullEffect && !alreadyExisted && isJson) return [];
	const runFirstCommand =
		hasFullEffect || rule.id === undefined ? undefined : formatRunFirstCommand(zone, rule.id, earlierRules);
	const undoCommand = alreadyExisted || isJson ? undefined : formatUndoCommand(zone, emergency);
	return [
		`${heading}${outcomeNote}`,
		...details,
		...(runFirstCommand === undefined ? [] : [`To run it first: ${runFirstCommand}`]),
		...(undoCommand === undefined ? [] : [`To undo: ${undoCommand}`]),
	];
}

/** Warns of rules that run before a new one and may let through some of what it stops. */
export function warnOfEarlierRules({output}: CommandContext, earlierRules: readonly EarlierRule[]): void {
	const allowingRules = earlierRules.filter(({effect}) => effect !== 'challenges');
	for (const sentence of describeEarlierRules(allowingRules)) output.warn(sentence);
}
